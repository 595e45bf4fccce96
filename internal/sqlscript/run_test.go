package sqlscript

import (
	"context"
	"fmt"
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

// Where and how SQL is run says the connection string, and not what a shell has for other servers.
//
//nolint:paralleltest // It changes the environment.
func TestConnect_environment(t *testing.T) {
	for name, value := range map[string]string{
		"PGCHANNELBINDING": "disable", "PGREQUIREAUTH": "md5", "PGTARGETSESSIONATTRS": "standby", "PGPORT": "1",
		"PGMINPROTOCOLVERSION": "3.2", "PGSSLMODE": "disable", "PGHOST": "db.example.com", "PGSSLNEGOTIATION": "direct",
		"PGOPTIONS": "-c search_path=other", "PGUSER": "nobody", "PGPASSWORD": "none", "PGDATABASE": "none", "PGTZ": "Mars",
		"PGAPPNAME": "other", "PGCONNECT_TIMEOUT": "1", "PGSSLSNI": "0", "PGSSLCERT": "/nowhere", "PGSSLKEY": "/nowhere",
	} {
		t.Setenv(name, value)
	}
	for asked, want := range map[string]string{
		"postgresql://app:npg_secret@ep-a.neon.tech/shop?sslmode=require&channel_binding=require&options=endpoint%3Dep-a": "" +
			"app npg_secret ep-a.neon.tech 5432 shop require [options=endpoint=ep-a] TLS with ep-a.neon.tech",
		"postgresql://app:a%2Bb%20c@ep-a.neon.localhost:5433/shop": "app a+b c ep-a.neon.localhost 5433 shop prefer [] TLS with " +
			"ep-a.neon.localhost",
	} {
		config, err := configOf(asked)
		if err != nil {
			t.Fatal(err)
		}
		said := []string{}
		for name, value := range config.RuntimeParams {
			said = append(said, name+"="+value)
		}
		got := fmt.Sprintf("%s %s %s %d %s %s %s", config.User, config.Password, config.Host, config.Port, config.Database,
			config.ChannelBinding, said)
		if config.TLSConfig != nil {
			got += " TLS with " + config.TLSConfig.ServerName
		}
		if got != want || config.RequireAuth != "" || config.ValidateConnect != nil || config.ConnectTimeout != 0 ||
			config.MinProtocolVersion != "3.0" || config.SSLNegotiation == "direct" {
			t.Errorf("%q, %+v; want %q", got, config.Config, want)
		}
	}
}
