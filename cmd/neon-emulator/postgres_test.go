package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
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
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
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

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }
