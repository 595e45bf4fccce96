package postgres

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"maps"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// handle serves one connection to its end.
func (g *Gateway) handle(conn net.Conn, by way) {
	_ = conn.SetDeadline(time.Now().Add(loginPatience)) // A connection that is closed shows with the next read.
	secured, first, err := g.secure(conn)
	if err == nil && first.code == cancelRequest {
		g.passCancel(first)
		return
	}
	if err == nil {
		err = g.serve(conn, secured, first, by)
	}
	if refusal := refusalOf(err); refusal != nil {
		_ = conn.SetDeadline(time.Now().Add(loginPatience))
		_ = sendRefusal(secured, refusal) // A client that has gone needs no answer.
	}
	// The end of TLS is told, too, so that the client knows that nothing is missing.
	_ = secured.Close()
}

// secure answers what clients ask before they say who they are.
func (g *Gateway) secure(conn net.Conn) (net.Conn, startup, error) {
	secured := conn
	for {
		first, err := readStartup(secured)
		if err != nil {
			return secured, first, err
		}
		switch first.code {
		case gssRequest:
			if _, err := secured.Write([]byte("N")); err != nil {
				return secured, first, err
			}
		case tlsRequest:
			if secured != conn {
				return secured, first, refuse(codeProtocol, "TLS was requested twice")
			}
			if _, err := conn.Write([]byte("S")); err != nil {
				return secured, first, err
			}
			secured = tls.Server(conn, g.tls)
		default:
			return secured, first, nil
		}
	}
}

// passCancel hands the request to end a query on to the servers that have sessions:
// the one that began the session knows it by the number and the key that it gave it.
func (g *Gateway) passCancel(request startup) {
	cancel := &pgproto3.CancelRequest{}
	if cancel.Decode(request.body) != nil {
		return
	}
	g.mu.Lock()
	clusters := map[*Cluster]bool{}
	for s := range g.sessions {
		clusters[s.place.Cluster] = true
	}
	g.mu.Unlock()
	for c := range clusters {
		g.cancelAt(c, cancel)
	}
}

func (g *Gateway) cancelAt(c *Cluster, cancel *pgproto3.CancelRequest) {
	server, err := c.dial(g.ctx)
	if err != nil {
		return // The request has no answer, whatever becomes of it.
	}
	defer func() { _ = server.Close() }() // As above.
	_ = server.SetDeadline(time.Now().Add(loginPatience))
	if send(server, cancel) == nil {
		_, _ = io.Copy(io.Discard, server) // The server closes when it has taken it.
	}
}

// serve lets the client log in, and carries its session.
func (g *Gateway) serve(conn, client net.Conn, first startup, by way) error {
	parameters, askedForMore, err := first.parameters()
	if err != nil {
		return err
	}
	encrypted, isEncrypted := client.(*tls.Conn)
	if isEncrypted {
		by.host = cmp.Or(encrypted.ConnectionState().ServerName, by.host)
	}
	login, err := loginOf(by.host, parameters)
	if !isEncrypted && !by.tunneled && err != nil {
		return refuse(codeAuthorization, "connection is insecure (try using `sslmode=require`)")
	}
	if err != nil {
		return err
	}
	login.Address = by.address
	target, err := g.directory(login)
	if err != nil {
		return asRefusal(err)
	}
	if err := negotiate(client, askedForMore, parameters); err != nil {
		return err
	}
	if err := g.authenticate(client, by, login.Role, target); err != nil {
		return err
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return err
	}
	place, err := g.open(target)
	if err != nil {
		return asRefusal(err)
	}
	login.Since = place.Since
	defer place.Release()
	server, err := g.connect(login.Role, place, parameters)
	if err != nil {
		return asRefusal(err)
	}
	begun := &session{login: login, place: place, client: client, server: server,
		traffic: traffic{now: g.now, touched: place.Touched}}
	begun.active.Store(g.now().UnixNano())
	return g.carry(begun)
}

// authenticate has the client log in, in the way that suits how it came.
func (g *Gateway) authenticate(client net.Conn, by way, role string, target Target) error {
	encrypted, isEncrypted := client.(*tls.Conn)
	switch {
	case isEncrypted:
		certificate, err := g.authority.of(encrypted.ConnectionState().ServerName)
		if err != nil {
			return err
		}
		return authenticate(client, certificate.Leaf, role, target)
	case by.tunneled:
		return authenticatePlainly(client, role, target)
	}
	return authenticate(client, nil, role, target)
}

func (g *Gateway) open(target Target) (*Place, error) {
	ctx, cancel := context.WithTimeoutCause(g.ctx, openPatience, errors.New("the database isn't ready yet"))
	defer cancel()
	return target.Open(ctx)
}

// asRefusal tells the client of any error.
func asRefusal(err error) error {
	if refusalOf(err) != nil {
		return err
	}
	return refuse(codeConnection, "%s", Message(err))
}

// connect begins the session on the server, which trusts us. What it answers is the
// client's.
func (g *Gateway) connect(role string, place *Place, parameters map[string]string) (net.Conn, error) {
	server, err := place.Cluster.dial(g.ctx)
	if err != nil {
		return nil, err
	}
	parameters = maps.Clone(parameters)
	parameters["user"], parameters["database"] = role, place.Database
	begin := &pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: parameters}
	if err := send(server, begin); err != nil {
		_ = server.Close() // What it failed with is told.
		return nil, err
	}
	return server, nil
}

// carry copies what both sides say until one of them has nothing more to say.
func (g *Gateway) carry(s *session) error {
	g.mu.Lock()
	g.sessions[s] = true
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		delete(g.sessions, s)
		g.mu.Unlock()
		s.place.Ended(time.Unix(0, s.active.Load()))
	}()
	// What was allowed when the client logged in may be over by now.
	if _, err := g.directory(s.login); err != nil || g.ctx.Err() != nil {
		g.end(s)
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		s.fromClient(s.server, s.client)
		_ = s.server.Close() // The server ends the session, even in the middle of a query.
	}()
	s.fromServer(s.client, s.server, s.place.Changed)
	g.mu.Lock()
	ended := s.ended
	g.mu.Unlock()
	if ended {
		_ = sendRefusal(s.client, &RefusalError{codeShutdown,
			"terminating connection due to administrator command"}) // It may have gone.
	}
	_ = s.client.Close()
	_ = s.server.Close()
	<-gone
	return nil
}

func (g *Gateway) end(s *session) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	_ = s.client.SetWriteDeadline(time.Now().Add(farewellPatience)) // One that reads no more isn't waited for.
	_ = s.server.Close()                                            // It is noticed at once.
}
