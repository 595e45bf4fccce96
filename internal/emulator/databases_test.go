package emulator

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// served is an emulator with real databases.
type served struct{ *platform }

// installation is the PostgreSQL that the tests share, nil until one needs it.
var installation *postgres.Installation

var prepareInstallation = sync.OnceValue(func() error {
	programs, err := postgres.FindPrograms(context.Background())
	if err == nil {
		installation, err = postgres.Prepare(context.Background(), programs)
	}
	return err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if err := installation.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// sharedPostgres is the installation, where the machine has one.
func sharedPostgres(t *testing.T) *postgres.Installation {
	t.Helper()
	err := prepareInstallation()
	if errors.Is(err, postgres.ErrNoPrograms) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return installation
}

func serveDatabases(t *testing.T) *served {
	t.Helper()
	return &served{start(t, Config{Conflicts: ConflictsNone, Postgres: sharedPostgres(t)})}
}

// connect connects as a client does that takes .localhost for loopback.
func connect(ctx context.Context, uri string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(uri)
	if err != nil {
		return nil, err
	}
	config.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
	return pgx.ConnectConfig(ctx, config)
}

// query runs statements through a connection string, and gives the first column of
// the last one's rows.
func query(t *testing.T, uri string, statements ...string) ([]string, error) {
	t.Helper()
	conn, err := connect(t.Context(), uri)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var found []string
	for _, statement := range statements {
		rows, err := conn.Query(t.Context(), statement)
		if err != nil {
			return nil, err
		}
		if found, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (s *served) expect(t *testing.T, uri, want string, statements ...string) {
	t.Helper()
	defer s.letTimePass()()
	found, err := query(t, uri, statements...)
	if got := strings.Join(found, ","); err != nil || got != want {
		t.Errorf("%q gives %q, %v; want %q", statements[len(statements)-1], got, err, want)
	}
}

// letTimePass has the world's time go on while a test waits: an operation whose work took long,
// as on a busy machine, ends some time after that.
func (s *served) letTimePass() (stop func()) {
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(100 * time.Millisecond):
				s.clock.advance(100 * time.Millisecond)
			}
		}
	}()
	return func() { close(ended) }
}

// must makes a request that has to succeed, and makes it again while work on databases is in its
// way, which on a busy machine takes longer than the test has let pass by the world's clock. It
// waits for the work that the request begins.
func (s *served) must(method, path, body string) answer {
	s.t.Helper()
	defer s.letTimePass()()
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if made := s.api(method, path, body); made.status != http.StatusLocked || time.Now().After(deadline) {
			s.awaitWork()
			return made.success()
		}
	}
}

// begin makes a request, and waits for the work on databases that it begins. No time passes by the world's clock, so
// that its operations haven't ended then.
func (s *served) begin(method, path, body string) answer {
	s.t.Helper()
	defer s.awaitWork()
	return s.api(method, path, body).success()
}

// snapshot takes one of the first branch, and waits until it has that branch's data.
func (s *served) snapshot() string {
	s.t.Helper()
	defer s.awaitWork()
	return s.platform.snapshot("")
}

// awaitWork waits until no data is copied any more. An answer waits only some seconds for that.
func (s *served) awaitWork() {
	s.t.Helper()
	held := func() bool {
		s.e.mu.Lock()
		defer s.e.mu.Unlock()
		for _, p := range s.e.world.Projects {
			if slices.ContainsFunc(p.Operations, func(o *operation) bool { return o.Held != "" }) {
				return true
			}
		}
		return false
	}
	for deadline := time.Now().Add(3 * time.Minute); held(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatal("data is still being copied after a minute")
		}
	}
}

func (s *served) expectRefusal(t *testing.T, uri, want string, statements ...string) {
	t.Helper()
	if _, err := query(t, uri, append(statements, "SELECT 'x'")...); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want an error with %q", err, want)
	}
}

// branch makes a branch with an endpoint, lets its operations end, and gives its id
// and connection string.
func (s *served) branch(body string) (id, uri string) {
	s.t.Helper()
	made := s.must("POST", "{p}/branches", `{"branch":{`+body+`},"endpoints":[{"type":"read_write"}]}`)
	s.clock.advance(time.Minute)
	return made.str("branch", "id"), made.str("connection_uris", 0, "connection_uri")
}

func (s *served) mainURI() string {
	s.t.Helper()
	return s.must("GET", "{p}/connection_uri?database_name=neondb&role_name=neondb_owner", "").str("uri")
}

