package emulator

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// What a member may do with a project follows from the higher of its two roles.
func TestRolesInProjects(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	members := map[string]*platform{}
	ids := map[string]string{}
	for _, role := range []string{"viewer", "editor", "collaborator", "admin"} {
		members[role] = p.as(p.control("POST", "/members", `{"email":"`+role+`@example.com","role":"`+role+
			`"}`).str("api_key"))
	}
	listed := p.must("GET", "{p}/members", "")
	for i := range listed.size("project_members") {
		ids[listed.str("project_members", i, "org_role")] = listed.str("project_members", i, "member_id")
	}
	// The statuses are those of a read, a change, a deletion and a creation of a project; 0 is
	// for what isn't tried.
	may := func(who string, read, change, deletion, creation int) {
		t.Helper()
		for _, call := range []struct {
			method, path, body string
			status             int
		}{
			{"GET", "{p}", "", read}, {"PATCH", "{p}", `{"project":{"name":"n"}}`, change},
			{"POST", "/projects", `{"project":{"org_id":"` + p.org + `"}}`, creation}, {"DELETE", "{p}", "", deletion},
		} {
			if call.status == 0 {
				continue
			}
			if got := members[who].api(call.method, call.path, call.body); got.status != call.status {
				t.Errorf("%s, %s: %d %s, want %d", who, got.request, got.status, got.text, call.status)
			}
		}
	}
	may("viewer", 200, 403, 403, 403)
	may("editor", 200, 200, 403, 201)
	may("collaborator", 404, 404, 404, 403)
	may("admin", 200, 200, 0, 201)
	if seen := members["collaborator"].must("GET", "/projects?org_id="+p.org, ""); seen.size("projects") != 0 {
		t.Errorf("a collaborator sees %s", seen.text)
	}
	role := func(who, asked, counts string) {
		t.Helper()
		if set := p.must("PUT", "{p}/members/"+ids[who]+"/role", `{"role":"`+asked+`"}`); set.str("project_role") != counts ||
			set.str("explicit_project_permission") != strings.ToUpper(asked) {
			t.Errorf("%s as %s: %s", who, asked, set.text)
		}
	}
	role("editor", "viewer", "editor")
	role("viewer", "editor", "editor")
	role("collaborator", "admin", "admin")
	may("viewer", 200, 200, 403, 403)
	may("collaborator", 200, 200, 0, 403)
	members["collaborator"].must("DELETE", "{p}", "")
	members["viewer"].api("POST", "{p}/recover", "").refused(403, "role admin")
	members["admin"].must("POST", "{p}/recover", "")
}

// An organization's key does what an administrator may, but for what takes a person.
func TestOrganizationKeysAdminister(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	key, spare := p.keys()["organization"], p.must("POST", "{o}/api_keys", `{"key_name":"spare"}`)
	members := p.must("GET", "{o}/members?sort_by=role&sort_order=desc", "")
	at := "{o}/members/" + members.str("members", 0, "member", "id")
	key.must("PATCH", at, `{"role":"viewer"}`)
	key.must("DELETE", fmt.Sprintf("{o}/api_keys/%.0f", spare.at("id")), "")
	for _, refused := range [][3]string{
		{"POST", "{o}/api_keys", `{"key_name":"k"}`}, {"DELETE", at, ""}, {"POST", "{o}/invitations", `{"invitations":[]}`},
	} {
		key.api(refused[0], refused[1], refused[2]).refused(404, "not allowed for organization API keys")
	}
	p.control("POST", "/readings", `{"readings":{"org-key-rights":"reads"}}`)
	key.api("PATCH", at, `{"role":"editor"}`).refused(404, "not allowed for organization API keys")
}

// Changing and recovering a project answer without its organization; reading it doesn't.
func TestChangedProjects(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	changed := p.must("PATCH", "{p}", `{"project":{"name":"n","settings":{"enable_logical_replication":true}}}`)
	if changed.size("operations") != 1 || changed.str("operations", 0, "action") != "suspend_compute" {
		t.Errorf("logical replication begins with %s", changed.text)
	}
	p.clock.advance(time.Second)
	p.want("{p}/endpoints/"+p.e.FirstWorld().EndpointID, "idle", "endpoint", "current_state")
	if again := p.must("PATCH", "{p}", `{"project":{"settings":{"enable_logical_replication":true}}}`); again.size(
		"operations") != 0 {
		t.Errorf("what is on already begins %s", again.text)
	}
	read := p.must("GET", "{p}", "")
	p.must("DELETE", "{p}", "")
	for name, of := range map[string]answer{"changed": changed, "recovered": p.must("POST", "{p}/recover", "")} {
		of := of.object()["project"].(map[string]any)
		if of["org_id"] != nil || of["owner"] != nil || of["owner_id"] != p.org {
			t.Errorf("%s: %v", name, of)
		}
	}
	if read.str("project", "org_id") != p.org || read.at("project", "pg_version") != 18.0 || read.at("project",
		"branch_logical_size_limit") != 16777216.0 {
		t.Errorf("read: %s", read.text)
	}
}

// Adding a JWKS URL tells each compute of the branch, and adds the roles that tokens are for.
func TestJWKS(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Conflicts: ConflictsNone})
	branchID := p.e.FirstWorld().BranchID
	p.must("POST", "{p}/endpoints", `{"endpoint":{"branch_id":"`+branchID+`","type":"read_only"}}`)
	body := `{"jwks_url":"https://auth.example.com/keys","provider_name":"p"%s}`
	for _, wrong := range []string{"https://auth.invalid/keys", "https://auth.example.com",
		"http://auth.example.com/keys"} {
		p.api("POST", "{p}/jwks", `{"jwks_url":"`+wrong+`","provider_name":"p"}`).refused(400, "")
	}
	roles := func() int { return p.must("GET", "{p}/branches/"+branchID+"/roles", "").size("roles") }
	p.must("POST", "{p}/jwks", fmt.Sprintf(body, `,"skip_role_creation":true`))
	if before := roles(); before != 1 {
		t.Errorf("%d roles where none was asked for", before)
	}
	added := p.must("POST", "{p}/jwks", fmt.Sprintf(body, ""))
	if added.size("operations") != 2 || added.str("operations", 1, "action") != "apply_config" ||
		added.size("jwks", "role_names") != 0 || roles() != 4 {
		t.Errorf("added %s, and there are %d roles", added.text, roles())
	}
	for played, want := range map[string]string{"empty": `"role_names":[]`, "defaults": `"role_names":["authenticator","`,
		"absent": `"created_at"`} {
		p.control("POST", "/readings", `{"readings":{"jwks-role-names":"`+played+`"}}`)
		if listed := p.must("GET", "{p}/jwks", ""); !strings.Contains(listed.text, want) ||
			strings.Contains(listed.text, "role_names") != (played != "absent") {
			t.Errorf("%s: %s", played, listed.text)
		}
	}
}

// Calls about consumption have a limit of their own.
func TestConsumptionLimit(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Limits: LimitsWindow})
	p.control("POST", "/readings", `{"readings":{"rate-limits":"told"}}`)
	day := p.ahead(0)[:10] + "T00:00:00Z"
	path := "/consumption_history/v2/projects?granularity=daily&metrics=compute_unit_seconds,private_network_transfer_bytes&org_id=" + p.org + "&from=" + day + "&to=" + day
	for range consumptionPerMinute {
		p.must("GET", path, "")
	}
	p.api("GET", path, "").refused(429, "rate limit")
	p.must("GET", "{p}", "")
}
