package emulator

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// compute is a field of the first endpoint.
func (p *platform) compute(field string) string {
	p.t.Helper()
	text, _ := p.must("GET", "{p}/endpoints/"+p.e.FirstWorld().EndpointID, "").at("endpoint", field).(string)
	return text
}

// actions are those of the first endpoint's operations, newest first.
func (p *platform) actions() string {
	p.t.Helper()
	var all []string
	operations, _ := p.must("GET", "{p}/operations", "").at("operations").([]any)
	for _, o := range operations {
		if one, _ := o.(map[string]any); one["endpoint_id"] == p.e.FirstWorld().EndpointID {
			action, _ := one["action"].(string)
			all = append(all, strings.TrimSuffix(action, "_compute"))
		}
	}
	return strings.Join(all, " ")
}

// A compute suspends once nobody has used it for as long as it waits for that.
func TestComputes_suspend(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	endpoint := "{p}/endpoints/" + p.e.FirstWorld().EndpointID
	p.clock.advance(4 * time.Minute)
	if got := p.compute("current_state"); got != "active" {
		t.Errorf("after 4 minutes it is %s", got)
	}
	p.clock.advance(2 * time.Minute)
	if got := p.compute("current_state") + " " + p.compute("suspended_at") + " " +
		p.compute("last_active"); got != "idle 2026-03-01T12:05:00Z 2026-03-01T12:00:00Z" {
		t.Errorf("after 6 minutes it is %s", got)
	}
	for _, test := range []struct {
		timeout, state string
		passes         time.Duration
	}{
		{"3600", "active", 59 * time.Minute},
		{"3600", "idle", 2 * time.Hour},
		{"-1", "active", 300 * time.Hour},
		{"60", "idle", 2 * time.Minute},
	} {
		p.must("PATCH", endpoint, `{"endpoint":{"suspend_timeout_seconds":`+test.timeout+`}}`)
		p.clock.advance(time.Minute)
		p.must("POST", endpoint+"/start", "")
		p.clock.advance(test.passes)
		if got := p.compute("current_state"); got != test.state {
			t.Errorf("with a timeout of %s it is %s after %s", test.timeout, got, test.passes)
		}
	}
	if got := p.actions(); !strings.HasPrefix(got, "suspend start") {
		t.Errorf("its operations are %s", got)
	}
}

