package emulator

import "testing"

// Whom a project is shared with, by the address of its account, does all with it but
// delete it.
func TestPermissions(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	eve := p.as(p.control("POST", "/organizations", `{"email":"eve@example.com"}`).str("api_key"))
	eve.api("GET", "{p}", "").refused(404, "project not found")
	granted := p.must("POST", "{p}/permissions", `{"email":"Eve@example.com"}`)
	if granted.status != 200 || granted.str("granted_to_email") != "Eve@example.com" ||
		granted.str("granted_at") != p.ahead(0) {
		t.Errorf("granted: %d %s", granted.status, granted.text)
	}
	p.api("POST", "{p}/permissions", `{"email":"eve@example.com"}`).refused(409, "already shared")
	if shown := p.control("GET", "/objects", ""); shown.str("permissions", 0, "email") != "Eve@example.com" ||
		shown.str("roles", 0, "name") != "neondb_owner" || shown.str("databases", 0, "owner_name") != "neondb_owner" {
		t.Errorf("the objects are %s", shown.text)
	}
	eve.must("GET", "{p}", "")
	eve.named("theirs")
	eve.api("DELETE", "{p}", "").refused(404, "shared")
	if shared := eve.must("GET", "/projects/shared", ""); shared.size("projects") != 1 ||
		shared.str("projects", 0, "id") != p.project {
		t.Errorf("shared: %s", shared.text)
	}
	// They administer nothing: they see who has a role in the project alone, and give nobody one.
	p.control("POST", "/members", `{"email":"max@example.com","role":"collaborator"}`)
	if seen := eve.must("GET", "{p}/members", ""); seen.size("project_members") != 1 {
		t.Errorf("they see the members %s", seen.text)
	}
	member := p.must("GET", "{p}/members", "").str("project_members", 0, "member_id")
	for _, method := range []string{"PUT", "DELETE"} {
		eve.api(method, "{p}/members/"+member+"/role", `{"role":"admin"}`).refused(403, "project administrator")
	}
	if shared := p.must("GET", "/projects/shared", ""); shared.size("projects") != 0 {
		t.Errorf("the owner's shared projects: %s", shared.text)
	}

	at := "{p}/permissions/" + granted.str("id")
	revoked := p.must("DELETE", at, "")
	if revoked.status != 200 || revoked.str("id") != granted.str("id") || revoked.str("revoked_at") != p.ahead(0) {
		t.Errorf("revoked: %d %s", revoked.status, revoked.text)
	}
	eve.api("GET", "{p}", "").refused(404, "project not found")
	p.api("DELETE", at, "").refused(404, "permission not found")
	p.must("POST", "{p}/permissions", `{"email":"eve@example.com"}`)
	list := p.must("GET", "{p}/permissions", "")
	if list.size("project_permissions") != 1 || list.at("project_permissions", 0, "revoked_at") != nil {
		t.Errorf("listed: %s", list.text)
	}
	for _, wrong := range []string{`{"email":""}`, `{"email":"eve"}`, `{}`} {
		p.api("POST", "{p}/permissions", wrong).refused(400, "email")
	}
}
