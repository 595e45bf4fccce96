package emulator

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestProjectSettings(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.must("PATCH", "{p}", `{"project":{"settings":{"hipaa":false,"enable_logical_replication":false}}}`)
	p.must("PATCH", "{p}", `{"project":{"settings":{"hipaa":true,"enable_logical_replication":true,"allowed_ips":{"ips":["10.0.0.1"]}}}}`)
	p.api("PATCH", "{p}", `{"project":{"settings":{"enable_logical_replication":false}}}`).refused(400,
		"disabling logical replication is not allowed")
	p.api("PATCH", "{p}", `{"project":{"settings":{"hipaa":false}}}`).refused(400, "disabling HIPAA is not allowed")
	project := p.must("GET", "{p}", "")
	if project.at("project", "settings", "hipaa") != true || project.str("project", "hipaa_enabled_at") == "" ||
		project.str("project", "settings", "allowed_ips", "ips", 0) != "10.0.0.1" {
		t.Error(project.text)
	}
	p.must("PATCH", "{p}", `{"project":{"settings":{"allowed_ips":{"protected_branches_only":true}}}}`)
	allowed := p.must("GET", "{p}", "").at("project", "settings", "allowed_ips")
	if got := fmt.Sprint(allowed); got != "map[ips:[] protected_branches_only:true]" {
		t.Error(got)
	}
}

// Names that differ by the case of a letter are other names, in both APIs.
func TestFieldNamesCountWithTheirCase(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.must("PATCH", "{p}", `{"project":{"Name":"other","settings":{"HIPAA":true}}}`)
	project := p.must("GET", "{p}", "")
	if project.str("project", "name") != "first" || project.at("project", "settings", "HIPAA") != nil {
		t.Error(project.text)
	}
	p.api("PATCH", "{p}", `{"Project":{"name":"other"}}`).refused(400, "project (field required)")
	p.send("POST", "/api/v1/database", `{"Ref":"r"}`).refused(400, "Missing referrer")
}

// Neon's page about claimable databases names their version.
func TestClaimableVersion(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	made := p.send("POST", "/api/v1/database", `{"ref":"r"}`)
	p.control("POST", "/claimable_databases/"+made.str("id")+"/claim", "")
	if project := p.must("GET", "/projects/"+made.str("neon_project_id"), ""); project.at("project",
		"pg_version") != 17.0 {
		t.Error(project.text)
	}
}

func TestRolesWithoutLogin(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	roles := "{p}/branches/" + p.branch(`{"endpoints":[{"type":"read_write"}]}`) + "/roles"
	made := p.must("POST", roles, `{"role":{"name":"group","no_login":true}}`)
	p.clock.advance(time.Minute)
	if made.str("role", "authentication_method") != "no_login" || strings.Contains(made.text, "password\":\"npg_") {
		t.Error(made.text)
	}
	uri := p.must("GET", "{p}/connection_uri?database_name=neondb&role_name=group&branch_id="+
		made.str("role", "branch_id"), "")
	if !strings.HasPrefix(uri.str("uri"), "postgresql://group@ep-") {
		t.Error(uri.text)
	}
	p.api("GET", roles+"/group/reveal_password", "").refused(404, `role has no password; role_name:"group"`)
	p.api("POST", roles+"/group/reset_password", "").refused(422, `role has no password; role_name:"group"`)
}

func TestReservedRoleNames(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	roles := "{p}/branches/" + p.named("b") + "/roles"
	for _, name := range []string{"pg_me", "pgbouncer", "neon_superuser", "cloud_admin", "zenith_admin", "public",
		"none"} {
		p.api("POST", roles, fmt.Sprintf(`{"role":{"name":%q}}`, name)).refused(400, "role name is reserved")
		p.api("POST", "/projects", fmt.Sprintf(`{"project":{"org_id":%q,"branch":{"role_name":%q}}}`, p.org,
			name)).refused(400, "role name is reserved")
	}
	p.must("POST", roles, `{"role":{"name":"publican"}}`)
}

// Each write of roles and databases has the compute told, which goes on running.
func TestRoleAndDatabaseOperations(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Conflicts: ConflictsNone})
	made := p.must("POST", "{p}/branches", `{"endpoints":[{"type":"read_write","suspend_timeout_seconds":-1}]}`)
	branch, endpoint := "{p}/branches/"+made.str("branch", "id"), made.str("endpoints", 0, "id")
	p.clock.advance(time.Minute)
	for _, write := range []struct{ method, path, body string }{
		{"POST", "/roles", `{"role":{"name":"r"}}`},
		{"POST", "/roles/r/reset_password", ""},
		{"POST", "/databases", `{"database":{"name":"d","owner_name":"r"}}`},
		{"PATCH", "/databases/d", `{"database":{"owner_name":"neondb_owner"}}`},
		{"DELETE", "/databases/d", ""},
		{"DELETE", "/roles/r", ""},
	} {
		answer := p.must(write.method, branch+write.path, write.body)
		if answer.size("operations") != 1 || answer.str("operations", 0, "action") != "apply_config" ||
			answer.str("operations", 0, "status") != "running" {
			t.Errorf("%s %s: %s", write.method, write.path, answer.text)
		}
		p.clock.advance(time.Minute)
	}
	p.want("{p}/endpoints/"+endpoint, "active", "endpoint", "current_state")
	bare := p.must("POST", "{p}/branches/"+p.named("bare")+"/roles", `{"role":{"name":"r"}}`)
	if bare.size("operations") != 1 || bare.str("operations", 0, "action") != "apply_config" {
		t.Error(bare.text)
	}
}

