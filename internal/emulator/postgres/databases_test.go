package postgres

import (
	"strings"
	"testing"
)

func TestClustersAreCopied(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	ctx := t.Context()
	must(t, c.CreateRoles(ctx, `o"wner`))
	must(t, c.CreateRoles(ctx, `o"wner`))
	must(t, c.CreateDatabase(ctx, "d", `o"wner`))
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
	must(t, empty.Empty(ctx, []string{"d"}))
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
	must(t, c.CreateRoles(ctx, "owner"))
	must(t, c.CreateDatabase(ctx, "d", "owner"))
	replica, err := c.Replica(ctx)
	must(t, err)
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

func TestRolesThatAreReserved(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	for _, reserved := range []string{superuser, members, "pg_x"} {
		if err := c.CreateRoles(t.Context(), reserved); err == nil || !strings.Contains(err.Error(), "reserved") {
			t.Errorf("a role %s: %v", reserved, err)
		}
	}
}
