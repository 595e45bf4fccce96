package postgres

import (
	"crypto/subtle"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"
)

// way is how a client gets to the gateway.
type way struct {
	// host is where it wants to go, unless TLS or its options say that.
	host string
	// address is the client's.
	address string
	// tunneled says that the bytes come inside of something else.
	tunneled bool
}

// Tunnel serves a client whose bytes come inside of something else, such as a WebSocket, and returns what is closed at
// the end of that. The host is the one that it asked for, whose first label is an endpoint's id. A client that doesn't
// ask for TLS in there logs in with its password as it is, which it may send unasked.
func (g *Gateway) Tunnel(conn net.Conn, host, address string) (over <-chan struct{}) {
	ended := make(chan struct{})
	if !g.track(conn) {
		close(ended)
		return ended
	}
	g.handlers.Go(func() {
		defer close(ended)
		defer g.forget(conn)
		g.handle(conn, way{host, address, true})
	})
	return ended
}

// authenticatePlainly takes the password itself.
func authenticatePlainly(conn net.Conn, role string, target Target) error {
	if err := send(conn, &pgproto3.AuthenticationCleartextPassword{}); err != nil {
		return err
	}
	password, err := readPassword(conn)
	if err != nil {
		return err
	}
	return target.admit(role, strings.TrimSuffix(string(password), "\x00"))
}

// admit refuses any password but the role's.
func (t Target) admit(role, password string) error {
	admitted := t.Password != "" && subtle.ConstantTimeCompare([]byte(password), []byte(t.Password)) == 1
	if t.Verifier != "" {
		admitted = Verifies(t.Verifier, password)
	}
	if !admitted {
		return wrongPassword(role)
	}
	return nil
}

func wrongPassword(role string) error {
	return refuse(codePassword, "password authentication failed for user '%s'", role)
}
