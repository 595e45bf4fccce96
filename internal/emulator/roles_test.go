package emulator

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"
)

// uri is the connection string of a role and a database of a branch.
func (s *served) uri(branch, role, database string) string {
	s.t.Helper()
	return s.begin("GET", "{p}/connection_uri?database_name="+url.QueryEscape(database)+"&role_name="+
		url.QueryEscape(role)+"&branch_id="+branch, "").str("uri")
}

// withHost is a connection string that leads to another endpoint.
func withHost(t *testing.T, uri, host string) string {
	t.Helper()
	u, err := url.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = host + ":" + u.Port()
	return u.String()
}

// Roles and databases are real: what the API says of them holds for whoever connects.
func TestDatabasesRoles(t *testing.T) {
	t.Parallel()
	const wrongPassword = "password authentication failed"
	s := serveDatabases(t)
	id, _ := s.branch(`"name":"b"`)
	at := "{p}/branches/" + id

	s.begin("POST", at+"/roles", `{"role":{"name":"app"}}`)
	app := s.uri(id, "app", "neondb")
	s.expectRefusal(t, app, wrongPassword)
	s.clock.advance(time.Minute)
	s.expect(t, app, "app", "SELECT current_user::text")

	open, err := connect(t.Context(), app)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = open.Close(context.WithoutCancel(t.Context())) }()
	s.begin("POST", at+"/roles/app/reset_password", "")
	reset := s.uri(id, "app", "neondb")
	s.expectRefusal(t, reset, wrongPassword)
	if _, err := query(t, app, "SELECT 1::text"); err != nil {
		t.Errorf("the reset hasn't ended, and the old password gives %v", err)
	}
	s.clock.advance(time.Minute)
	s.expectRefusal(t, app, wrongPassword)
	untilEnded(t, open)
	s.expect(t, reset, "app", "SELECT current_user::text")

	s.must("POST", at+"/roles", `{"role":{"name":"group","no_login":true}}`)
	s.clock.advance(time.Minute)
	s.expectRefusal(t, s.uri(id, "group", "neondb"), "")
	// Roles that never logged in can be granted things all the same.
	s.expect(t, s.uri(id, "neondb_owner", "neondb"), "true", "CREATE TABLE t (x text)", "GRANT SELECT ON t TO \"group\"",
		"SELECT has_table_privilege('group', 't', 'SELECT')::text")

	made := s.must("POST", at+"/databases", `{"database":{"name":"shop","owner_name":"app"}}`)
	s.clock.advance(time.Minute)
	s.expect(t, s.uri(id, "app", "shop"), "kept", "CREATE TABLE t AS SELECT 'kept' AS x", "SELECT x FROM t")
	s.api("DELETE", at+"/roles/app", "").refused(422, "owns")
	renamed := s.must("PATCH", at+"/databases/shop", `{"database":{"name":"store","owner_name":"neondb_owner"}}`)
	s.clock.advance(time.Minute)
	if renamed.at("database", "id") != made.at("database", "id") {
		t.Errorf("the id changed: %s", renamed.text)
	}
	s.expect(t, s.uri(id, "app", "store"), "kept", "SELECT x FROM t")
	s.expect(t, s.uri(id, "app", "store"), "neondb_owner",
		"SELECT r.rolname::text FROM pg_database d JOIN pg_roles r ON r.oid = datdba WHERE datname = current_database()")
	s.must("DELETE", at+"/roles/app", "")
	s.expectRefusal(t, reset, wrongPassword)

	s.must("PATCH", at, `{"branch":{"protected":true}}`)
	child := s.must("POST", "{p}/branches", `{"branch":{"name":"c","parent_id":"`+id+
		`"},"endpoints":[{"type":"read_write"}]}`).str("branch", "id")
	s.clock.advance(time.Minute)
	host := s.must("GET", "{p}/branches/"+child+"/endpoints", "").str("endpoints", 0, "host")
	s.expect(t, s.uri(child, "neondb_owner", "store"), "kept", "SELECT x FROM t")
	s.expectRefusal(t, withHost(t, s.uri(id, "neondb_owner", "store"), host), wrongPassword)
}

// A restored branch has its source's data, its backup those that it had; a recovered
// project has all of it.
func TestDatabasesRestore(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	main := s.mainURI()
	s.expect(t, main, "first", "CREATE TABLE t AS SELECT 'first' AS x", "SELECT x FROM t")
	id, uri := s.branch(`"name":"b"`)
	s.expect(t, uri, "own", "UPDATE t SET x = 'own'", "SELECT x FROM t")
	s.expect(t, main, "second", "UPDATE t SET x = 'second'", "SELECT x FROM t")
	body := `{"source_branch_id":"` + s.e.FirstWorld().BranchID + `","preserve_under_name":"old"}`
	old := s.must("POST", "{p}/branches/"+id+"/restore", body).str("branch", "parent_id")
	s.clock.advance(time.Minute)
	s.expect(t, uri, "second", "SELECT x FROM t")
	s.expect(t, main, "second", "SELECT x FROM t")
	s.must("POST", "{p}/endpoints", `{"endpoint":{"branch_id":"`+old+`","type":"read_write"}}`)
	s.clock.advance(time.Minute)
	s.expect(t, s.uri(old, "neondb_owner", "neondb"), "own", "SELECT x FROM t")

	s.must("DELETE", "{p}", "")
	s.expectRefusal(t, uri, "could not be found")
	s.e.databases.Sweep()
	s.must("POST", "{p}/recover", "")
	s.expect(t, uri, "second", "SELECT x FROM t")
	s.expect(t, s.uri(old, "neondb_owner", "neondb"), "own", "SELECT x FROM t")
	if stores := s.e.databases.Branches(); stores != 3 {
		t.Errorf("%d branches have data, want 3", stores)
	}
}

// What the control plane says of roles and databases is the same without a compute, where
// one operation is enough.
func TestRolesAndDatabases(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	at := "{p}/branches/" + p.named("no-compute")
	settle := func() { p.clock.advance(10 * time.Second) }
	role := p.must("POST", at+"/roles", `{"role":{"name":"app"}}`)
	if role.size("operations") != 1 || role.str("operations", 0, "action") != "apply_config" ||
		role.str("role", "password") == "" {
		t.Errorf("created: %s", role.text)
	}
	p.api("POST", at+"/databases", `{"database":{"name":"shop","owner_name":"app"}}`).refused(423,
		"conflicting operations")
	settle()
	database := p.must("POST", at+"/databases", `{"database":{"name":"shop","owner_name":"app"}}`)
	settle()
	group := p.must("POST", at+"/roles", `{"role":{"name":"group","no_login":true}}`)
	if group.str("role", "authentication_method") != "no_login" || group.at("role", "password") != nil {
		t.Errorf("without login: %s", group.text)
	}
	settle()
	for _, test := range []struct {
		method, path, body, message string
		status                      int
	}{
		{"POST", "/roles", `{"role":{"name":"app"}}`, "role already exists", 409},
		{"POST", "/databases", `{"database":{"name":"shop","owner_name":"app"}}`, "database already exists", 409},
		{"PATCH", "/databases/shop", `{"database":{"name":"neondb"}}`, "database already exists", 409},
		{"PATCH", "/databases/shop", `{"database":{"owner_name":"nobody"}}`, "role not found for branch", 404},
		{"POST", "/databases", `{"database":{"name":"postgres","owner_name":"app"}}`, "reserved", 400},
		{"POST", "/roles", `{"role":{"name":"pg_reader"}}`, "reserved", 400},
		{"DELETE", "/roles/app", "", "owns databases", 422},
		{"GET", "/roles/group/reveal_password", "", "no password", 404},
		{"POST", "/roles/group/reset_password", "", "no password", 422},
		{"POST", "/roles/nobody/reset_password", "", "role not found for branch", 404},
	} {
		p.api(test.method, at+test.path, test.body).refused(test.status, test.message)
	}
	renamed := p.must("PATCH", at+"/databases/shop", `{"database":{"name":"store","owner_name":"neondb_owner"}}`)
	if renamed.at("database", "id") != database.at("database", "id") ||
		renamed.str("database", "owner_name") != "neondb_owner" {
		t.Errorf("renamed: %s", renamed.text)
	}
	settle()
	for _, path := range []string{"/databases/store", "/roles/app"} {
		p.must("DELETE", at+path, "")
		settle()
		if again := p.must("DELETE", at+path, ""); again.status != 204 || again.text != "" {
			t.Errorf("deleted again: %d %s", again.status, again.text)
		}
	}
}

// A project that keeps no passwords tells them once, and whoever reads later has to know them.
func TestRoles_unstoredPasswords(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	made := p.must("POST", "/projects", `{"project":{"org_id":"`+p.org+`","store_passwords":false}}`)
	password := made.str("connection_uris", 0, "connection_parameters", "password")
	if password == "" {
		t.Errorf("the project's creation tells no password: %s", made.text)
	}
	p.clock.advance(time.Minute)
	at := "/projects/" + made.str("project", "id")
	branch := p.must("POST", at+"/branches", `{"endpoints":[{"type":"read_write"}]}`)
	uri := p.must("GET", at+"/connection_uri?database_name=neondb&role_name=neondb_owner", "").str("uri")
	if !strings.Contains(uri, "//neondb_owner@") || strings.Contains(branch.text, password) {
		t.Errorf("a password that isn't kept is told: %s %s", uri, branch.text)
	}
	p.api("GET", at+"/branches/"+branch.str("branch", "id")+"/roles/neondb_owner/reveal_password", "").refused(412,
		"disabled")
}