func TestChildrenOfProtectedBranches(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	password := func(branchID string) string {
		return p.must("GET", "{p}/branches/"+branchID+"/roles/neondb_owner/reveal_password", "").str("password")
	}
	parent := p.named("parent")
	if password(p.branch(`{"branch":{"parent_id":"`+parent+`"}}`)) != password(parent) {
		t.Error("a child of a branch has other passwords")
	}
	p.must("PATCH", "{p}/branches/"+parent, `{"branch":{"protected":true}}`)
	if password(p.branch(`{"branch":{"parent_id":"`+parent+`"}}`)) == password(parent) {
		t.Error("a child of a protected branch has the same passwords")
	}
}

// A schema-only branch takes its parent's schema, and is a root then.
func TestSchemaOnlyBranchesAreRoots(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	parent := p.named("parent")
	body := `{"branch":{"parent_id":"` + parent + `","init_source":"schema-only"},"endpoints":[{"type":"read_write"}]}`
	made := p.must("POST", "{p}/branches", body)
	p.clock.advance(time.Minute)
	id := made.str("branch", "id")
	for _, answer := range []answer{made, p.must("GET", "{p}/branches/"+id, ""),
		p.must("GET", "{p}/branches?search="+id, "")} {
		if strings.Contains(answer.text, `"parent_`) || !strings.Contains(answer.text, `"init_source":"parent-schema"`) {
			t.Errorf("%s: %s", answer.request, answer.text)
		}
	}
	if made.str("roles", 0, "name") != "neondb_owner" || made.str("databases", 0, "name") != "neondb" {
		t.Error(made.text)
	}
	p.must("DELETE", "{p}/branches/"+parent, "")
	p.clock.advance(time.Minute)
	p.want("{p}/branches/"+id, "ready", "branch", "current_state")
	// Beside the first branch and this one there is room for so many.
	for range plans[PlanScale].roots - 2 {
		p.branch(`{"branch":{"init_source":"schema-only"}}`)
	}
	full := p.api("POST", "{p}/branches", `{"branch":{"init_source":"schema-only"}}`)
	full.refused(http.StatusUnprocessableEntity, "root branches limit exceeded")
	if full.str("code") != "ROOT_BRANCHES_LIMIT_EXCEEDED" {
		t.Error(full.text)
	}
	p.must("POST", "{p}/branches", "")
}

func TestComputesOfProtectedBranches(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	made := p.must("POST", "{p}/branches",
		`{"branch":{"protected":true},"endpoints":[{"type":"read_write"},{"type":"read_only"}]}`)
	p.clock.advance(time.Minute)
	for i := range 2 {
		endpoint := "{p}/endpoints/" + made.str("endpoints", i, "id")
		p.api("DELETE", endpoint, "").refused(http.StatusUnprocessableEntity, "cannot delete endpoint of protected branch")
		p.must("GET", endpoint, "")
	}
	p.must("PATCH", "{p}/branches/"+made.str("branch", "id"), `{"branch":{"protected":false}}`)
	p.must("DELETE", "{p}/endpoints/"+made.str("endpoints", 0, "id"), "")
}

func TestOrganizationsOfKeys(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	for name, keyed := range p.keys() {
		list := keyed.must("GET", "/users/me/organizations", "")
		if list.size("organizations") != 1 || list.str("organizations", 0, "id") != p.org {
			t.Errorf("%s: %s", name, list.text)
		}
	}
}

func TestProjectsNeedAnOrganization(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.api("POST", "/projects", `{"project":{}}`).refused(400,
		"org_id is required, you can find it on your organization settings page")
	p.keys()["organization"].must("POST", "/projects", `{"project":{}}`)
}

func TestMissingRole(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	branch := p.named("b")
	want := fmt.Sprintf(`role not found for branch; role_name:"none", branch_id:%q`, branch)
	for _, call := range []string{"GET /roles/none", "GET /roles/none/reveal_password",
		"POST /roles/none/reset_password"} {
		method, path, _ := strings.Cut(call, " ")
		p.api(method, "{p}/branches/"+branch+path, "").refused(404, want)
	}
}

