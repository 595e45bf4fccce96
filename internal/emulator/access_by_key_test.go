package emulator

import (
	"fmt"
	"testing"
	"time"
)

const badCredentials = "supplied credentials do not pass authentication"

func TestAuthentication(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	for _, key := range []string{"", "wrong", p.key + "x"} {
		p.as(key).api("GET", "{p}", "").refused(401, badCredentials)
	}
	made := p.must("POST", "/api_keys", `{"key_name":"k"}`)
	other := p.as(made.str("key"))
	other.must("GET", "{p}", "")
	revoked := p.must("DELETE", fmt.Sprintf("/api_keys/%.0f", made.at("id")), "")
	if revoked.at("revoked") != true || revoked.str("name") != "k" || revoked.str("last_used_from_addr") != "127.0.0.1" {
		t.Errorf("revoked: %s", revoked.text)
	}
	other.api("GET", "{p}", "").refused(401, badCredentials)
	p.api("DELETE", fmt.Sprintf("/api_keys/%.0f", made.at("id")), "").refused(404, "api key not found")
}

// keys of each kind, and of a member who is no administrator.
func (p *platform) keys() map[string]*platform {
	p.t.Helper()
	return map[string]*platform{
		"personal":     p,
		"member":       p.as(p.control("POST", "/members", `{}`).str("api_key")),
		"organization": p.as(p.must("POST", "{o}/api_keys", `{"key_name":"org"}`).str("key")),
		"project":      p.as(p.must("POST", "{o}/api_keys", `{"key_name":"one","project_id":"`+p.project+`"}`).str("key")),
	}
}

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	second := p.control("POST", "/projects", `{"name":"second"}`).str("project", "id")
	orgKey := fmt.Sprintf("%.0f", p.must("POST", "{o}/api_keys", `{"key_name":"revoke me"}`).at("id"))
	const (
		notForOrg = "not allowed for organization API keys"
		outside   = "not allowed to perform actions outside the project this key is scoped to; subject_project_id:"
		needAdmin = "administrator"
	)
	type refusal struct {
		status  int
		message string
	}
	fine, needOrg := refusal{}, refusal{400, "org_id is required"}
	keys := p.keys()
	for _, test := range []struct {
		method, path, body                      string
		personal, member, organization, project refusal
	}{
		{"GET", "{p}", "", fine, fine, fine, fine},
		{"GET", "/projects/" + second, "", fine, fine, fine, refusal{404, outside}},
		{"GET", "/projects/no-such-project", "", refusal{404, "project not found"}, refusal{404, "project not found"}, refusal{404, "project not found"}, refusal{404, outside}},
		{"GET", "/projects?org_id=" + p.org, "", fine, fine, fine, refusal{404, outside}},
		{"GET", "/projects", "", refusal{400, "org_id is required, you can find it on your organization settings page"}, refusal{400, "org_id is required"}, fine, refusal{404, outside}},
		{"GET", "/projects?org_id=org-other-one-12345678", "", refusal{404, "organization not found"}, refusal{404, ""}, refusal{404, ""}, refusal{404, outside}},
		{"POST", "/projects", `{"project":{}}`, needOrg, needOrg, fine, refusal{404, outside}},
		{"GET", "/api_keys", "", fine, fine, refusal{404, notForOrg}, refusal{404, notForOrg}},
		{"POST", "/api_keys", `{"key_name":"k"}`, fine, fine, refusal{404, notForOrg}, refusal{404, notForOrg}},
		{"GET", "/users/me", "", fine, fine, refusal{404, notForOrg}, refusal{404, notForOrg}},
		{"GET", "{o}/api_keys", "", fine, fine, fine, refusal{404, outside}},
		{"GET", "/organizations/org-other-one-12345678/api_keys", "", refusal{404, "organization not found"}, refusal{404, ""}, refusal{404, ""}, refusal{404, outside}},
		{"POST", "{o}/api_keys", `{"key_name":"k"}`, fine, refusal{403, needAdmin}, refusal{404, notForOrg}, refusal{404, outside}},
		{"POST", "{o}/api_keys", `{"key_name":"k","project_id":"` + second + `"}`, fine, fine, refusal{404, notForOrg}, refusal{404, outside}},
		{"POST", "{o}/api_keys", `{"key_name":"k","project_id":"no-such"}`, refusal{404, "project not found"}, refusal{404, ""}, refusal{404, ""}, refusal{404, ""}},
		{"DELETE", "{o}/api_keys/1", "", refusal{404, "api key not found"}, refusal{403, needAdmin}, refusal{404, "api key not found"}, refusal{404, outside}},
		{"DELETE", "{p}", "", refusal{422, "protected"}, refusal{403, "role admin"}, refusal{422, "protected"}, refusal{404, "not allowed for project-scoped API keys"}},
	} {
		if test.method == "DELETE" && test.path == "{p}" {
			p.must("PATCH", "{p}/branches/"+p.e.FirstWorld().BranchID, `{"branch":{"protected":true}}`)
		}
		for name, want := range map[string]refusal{
			"personal": test.personal, "member": test.member, "organization": test.organization, "project": test.project,
		} {
			got := keys[name].api(test.method, test.path, test.body)
			if want == fine {
				if got.status > 299 {
					t.Errorf("%s: %s: %d %s", name, got.request, got.status, got.text)
				}
				continue
			}
			got.refused(want.status, want.message)
		}
	}
	p.must("DELETE", "{o}/api_keys/"+orgKey, "")
}

func TestKeyLists(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	keys := p.keys()
	own := p.must("GET", "/api_keys", "").list()
	if len(own) != 1 || own[0]["name"] != "first" || own[0]["last_used_at"] == nil ||
		own[0]["created_by"].(map[string]any)["name"] != "Ada Admin" {
		t.Errorf("personal keys: %v", own)
	}
	p.clock.advance(time.Minute)
	keys["project"].must("GET", "{p}", "")
	of := p.must("GET", "{o}/api_keys", "").list()
	if len(of) != 2 || of[0]["name"] != "org" || of[1]["project_id"] != p.project {
		t.Fatalf("organization keys: %v", of)
	}
	if of[0]["last_used_at"] != nil || of[0]["last_used_from_addr"] != "" || of[1]["last_used_at"] != p.ahead(0) {
		t.Errorf("last use: %v", of)
	}
	// A key of somebody else can't be revoked, nor an organization's as one's own.
	p.api("DELETE", fmt.Sprintf("/api_keys/%.0f", of[0]["id"]), "").refused(404, "api key not found")
	keys["member"].api("DELETE", fmt.Sprintf("/api_keys/%.0f", own[0]["id"]), "").refused(404, "api key not found")
	p.api("DELETE", "/api_keys/mine", "").refused(400, "key_id")
}

func TestProjectKeyEndsWithItsProject(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	key := p.keys()["project"]
	p.must("DELETE", "{p}", "")
	key.api("GET", "{p}", "").refused(401, badCredentials)
}
