package postgres

import (
	"errors"
	"os"
	"testing"
	"time"
)

// startCluster starts a server, or skips the test where there is none to start.
func startCluster(t *testing.T) *Cluster {
	t.Helper()
	programs, err := FindPrograms(t.Context())
	if errors.Is(err, ErrNoPrograms) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := Start(t.Context(), programs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestClusterComesAndGoes(t *testing.T) {
	t.Parallel()
	began := time.Now()
	c := startCluster(t)
	t.Logf("PostgreSQL %s of %s answers after %s", c.Version, c.Programs, time.Since(began))
	if err := c.Exec(t.Context(), "postgres", "CREATE TABLE t (x int); INSERT INTO t VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(c.folder); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", c.folder, err)
	}
	if err := c.Exec(t.Context(), "postgres", "SELECT 1"); err == nil {
		t.Error("the server still answers")
	}
}