func TestDatabasesBranch(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	parent := s.mainURI()
	if !strings.Contains(parent, "sslmode=require&channel_binding=require") {
		t.Errorf("the connection string is %s", parent)
	}
	s.expect(t, parent, "1,2", "CREATE TABLE t (x text)", "INSERT INTO t VALUES ('1'), ('2')",
		"SELECT x FROM t ORDER BY x")
	child, uri := s.branch(`"name":"child"`)
	_, schema := s.branch(`"name":"schema","init_source":"schema-only"`)
	s.expect(t, uri, "1,2", "SELECT x FROM t ORDER BY x")
	s.expect(t, schema, "", "SELECT x FROM t")
	s.expect(t, parent, "1,2,3", "INSERT INTO t VALUES ('3')", "SELECT x FROM t ORDER BY x")
	s.expect(t, uri, "1,2,child", "INSERT INTO t VALUES ('child')", "SELECT x FROM t ORDER BY x")
	s.expect(t, parent, "3", "SELECT count(*)::text FROM t")

	pooled := s.must("GET", "{p}/connection_uri?pooled=true&database_name=neondb&role_name=neondb_owner&branch_id="+child,
		"").str("uri")
	s.expect(t, pooled, "3", "SELECT count(*)::text FROM t")
	replica := s.must("POST", "{p}/endpoints", `{"endpoint":{"branch_id":"`+child+
		`","type":"read_only"}}`).str("endpoint", "id")
	s.clock.advance(time.Minute)
	reading := s.must("GET", "{p}/connection_uri?database_name=neondb&role_name=neondb_owner&endpoint_id="+replica,
		"").str("uri")
	s.expect(t, reading, "3", "SELECT count(*)::text FROM t")
	s.expectRefusal(t, reading, "read-only transaction", "INSERT INTO t VALUES ('no')")
}

// untilEnded waits for a session to be ended.
func untilEnded(t *testing.T, open *pgx.Conn) {
	t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if _, err := open.Exec(t.Context(), "SELECT 1"); err != nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the session goes on")
		}
	}
}

func TestDatabasesRefuse(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	id, uri := s.branch(`"name":"b"`)
	s.expect(t, uri, "neondb_owner", "SELECT current_user::text")
	s.expectRefusal(t, strings.Replace(uri, "neondb_owner:", "neondb_owner:x", 1), "password authentication failed")
	s.expectRefusal(t, strings.Replace(uri, "/neondb?", "/other?", 1), `database "other" does not exist`)
	s.expectRefusal(t, strings.Replace(uri, "sslmode=require&channel_binding=require", "sslmode=disable", 1), "insecure")
	s.expectRefusal(t, strings.Replace(uri, "@ep-", "@ep-no-", 1), "could not be found")

	endpoint := s.must("GET", "{p}/branches/"+id+"/endpoints", "").str("endpoints", 0, "id")
	open, err := connect(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = open.Close(context.WithoutCancel(t.Context())) }()
	s.must("PATCH", "{p}/endpoints/"+endpoint, `{"endpoint":{"disabled":true}}`)
	s.expectRefusal(t, uri, "disabled")
	untilEnded(t, open)
	s.clock.advance(time.Minute)
	s.must("PATCH", "{p}/endpoints/"+endpoint, `{"endpoint":{"disabled":false}}`)
	s.clock.advance(time.Minute)
	s.expect(t, uri, "1", "SELECT '1'")

	s.must("DELETE", "{p}/branches/"+id, "")
	s.expectRefusal(t, uri, "could not be found")
}

func TestDatabasesExpire(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	made := s.send("POST", "/api/v1/database", `{"ref":"test"}`)
	uri := made.str("connection_string")
	s.expect(t, uri, "1", "CREATE TABLE t (x text)", "INSERT INTO t VALUES ('1')", "SELECT x FROM t")
	s.clock.advance(73 * time.Hour)
	s.expectRefusal(t, uri, "could not be found")
}

// A branch has the size of its data, once that was measured, and none before.
func TestDatabasesHaveASize(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	measured := func() float64 {
		branch, _ := s.api("GET", "{p}/branches/"+s.e.FirstWorld().BranchID, "").object()["branch"].(map[string]any)
		size, _ := branch["logical_size"].(float64)
		return size
	}
	if size := measured(); size != 0 {
		t.Errorf("the size of a branch that nobody has used is %v", size)
	}
	s.expect(t, s.mainURI(), "1", "SELECT '1'")
	s.e.databases.Sweep()
	size := measured()
	s.expect(t, s.mainURI(), "100000", "CREATE TABLE t AS SELECT generate_series(1, 100000) AS x",
		"SELECT count(*)::text FROM t")
	s.e.databases.Sweep()
	if grown := measured(); size < 1e6 || grown < size+3e6 {
		t.Errorf("the size is %v, and %v with 100,000 rows", size, grown)
	}
}