// A login wakes a suspended compute, a session that does something keeps it awake, and a
// suspension or a restart ends sessions.
func TestComputes_sessions(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri, endpoint := s.mainURI(), "{p}/endpoints/"+s.e.FirstWorld().EndpointID
	s.clock.advance(time.Hour)
	if got := s.compute("current_state"); got != "idle" {
		t.Fatalf("the compute is %s", got)
	}
	s.expect(t, uri, "1", "SELECT '1'")
	if got := s.compute("current_state") + ": " + s.actions(); !strings.HasPrefix(got, "active: start suspend") {
		t.Errorf("after the login the compute is %s", got)
	}
	open, err := connect(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = open.Close(context.WithoutCancel(t.Context())) }()
	run := func(statement string) {
		t.Helper()
		if _, err := open.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	s.clock.advance(4 * time.Minute)
	run("SELECT 1")
	s.clock.advance(4 * time.Minute)
	if got := s.compute("current_state"); got != "active" {
		t.Errorf("four minutes after a statement the compute is %s", got)
	}
	run("BEGIN")
	s.clock.advance(time.Hour)
	if got := s.compute("current_state"); got != "active" {
		t.Errorf("in the middle of a transaction the compute is %s", got)
	}
	run("COMMIT")
	s.clock.advance(time.Hour)
	if got := s.compute("current_state"); got != "idle" {
		t.Errorf("an hour after the last statement the compute is %s", got)
	}
	untilEnded(t, open)
	for _, path := range []string{"/suspend", "/restart"} {
		s.expect(t, uri, "1", "SELECT '1'")
		again, err := connect(t.Context(), uri)
		if err != nil {
			t.Fatal(err)
		}
		s.clock.advance(time.Second)
		s.must("POST", endpoint+path, "")
		s.clock.advance(time.Second)
		untilEnded(t, again)
	}
}

// A compute that doesn't start lets nobody in, and says why.
func TestComputes_doNotStart(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	s.clock.advance(time.Hour)
	s.control("POST", "/operations", `{"action":"start_compute","status":"failed","error":"no capacity"}`)
	defer s.letTimePass()()
	s.expectRefusal(t, uri, "the compute doesn't start: its operation start_compute is failed")
	s.expect(t, uri, "1", "SELECT '1'")
}

// Clients are let in from the addresses that the project allows.
func TestComputes_addresses(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	for settings, isAllowed := range map[string]bool{
		`"allowed_ips":{"ips":["203.0.113.7"]}`:                                false,
		`"allowed_ips":{"ips":["203.0.113.7","127.0.0.1"]}`:                    true,
		`"allowed_ips":{"ips":["127.0.0.0/8"]}`:                                true,
		`"allowed_ips":{"ips":["127.0.0.1-127.0.0.9"]}`:                        true,
		`"allowed_ips":{"ips":["127.0.0.2-127.0.0.9"]}`:                        false,
		`"allowed_ips":{"ips":["203.0.113.7"],"protected_branches_only":true}`: true,
		`"allowed_ips":{"ips":["::1"]},"block_public_connections":false`:       false,
		`"allowed_ips":{"ips":[],"protected_branches_only":false}`:             true,
		`"allowed_ips":{"ips":["127.0.0.1"]},"block_public_connections":true`:  false,
	} {
		if made := s.api("PATCH", "{p}",
			`{"project":{"settings":{"block_public_connections":false}}}`); made.status != http.StatusOK {
			t.Fatal(made.text)
		}
		s.must("PATCH", "{p}", `{"project":{"settings":{`+settings+`}}}`)
		switch _, err := query(t, uri, "SELECT '1'"); {
		case isAllowed && err != nil:
			t.Errorf("with %s: %v", settings, err)
		case !isAllowed && (err == nil || !strings.Contains(err.Error(), "not allowed to connect") &&
			!strings.Contains(err.Error(), "blocked")):
			t.Errorf("with %s: %v", settings, err)
		}
	}
}

// A compute starts with the settings that PostgreSQL takes from its users, and with none that
// reach beyond the branch. A session that a restart ends doesn't keep the next one from them.
func TestComputes_settings(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri, endpoint := s.mainURI(), "{p}/endpoints/"+s.e.FirstWorld().EndpointID
	s.expect(t, uri, "4MB replica", "SELECT current_setting('work_mem') || ' ' || current_setting('wal_level')")
	goesOn := s.letTimePass()
	before, err := connect(t.Context(), uri)
	goesOn()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = before.Close(context.WithoutCancel(t.Context())) }()
	s.must("PATCH", "{p}", `{"project":{"settings":{"enable_logical_replication":true}}}`)
	s.must("PATCH", endpoint, `{"endpoint":{"settings":{"pg_settings":{"work_mem":"16MB","statement_timeout":"banana","no_such":"1",
		"archive_command":"touch /tmp/x","shared_preload_libraries":"x","data_directory":"/",
		"search_path":"\"it's\", public"}}}}`)
	s.clock.advance(time.Minute)
	s.must("POST", endpoint+"/restart", "")
	s.clock.advance(time.Minute)
	s.expect(t, uri, `16MB logical 0 "it's", public`,
		"SELECT concat_ws(' ', current_setting('work_mem'), current_setting('wal_level'),"+
			" current_setting('statement_timeout'), current_setting('search_path'))")
}

