package postgres

import (
	"context"
	"crypto/tls"
	"errors"
	"maps"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// loginPatience is how long a client may take to log in.
	loginPatience = 30 * time.Second
	// openPatience is how long its database may take to be ready.
	openPatience = 4 * time.Minute
	// farewellPatience is how long a client may take to hear that its session was ended.
	farewellPatience = time.Second
)

// Target is what a login leads to.
type Target struct {
	// Password is the role's; empty when there is nobody who could log in so.
	Password string
	// Verifier is what PostgreSQL keeps of a password that nobody else knows, empty for none.
	Verifier string
	// Open returns where the session takes place once that is ready. It is called when
	// the client has proved who it is.
	Open func(context.Context) (*Place, error)
}

// Place is a database of a cluster.
type Place struct {
	Cluster *Cluster
	// Database is its name in the cluster.
	Database string
	// Since is when the session begins, by the world's clock.
	Since time.Time
	// Touched is set whenever a statement has ended.
	Touched *atomic.Bool
	// Changed is called when a statement may have changed roles or databases, with the passwords
	// that the session's statements have had.
	Changed func(passwords []string)
	// Ended is called at the end of a session, with the time of its last statement.
	Ended func(active time.Time)
	// Release is called once the session is over.
	Release func()
}

// Directory says where a login leads. It is asked before the password is, so an
// error, best a *RefusalError, is told to everybody.
type Directory func(Login) (Target, error)

// Gateway takes clients' connections: it ends their TLS, lets them log
// in, and connects them to the database that the host name and the names of role and
// database lead to.
type Gateway struct {
	directory Directory
	over      func(Login) bool
	now       func() time.Time
	listener  net.Listener
	authority *authority
	tls       *tls.Config
	ctx       context.Context //nolint:containedctx // It is the gateway's life, which connections share.
	stop      context.CancelFunc
	handlers  sync.WaitGroup

	mu       sync.Mutex
	conns    map[net.Conn]bool
	sessions map[*session]bool
}

// session is a connection through the gateway that has logged in.
type session struct {
	traffic

	login          Login
	place          *Place
	client, server net.Conn
	// ended says that it was we who ended it.
	ended bool
}

// Listen opens a gateway on a port of an address, zero for any free one, whose clients wait until Serve. Its
// certificates are of an authority that the file keeps, empty for none. The clock is the world's; over says whether a
// login's session is to end.
func Listen(
	ctx context.Context, host string, port int, authorityFile string, now func() time.Time, directory Directory,
	over func(Login) bool,
) (*Gateway, error) {
	authority, err := openAuthority(authorityFile)
	if err != nil {
		return nil, err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	g := &Gateway{
		directory: directory, over: over, now: now, listener: listener, authority: authority,
		tls: &tls.Config{
			GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) { return authority.of(hello.ServerName) },
			MinVersion:     tls.VersionTLS12, NextProtos: []string{"postgresql"},
		},
		conns: map[net.Conn]bool{}, sessions: map[*session]bool{},
	}
	g.ctx, g.stop = context.WithCancel(context.WithoutCancel(ctx))
	return g, nil
}

// Serve lets clients in.
func (g *Gateway) Serve() { g.handlers.Go(g.accept) }

// Authority is the certificate by which clients can verify the gateway's, in PEM.
func (g *Gateway) Authority() []byte { return g.authority.pem() }

// Address is where clients connect to.
func (g *Gateway) Address() net.Addr { return g.listener.Addr() }

// Close ends all connections.
func (g *Gateway) Close() error {
	g.stop()
	err := g.listener.Close()
	g.endSessions(func(Login) bool { return true })
	g.mu.Lock()
	for conn := range g.conns {
		_ = conn.Close() // Its handler notices.
	}
	g.mu.Unlock()
	g.handlers.Wait()
	return err
}

// EndSessions ends those whose logins are over.
func (g *Gateway) EndSessions() { g.endSessions(g.over) }

func (g *Gateway) endSessions(over func(Login) bool) {
	g.mu.Lock()
	all := slices.Collect(maps.Keys(g.sessions))
	g.mu.Unlock()
	for _, s := range all {
		if over(s.login) {
			g.end(s)
		}
	}
}

// isOver reports whether a client has no session, or one whose login is over.
func (g *Gateway) isOver(client net.Conn) bool {
	g.mu.Lock()
	var login *Login
	for s := range g.sessions {
		if s.client == client && !s.ended {
			login = &s.login
		}
	}
	g.mu.Unlock()
	return login == nil || g.over(*login)
}

// Active says when a session through an endpoint has last been active, and whether one is now.
func (g *Gateway) Active(endpoint string) (last time.Time, busy bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for s := range g.sessions {
		if s.login.Endpoint == endpoint && !s.ended {
			if at := time.Unix(0, s.active.Load()); at.After(last) {
				last = at
			}
			busy = busy || s.busy.Load()
		}
	}
	return last, busy
}

// Sessions is how many there are.
func (g *Gateway) Sessions() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.sessions)
}

func (g *Gateway) accept() {
	for {
		conn, err := g.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			// Too many files are open, or the client has gone again.
			time.Sleep(10 * time.Millisecond)
		case g.track(conn):
			g.handlers.Go(func() {
				defer g.forget(conn)
				address, _, _ := net.SplitHostPort(conn.RemoteAddr().String())
				g.handle(conn, way{address: address})
			})
		}
	}
}

// track remembers a connection, unless the gateway is being closed.
func (g *Gateway) track(conn net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ctx.Err() != nil {
		_ = conn.Close() // Nothing was said on it.
		return false
	}
	g.conns[conn] = true
	return true
}

func (g *Gateway) forget(conn net.Conn) {
	_ = conn.Close() // It may be closed already.
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, conn)
}
