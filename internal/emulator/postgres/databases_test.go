package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestClustersAreCopied(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	ctx := t.Context()
	configure(t, c, `o"wner`)
	configure(t, c, `o"wner`)
	parent := connectAs(t, c, `o"wner`, "d")
	rows(t, parent, `CREATE TABLE t (x int, y serial); INSERT INTO t VALUES (1), (2);
		CREATE MATERIALIZED VIEW m AS SELECT x FROM t; SELECT lo_from_bytea(0, 'large');
		CREATE FUNCTION never() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'never'; END $$;
		CREATE TRIGGER never BEFORE TRUNCATE ON t EXECUTE FUNCTION never();
		ALTER TABLE t ENABLE ALWAYS TRIGGER never`)
	// Neither a session in a transaction nor its locks are in the way.
	rows(t, parent, "BEGIN; LOCK TABLE t; INSERT INTO t VALUES (3)")
	copied, err := c.Copy(ctx)
	must(t, err)
	t.Cleanup(func() { must(t, copied.Close()) })
	empty, err := c.Copy(ctx)
	must(t, err)
	t.Cleanup(func() { must(t, empty.Close()) })
	must(t, empty.Empty(ctx))
	rows(t, parent, "COMMIT")

	for c, want := range map[*Cluster]string{c: "1,2,3", copied: "1,2", empty: ""} {
		conn := connectAs(t, c, `o"wner`, "d")
		if got := rows(t, conn, "SELECT x FROM t ORDER BY x"); got != want {
			t.Errorf("the table has %q, want %q", got, want)
		}
		if got := rows(t, conn, "SELECT tableowner || ' ' || tgenabled::text FROM pg_tables, pg_trigger WHERE tablename = 't'"); got != `o"wner A` {
			t.Errorf("the table and its trigger: %q", got)
		}
	}
	conn := connectAs(t, empty, `o"wner`, "d")
	if got := rows(t, conn, "SELECT (SELECT count(*) FROM pg_largeobject) || ' ' || nextval('t_y_seq') || ' ' || relispopulated FROM pg_class WHERE relname = 'm'"); got != "0 1 false" {
		t.Errorf("large objects, sequence and view: %s", got)
	}
}

func TestReplicaFollows(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	ctx := t.Context()
	configure(t, c, "owner")
	replica, err := c.Replica(ctx)
	must(t, err)
	if replica.Idle(time.Minute) {
		t.Error("a replica that has just been made, for somebody to use, counts as idle")
	}
	t.Cleanup(func() { must(t, replica.Close()) })
	rows(t, connectAs(t, c, "owner", "d"), "CREATE TABLE t AS SELECT 1 AS x")
	must(t, replica.CatchUp(ctx, c))
	conn := connectAs(t, replica, "owner", "d")
	if got := rows(t, conn, "SELECT x FROM t"); got != "1" {
		t.Errorf("the replica has %q", got)
	}
	for _, way := range []string{
		"INSERT INTO t VALUES (2)", "SET transaction_read_only = off", "BEGIN READ WRITE", "SELECT pg_promote()",
		"SET default_transaction_read_only = off; INSERT INTO t VALUES (2)",
	} {
		if _, err := conn.Exec(ctx, way).ReadAll(); err == nil {
			t.Errorf("%s isn't refused", way)
		}
		_, _ = conn.Exec(ctx, "ROLLBACK").ReadAll()
	}
	if got := rows(t, conn, "SELECT x FROM t"); got != "1" {
		t.Errorf("the replica has %q", got)
	}
}

// New settings come with the next start, which a replica in use must not hold up, and it follows on.
func TestReplica_letsItsPrimaryRestart(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	ctx := t.Context()
	configure(t, c, "owner")
	replica, err := c.Replica(ctx)
	must(t, err)
	t.Cleanup(func() { must(t, replica.Close()) })
	reader := connectAs(t, replica, "owner", "d")
	release, err := c.UseWith(ctx, Settings{Asked: map[string]string{"work_mem": "55MB"}})
	must(t, err)
	release()
	writer := connectAs(t, c, "owner", "d")
	if got := rows(t, writer, "SHOW work_mem"); got != "55MB" {
		t.Errorf("work_mem is %s after the restart", got)
	}
	rows(t, writer, "CREATE TABLE after AS SELECT 7 AS x")
	must(t, replica.CatchUp(ctx, c))
	if got := rows(t, reader, "SELECT x FROM after"); got != "7" {
		t.Errorf("the session on the reader finds %q", got)
	}
}

