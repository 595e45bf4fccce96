package emulator

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// The roles of one project neither see nor touch anything of another's.
func TestDatabasesAreApart(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	mine := s.mainURI()
	theirs := s.send("POST", "/api/v1/database", `{"ref":"test"}`).str("connection_string")
	conn, err := connect(t.Context(), mine)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	if _, err := conn.Exec(t.Context(), "SELECT 'my secret'"); err != nil {
		t.Fatal(err)
	}
	s.expect(t, theirs, "0", "SELECT count(*)::text FROM pg_stat_activity WHERE query ~ ('my' || ' secret')")
	_, _ = query(t, theirs, "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = current_user")
	_, _ = query(t, theirs, "ALTER ROLE neondb_owner SET default_transaction_read_only = on")
	_, _ = query(t, theirs, "ALTER ROLE neondb_owner SET search_path = nowhere")
	if _, err := conn.Exec(t.Context(), "CREATE TABLE t (x text)"); err != nil {
		t.Errorf("the session was ended: %v", err)
	}
	s.expect(t, mine, "1", "INSERT INTO t VALUES ('1')", "SELECT x FROM t")
}

// A read-only endpoint doesn't write, whatever a session asks for.
func TestDatabasesStayReadOnly(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	writing := s.mainURI()
	s.expect(t, writing, "1", "CREATE TABLE t (x text)", "INSERT INTO t VALUES ('1')", "SELECT x FROM t")
	id := s.must("POST", "{p}/endpoints", `{"endpoint":{"branch_id":"`+s.mainBranch()+
		`","type":"read_only"}}`).str("endpoint", "id")
	s.clock.advance(time.Minute)
	reading := s.must("GET", "{p}/connection_uri?database_name=neondb&role_name=neondb_owner&endpoint_id="+id,
		"").str("uri")
	s.expect(t, writing, "x", "ALTER ROLE neondb_owner SET default_transaction_read_only = off", "SELECT 'x'")
	for _, uri := range []string{reading, reading + "&options=-c%20default_transaction_read_only%3Doff"} {
		for _, way := range [][]string{
			{"INSERT INTO t VALUES ('no')"},
			{"SET default_transaction_read_only = off", "INSERT INTO t VALUES ('no')"},
			{"SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE", "INSERT INTO t VALUES ('no')"},
			{"SELECT set_config('default_transaction_read_only', 'off', false)", "INSERT INTO t VALUES ('no')"},
			{"BEGIN READ WRITE", "INSERT INTO t VALUES ('no')", "COMMIT"},
			{"BEGIN", "SET TRANSACTION READ WRITE", "INSERT INTO t VALUES ('no')", "COMMIT"},
		} {
			if _, err := query(t, uri, way...); err == nil {
				t.Errorf("%q isn't refused", way)
			}
		}
	}
	s.expect(t, writing, "1,2", "INSERT INTO t VALUES ('2')", "SELECT x FROM t ORDER BY x")
	s.expect(t, reading, "neondb_owner 1,2", "SELECT session_user || ' ' || string_agg(x, ',' ORDER BY x) FROM t")
}

// soon is less than what waits for a session that doesn't end.
const soon = 25 * time.Second

// within fails the test where something takes long, compared to how busy the machine is: what is usual took place
// while nothing was stuck.
func within(t *testing.T, what string, usual time.Duration, do func()) {
	t.Helper()
	began := time.Now()
	do()
	if took := time.Since(began); took > soon+5*usual {
		t.Errorf("%s took %s, and a creation before it %s", what, took, usual)
	}
}

