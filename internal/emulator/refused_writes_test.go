package emulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"regexp"
	"slices"
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
}

func newCrowd(t *testing.T, busy bool) *crowd {
	t.Helper()
	clock := &stillClock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	e, err := New(Config{OperationDuration: time.Second, Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	first := e.FirstWorld()
	c := &crowd{t: t, e: e, clock: clock, keys: []string{first.APIKey}}
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
	jwksID := c.created(project+"/jwks", `{"jwks_url":"https://example.com/jwks.json","provider_name":"n","branch_id":"`+parent+`"}`, "jwks")
	disabled := c.created(project+"/endpoints", `{"endpoint":{"branch_id":"`+parent+`","type":"read_only","disabled":true}}`, "endpoint")
	var orgKey struct {
		ID  int64  `json:"id"`
		Key string `json:"key"`
	}
	c.decode("/organizations/"+first.OrgID+"/api_keys", `{"key_name":"org"}`, &orgKey)
	c.keys = append(c.keys, orgKey.Key)
	p := e.world.Projects[strings.TrimPrefix(project, "/projects/")]
	main := project + "/branches/" + p.DefaultBranchID
	snapshotID := c.created(main+"/snapshot?name=taken", "", "snapshot")
	branches = append(branches, c.created(project+"/snapshots/"+snapshotID+"/restore", `{"name":"preview"}`, "branch"))
	c.must("PUT", main+"/backup_schedule", `{"schedule":[{"frequency":"daily"}]}`)
	assigned, removed := c.vpcEndpoints(p)
	c.named = map[string][]string{
		"project_id": {p.ID, "none-such", "BAD"}, "org_id": {first.OrgID, "none-such", "BAD"},
		"source_org_id": {first.OrgID, "none-such", "BAD"},
		"branch_id":     append(branches, p.DefaultBranchID, "none-such", "BAD"),
		"endpoint_id":   append(slices.DeleteFunc(slices.Sorted(maps.Keys(p.Endpoints)), func(id string) bool { return id == disabled }), disabled, "none-such", "BAD"),
		"role_name":     {"neondb_owner", "locked", "nobody"}, "database_name": {"neondb", "nothing"},
		"member_id":     {e.world.Orgs[first.OrgID].Members[p.OwnerID].ID, "00000000-0000-4000-8000-000000000000", "x"},
		"permission_id": {p.Permissions[0].ID, "none-such"}, "jwks_id": {jwksID, "none-such"},
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
	name := pathParameters.FindStringSubmatch(pattern)
	if name == nil {
		return []string{pattern}
	}
	var filled []string
	for _, value := range c.named[name[1]] {
		filled = append(filled, c.paths(strings.Replace(pattern, name[0], value, 1))...)
	}
	return filled
}

// writes are bodies that each route takes, with as many fields as go together, and
// others that are refused late: by what goes wrong after all of it was understood.
var writes = map[string][]string{
	"/projects": {
		`{"project":{"name":"n","region_id":"aws-us-east-1","pg_version":16,"store_passwords":false,"history_retention_seconds":60,
		"branch":{"name":"b","role_name":"r","database_name":"d","annotations":{"a":"b"}},
		"default_endpoint_settings":{"autoscaling_limit_min_cu":1,"autoscaling_limit_max_cu":2,"pg_settings":{"a":"b"}},
		"settings":{"quota":{"active_time_seconds":1},"allowed_ips":{"ips":["10.0.0.2"]}}}}`,
		`{"project":{"branch":{"role_name":"public"}}}`,
		`{"project":{"default_endpoint_settings":{"suspend_timeout_seconds":1}}}`,
	},
	"/projects/{project_id}": {
		`{"project":{"name":"n","history_retention_seconds":60,
		"default_endpoint_settings":{"autoscaling_limit_min_cu":1,"autoscaling_limit_max_cu":2,"suspend_timeout_seconds":60,"pg_settings":{"work_mem":"8MB"}},
		"settings":{"quota":{"active_time_seconds":1},"allowed_ips":{"ips":["10.0.0.2"]},"block_public_connections":true}}}`,
		`{"project":{"name":"n","default_endpoint_settings":{"autoscaling_limit_min_cu":8,"autoscaling_limit_max_cu":2,"pg_settings":{"work_mem":"8MB"}}}}`,
		`{"project":{"name":"n","default_endpoint_settings":{"suspend_timeout_seconds":1,"pg_settings":{"work_mem":"8MB"}}}}`,
		`{"project":{"name":"n","settings":{"allowed_ips":{"ips":[]},"enable_logical_replication":false}}}`,
		`{"project":{"name":"n","settings":{"allowed_ips":{"ips":[]},"hipaa":false}}}`,
		`{"project":{"settings":{"hipaa":false},"default_endpoint_settings":{"pg_settings":{"work_mem":"8MB"}}}}`,
	},
	"/projects/{project_id}/branches": {
		`{"branch":{"name":"b","parent_timestamp":"2026-03-01T12:00:00Z","init_source":"schema-only","expires_at":"2026-03-02T12:00:00Z"},
		"endpoints":[{"type":"read_write","autoscaling_limit_min_cu":1,"autoscaling_limit_max_cu":2,"settings":{"pg_settings":{"a":"b"}}},{"type":"read_only"}],
		"annotation_value":{"a":"b"}}`,
		`{"branch":{"name":"child"}}`, `{"branch":{"parent_id":"none-such"}}`, `{"endpoints":[{"type":"read_write"},{"type":"read_write"}]}`,
		`{"branch":{"protected":true,"expires_at":"2026-03-02T12:00:00Z"}}`, `{"branch":{"parent_timestamp":"2027-03-01T12:00:00Z"}}`,
		`{"branch":{"parent_lsn":"0/1","parent_timestamp":"2026-03-01T12:00:00Z"}}`, `{"endpoints":[{"type":"read_write","suspend_timeout_seconds":1}]}`,
	},
	"/projects/{project_id}/branches/{branch_id}": {
		`{"branch":{"name":"b","protected":false,"expires_at":"2026-03-03T12:00:00Z"}}`,
		`{"branch":{"name":"child","expires_at":"2026-03-03T12:00:00Z"}}`, `{"branch":{"name":"b","protected":true,"expires_at":"2026-03-03T12:00:00Z"}}`,
		`{"branch":{"name":"b","protected":true,"expires_at":"2025-03-03T12:00:00Z"}}`,
	},
	"/projects/{project_id}/endpoints": {
		`{"endpoint":{"branch_id":"{branch_id}","type":"read_only","name":"e","autoscaling_limit_min_cu":1,"autoscaling_limit_max_cu":2,"settings":{"pg_settings":{"a":"b"}}}}`,
		`{"endpoint":{"branch_id":"{branch_id}","type":"read_write"}}`, `{"endpoint":{"branch_id":"{branch_id}","type":"read_only","region_id":"aws-us-east-1"}}`,
	},
	"/projects/{project_id}/endpoints/{endpoint_id}": {
		`{"endpoint":{"name":"e","autoscaling_limit_min_cu":1,"autoscaling_limit_max_cu":2,"suspend_timeout_seconds":60,"disabled":true,"settings":{"pg_settings":{"a":"b"}}}}`,
		`{"endpoint":{"name":"e","settings":{"pg_settings":{"a":"b"}},"autoscaling_limit_min_cu":8}}`, `{"endpoint":{"name":"e","branch_id":"other"}}`,
	},
	"/projects/{project_id}/branches/{branch_id}/roles": {
		`{"role":{"name":"r","no_login":true}}`, `{"role":{"name":"neondb_owner"}}`, `{"role":{"name":"cloud_admin"}}`,
		`{"role":{"name":"` + strings.Repeat("r", 64) + `"}}`,
	},
	"/projects/{project_id}/branches/{branch_id}/databases": {
		`{"database":{"name":"d","owner_name":"neondb_owner"}}`, `{"database":{"name":"neondb","owner_name":"neondb_owner"}}`, `{"database":{"name":"d","owner_name":"nobody"}}`,
		`{"database":{"name":"template1","owner_name":"neondb_owner"}}`,
	},
	"/projects/{project_id}/branches/{branch_id}/databases/{database_name}": {
		`{"database":{"name":"d","owner_name":"neondb_owner"}}`, `{"database":{"name":"d","owner_name":"nobody"}}`, `{"database":{"name":"` + strings.Repeat("d", 64) + `"}}`,
	},
	"/projects/{project_id}/permissions": {`{"email":"max@example.com"}`, `{"email":"EVE@example.com"}`},
	"/projects/{project_id}/jwks": {
		`{"jwks_url":"https://example.com/jwks.json","provider_name":"n","branch_id":"{branch_id}","jwt_audience":"a","role_names":["r"],"skip_role_creation":true}`,
		`{"jwks_url":"https://example.com/jwks.json","provider_name":"n","branch_id":"none-such"}`,
	},
	"/projects/{project_id}/members/{member_id}/role": {`{"role":"admin"}`, `{"role":"viewer"}`},
	"/organizations/{org_id}/members/{member_id}":     {`{"role":"viewer"}`, `{"role":"admin"}`},
	"/organizations/{org_id}/invitations":             {`{"invitations":[{"email":"max@example.com","role":"viewer"}]}`},
	"/organizations/{source_org_id}/projects/transfer": {
		`{"destination_org_id":"none-such","project_ids":["none-such"]}`,
	},
	"/users/me/projects/transfer": {`{"destination_org_id":"none-such","project_ids":["none-such"]}`},
	"/projects/{project_id}/branches/{branch_id}/restore": {
		`{"source_branch_id":"{branch_id}","source_lsn":"0/1","preserve_under_name":"old"}`, `{"source_branch_id":"{branch_id}","source_lsn":"0/1"}`,
		`{"source_branch_id":"none-such"}`, `{"source_branch_id":"{branch_id}","source_timestamp":"2027-03-01T12:00:00Z","preserve_under_name":"old"}`,
		`{"source_branch_id":"{branch_id}","preserve_under_name":"parent"}`,
	},
	"/projects/{project_id}/branches/{branch_id}/finalize_restore": {`{"name":"old"}`, `{"name":"parent"}`},
	"/projects/{project_id}/branches/{branch_id}/backup_schedule": {
		`{"schedule":[{"frequency":"monthly","hour":0,"day":1,"month":1,"retention_seconds":7200}]}`, `{"schedule":[]}`,
	},
	"/projects/{project_id}/snapshots/{snapshot_id}": {
		`{"snapshot":{"name":"n","expires_at":"2026-03-02T12:00:00Z"}}`, `{"snapshot":{"name":"n","expires_at":"2025-03-02T12:00:00Z"}}`,
	},
	"/projects/{project_id}/snapshots/{snapshot_id}/restore": {
		`{"target_branch_id":"{branch_id}","name":"b","finalize_restore":true}`, `{"target_branch_id":"{branch_id}","name":"parent","finalize_restore":true}`,
		`{"target_branch_id":"none-such","name":"b"}`, `{}`,
	},
	"/projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}":                         {`{"label":"new"}`},
	"/organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}": {`{"label":"new"}`},
	"/organizations/{org_id}/billing/spending_limit":                                 {`{"spending_limit_cents":10000}`},
	"/api_keys":                        {`{"key_name":"k"}`},
	"/organizations/{org_id}/api_keys": {`{"key_name":"k","project_id":"none-such"}`, `{"key_name":"k"}`},
	"/api/v1/database":                 {`{"ref":"r","enable_logical_replication":true}`},
	"/api/v1/database/{id}":            {`{"enable_logical_replication":true}`},
}

// wrong are values that few fields take.
var wrong = []any{nil, true, -1.0, "", strings.Repeat("x", 300), []any{1.0}, map[string]any{"a": 1.0}}

// spoil gives variants of a JSON value in which one thing isn't as it was.
func spoil(value any) []any {
	variants := slices.Clone(wrong)
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			without := maps.Clone(value)
			delete(without, name)
			variants = append(variants, without)
			for _, variant := range spoil(field) {
				with := maps.Clone(value)
				with[name] = variant
				variants = append(variants, with)
			}
		}
	case []any:
		for i, element := range value {
			for _, variant := range spoil(element) {
				with := slices.Clone(value)
				with[i] = variant
				variants = append(variants, with)
			}
		}
	}
	return variants
}

// bodies are what a route is sent: at a path that leads somewhere, all of it.
func (c *crowd) bodies(method, pattern string, everything bool) []string {
	if method == "DELETE" {
		return []string{""}
	}
	known := writes[strings.TrimPrefix(pattern, apiRoot)]
	if !everything || len(known) == 0 {
		return append([]string{"", "{"}, known...)
	}
	bodies := append([]string{"", "{", "[]", `{"a":1}{"b":2}`}, known...)
	for _, body := range known {
		var value any
		if err := json.Unmarshal([]byte(body), &value); err != nil {
			c.t.Fatalf("%s: %v", body, err)
		}
		for _, variant := range spoil(value) {
			text, _ := json.Marshal(variant)
			bodies = append(bodies, string(text))
		}
	}
	return bodies
}

// writeRoutes are the routes of both APIs that change something.
func writeRoutes() []string {
	routes := slices.Collect(maps.Keys(claimableRoutes))
	for _, r := range controlRoutes {
		routes = append(routes, r.pattern)
	}
	routes = slices.DeleteFunc(routes, func(route string) bool { return strings.HasPrefix(route, "GET") })
	slices.Sort(routes)
	return routes
}

func TestRefusedWritesChangeNothing(t *testing.T) {
	t.Parallel()
	for _, busy := range []bool{false, true} {
		c := newCrowd(t, busy)
		before := c.snapshot()
		for _, route := range writeRoutes() {
			method, pattern, _ := strings.Cut(route, " ")
			refused := 0
			for i := range c.paths(pattern) {
				everything, keys := i == 0 && !busy, len(c.keys)
				if everything {
					keys = 1
				}
				for _, body := range c.bodies(method, pattern, everything) {
					for k := range keys {
						// The ids are others after each change, and so is the path.
						path, body := c.paths(pattern)[i], strings.Replace(body, "{branch_id}", c.named["branch_id"][0], 1)
						answer := c.ask(c.keys[k], method, path, body)
						if after := c.snapshot(); answer.Code < 300 {
							c = newCrowd(t, busy)
							before = c.snapshot()
						} else if refused++; after != before {
							t.Fatalf("%s %s %s\n%d %s\nbefore: %s\nafter:  %s", method, path, body, answer.Code, answer.Body, before, after)
						}
					}
				}
			}
			if refused == 0 {
				t.Errorf("%s was never refused", route)
			}
		}
	}
}
