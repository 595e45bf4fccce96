package postgres

import (
	"context"
	"strings"
	"testing"
)

// rows gives the first column of a query in a database.
func rows(t *testing.T, c *Cluster, database, query string) string {
	t.Helper()
	found, err := c.ask(t.Context(), database, query)
	if err != nil {
		t.Fatalf("%s in %s: %v", query, database, err)
	}
	return strings.Join(found, ",")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestDatabasesAreCopied(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	ctx := t.Context()
	must(t, c.CreateRole(ctx, `o"wner`))
	must(t, c.CreateRole(ctx, `o"wner`))
	must(t, c.CreateDatabase(ctx, "parent", `o"wner`, Source{}))
	must(t, c.Exec(ctx, "parent", `SET ROLE "o""wner"; CREATE TABLE t (x int); INSERT INTO t VALUES (1), (2)`))

	must(t, c.CreateDatabase(ctx, "idle", `o"wner`, Source{Database: "parent"}))
	session, err := c.connect(ctx, "parent")
	must(t, err)
	must(t, c.CreateDatabase(ctx, "busy", `o"wner`, Source{Database: "parent"}))
	must(t, c.CreateDatabase(ctx, "schema", `o"wner`, Source{Database: "parent", SchemaOnly: true}))
	if _, err := session.Exec(ctx, "INSERT INTO t VALUES (3)").ReadAll(); err != nil {
		t.Errorf("the parent's session was disturbed: %v", err)
	}
	must(t, session.Close(context.WithoutCancel(ctx)))

	for database, want := range map[string]string{"parent": "1,2,3", "idle": "1,2", "busy": "1,2", "schema": ""} {
		if got := rows(t, c, database, "SELECT x FROM t ORDER BY x"); got != want {
			t.Errorf("%s has %q, want %q", database, got, want)
		}
		if got := rows(t, c, database, "SELECT tableowner FROM pg_tables WHERE tablename = 't'"); got != `o"wner` {
			t.Errorf("the table in %s belongs to %q", database, got)
		}
	}
}

func TestRolesThatAreReserved(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	for _, reserved := range []string{superuser, members, "pg_x"} {
		if err := c.CreateRole(t.Context(), reserved); err == nil || !strings.Contains(err.Error(), "reserved") {
			t.Errorf("a role %s: %v", reserved, err)
		}
	}
}
