package sqlscript

import (
	"context"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// A statement is only said to be refused where PostgreSQL has done so.
func TestStatementError(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"PostgreSQL refused the statement: no such table (SQLSTATE 42P01)": &pgconn.PgError{Message: "no such table",
			Code: "42P01"},
		"the connection to PostgreSQL was lost: unexpected EOF": io.ErrUnexpectedEOF,
		"the statement took too long":                           context.DeadlineExceeded,
	} {
		said := (&StatementError{"seed.sql", Statement{Text: "SELECT 1", Line: 3}, false, err}).Error()
		if !strings.HasPrefix(said, "seed.sql, line 3: "+want) {
			t.Errorf("want %q, and it says %s", want, said)
		}
	}
}

// An emulator that doesn't listen won't by waiting.
func TestConnect_withoutDatabases(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a refused connection is another error there, after which Connect waits")
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	const host = "ep-cool-breeze-a1b2c3d4.us-east-2.aws.neon.localhost"
	_, err = Connect(t.Context(), "postgresql://app:npg_secret@"+host+":"+port+"/neondb")
	if err == nil || !strings.Contains(err.Error(), "serves no databases") || strings.Contains(err.Error(), "npg_secret") {
		t.Errorf("it says %v", err)
	}
}
