package emulator

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// grab is what an attacker has run by somebody with more rights: it makes the branch's
// owner superuser, and runs a command as the server's account.
const grab = `CREATE FUNCTION public.take() RETURNS void LANGUAGE plpgsql AS $f$
BEGIN
	BEGIN ALTER ROLE neondb_owner SUPERUSER; EXCEPTION WHEN OTHERS THEN NULL; END;
	BEGIN GRANT pg_execute_server_program TO neondb_owner; EXCEPTION WHEN OTHERS THEN NULL; END;
	BEGIN EXECUTE 'RESET ROLE'; ALTER ROLE neondb_owner SUPERUSER; EXCEPTION WHEN OTHERS THEN NULL; END;
	BEGIN COPY (SELECT 1) TO PROGRAM 'touch MARKER'; EXCEPTION WHEN OTHERS THEN NULL; END;
END $f$;
CREATE FUNCTION public.grab(anyelement) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM public.take();
	RETURN true; END'`

// laid are traps: what else runs when a branch is copied, emptied or managed.
var laid = map[string]string{
	"check":             `CREATE TABLE t1 (x int CHECK (public.grab(x))); INSERT INTO t1 VALUES (1)`,
	"generated column":  `CREATE TABLE t2 (x int, y boolean GENERATED ALWAYS AS (public.grab(x)) STORED); INSERT INTO t2 VALUES (1)`,
	"index expression":  `CREATE TABLE t3 AS SELECT 1 AS x; CREATE INDEX ON t3 (public.grab(x))`,
	"index predicate":   `CREATE TABLE t4 AS SELECT 1 AS x; CREATE INDEX ON t4 (x) WHERE public.grab(x)`,
	"domain":            `CREATE DOMAIN d AS int CHECK (public.grab(VALUE)); CREATE TABLE t5 AS SELECT 1::d AS x`,
	"default":           `CREATE TABLE t6 (x int, y boolean DEFAULT public.grab(1)); INSERT INTO t6 VALUES (1)`,
	"partition":         `CREATE TABLE t7 (x int) PARTITION BY LIST (public.grab(x)); CREATE TABLE t7a PARTITION OF t7 FOR VALUES IN (true); INSERT INTO t7 VALUES (1)`,
	"materialized view": `CREATE MATERIALIZED VIEW m AS SELECT public.grab(1) AS x; CREATE INDEX ON m (public.grab(x))`,
	"view":              `CREATE VIEW v AS SELECT public.grab(1) AS x; CREATE RULE r AS ON INSERT TO v DO INSTEAD SELECT public.grab(1)`,
	"policy":            `CREATE TABLE t8 AS SELECT 1 AS x; ALTER TABLE t8 ENABLE ROW LEVEL SECURITY; ALTER TABLE t8 FORCE ROW LEVEL SECURITY; CREATE POLICY p ON t8 USING (public.grab(x))`,
	"statistics":        `CREATE TABLE t9 AS SELECT 1 AS x; CREATE STATISTICS s ON public.grab(x), x FROM t9; ANALYZE t9`,
	"definer":           `CREATE FUNCTION definer(x int) RETURNS boolean LANGUAGE sql IMMUTABLE SECURITY DEFINER AS 'SELECT public.grab(x)'; CREATE TABLE t10 (x int CHECK (definer(x))); INSERT INTO t10 VALUES (1)`,
	"triggers": `CREATE FUNCTION spring() RETURNS trigger LANGUAGE plpgsql AS $t$ BEGIN PERFORM public.grab(1); RETURN NEW; END $t$;
		CREATE TABLE t11 (x int); CREATE TRIGGER a BEFORE INSERT OR DELETE ON t11 FOR EACH ROW EXECUTE FUNCTION spring();
		CREATE TRIGGER b BEFORE TRUNCATE ON t11 EXECUTE FUNCTION spring(); ALTER TABLE t11 ENABLE ALWAYS TRIGGER a;
			ALTER TABLE t11 ENABLE ALWAYS TRIGGER b;
		INSERT INTO t11 VALUES (1)`,
	"cast": `CREATE TYPE pair AS (x int); CREATE FUNCTION cast_pair(pair) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT public.grab(1)';
		CREATE CAST (pair AS boolean) WITH FUNCTION cast_pair(pair) AS IMPLICIT;
			CREATE TABLE t12 (x pair CHECK (x::boolean)); INSERT INTO t12 VALUES (ROW(1))`,
	"operator": `CREATE FUNCTION grab2(int, int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT public.grab($1)';
		CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = grab2); CREATE TABLE t13 (x int CHECK (x === 1));
			INSERT INTO t13 VALUES (1)`,
	"search path": `CREATE SCHEMA evil; CREATE FUNCTION evil.same(name, text) RETURNS boolean LANGUAGE sql AS 'SELECT public.grab(1)';
		CREATE OPERATOR evil.= (LEFTARG = name, RIGHTARG = text, FUNCTION = evil.same);
		CREATE FUNCTION evil.same(oid, oid) RETURNS boolean LANGUAGE sql AS 'SELECT public.grab(1)';
		CREATE OPERATOR evil.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = evil.same)`,
	"search path of role":     `ALTER ROLE neondb_owner SET search_path = evil, pg_catalog, public`,
	"search path of database": `DO $s$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = evil, pg_catalog, public', current_database()); END $s$`,
	"extension":               `CREATE FUNCTION public.citext_eq(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT public.grab(1)'; CREATE EXTENSION citext; CREATE EXTENSION hstore`,
}

