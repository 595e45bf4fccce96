package postgres

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// kept has the clusters of a test in a folder of its own.
func kept(t *testing.T) *Installation {
	t.Helper()
	i := prepare(t)
	must(t, i.Ready(t.Context()))
	folder := t.TempDir()
	must(t, os.Chmod(filepath.Dir(folder), 0o711))
	must(t, i.Keep(t.Context(), filepath.Join(folder, "clusters")))
	return i
}

// A copy opens whenever the first starts of its server were killed: PostgreSQL itself gives up where its first
// recovery was interrupted ("WAL ends before end of online backup").
func TestCopy_opensAfterKills(t *testing.T) {
	t.Parallel()
	i := kept(t)
	source, err := i.Create(t.Context())
	must(t, err)
	t.Cleanup(func() { must(t, source.Close()) })
	configure(t, source, "anna")
	conn := connectAs(t, source, "anna", "d")
	rows(t, conn, "CREATE TABLE numbers (n int); INSERT INTO numbers SELECT 1; SELECT 1")
	writing := make(chan error, 1)
	go func() { // Much of what the copy has to replay is written meanwhile.
		writing <- source.exec(t.Context(),
			"CREATE TABLE public.many AS SELECT n FROM generate_series(1, 1000000) n; DROP TABLE public.many")
	}()
	copied, err := source.copy(t.Context(), "--max-rate=20M")
	must(t, errors.Join(err, <-writing))
	name := copied.Name()
	must(t, copied.End())
	interrupted := false
	for range 3 {
		opened, err := i.Open(name)
		must(t, err)
		started, err := opened.enter()
		must(t, err)
		for begun := false; !begun; time.Sleep(time.Millisecond) { // PostgreSQL renames the label first of all.
			_, err := os.Stat(filepath.Join(opened.data(), "backup_label"))
			begun = err != nil
		}
		select {
		case <-started.ready:
		default:
			interrupted = true
		}
		must(t, opened.End())
	}
	if !interrupted {
		t.Error("no start was interrupted")
	}
	opened, err := i.Open(name)
	must(t, err)
	t.Cleanup(func() { must(t, opened.Close()) })
	if got := rows(t, connectAs(t, opened, "anna", "d"), "SELECT n FROM numbers"); got != "1" {
		t.Errorf("the copy has %q", got)
	}
}
