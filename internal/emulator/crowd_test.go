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
	project := "/projects/" + c.created("/projects", `{"project":{"org_id":"`+first.OrgID+
		`","branch":{"annotations":{"a":"b"}},
		"default_endpoint_settings":{"pg_settings":{"work_mem":"4MB"}},
		"settings":{"hipaa":true,"enable_logical_replication":true,"allowed_ips":{"ips":["10.0.0.1"],
			"protected_branches_only":true}}}}`, "project")
	parent := c.created(project+"/branches", `{"branch":{"name":"parent"},"endpoints":[{"type":"read_write"}]}`, "branch")
	branches := []string{
		parent,
		c.created(project+"/branches", `{"branch":{"name":"child","parent_id":"`+parent+`"},"annotation_value":{"a":"b"}}`,
			"branch"),
		c.created(project+"/branches", `{"branch":{"name":"protected","protected":true},"endpoints":[{"type":"read_only"}]}`,
			"branch"),
		c.created(project+"/branches",
			`{"branch":{"name":"expiring","expires_at":"2026-03-09T12:00:00Z"},"endpoints":[{"type":"read_write"}]}`, "branch"),
	}
	c.created(project+"/branches/"+parent+"/roles", `{"role":{"name":"locked","no_login":true}}`, "role")
	c.must("POST", project+"/permissions", `{"email":"eve@example.com"}`)
	c.must("POST", project+"/transfer_requests", "")
	jwksID := c.created(project+"/jwks", `{"jwks_url":"https://example.com/jwks.json","provider_name":"n","branch_id":"`+
		parent+`"}`, "jwks")
	c.created(project+"/endpoints", `{"endpoint":{"branch_id":"`+parent+`","type":"read_only","disabled":true}}`,
		"endpoint")
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
		"endpoints":[{"type":"read_write","autoscaling_limit_min_cu":1,"autoscaling_limit_max_cu":2,
			"settings":{"pg_settings":{"a":"b"}}},{"type":"read_only"}],
		"annotation_value":{"a":"b"}}`,
		`{"branch":{"name":"child"}}`, `{"branch":{"parent_id":"none-such"}}`,
		`{"endpoints":[{"type":"read_write"},{"type":"read_write"}]}`,
		`{"branch":{"protected":true,"expires_at":"2026-03-02T12:00:00Z"}}`,
		`{"branch":{"parent_timestamp":"2027-03-01T12:00:00Z"}}`,
		`{"branch":{"parent_lsn":"0/1","parent_timestamp":"2026-03-01T12:00:00Z"}}`,
		`{"endpoints":[{"type":"read_write","suspend_timeout_seconds":1}]}`,
	},
	"/projects/{project_id}/branches/{branch_id}": {
		`{"branch":{"name":"b","protected":false,"expires_at":"2026-03-03T12:00:00Z"}}`,
		`{"branch":{"name":"child","expires_at":"2026-03-03T12:00:00Z"}}`,
		`{"branch":{"name":"b","protected":true,"expires_at":"2026-03-03T12:00:00Z"}}`,
		`{"branch":{"name":"b","protected":true,"expires_at":"2025-03-03T12:00:00Z"}}`,
	},
	"/projects/{project_id}/endpoints": {
		`{"endpoint":{"branch_id":"{branch_id}","type":"read_only","name":"e","autoscaling_limit_min_cu":1,"autoscaling_limit_max_cu":2,"settings":{"pg_settings":{"a":"b"}}}}`,
		`{"endpoint":{"branch_id":"{branch_id}","type":"read_write"}}`,
		`{"endpoint":{"branch_id":"{branch_id}","type":"read_only","region_id":"aws-us-east-1"}}`,
	},
	"/projects/{project_id}/endpoints/{endpoint_id}": {
		`{"endpoint":{"name":"e","autoscaling_limit_min_cu":1,"autoscaling_limit_max_cu":2,"suspend_timeout_seconds":60,"disabled":true,"settings":{"pg_settings":{"a":"b"}}}}`,
		`{"endpoint":{"name":"e","settings":{"pg_settings":{"a":"b"}},"autoscaling_limit_min_cu":8}}`,
		`{"endpoint":{"name":"e","branch_id":"other"}}`,
	},
	"/projects/{project_id}/branches/{branch_id}/roles": {
		`{"role":{"name":"r","no_login":true}}`, `{"role":{"name":"neondb_owner"}}`, `{"role":{"name":"cloud_admin"}}`,
		`{"role":{"name":"` + strings.Repeat("r", 64) + `"}}`,
	},
	"/projects/{project_id}/branches/{branch_id}/databases": {
		`{"database":{"name":"d","owner_name":"neondb_owner"}}`, `{"database":{"name":"neondb","owner_name":"neondb_owner"}}`,
		`{"database":{"name":"d","owner_name":"nobody"}}`,
		`{"database":{"name":"template1","owner_name":"neondb_owner"}}`,
	},
	"/projects/{project_id}/branches/{branch_id}/databases/{database_name}": {
		`{"database":{"name":"d","owner_name":"neondb_owner"}}`, `{"database":{"name":"d","owner_name":"nobody"}}`,
		`{"database":{"name":"` + strings.Repeat("d", 64) + `"}}`,
	},
	"/projects/{project_id}/branches/{branch_id}/data-api/{database_name}": {
		`{"auth_provider":"external","jwks_url":"https://example.com/jwks.json","settings":{"db_max_rows":5,"db_schemas":["a"]}}`,
		`{"auth_provider":"external","settings":{"db_max_rows":5}}`,
	},
	"/projects/{project_id}/branches/{branch_id}/auth":                    {`{"auth_provider":"better_auth","database_name":"neondb"}`, `{"auth_provider":"better_auth","database_name":"none"}`, `{"delete_data":true}`},
	"/projects/{project_id}/branches/{branch_id}/auth/config":             {`{"name":"n"}`},
	"/projects/{project_id}/branches/{branch_id}/auth/allow_localhost":    {`{"allow_localhost":true}`},
	"/projects/{project_id}/branches/{branch_id}/auth/email_and_password": {`{"enabled":false,"email_verification_method":"link"}`},
	"/projects/{project_id}/branches/{branch_id}/auth/email_provider": {
		`{"type":"standard","host":"h","port":1,"username":"u","password":"p","sender_email":"a@b","sender_name":"n"}`,
		`{"type":"shared"}`,
	},
	"/projects/{project_id}/branches/{branch_id}/auth/email_provider/test": {`{"recipient_email":"a@example.com"}`},
	"/projects/{project_id}/branches/{branch_id}/auth/send_test_email": {
		`{"host":"h","port":1,"username":"u","password":"p","sender_email":"a@b","sender_name":"n","recipient_email":"a@example.com"}`,
	},
	"/projects/{project_id}/branches/{branch_id}/auth/plugins/magic-link":                  {`{"enabled":true,"expires_in":10,"disable_sign_up":true}`},
	"/projects/{project_id}/branches/{branch_id}/auth/plugins/organization":                {`{"enabled":false,"organization_limit":1,"creator_role":"admin"}`},
	"/projects/{project_id}/branches/{branch_id}/auth/plugins/phone-number":                {`{"enabled":true,"otp_expires_in":60}`},
	"/projects/{project_id}/branches/{branch_id}/auth/webhooks":                            {`{"enabled":true,"webhook_url":"https://example.com","enabled_events":["send.otp"],"timeout_seconds":2}`},
	"/projects/{project_id}/branches/{branch_id}/auth/oauth_providers":                     {`{"id":"google","client_id":"c","client_secret":"s","microsoft_tenant_id":"t"}`, `{"id":"microsoft"}`},
	"/projects/{project_id}/branches/{branch_id}/auth/oauth_providers/{oauth_provider_id}": {`{"client_id":"c","client_secret":"s"}`},
	"/projects/{project_id}/branches/{branch_id}/auth/domains": {
		`{"domain":"https://a.example.com","auth_provider":"better_auth"}`,
		`{"auth_provider":"better_auth","domains":[{"domain":"https://a.example.com"}]}`,
	},
	"/projects/{project_id}/branches/{branch_id}/auth/users":                                         {`{"email":"a@example.com","name":"n"}`},
	"/projects/{project_id}/branches/{branch_id}/auth/users/{auth_user_id}/role":                     {`{"roles":["admin"]}`},
	"/projects/{project_id}/branches/{branch_id}/buckets":                                            {`{"name":"b","access_level":"public_read"}`, `{"name":"uploads"}`},
	"/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{object_key}/presign": {`{"operation":"upload","content_type":"text/plain","expires_in_seconds":60}`},
	"/projects/{project_id}/branches/{branch_id}/credentials": {
		`{"name":"n","scopes":["storage:read","functions:invoke"],"principal_type":"user"}`,
		`{"scopes":[],"principal_type":"user"}`,
	},
	"/projects/{project_id}/branches/{branch_id}/functions/{slug}":             {`{"name":"n"}`},
	"/projects/{project_id}/branches/{branch_id}/functions/{slug}/deployments": {`{"runtime":"nodejs24"}`},
	"/projects/{project_id}/branches/{branch_id}/triggers": {
		`{"type":"schedule","function_slug":"api","name":"n","function_path":"/","schedule":{"cron":"0 3 * * *"},"enabled":true}`,
		`{"type":"storage_object_created","function_slug":"api","name":"n","storage_object_created":{"bucket_name":"b","prefix":"p"}}`,
	},
	"/projects/{project_id}/branches/{branch_id}/triggers/{trigger_id}": {`{"type":"schedule","enabled":false}`},
	"/projects/{project_id}/branches/{branch_id}/custom-domains":        {`{"domain":"a.example.com","entity_type":"function","entity_id":"api"}`},
	"/projects/{project_id}/permissions":                                {`{"email":"max@example.com"}`, `{"email":"EVE@example.com"}`},
	"/projects/{project_id}/jwks": {
		`{"jwks_url":"https://example.com/jwks.json","provider_name":"n","branch_id":"{branch_id}","jwt_audience":"a","role_names":["r"],"skip_role_creation":true}`,
		`{"jwks_url":"https://example.com/jwks.json","provider_name":"n","branch_id":"none-such"}`,
	},
	"/projects/{project_id}/transfer_requests":              {`{"ttl_seconds":60}`},
	"/projects/{project_id}/transfer_requests/{request_id}": {`{"org_id":"none-such"}`},
	"/projects/{project_id}/members/{member_id}/role":       {`{"role":"admin"}`, `{"role":"viewer"}`},
	"/organizations/{org_id}/members/{member_id}":           {`{"role":"viewer"}`, `{"role":"admin"}`},
	"/organizations/{org_id}/invitations":                   {`{"invitations":[{"email":"max@example.com","role":"viewer"}]}`},
	"/organizations/{source_org_id}/projects/transfer": {
		`{"destination_org_id":"none-such","project_ids":["none-such"]}`,
	},
	"/users/me/projects/transfer": {`{"destination_org_id":"none-such","project_ids":["none-such"]}`},
	"/projects/{project_id}/branches/{branch_id}/restore": {
		`{"source_branch_id":"{branch_id}","source_lsn":"0/1","preserve_under_name":"old"}`,
		`{"source_branch_id":"{branch_id}","source_lsn":"0/1"}`,
		`{"source_branch_id":"none-such"}`,
		`{"source_branch_id":"{branch_id}","source_timestamp":"2027-03-01T12:00:00Z","preserve_under_name":"old"}`,
		`{"source_branch_id":"{branch_id}","preserve_under_name":"parent"}`,
	},
	"/projects/{project_id}/branch_anonymized": {
		`{"start_anonymization":true,"masking_rules":[{"database_name":"d","schema_name":"s","table_name":"t","column_name":"c","masking_value":"1"}]}`,
		`{"masking_rules":[{"database_name":"d","schema_name":"s","table_name":"t","column_name":"c"}]}`,
	},
	"/projects/{project_id}/branches/{branch_id}/masking_rules": {
		`{"masking_rules":[{"database_name":"d","schema_name":"s","table_name":"t","column_name":"c","masking_value":"1"}]}`,
		`{"masking_rules":[{"database_name":"d","schema_name":"s","table_name":"t","column_name":"c","masking_function":"anon.none()"}]}`,
	},
	"/projects/{project_id}/branches/{branch_id}/finalize_restore": {`{"name":"old"}`, `{"name":"parent"}`},
	"/projects/{project_id}/branches/{branch_id}/backup_schedule": {
		`{"schedule":[{"frequency":"monthly","hour":0,"day":1,"month":1,"retention_seconds":7200}]}`, `{"schedule":[]}`,
	},
	"/projects/{project_id}/snapshots/{snapshot_id}": {
		`{"snapshot":{"name":"n","expires_at":"2026-03-02T12:00:00Z"}}`,
		`{"snapshot":{"name":"n","expires_at":"2025-03-02T12:00:00Z"}}`,
	},
	"/projects/{project_id}/snapshots/{snapshot_id}/restore": {
		`{"target_branch_id":"{branch_id}","name":"b","finalize_restore":true}`,
		`{"target_branch_id":"{branch_id}","name":"parent","finalize_restore":true}`,
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

// bodiless are the last parts of the routes of writes that take no body.
var bodiless = []string{"anonymize", "recover", "reset_password", "restart", "reveal", "rotate", "set_as_default",
	"snapshot", "start", "suspend"}
