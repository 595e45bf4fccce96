package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// shared is the installation of the tests that need none of their own, nil until one asks for it.
var shared *Installation

var prepareShared = sync.OnceValue(func() error {
	programs, err := FindPrograms(context.Background())
	if err == nil {
		shared, err = Prepare(context.Background(), programs)
	}
	return err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if err := shared.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// sharedInstallation skips the test where there is no PostgreSQL.
func sharedInstallation(t testing.TB) *Installation {
	t.Helper()
	err := prepareShared()
	if errors.Is(err, ErrNoPrograms) {
		t.Skip(err)
	}
	must(t, err)
	return shared
}

// prepare prepares an installation of the test's own.
func prepare(t *testing.T) *Installation {
	t.Helper()
	i, err := Prepare(t.Context(), sharedInstallation(t).Programs)
	must(t, err)
	t.Cleanup(func() { must(t, i.Close()) })
	return i
}

func startCluster(t testing.TB) *Cluster {
	t.Helper()
	c, err := sharedInstallation(t).Create(t.Context())
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

// configure has a cluster have a database d and its owner.
func configure(t *testing.T, c *Cluster, owner string) {
	t.Helper()
	must(t, c.Configure(t.Context(), Layout{Roles: []Role{{Name: owner}}, Databases: []Database{{"d", owner}}}))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// connectAs opens a session of a role in a database, as a client has it.
func connectAs(t *testing.T, c *Cluster, role, database string) *pgconn.PgConn {
	t.Helper()
	release, err := c.Use(t.Context())
	must(t, err)
	conn, err := pgconn.Connect(t.Context(), "host="+c.folder+" port=5432 sslmode=disable user='"+role+"' dbname="+
		database)
	must(t, err)
	t.Cleanup(func() {
		_ = conn.Close(t.Context())
		release()
	})
	return conn
}

// rows returns the first column of a query's rows.
func rows(t *testing.T, conn *pgconn.PgConn, query string) string {
	t.Helper()
	results, err := conn.Exec(t.Context(), query).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var found []string
	for _, row := range results[len(results)-1].Rows {
		found = append(found, string(row[0]))
	}
	return strings.Join(found, ",")
}

func TestClusterComesAndGoes(t *testing.T) {
	t.Parallel()
	began := time.Now()
	i := prepare(t)
	must(t, i.Ready(t.Context()))
	t.Logf("PostgreSQL %s of %s is prepared after %s", i.Version, i.Programs, time.Since(began))
	began = time.Now()
	c, err := i.Create(t.Context())
	must(t, err)
	must(t, c.exec(t.Context(), "SELECT 1"))
	t.Logf("a cluster answers after %s", time.Since(began))
	must(t, c.Close())
	if _, err := os.Stat(c.folder); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", c.folder, err)
	}
	if err := c.exec(t.Context(), "SELECT 1"); !errors.Is(err, errClosed) {
		t.Errorf("the server still answers: %v", err)
	}
	must(t, i.Close())
	if _, err := os.Stat(i.folder); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", i.folder, err)
	}
}

func TestClusterRests(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	configure(t, c, "owner")
	release, err := c.Use(t.Context())
	must(t, err)
	c.Rest(0)
	if !c.Running() {
		t.Fatal("the server ended while it was used")
	}
	release()
	c.Rest(time.Hour)
	if !c.Running() {
		t.Fatal("the server ended too early")
	}
	c.Rest(0)
	if c.Running() {
		t.Fatal("an idle server doesn't end")
	}
	if got := rows(t, connectAs(t, c, "owner", "d"), "SELECT 1"); got != "1" {
		t.Errorf("the server doesn't start again: %q", got)
	}
}

func TestPrepare_longFolder(t *testing.T) {
	programs := sharedInstallation(t).Programs
	long := t.TempDir() + "/" + strings.Repeat("x", 100)
	must(t, os.Mkdir(long, 0o700))
	t.Setenv("TMPDIR", long)
	if _, err := Prepare(t.Context(), programs); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("got %v, want an error that names TMPDIR", err)
	}
	left, err := os.ReadDir(long)
	must(t, err)
	if len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// A server that is told to end while it starts ends, and isn't left behind.
func TestCluster_endsWhileItStarts(t *testing.T) {
	t.Parallel()
	i := sharedInstallation(t)
	for _, milliseconds := range []int{0, 2, 5, 10, 15, 20, 30, 50} {
		delay := time.Duration(milliseconds) * time.Millisecond
		c, err := i.Create(t.Context())
		must(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), delay)
		if release, err := c.Use(ctx); err == nil {
			release()
		}
		cancel()
		began := time.Now()
		must(t, c.Close())
		if took := time.Since(began); took > stopPatience/2 {
			t.Errorf("after %s it takes %s", delay, took)
		}
	}
}

// A folder whose program was killed with all that it had started goes at the next start, and one
// that is in use stays.
func TestPrepare_removesAbandoned(t *testing.T) {
	sharedInstallation(t)                         // It isn't in the folder that this test removes.
	folder, err := os.MkdirTemp("", "abandoned-") //nolint:usetesting // The address of a socket there must be short.
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(folder)) })
	must(t, os.Chmod(folder, 0o777)) // Any account keeps its own there.
	t.Setenv("TMPDIR", folder)
	abandoned := filepath.Join(folder, temporary+"1")
	must(t, os.MkdirAll(filepath.Join(abandoned, "1", "data"), 0o700))
	must(t, os.WriteFile(filepath.Join(abandoned, lockName), nil, 0o600))
	used := prepare(t)
	must(t, used.Ready(t.Context()))
	prepare(t)
	if _, err := os.Stat(abandoned); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what was abandoned is left: %v", err)
	}
	if _, err := os.Stat(used.template()); err != nil {
		t.Errorf("what is in use is gone: %v", err)
	}
}

// A folder that is just being claimed isn't taken for one that was abandoned.
func TestClaim_whileOthersRemove(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ended, removed := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(removed)
		for {
			select {
			case <-ended:
				return
			default:
				removeAbandoned()
			}
		}
	}()
	for range 300 {
		folder, err := os.MkdirTemp("", temporary) //nolint:usetesting // Others look for folders of such a name.
		must(t, err)
		claimed, err := claim(folder)
		must(t, err)
		if _, err := os.Stat(folder); err != nil {
			t.Errorf("it was removed: %v", err)
		}
		must(t, claimed.Close())
		must(t, os.RemoveAll(folder))
	}
	close(ended)
	<-removed
}
