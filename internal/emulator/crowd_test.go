package emulator

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

// crowd is a world with something in each state that a write may be refused in.
type crowd struct {
	t     *testing.T
	e     *Emulator
	clock *stillClock
	keys  []string
	// named are the values that a path's parameters may have, those that exist first.
	named map[string][]string
	// filled are the paths of the patterns that were asked for.
	filled map[string][]string
}

func newCrowd(t *testing.T, busy bool) *crowd {
	t.Helper()
	clock := &stillClock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	e, err := New(Config{OperationDuration: time.Second, Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	first := e.FirstWorld()
	c := &crowd{t: t, e: e, clock: clock, keys: []string{first.APIKey}, filled: map[string][]string{}}
	project := "/projects/" + c.created("/projects", `{"project":{"org_id":"`+first.OrgID+`","branch":{"annotations":{"a":"b"}},
		"default_endpoint_settings":{"pg_settings":{"work_mem":"4MB"}},
		"settings":{"hipaa":true,"enable_logical_replication":true,"allowed_ips":{"ips":["10.0.0.1"],"protected_branches_only":true}}}}`, "project")
	parent := c.created(project+"/branches", `{"branch":{"name":"parent"},"endpoints":[{"type":"read_write"}]}`, "branch")
	branches := []string{
		parent,
		c.created(project+"/branches", `{"branch":{"name":"child","parent_id":"`+parent+`"},"annotation_value":{"a":"b"}}`, "branch"),
		c.created(project+"/branches", `{"branch":{"name":"protected","protected":true},"endpoints":[{"type":"read_only"}]}`, "branch"),
		c.created(project+"/branches", `{"branch":{"name":"expiring","expires_at":"2026-03-09T12:00:00Z"},"endpoints":[{"type":"read_write"}]}`, "branch"),
	}
	c.created(project+"/branches/"+parent+"/roles", `{"role":{"name":"locked","no_login":true}}`, "role")
	c.must("POST", project+"/permissions", `{"email":"eve@example.com"}`)
	c.must("POST", project+"/transfer_requests", "")
	jwksID := c.created(project+"/jwks", `{"jwks_url":"https://example.com/jwks.json","provider_name":"n","branch_id":"`+parent+`"}`, "jwks")
	c.created(project+"/endpoints", `{"endpoint":{"branch_id":"`+parent+`","type":"read_only","disabled":true}}`, "endpoint")
	c.must("POST", project+"/branches/"+parent+"/data-api/neondb", `{"settings":{"db_max_rows":1}}`)
	c.clock.advance(10 * time.Second)
	c.must("POST", project+"/branches/"+parent+"/auth", `{"auth_provider":"better_auth"}`)
	c.must("POST", project+"/branches/"+parent+"/auth/oauth_providers", `{"id":"github"}`)
	var authUser struct {
		ID string `json:"id"`
	}
	c.decode(project+"/branches/"+parent+"/auth/users", `{"email":"max@example.com"}`, &authUser)
	c.must("POST", project+"/branches/"+parent+"/buckets", `{"name":"uploads"}`)
	token := c.tokenOf(project + "/branches/" + parent)
	var orgKey struct {
		ID  int64  `json:"id"`
		Key string `json:"key"`
	}
	c.decode("/organizations/"+first.OrgID+"/api_keys", `{"key_name":"org"}`, &orgKey)
	c.keys = append(c.keys, orgKey.Key)
	p := e.world.Projects[strings.TrimPrefix(project, "/projects/")]
	masked := c.created(project+"/branches", `{"branch":{"name":"masked"},"endpoints":[{"type":"read_write"}]}`, "branch")
	branches = append(branches, masked)
	p.Branches[masked].Masking = &masking{CreatedAt: p.Branches[masked].CreatedAt} // The project has IP Allow.
	main := project + "/branches/" + p.DefaultBranchID
	snapshotID := c.created(main+"/snapshot?name=taken", "", "snapshot")
	branches = append(branches, c.created(project+"/snapshots/"+snapshotID+"/restore", `{"name":"preview"}`, "branch"))
	c.must("PUT", main+"/backup_schedule", `{"schedule":[{"frequency":"daily"}]}`)
	assigned, removed := c.vpcEndpoints(p)
	var endpoints []string
	for _, endpoint := range p.endpointsOf("") { // In the order of their creation.
		endpoints = append(endpoints, endpoint.ID)
	}
	c.named = map[string][]string{
		"project_id": {p.ID, "none-such", "BAD"}, "org_id": {first.OrgID, "none-such", "BAD"},
		"source_org_id": {first.OrgID, "none-such", "BAD"},
		"branch_id":     append(branches, p.DefaultBranchID, "none-such", "BAD"),
		"endpoint_id":   append(endpoints, "none-such", "BAD"),
		"role_name":     {"neondb_owner", "locked", "nobody"}, "database_name": {"neondb", "nothing"},
		"member_id":     {e.world.Orgs[first.OrgID].Members[p.OwnerID].ID, "00000000-0000-4000-8000-000000000000", "x"},
		"permission_id": {p.Permissions[0].ID, "none-such"}, "request_id": {p.TransferRequests[0].ID, "none-such"}, "jwks_id": {jwksID, "none-such"},
		"oauth_provider_id": {"github", "google"}, "auth_user_id": {authUser.ID, "none-such"},
		"token_id": {token, "none-such"}, "bucket_name": {"uploads", "none"}, "slug": {"api", "none"}, "trigger_id": {"none"}, "domain": {"none"}, "object_key": {"none"},
		"snapshot_id": {snapshotID, "none-such", "BAD"},
		"region_id":   {p.RegionID, "azure-eastus2", "BAD"}, "vpc_endpoint_id": {assigned, removed, "none-such"},
		"key_id": {fmt.Sprint(orgKey.ID), "1", "x"}, "id": {"0190a5f4-0000-7000-8000-000000000000", "x"},
	}
	c.ask(first.APIKey, "GET", apiRoot+"/users/me", "") // The key's last use is the same from here on.
	c.ask(orgKey.Key, "GET", apiRoot+"/projects", "")
	if busy {
		c.must("POST", project+"/branches/"+parent+"/databases", `{"database":{"name":"other","owner_name":"neondb_owner"}}`)
	}
	return c
}

func (c *crowd) ask(key, method, path, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	c.e.ServeHTTP(answer, request)
	return answer
}

// must makes a write that has to succeed.
func (c *crowd) must(method, path, body string) []byte {
	c.t.Helper()
	answer := c.ask(c.keys[0], method, apiRoot+path, body)
	if answer.Code >= 300 {
		c.t.Fatalf("%s %s: %d %s", method, path, answer.Code, answer.Body)
	}
	return answer.Body.Bytes()
}

// decode makes something, and lets its operations end.
func (c *crowd) decode(path, body string, into any) {
	c.t.Helper()
	answer := c.must("POST", path, body)
	c.clock.advance(10 * time.Second)
	if err := json.Unmarshal(answer, into); err != nil {
		c.t.Fatal(err)
	}
}

func (c *crowd) created(path, body, noun string) string {
	c.t.Helper()
	var answer map[string]json.RawMessage
	c.decode(path, body, &answer)
	var object struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(answer[noun], &object); err != nil {
		c.t.Fatal(err)
	}
	return object.ID
}

// vpcEndpoints assigns one that the project is restricted to, and one that is removed again.
func (c *crowd) vpcEndpoints(p *project) (assigned, removed string) {
	c.t.Helper()
	assigned, removed = "vpce-assigned", "vpce-removed"
	at := "/organizations/" + p.OrgID + "/vpc/region/" + p.RegionID + "/vpc_endpoints/"
	c.must("POST", at+assigned, `{"label":"l"}`)
	c.must("POST", at+removed, `{"label":"l"}`)
	c.must("DELETE", at+removed, "")
	c.must("POST", "/projects/"+p.ID+"/vpc_endpoints/"+assigned, `{"label":"l"}`)
	return assigned, removed
}

// snapshot is all that exists, and the endings that wait for an operation.
func (c *crowd) snapshot() string {
	text, err := json.Marshal(c.e.world)
	if err != nil {
		c.t.Fatal(err)
	}
	return fmt.Sprintf("%s %d", text, len(c.e.endings))
}

var pathParameters = regexp.MustCompile(`\{(\w+)\}`)

// paths fills a route's parameters in, in every combination.
func (c *crowd) paths(pattern string) []string {
	if c.filled[pattern] == nil {
		c.filled[pattern] = c.fill(pattern)
	}
	return c.filled[pattern]
}

func (c *crowd) fill(pattern string) []string {
	name := pathParameters.FindStringSubmatch(pattern)
	if name == nil {
		return []string{pattern}
	}
	var filled []string
	for _, value := range c.named[name[1]] {
		filled = append(filled, c.fill(strings.Replace(pattern, name[0], value, 1))...)
	}
	return filled
}

// tokenOf is the id of a new service credential of a branch.
func (c *crowd) tokenOf(branch string) string {
	c.t.Helper()
	var made struct {
		ID string `json:"token_id"`
	}
	c.decode(branch+"/credentials", `{"scopes":["storage:read"],"principal_type":"user"}`, &made)
	return made.ID
}
