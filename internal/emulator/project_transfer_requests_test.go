package emulator

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// customer is somebody of another organization, on a plan.
func (p *platform) customer(plan string) (who *platform, org string) {
	p.t.Helper()
	made := p.control("POST", "/organizations", `{"email":"eve@example.com","plan":"`+plan+`"}`)
	return p.as(made.str("api_key")), made.str("org_id")
}

func toOrg(id string) string { return `{"org_id":"` + id + `"}` }

// A request makes the project the organization's that accepts it, once.
func TestTransferRequest(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	keys := p.keys()
	eve, org := p.customer("")
	const unauthorized = "not authorized to create transfer request for this project; project_ids:\"["
	p.api("POST", "{p}/transfer_requests", `{"ttl_seconds":0}`).refused(400, "ttl_seconds")
	p.api("POST", "/projects/none/transfer_requests", "").refused(404, "project not found")
	keys["member"].api("POST", "{p}/transfer_requests", "").refused(404, unauthorized+p.project)
	keys["project"].api("POST", "{p}/transfer_requests", "").refused(404, unauthorized+p.project)
	eve.api("POST", "{p}/transfer_requests", "").refused(404, "project not found")
	first, second := p.must("POST", "{p}/transfer_requests", ""),
		keys["organization"].must("POST", "{p}/transfer_requests", `{"ttl_seconds":60}`)
	if first.status != 201 || first.str("project_id") != p.project || first.str("created_at") != p.ahead(0) ||
		first.str("expires_at") != p.ahead(24*time.Hour) ||
		second.str("expires_at") != p.ahead(time.Minute) || second.str("id") == first.str("id") {
		t.Errorf("made: %s%s", first.text, second.text)
	}
	if shown := p.control("GET", "/objects", ""); shown.size("transfer_requests") != 2 ||
		shown.str("transfer_requests", 0, "project_id") != p.project {
		t.Errorf("shown: %v", shown.at("transfer_requests"))
	}

	at := "{p}/transfer_requests/" + first.str("id")
	eve.api("PUT", "{p}/transfer_requests/none", toOrg(org)).refused(404, "transfer request not found")
	eve.api("PUT", "/projects/none/transfer_requests/"+first.str("id"), toOrg(org)).refused(404, "project not found")
	eve.api("PUT", at, toOrg(p.org)).refused(404, "organization not found")
	eve.api("PUT", at, "").refused(400, "org_id is required")
	keys["project"].api("PUT", at, toOrg(p.org)).refused(404, "scoped")
	p.control("POST", "/integrations", `{"project_id":"`+p.project+`","integration":"vercel"}`)
	eve.api("PUT", at, toOrg(org)).refused(422, "vercel")
	p.control("POST", "/integrations", `{"project_id":"`+p.project+`"}`)
	if p.must("GET", "{p}", "").str("project", "org_id") != p.org {
		t.Error("what was refused has moved the project")
	}

	if accepted := eve.must("PUT", at, toOrg(org)); accepted.status != 204 || accepted.text != "" {
		t.Errorf("accepted: %d %s", accepted.status, accepted.text)
	}
	if eve.must("GET", "{p}", "").str("project", "org_id") != org {
		t.Error("the project isn't the customer's")
	}
	p.api("GET", "{p}", "").refused(404, "project not found")
	keys["project"].api("GET", "{p}", "").refused(401, badCredentials)
	for _, made := range []answer{first, second} {
		eve.api("PUT", "{p}/transfer_requests/"+made.str("id"), toOrg(org)).refused(404, "transfer request not found")
	}
}

// A project that its own organization accepts doesn't leave that, so its keys go on.
func TestTransferRequest_ownOrganization(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	key := p.keys()["project"]
	p.must("PUT", "{p}/transfer_requests/"+p.must("POST", "{p}/transfer_requests", "").str("id"), toOrg(p.org))
	key.must("GET", "{p}", "")
}

// An organization's own key accepts for it.
func TestTransferRequest_organizationKey(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	eve, org := p.customer("")
	key := p.as(eve.must("POST", "/organizations/"+org+"/api_keys", `{"key_name":"k"}`).str("key"))
	key.must("PUT", "{p}/transfer_requests/"+p.must("POST", "{p}/transfer_requests", "").str("id"), "")
	key.must("GET", "{p}", "")
}

func TestTransferRequest_expires(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	eve, org := p.customer("")
	short, long := p.must("POST", "{p}/transfer_requests", `{"ttl_seconds":60}`).str("id"),
		p.must("POST", "{p}/transfer_requests", `{"ttl_seconds":120}`).str("id")
	p.clock.advance(time.Minute)
	if shown := p.control("GET", "/objects", ""); shown.size("transfer_requests") != 1 ||
		shown.str("transfer_requests", 0, "id") != long {
		t.Errorf("shown: %v", shown.at("transfer_requests"))
	}
	eve.api("PUT", "{p}/transfer_requests/"+short, toOrg(org)).refused(404, "transfer request not found")
	p.control("POST", "/readings", `{"readings":{"transfer-request-gone":"410"}}`)
	eve.api("PUT", "{p}/transfer_requests/"+short, toOrg(org)).refused(410, "transfer request not found")
	eve.must("PUT", "{p}/transfer_requests/"+long, toOrg(org))
}

// A plan with too little room doesn't suffice; by one reading a lower one never does.
func TestTransferRequest_plan(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Plan: PlanScale})
	eve, org := p.customer(PlanFree)
	request := "{p}/transfer_requests/" + p.must("POST", "{p}/transfer_requests", "").str("id")
	reasons := func() string {
		t.Helper()
		refused := eve.api("PUT", request, toOrg(org))
		if refused.status != 406 {
			t.Fatalf("%d %s", refused.status, refused.text)
		}
		var all []string
		for i := range refused.size("reasons") {
			all = append(all, refused.str("reasons", i, "code")+" "+refused.str("reasons", i, "message"))
		}
		return strings.Join(all, "; ")
	}
	for i := range 10 {
		p.named(fmt.Sprint(i))
	}
	if got := reasons(); got != "branches_count branches_count: expected 10, got 11" {
		t.Error(got)
	}
	p.control("POST", "/readings", `{"readings":{"transfer-request-plan":"rank"}}`)
	if got := reasons(); !strings.HasPrefix(got,
		"subscription_type subscription_type: expected scale, got free; branches_count") {
		t.Error(got)
	}
	p.must("PUT", request, toOrg(p.org)) // Its own organization has it already.
}

// Requests are kept with the world.
func TestTransferRequest_kept(t *testing.T) {
	t.Parallel()
	config := Config{StateFile: t.TempDir() + "/state.db"}
	first, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	made := askDirectly(t, first)("POST", "/api/v2/projects/"+first.FirstWorld().ProjectID+"/transfer_requests", "")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	world := again.FirstWorld()
	id := strings.Split(string(made), `"`)
	shown := string(askDirectly(t, again)("GET", "/_emulator/objects", ""))
	if !strings.Contains(shown, `"transfer_requests":[{"expires_at":`) {
		t.Fatalf("made %s, kept %s", made, shown)
	}
	for _, part := range id {
		if len(part) == 36 {
			askDirectly(t, again)("PUT", "/api/v2/projects/"+world.ProjectID+"/transfer_requests/"+part, toOrg(world.OrgID))
		}
	}
}