// A login that a restart overtakes is of the time before it: it ends, and keeps nobody from the new settings.
func TestComputes_restartDuringLogin(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	s.expect(t, s.mainURI(), "x", "SELECT 'x'")
	id, uri := s.branch(`"name":"b"`)
	s.e.mu.Lock()
	_, b := s.e.world.branch(id)
	s.e.mu.Unlock()
	endpoint := s.must("GET", "{p}/branches/"+id+"/endpoints", "").str("endpoints", 0, "id")
	// The login waits for work on the branch's data.
	begun, goOn := make(chan struct{}), make(chan struct{})
	work := s.e.databases.Configure(id, func() postgres.Layout {
		close(begun)
		<-goOn
		return s.e.layoutOf(b)()
	}, postgres.Change{})
	worked := make(chan error, 1)
	go func() { worked <- work() }()
	<-begun
	s.clock.advance(time.Second)
	moment := s.clock.Now()
	overtaken := make(chan *pgx.Conn, 1)
	go func() {
		conn, err := connect(t.Context(), uri)
		if err != nil && !strings.Contains(err.Error(), "terminating connection") { // It may end before the client has begun.
			t.Error(err)
		}
		overtaken <- conn
	}()
	letIn := func() bool {
		s.e.mu.Lock()
		defer s.e.mu.Unlock()
		_, through := s.e.world.endpoint(endpoint)
		return !through.LastActive.Before(moment)
	}
	for deadline := time.Now().Add(3 * time.Minute); !letIn() && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	s.must("PATCH", "{p}/endpoints/"+endpoint, `{"endpoint":{"settings":{"pg_settings":{"work_mem":"16MB"}}}}`)
	s.clock.advance(time.Minute)
	s.must("POST", "{p}/endpoints/"+endpoint+"/restart", "")
	s.clock.advance(time.Minute)
	close(goOn)
	if err := <-worked; err != nil {
		t.Error(err)
	}
	conn := <-overtaken
	s.expect(t, uri, "16MB", "SHOW work_mem")
	if conn != nil {
		untilEnded(t, conn)
	}
}

// A client that reads no more of its answer is in nobody's way: its session ends as all others do.
func TestComputes_stalledClient(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri, endpoint := s.mainURI(), "{p}/endpoints/"+s.e.FirstWorld().EndpointID
	stalled, err := connect(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stalled.Close(context.WithoutCancel(t.Context())) }()
	frontend := stalled.PgConn().Frontend()
	frontend.SendQuery(&pgproto3.Query{String: "SELECT repeat('x', 1000) FROM generate_series(1, 100000)"})
	if err := frontend.Flush(); err != nil {
		t.Fatal(err)
	}
	s.must("PATCH", endpoint, `{"endpoint":{"settings":{"pg_settings":{"work_mem":"16MB"}}}}`)
	s.clock.advance(time.Minute)
	s.must("POST", endpoint+"/restart", "")
	s.clock.advance(time.Minute)
	s.expect(t, uri, "16MB", "SHOW work_mem")
}

// A project has twenty active computes, beside those of its default branch. Others stay suspended.
func TestComputes_mostActive(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Plan: PlanScale, Conflicts: ConflictsNone})
	var last answer
	for range mostActive + 1 {
		last = p.must("POST", "{p}/branches", `{"endpoints":[{"type":"read_write"}]}`)
	}
	endpoint := "{p}/endpoints/" + last.str("endpoints", 0, "id")
	if got := last.str("endpoints", 0, "current_state"); got != "idle" {
		t.Errorf("one more is %s", got)
	}
	p.clock.advance(time.Minute)
	p.api("POST", endpoint+"/start", "").refused(422, "active endpoints limit exceeded")
	replica := p.must("POST", "{p}/endpoints", `{"endpoint":{"type":"read_only","branch_id":"`+
		last.str("branch", "id")+`"}}`)
	if got := replica.str("endpoint", "current_state"); got != "idle" {
		t.Errorf("a replica is %s", got)
	}
	p.must("POST", "{p}/endpoints/"+p.e.FirstWorld().EndpointID+"/restart", "")
	p.clock.advance(time.Hour)
	p.must("POST", endpoint+"/start", "")
}

// A reset password ends the sessions of all roles.
func TestComputes_sessionsAtReset(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	s.must("POST", "{p}/branches/"+s.e.FirstWorld().BranchID+"/roles", `{"role":{"name":"another"}}`)
	s.clock.advance(time.Minute)
	open, err := connect(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	s.clock.advance(time.Second)
	s.must("POST", "{p}/branches/"+s.e.FirstWorld().BranchID+"/roles/another/reset_password", "")
	s.clock.advance(time.Second)
	untilEnded(t, open)
	s.expect(t, uri, "1", "SELECT '1'")
}

// A compute that is created as disabled is created, whether it is started for that or not.
func TestCreateDisabled(t *testing.T) {
	t.Parallel()
	for _, played := range []string{"idle", "started"} {
		p := start(t, Config{Readings: map[string]string{"create-disabled": played}})
		made := p.api("POST", "{p}/endpoints",
			`{"endpoint":{"branch_id":"`+p.e.FirstWorld().BranchID+`","type":"read_only","disabled":true}}`)
		if made.status != 201 {
			t.Errorf("%s: %d %s", played, made.status, made.text)
		}
	}
}
