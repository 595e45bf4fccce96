package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// Where PostgreSQL can't start, the control plane is served all the same, unless
// PostgreSQL was asked for.
func TestRun_withoutPostgres(t *testing.T) {
	programs, err := postgres.FindPrograms(t.Context())
	if err != nil {
		t.Skip(err)
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 100))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	var stdout, stderr bytes.Buffer
	stopAfter := writerFunc(func(text []byte) (int, error) {
		stop() // It serves once it has written this.
		return stdout.Write(text)
	})
	if err := run(ctx, []string{"-listen", "127.0.0.1:0"}, stopAfter, &stderr); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"no database is served: unable to prepare PostgreSQL", "set TMPDIR to a shorter one"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q isn't in\n%s", want, stderr.String())
		}
	}
	if !strings.Contains(stdout.String(), "export NEON_BASE_URL=") {
		t.Errorf("nothing is served:\n%s", stdout.String())
	}
	err = run(t.Context(), []string{"-listen", "127.0.0.1:0", "-postgres", programs}, &stdout, &stderr)
	if err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("with -postgres %s: %v", programs, err)
	}
}

// startWith starts the emulator with a PostgreSQL whose initdb is a script. PROGRAMS in it is the folder of the real
// one, and HERE that of the script.
func startWith(t *testing.T, initdb string, stderr io.Writer) (p *program, here string) {
	t.Helper()
	programs, err := postgres.FindPrograms(t.Context())
	if err != nil {
		t.Skip(err)
	}
	here = openFolder(t)
	for _, name := range []string{"postgres", "pg_basebackup", "pg_controldata", "pg_dump"} {
		if err := os.Symlink(filepath.Join(programs, name), filepath.Join(here, name)); err != nil {
			t.Fatal(err)
		}
	}
	replaced := strings.NewReplacer("PROGRAMS", programs, "HERE", here)
	for name, script := range map[string]string{"initdb": initdb, "pg_config": "echo HERE"} {
		if err := os.WriteFile(filepath.Join(here, name), []byte("#!/bin/sh\n"+replaced.Replace(script)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	c := commandWith(ctx, "-postgres", "auto")
	c.Env, c.Stderr = append(c.Env, "PATH="+here+":"+os.Getenv("PATH")), stderr
	return start(t, c), here
}

func (p *program) connectionURI() string {
	_, answer := p.ask(http.MethodGet, "/connection_uri?database_name=neondb&role_name=neondb_owner")
	uri, _ := answer["uri"].(string)
	return uri
}

// The API is served before there can be databases, and who connects waits for these.
func TestServes_whilePostgresIsPrepared(t *testing.T) {
	t.Parallel()
	p, here := startWith(t, `until [ -e HERE/go ]; do sleep 0.05; done; exec PROGRAMS/initdb "$@"`, io.Discard)
	if status, answer := p.ask(http.MethodPost, "/branches"); status != http.StatusCreated {
		t.Fatalf("a branch isn't created: %d %v", status, answer)
	}
	if err := os.WriteFile(filepath.Join(here, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	conn, err := connect(t.Context(), p.connectionURI())
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Error(err)
	}
	p.stop()
	// It also ends before that.
	p, _ = startWith(t, "exec sleep 3600", io.Discard)
	p.stop()
}

// Why there are no databases is said at once, and to who connects.
func TestServes_whereInitdbFails(t *testing.T) {
	t.Parallel()
	said, stderr := io.Pipe()
	p, _ := startWith(t, "echo 'no space left' >&2; exit 1", stderr)
	enough := time.AfterFunc(3*time.Minute, func() { _ = stderr.Close() })
	defer enough.Stop()
	lines := bufio.NewScanner(said)
	for lines.Scan() && !strings.Contains(lines.Text(), "databases can't be used: unable to prepare PostgreSQL") {
	}
	if lines.Err() != nil || lines.Text() == "" {
		t.Error("the emulator doesn't say it")
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	if _, err := connect(t.Context(), p.connectionURI()); err == nil ||
		!strings.Contains(err.Error(), "unable to prepare PostgreSQL") {
		t.Errorf("who connects gets %v", err)
	}
	p.stop()
}

// Where something else has the port of the databases, the message says what to do.
func TestRun_databasePortInUse(t *testing.T) {
	t.Parallel()
	if _, err := postgres.FindPrograms(t.Context()); err != nil {
		t.Skip(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	err = run(t.Context(), []string{"-listen", "127.0.0.1:0", "-postgres-listen", listener.Addr().String()}, io.Discard,
		io.Discard)
	if err == nil || !strings.Contains(err.Error(), "-postgres-listen 127.0.0.1:0 picks a free port") {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }

// A folder that isn't the emulator's is refused before anything is said to be kept in it.
func TestRun_foreignDataFolder(t *testing.T) {
	t.Parallel()
	if _, err := postgres.FindPrograms(t.Context()); err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "main.tf"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var saidKept atomic.Bool
	stderr := writerFunc(func(text []byte) (int, error) {
		if bytes.Contains(text, []byte("kept in")) {
			saidKept.Store(true)
		}
		return len(text), nil
	})
	err := run(t.Context(), []string{"-listen", "127.0.0.1:0", "-data", folder}, io.Discard, stderr)
	if err == nil || !strings.Contains(err.Error(), "such as main.tf") || saidKept.Load() {
		t.Errorf("%v; databases are said to be kept there: %t", err, saidKept.Load())
	}
}
