package emulator

import "testing"

// A project that is transferred is the other organization's, and keys for it alone end.
func TestTransfer(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	keys := p.keys()
	other := p.control("POST", "/organizations", `{}`).str("org_id")
	foreign := p.control("POST", "/organizations", `{"email":"eve@example.com"}`).str("org_id")
	body := func(destination, project string) string {
		return `{"destination_org_id":"` + destination + `","project_ids":["` + project + `"]}`
	}
	for _, test := range []struct {
		key        *platform
		path, body string
		status     int
		message    string
	}{
		{p, "{o}/projects/transfer", body(foreign, p.project), 404, "organization not found"},
		{p, "/organizations/" + foreign + "/projects/transfer", body(p.org, p.project), 404, "organization not found"},
		{p, "/organizations/" + other + "/projects/transfer", body(p.org, p.project), 404, "project not found"},
		{p, "{o}/projects/transfer", `{"destination_org_id":"` + other + `","project_ids":[]}`, 400, "project_ids"},
		{p, "/users/me/projects/transfer", body(other, p.project), 404, "project not found"},
		{keys["member"], "{o}/projects/transfer", body(other, p.project), 403, "administrator"},
		{keys["project"], "{o}/projects/transfer", body(other, p.project), 404, "scoped"},
		{keys["organization"], "{o}/projects/transfer", body(other, p.project), 404, "organization not found"},
	} {
		test.key.api("POST", test.path, test.body).refused(test.status, test.message)
	}
	p.control("POST", "/integrations", `{"project_id":"`+p.project+`","integration":"github"}`)
	if refused := p.api("POST", "{o}/projects/transfer", body(other, p.project)); refused.status != 422 ||
		refused.str("projects", 0, "id") != p.project || refused.str("projects", 0, "integration") != "github" {
		t.Errorf("with an integration: %d %s", refused.status, refused.text)
	}
	p.control("POST", "/integrations", `{"project_id":"`+p.project+`"}`)
	p.api("POST", "{o}/projects/transfer", `{"destination_org_id":"`+other+`","project_ids":["`+p.project+
		`","none-such"]}`).refused(404, "project not found")
	if p.must("GET", "{p}", "").str("project", "org_id") != p.org {
		t.Error("one project was transferred without the other")
	}

	keys["project"].must("GET", "{p}", "")
	if moved := p.must("POST", "{o}/projects/transfer", body(other, p.project)); moved.text != "{}\n" {
		t.Errorf("moved: %s", moved.text)
	}
	if p.must("GET", "{p}", "").str("project", "org_id") != other ||
		p.must("GET", "/projects?org_id="+p.org, "").size("projects") != 0 {
		t.Error("the project is where it was")
	}
	keys["project"].api("GET", "{p}", "").refused(401, badCredentials)
	keys["organization"].api("GET", "{p}", "").refused(404, "project not found")
}

// Roles in a project are of its organization's members: they end with its transfer to another one, and don't come back
// with the project. Taking it over into the organization that has it already changes nothing.
func TestTransfer_roles(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	other := p.control("POST", "/organizations", `{}`).str("org_id")
	viewer := p.as(p.control("POST", "/members", `{"role":"collaborator"}`).str("api_key"))
	member := p.control("GET", "/objects", "").str("members", 1, "id")
	p.must("PUT", "{p}/members/"+member+"/role", `{"role":"viewer"}`)
	request := p.must("POST", "{p}/transfer_requests", "").str("id")
	p.must("PUT", "{p}/transfer_requests/"+request, toOrg(p.org))
	viewer.must("GET", "{p}", "")
	transfer := func(from, to string) {
		p.must("POST", "/organizations/"+from+"/projects/transfer",
			`{"destination_org_id":"`+to+`","project_ids":["`+p.project+`"]}`)
	}
	transfer(p.org, other)
	transfer(other, p.org)
	viewer.api("GET", "{p}", "").refused(404, "project not found")
	if got := p.control("GET", "/objects", ""); got.size("member_roles") != 0 {
		t.Errorf("roles are left: %s", got.text)
	}
}