// What is removed while branches are made is nothing of theirs.
func TestDatabasesAreKept(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	s.expect(t, s.mainURI(), "1", "CREATE TABLE t (x text)", "INSERT INTO t VALUES ('1')", "SELECT x FROM t")
	ctx, stop := context.WithCancel(t.Context())
	var sweepers sync.WaitGroup
	for range 2 {
		sweepers.Go(func() {
			for ctx.Err() == nil {
				s.e.databases.Sweep()
				time.Sleep(time.Millisecond)
			}
		})
	}
	uris := make([]string, 4)
	for i := range uris {
		_, uris[i] = s.branch(fmt.Sprintf("%q:%q", "name", fmt.Sprintf("b%d", i)))
	}
	stop()
	sweepers.Wait()
	for _, uri := range uris {
		s.expect(t, uri, "1", "SELECT x FROM t")
	}
}

// Many branches come up and go away, and leave no database and no session.
func TestDatabasesLeaveNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("this takes its time")
	}
	const many = 6
	s := serveDatabases(t)
	s.expect(t, s.mainURI(), "1000", "CREATE TABLE t AS SELECT g AS x FROM generate_series(1, 1000) g",
		"SELECT count(*)::text FROM t")
	ids := make([]string, many)
	for i := range ids {
		id, uri := s.branch(fmt.Sprintf("%q:%q", "name", fmt.Sprintf("b%d", i)))
		ids[i] = id
		s.expect(t, uri, "1000", "SELECT count(*)::text FROM t")
	}
	if stores := s.e.databases.Branches(); stores != many+1 {
		t.Errorf("%d branches have data, want %d", stores, many+1)
	}
	for _, id := range ids {
		s.must("DELETE", "{p}/branches/"+id, "")
		s.clock.advance(time.Minute)
	}
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		stores, sessions := s.e.databases.Branches(), s.e.databases.Gateway().Sessions()
		if stores == 1 && sessions == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the data of %d branches and %d sessions are left", stores, sessions)
		}
	}
}

// Thirty branches that are asked for at once, of a parent that is written to all the while, come up with
// what one moment's transactions have left.
func TestDatabasesBranchAtOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("this takes its time")
	}
	const many, looked = 30, 3
	s := serveDatabases(t)
	uri := s.mainURI()
	s.expect(t, uri, "0", "CREATE TABLE accounts AS SELECT g AS id, 0 AS balance FROM generate_series(1, 1000) g",
		"SELECT sum(balance)::text FROM accounts")
	writing, stop := context.WithCancel(t.Context())
	defer stop()
	writer, err := connect(writing, uri)
	if err != nil {
		t.Fatal(err)
	}
	var busy, asking sync.WaitGroup
	busy.Go(func() {
		for writing.Err() == nil {
			_, _ = writer.Exec(writing, "UPDATE accounts SET balance = balance + CASE WHEN id % 2 = 0 THEN 1 ELSE -1 END WHERE id % 100 < 2")
		}
		_ = writer.Close(context.WithoutCancel(writing))
	})
	made := make([]answer, many)
	for n := range made {
		asking.Go(func() {
			endpoints := ""
			if n < looked {
				endpoints = `,"endpoints":[{"type":"read_write"}]`
			}
			made[n] = s.api("POST", "{p}/branches", fmt.Sprintf(`{"branch":{"name":"b%d"}%s}`, n, endpoints))
		})
	}
	asking.Wait()
	s.awaitWork()
	stop()
	busy.Wait()
	s.clock.advance(time.Minute)
	for n, answer := range made {
		id := answer.success().str("branch", "id")
		if state := s.must("GET", "{p}/branches/"+id, "").str("branch", "current_state"); state != "ready" {
			t.Errorf("branch %d is %s", n, state)
		}
		if n < looked {
			s.expect(t, answer.str("connection_uris", 0, "connection_uri"), "1000 0",
				"SELECT count(*) || ' ' || sum(balance) FROM accounts")
		}
	}
}

// postgres.js sends the parameters of a connection string that it doesn't know to the server.
func TestDatabases_unknownParameter(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	config, err := pgx.ParseConfig(s.mainURI())
	if err != nil {
		t.Fatal(err)
	}
	config.RuntimeParams["channel_binding"] = "require"
	config.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