// tried are ways up that end where they begin.
var tried = []string{
	"ALTER ROLE neondb_owner SUPERUSER", "ALTER ROLE neondb_owner REPLICATION", "CREATE ROLE other SUPERUSER",
	"CREATE ROLE other REPLICATION",
	"CREATE ROLE other IN ROLE pg_execute_server_program", "GRANT pg_write_server_files TO neondb_owner",
	"GRANT pg_read_server_files TO neondb_owner",
	"ALTER ROLE pg_execute_server_program LOGIN", "ALTER ROLE cloud_admin PASSWORD 'x'",
	"ALTER ROLE cloud_admin SET search_path = evil", "DROP ROLE cloud_admin",
	"SELECT pg_create_logical_replication_slot('s', '/lib/x')", "CREATE DATABASE other TABLESPACE pg_global",
	"ALTER DATABASE template1 OWNER TO neondb_owner",
	"GRANT cloud_admin TO neondb_owner", "GRANT pg_execute_server_program TO neondb_owner",
	"SET ROLE cloud_admin", "SET SESSION AUTHORIZATION cloud_admin", "SET session_preload_libraries = 'x'",
	"SET session_replication_role = replica",
	"ALTER SYSTEM SET archive_command = 'touch MARKER'", "ALTER FUNCTION public.grab(anyelement) OWNER TO cloud_admin",
	"CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE FUNCTION spring()",
	"CREATE EXTENSION dblink", "CREATE EXTENSION postgres_fdw", "CREATE EXTENSION file_fdw", "CREATE EXTENSION adminpack",
	"CREATE EXTENSION pageinspect",
	"CREATE FOREIGN DATA WRAPPER w", "CREATE SERVER s FOREIGN DATA WRAPPER postgres_fdw",
	"COPY (SELECT 1) TO PROGRAM 'touch MARKER'", "COPY t1 FROM PROGRAM 'touch MARKER'", "COPY t1 TO 'MARKER'",
	"COPY t1 FROM '/etc/passwd'",
	"SELECT lo_import('/etc/passwd')", "SELECT lo_export(1, 'MARKER')", "SELECT pg_read_file('/etc/passwd')",
	"SELECT pg_ls_dir('.')",
	"CREATE FUNCTION c() RETURNS int LANGUAGE c AS '/lib/x', 'y'",
	"CREATE FUNCTION i() RETURNS int LANGUAGE internal AS 'pg_backend_pid'",
	"LOAD '/tmp/x.so'", "CREATE LANGUAGE plpython3u", "CREATE SUBSCRIPTION s CONNECTION 'host=x' PUBLICATION p",
	"UPDATE pg_authid SET rolsuper = true", "SELECT pg_reload_conf()", "CREATE TABLESPACE s LOCATION '/tmp'",
}

// Nobody who owns a branch gets rights that no role of a branch has, whatever is done
// with the branch.
func TestDatabasesKeepRights(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	marker := filepath.Join(os.TempDir(), "neon-escalation-"+rand.Text())
	t.Cleanup(func() { _ = os.Remove(marker) })
	parent := s.mainURI()
	hold, err := connect(t.Context(), parent) // A branch that is in use is copied otherwise.
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = hold.Close(t.Context()) }()
	run := func(statements string) error {
		_, err := hold.PgConn().Exec(t.Context(), strings.ReplaceAll(statements, "MARKER", marker)).ReadAll()
		return err
	}
	if err := run(grab); err != nil {
		t.Fatal(err)
	}
	for name, statements := range laid {
		if err := run(statements); err != nil {
			t.Logf("%s is refused: %v", name, err)
		}
	}
	for _, statement := range tried {
		if run(statement) == nil {
			t.Errorf("%s isn't refused", statement)
		}
	}
	_ = run("RESET ROLE; RESET SESSION AUTHORIZATION")

	uris := []string{parent}
	for i, kind := range []string{"parent-data", "schema-only"} {
		_, uri := s.branch(fmt.Sprintf(`"name":"b%d","init_source":%q`, i, kind))
		uris = append(uris, uri)
	}
	s.must("POST", "{p}/branches/"+s.mainBranch()+"/roles", `{"role":{"name":"second"}}`)
	s.clock.advance(time.Minute)
	s.must("PATCH", "{p}/branches/"+s.mainBranch()+"/databases/neondb", `{"database":{"owner_name":"second"}}`)
	for _, uri := range uris {
		s.expect(t, uri, "", "SELECT rolname::text FROM pg_roles WHERE rolname <> 'cloud_admin'"+
			" AND (rolsuper OR rolreplication OR pg_has_role(oid, 'pg_execute_server_program', 'MEMBER') OR pg_has_role(oid, 'cloud_admin', 'MEMBER'))"+
			" AND rolname !~ '^pg_'")
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a command ran as the server's account")
	}
}

func (s *served) mainBranch() string { return s.e.FirstWorld().BranchID }
