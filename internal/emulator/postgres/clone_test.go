package postgres

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Where files can be shared, a copy does that, while its parent is written to, and neither sees what the other writes.
func TestCopy_sharesFiles(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	configure(t, c, "owner")
	parent := connectAs(t, c, "owner", "d")
	rows(t, parent, "CREATE TABLE t AS SELECT x FROM generate_series(1, 100000) AS x")
	folder := filepath.Join(c.folder, "shared")
	if err := c.clone(t.Context(), folder); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this file system shares no files")
	} else if err != nil {
		t.Fatal(err)
	}
	must(t, os.RemoveAll(folder))
	copied, err := c.Copy(t.Context())
	must(t, err)
	t.Cleanup(func() { must(t, copied.Close()) })
	rows(t, parent, "UPDATE t SET x = -x")
	child := connectAs(t, copied, "owner", "d")
	if got := rows(t, child, "SELECT count(*) || ' ' || min(x) FROM t"); got != "100000 1" {
		t.Errorf("the copy has %s", got)
	}
	rows(t, child, "DELETE FROM t")
	if got := rows(t, parent, "SELECT count(*) || ' ' || max(x) FROM t"); got != "100000 -1" {
		t.Errorf("the parent has %s", got)
	}
}

// BenchmarkCopy copies a database of a gigabyte. With TMPDIR on XFS or Btrfs its files are shared.
func BenchmarkCopy(b *testing.B) {
	c := startCluster(b)
	must(b, c.exec(b.Context(), "CREATE TABLE public.t (x text)"))
	for range 8 { // Each within the time of a statement.
		must(b, c.exec(b.Context(), "INSERT INTO public.t SELECT repeat(md5(x::text), 31) FROM generate_series(1, 125000) AS x"))
	}
	must(b, c.exec(b.Context(), "CHECKPOINT"))
	b.Logf("the databases have %d MB", c.Size()>>20)
	for b.Loop() {
		copied, err := c.Copy(b.Context())
		must(b, err)
		b.StopTimer()
		must(b, copied.Close())
		b.StartTimer()
	}
}