// What a cluster has follows what it is to have, step by step.
func TestConfigure(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	ctx := t.Context()
	step := func(want string, change Change, databases ...Database) {
		t.Helper()
		must(t, c.Configure(ctx, Layout{[]Role{{Name: "a"}, {Name: "b", NoLogin: true}}, databases, change}))
		found, err := c.Contents(ctx)
		must(t, err)
		if got := fmt.Sprint(found.Roles, found.Databases); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	step("[{a false } {b true }] [{x a}]", Change{}, Database{"x", "a"})
	rows(t, connectAs(t, c, "a", "x"), "CREATE TABLE t AS SELECT 1 AS n")
	step("[{a false } {b true }] [{y b} {x a}]", Change{Renamed: map[string]string{"x": "y"}}, Database{"y", "b"},
		Database{"x", "a"})
	if got := rows(t, connectAs(t, c, "a", "y"), "SELECT current_database() FROM t"); got != "y" {
		t.Errorf("the renamed database is %q", got)
	}
	// Doing it once more, after an end in the middle, changes nothing.
	step("[{a false } {b true }] [{y b} {x a}]", Change{Renamed: map[string]string{"x": "y"}}, Database{"y", "b"},
		Database{"x", "a"})
	step("[{a false } {b true }] [{x a}]", Change{Dropped: []string{"y"}}, Database{"x", "a"})
	must(t, c.Configure(ctx, Layout{Change: Change{DroppedRoles: []string{"b", "none"}}}))
	step("[{a false } {b true }] [{x a}]", Change{}, Database{"x", "a"})
}

// A role goes whatever its databases let in, and what it had there is the owner's.
func TestConfigure_dropsRoles(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	ctx := t.Context()
	must(t, c.Configure(ctx, Layout{Roles: []Role{{Name: "a"}, {Name: "gone"}},
		Databases: []Database{{"shut", "a"}, {"shut_with", "a"}, {"odd", "a"}}}))
	for _, name := range []string{"shut_with", "odd"} {
		must(t, c.exec(ctx, "GRANT CREATE ON DATABASE "+name+" TO gone"))
		conn := connectAs(t, c, "gone", name)
		rows(t, conn, "CREATE SCHEMA s; CREATE TABLE s.t AS SELECT 1 AS n; SELECT 1")
		must(t, conn.Close(ctx))
	}
	admin := connectAs(t, c, "a", "template1")
	rows(t, admin, "ALTER DATABASE odd SET local_preload_libraries = 'none'; ALTER DATABASE odd SET default_transaction_read_only = on")
	for _, name := range []string{"shut", "shut_with"} {
		must(t, c.exec(ctx, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS false"))
	}
	must(t, c.Configure(ctx, Layout{Change: Change{DroppedRoles: []string{"gone"}}}))
	found, err := c.Contents(ctx)
	must(t, err)
	if got := fmt.Sprint(found.Roles); got != "[{a false }]" {
		t.Errorf("the roles are %s", got)
	}
	if got := rows(t, admin, "SELECT datname FROM pg_database WHERE NOT datallowconn AND datname LIKE 'shut%' ORDER BY datname"); got != "shut,shut_with" {
		t.Errorf("databases that let nobody in: %q", got)
	}
	must(t, c.exec(ctx, "ALTER DATABASE shut_with ALLOW_CONNECTIONS true"))
	if got := rows(t, connectAs(t, c, "a", "shut_with"),
		"SELECT tableowner FROM pg_tables WHERE tablename = 't'"); got != "a" {
		t.Errorf("the table is of %q", got)
	}
}

// A statement that never ends doesn't fill the disk, and its role can't allow it to.
func TestTemporaryFiles(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	configure(t, c, "anna")
	conn := connectAs(t, c, "anna", "d")
	if got := rows(t, conn, "SHOW temp_file_limit"); got != "2GB" {
		t.Errorf("temporary files may have %s", got)
	}
	if _, err := conn.Exec(t.Context(), "SET temp_file_limit = '100GB'").ReadAll(); err == nil {
		t.Error("a role may raise it")
	}
}

// Copies are made of a cluster that is written to heavily, that many replicas follow, and of which
// many are wanted at once.
func TestCopiesAreMade(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("this takes its time")
	}
	const replicas, copies = 11, 2 // By default, PostgreSQL serves ten at a time.
	const writes = 16              // for each of them, of 1.5 MB, so that a slow machine's disk isn't filled
	c, ctx := startCluster(t), t.Context()
	configure(t, c, "owner")
	wanted := make(chan struct{}, writes*(replicas+copies))
	writer := connectAs(t, c, "owner", "d")
	var busy sync.WaitGroup
	busy.Go(func() {
		for range wanted {
			_, _ = writer.Exec(ctx, "CREATE TABLE w AS SELECT g, repeat('x', 500) FROM generate_series(1, 3000) g; DROP TABLE w").ReadAll()
		}
	})
	made := make(chan *Cluster, replicas+copies)
	var making sync.WaitGroup
	for n := range replicas + copies {
		making.Go(func() {
			for range writes {
				wanted <- struct{}{}
			}
			way := c.Replica
			if n < copies {
				way = c.Copy
			}
			one, err := way(ctx)
			if err == nil {
				made <- one
				var release func()
				if release, err = one.Use(ctx); err == nil {
					defer release()
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	making.Wait()
	close(wanted)
	busy.Wait()
	close(made)
	for one := range made {
		must(t, one.Close())
	}
}

// A copy is begun again when the server ends one of its sessions, as a checkpoint does to a session whose position it
// has just removed.
func TestCopies_beginAgain(t *testing.T) {
	t.Parallel()
	c, ctx := startCluster(t), t.Context()
	for isEnded := false; !isEnded; {
		copied := make(chan error)
		go func() {
			replica, err := c.Replica(ctx)
			if err == nil {
				err = replica.Close()
			}
			copied <- err
		}()
		for isCopied := false; !isCopied; {
			if !isEnded {
				ended, err := c.ask(ctx, "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE application_name = "+
					"'pg_basebackup' LIMIT 1")
				must(t, err)
				isEnded = len(ended) > 0
			}
			select {
			case err := <-copied:
				must(t, err)
				isCopied = true
			default:
			}
		}
	}
}

// A copy that waits for others for too long says so.
func TestCopies_wait(t *testing.T) {
	t.Parallel()
	i := prepare(t)
	c, err := i.Create(t.Context())
	must(t, err)
	defer func() { must(t, c.Close()) }()
	for range mostCopies {
		i.copying <- struct{}{}
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("it takes too long"))
	defer cancel()
	if _, err := c.Copy(ctx); err == nil || !strings.Contains(err.Error(), "it takes too long") {
		t.Errorf("got %v", err)
	}
}