// A client that neither goes on nor ends is in nobody's way.
func TestDatabasesEndWithTheirBranch(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	s.expect(t, s.mainURI(), "x", "CREATE TABLE t (x text)", "SELECT 'x'")
	id, uri := s.branch(`"name":"stuck"`)
	began := time.Now()
	other, otherURI := s.branch(`"name":"other"`)
	s.expect(t, otherURI, "0", "SELECT count(*)::text FROM t")
	usual := time.Since(began)
	conn, err := connect(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	data, more := io.Pipe()
	t.Cleanup(func() { _ = more.Close() })
	copying := make(chan error, 1)
	go func() {
		_, err := conn.PgConn().CopyFrom(context.Background(), data, "COPY t FROM STDIN")
		copying <- err
	}()
	_, _ = more.Write([]byte("a line\n")) // The copy has begun.
	for _, id := range []string{other, id} {
		within(t, "the deletion", usual, func() { s.must("DELETE", "{p}/branches/"+id, "") })
		s.clock.advance(time.Minute)
		within(t, "the sweep", usual, s.e.databases.Sweep)
	}
	within(t, "the next creation", usual, func() {
		_, uri := s.branch(`"name":"next"`)
		s.expect(t, uri, "0", "SELECT count(*)::text FROM t")
	})
	within(t, "the control path", usual, func() { s.control("GET", "/objects", "") })
	_ = more.Close()
	if err := <-copying; err == nil {
		t.Error("the session outlives its branch")
	}
}

// Locks that a session holds stop neither the world nor the creation of a branch.
func TestDatabasesStopNobody(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	began := time.Now()
	conn, err := connect(t.Context(), s.mainURI())
	if err != nil {
		t.Fatal(err)
	}
	usual := time.Since(began)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	for _, statements := range []string{"CREATE TABLE t AS SELECT 1 AS x", "BEGIN; LOCK TABLE t"} {
		if _, err := conn.PgConn().Exec(t.Context(), statements).ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	created := make(chan answer, 1)
	go func() {
		created <- s.api("POST", "{p}/branches", `{"branch":{"name":"b"},"endpoints":[{"type":"read_write"}]}`)
	}()
	time.Sleep(100 * time.Millisecond)
	within(t, "an unrelated answer", usual, func() { s.must("GET", "{p}", "") })
	within(t, "the creation", usual, func() {
		made := <-created
		s.clock.advance(time.Minute)
		s.expect(t, made.str("connection_uris", 0, "connection_uri"), "1", "SELECT count(*)::text FROM t")
	})
}

// A branch whose data can't be copied is a failed operation, and no failed creation.
func TestDatabasesFailAsOperation(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	s.expect(t, s.mainURI(), "x", "SELECT 'x'")
	if err := s.mainCluster().Close(); err != nil {
		t.Fatal(err)
	}
	made := s.must("POST", "{p}/branches", `{"branch":{"name":"b"},"endpoints":[{"type":"read_write"}]}`)
	s.clock.advance(time.Minute)
	id := made.str("branch", "id")
	if got := strings.Join(s.course(id), ", "); !strings.Contains(got, "failed") || !strings.Contains(got, "cancelled") {
		t.Errorf("the operations ended as %s", got)
	}
	if got := s.must("GET", "{p}/branches/"+id, "").str("branch", "current_state"); got != "init" {
		t.Errorf("the branch is %s", got)
	}
}

// A branch that goes while it is copied goes once it has been.
func TestDatabasesEndWithTheirBranch_onceCopied(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	source, uri := s.branch(`"name":"source"`)
	s.expect(t, uri, "1", "CREATE TABLE t AS SELECT repeat('x', 100) FROM generate_series(1, 200000)", "SELECT '1'")
	target, uri := s.branch(`"name":"target"`)
	at, restored := "{p}/branches/"+target, make(chan answer)
	go func() {
		restored <- s.api("POST", at+"/restore", `{"source_branch_id":"`+source+`","preserve_under_name":"old"}`)
	}()
	for s.api("GET", at, "").str("branch", "current_state") != "resetting" {
		time.Sleep(time.Millisecond)
	}
	s.api("DELETE", "{p}/branches/"+source, "").success()
	s.e.databases.Sweep()
	operations := (<-restored).success()
	s.awaitWork()
	s.clock.advance(time.Minute)
	for i := range operations.size("operations") {
		s.want("{p}/operations/"+operations.str("operations", i, "id"), "finished", "operation", "status")
	}
	s.expect(t, uri, "200000", "SELECT count(*)::text FROM t")
}

// A server that nobody uses ends, and starts with the next client.
func TestDatabasesRest(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	s.expect(t, uri, "x", "CREATE TABLE t AS SELECT 'x' AS x", "SELECT x FROM t")
	cluster := s.mainCluster()
	for deadline := time.Now().Add(time.Minute); cluster.Running(); time.Sleep(50 * time.Millisecond) {
		cluster.Rest(0)
		if time.Now().After(deadline) {
			t.Fatal("the server runs on")
		}
	}
	s.expect(t, uri, "x", "SELECT x FROM t")
}

// mainCluster has the data of the main branch.
func (s *served) mainCluster() *postgres.Cluster {
	s.t.Helper()
	id := s.mainBranch()
	s.e.mu.Lock()
	p, b := s.e.world.branch(id)
	wanted := s.e.wanted(p, b, "neondb")
	s.e.mu.Unlock()
	place, err := s.e.databases.Place(s.t.Context(), id, wanted)
	if err != nil {
		s.t.Fatal(err)
	}
	place.Release()
	return place.Cluster
}