// Sizes of computes are those of Neon's table, and the limits of one that scales are at most
// eight apart.
func TestComputeSizes(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Conflicts: ConflictsNone})
	endpoint := "{p}/endpoints/" + p.e.FirstWorld().EndpointID
	for _, test := range []struct {
		least, most float64
		status      int
	}{
		{0.25, 0.25, 200}, {0.25, 8, 200}, {3, 11, 200}, {8, 16, 200}, {16, 16, 200}, {18, 18, 200}, {56, 56, 200},
		{0.3, 1, 400}, {0.75, 0.75, 400}, {1.5, 2, 400}, {7.5, 7.5, 400}, {17, 17, 400}, {57, 57, 400}, {58, 58, 400},
		{2, 1, 400}, {0.25, 9, 400}, {7, 16, 400}, {16, 18, 412}, {20, 24, 412},
	} {
		sizes := fmt.Sprintf(`"autoscaling_limit_min_cu":%v,"autoscaling_limit_max_cu":%v`, test.least, test.most)
		if got := p.api("PATCH", endpoint, `{"endpoint":{`+sizes+`}}`); got.status != test.status {
			t.Errorf("a compute of %v to %v: %d %s", test.least, test.most, got.status, got.text)
		}
		if got := p.api("PATCH", "{p}", `{"project":{"default_endpoint_settings":{`+sizes+`}}}`); got.status != test.status {
			t.Errorf("defaults of %v to %v: %d %s", test.least, test.most, got.status, got.text)
		}
	}
}

// Addresses that may connect are refused where they could let nobody in.
func TestProject_invalidAddresses(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Plan: PlanScale})
	for _, address := range []string{"999.1.1.1", "office", "", "203.0.113.0/33", "203.0.113.9-203.0.113.1",
		"203.0.113.1-::2", "203.0.113.1-"} {
		settings := `"settings":{"allowed_ips":{"ips":["203.0.113.7","` + address + `"]}}`
		want := `allowed IPs have an invalid address; address:"` + address + `"`
		p.api("PATCH", "{p}", `{"project":{`+settings+`}}`).refused(400, want)
		p.api("POST", "/projects", `{"project":{"name":"n","org_id":"`+p.org+`",`+settings+`}}`).refused(400, want)
	}
	for _, address := range []string{"203.0.113.7", "203.0.113.0/24", "203.0.113.1-203.0.113.9",
		"203.0.113.1 - 203.0.113.9", "::1", "2001:db8::/32"} {
		p.must("PATCH", "{p}", `{"project":{"settings":{"allowed_ips":{"ips":["`+address+`"]}}}}`)
	}
}

// Who is refused by Claimable Neon for its token learns where to get one.
func TestClaimableNeon_tellsWhereTokensAre(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	refused := p.send("GET", "/v1/projects/"+p.project+"/credentials", "")
	refused.refused(http.StatusUnauthorized, "unauthorized")
	address, isThere := strings.CutPrefix(refused.header.Get("Www-Authenticate"), `Bearer resource_metadata="`+p.url)
	path, isQuoted := strings.CutSuffix(address, `"`)
	if !isThere || !isQuoted {
		t.Fatal(refused.header)
	}
	if described := p.send("GET", path, "").success(); described.size("authorization_servers") != 1 {
		t.Error(described.text)
	}
}

// A change of the restore window is work of the project's storage: no branch's, and refused while other work runs.
func TestRestoreWindowOperations(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	window := func(seconds int) answer {
		return p.api("PATCH", "{p}", fmt.Sprintf(`{"project":{"history_retention_seconds":%d}}`, seconds))
	}
	if same := window(86400); same.status != 200 || same.size("operations") != 0 {
		t.Errorf("the same window: %d %s", same.status, same.text)
	}
	shorter := window(3600)
	if shorter.size("operations") != 1 || shorter.str("operations", 0, "action") != "apply_storage_config" ||
		shorter.str("operations", 0, "status") != "running" || strings.Contains(shorter.text, "branch_id") {
		t.Error(shorter.text)
	}
	window(7200).refused(423, "already has running conflicting operations")
	if left := p.must("GET", "{p}", ""); left.at("project", "history_retention_seconds") != 3600.0 {
		t.Errorf("a refused change leaves %s", left.text)
	}
	p.must("PATCH", "{p}", `{"project":{"name":"renamed","history_retention_seconds":3600}}`)
	p.clock.advance(time.Minute)
	p.want("{p}/operations/"+shorter.str("operations", 0, "id"), "finished", "operation", "status")
	p.must("POST", "{p}/branches", `{}`)
	window(7200).refused(423, "already has running conflicting operations")
}

// The fields of a project that the documentation's list shows.
func TestListedProject(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	listed := p.must("GET", "/projects?org_id="+p.org, "").text
	for _, field := range strings.Fields("id name platform_id region_id provisioner pg_version locked cpu_used_sec " +
		"created_at updated_at proxy_host branch_logical_size_limit") {
		if !strings.Contains(listed, `"`+field+`":`) {
			t.Errorf("no %s in %s", field, listed)
		}
	}
}
