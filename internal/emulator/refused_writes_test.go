package emulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"testing"
)

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
	"/projects/{project_id}/branches/{branch_id}/data-api/{database_name}": {
		`{"auth_provider":"external","jwks_url":"https://example.com/jwks.json","settings":{"db_max_rows":5,"db_schemas":["a"]}}`,
		`{"auth_provider":"external","settings":{"db_max_rows":5}}`,
	},
	"/projects/{project_id}/branches/{branch_id}/auth":                    {`{"auth_provider":"better_auth","database_name":"neondb"}`, `{"auth_provider":"better_auth","database_name":"none"}`, `{"delete_data":true}`},
	"/projects/{project_id}/branches/{branch_id}/auth/config":             {`{"name":"n"}`},
	"/projects/{project_id}/branches/{branch_id}/auth/allow_localhost":    {`{"allow_localhost":true}`},
	"/projects/{project_id}/branches/{branch_id}/auth/email_and_password": {`{"enabled":false,"email_verification_method":"link"}`},
	"/projects/{project_id}/branches/{branch_id}/auth/email_provider": {
		`{"type":"standard","host":"h","port":1,"username":"u","password":"p","sender_email":"a@b","sender_name":"n"}`, `{"type":"shared"}`,
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
		`{"domain":"https://a.example.com","auth_provider":"better_auth"}`, `{"auth_provider":"better_auth","domains":[{"domain":"https://a.example.com"}]}`,
	},
	"/projects/{project_id}/branches/{branch_id}/auth/users":                                         {`{"email":"a@example.com","name":"n"}`},
	"/projects/{project_id}/branches/{branch_id}/auth/users/{auth_user_id}/role":                     {`{"roles":["admin"]}`},
	"/projects/{project_id}/branches/{branch_id}/buckets":                                            {`{"name":"b","access_level":"public_read"}`, `{"name":"uploads"}`},
	"/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{object_key}/presign": {`{"operation":"upload","content_type":"text/plain","expires_in_seconds":60}`},
	"/projects/{project_id}/branches/{branch_id}/credentials": {
		`{"name":"n","scopes":["storage:read","functions:invoke"],"principal_type":"user"}`, `{"scopes":[],"principal_type":"user"}`,
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
		`{"source_branch_id":"{branch_id}","source_lsn":"0/1","preserve_under_name":"old"}`, `{"source_branch_id":"{branch_id}","source_lsn":"0/1"}`,
		`{"source_branch_id":"none-such"}`, `{"source_branch_id":"{branch_id}","source_timestamp":"2027-03-01T12:00:00Z","preserve_under_name":"old"}`,
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

// bodiless are the last parts of the routes of writes that take no body.
var bodiless = []string{"anonymize", "recover", "reset_password", "restart", "reveal", "rotate", "set_as_default", "snapshot", "start", "suspend"}

// A write that others don't spoil could change something before it is refused.
func TestRefusedWritesHaveBodies(t *testing.T) {
	t.Parallel()
	for _, route := range writeRoutes() {
		method, pattern, _ := strings.Cut(route, " ")
		if hasBody := len(writes[strings.TrimPrefix(pattern, apiRoot)]) > 0; method != "DELETE" && hasBody == slices.Contains(bodiless, path.Base(pattern)) {
			t.Errorf("%s: writes needs a body of it, or bodiless the last part of a route that takes none", route)
		}
	}
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

// write is a request that changes something unless it is refused.
type write struct {
	method, pattern, body string
	// path is one of the pattern's, and key one of the crowd's, by their numbers: each crowd has
	// others in the same order.
	path, key int
}

// routeWrites are those that a route is sent.
func (c *crowd) routeWrites(route string, busy bool) (all []write) {
	method, pattern, _ := strings.Cut(route, " ")
	for path := range c.paths(pattern) {
		everything, keys := path == 0 && !busy, len(c.keys)
		if everything {
			keys = 1
		}
		for _, body := range c.bodies(method, pattern, everything) {
			for key := range keys {
				all = append(all, write{method, pattern, body, path, key})
			}
		}
	}
	return all
}

func (c *crowd) send(w write) *httptest.ResponseRecorder {
	body := strings.Replace(w.body, "{branch_id}", c.named["branch_id"][0], 1)
	return c.ask(c.keys[w.key], w.method, c.paths(w.pattern)[w.path], body)
}

// atATime is how many refused writes are sent before the crowd is looked at, which takes
// longer than they do.
const atATime = 10

// unchanged is a crowd that nothing but refused writes has been sent to.
type unchanged struct {
	*crowd
	busy      bool
	before    string
	unchecked []write
}

// renew begins with another crowd.
func (u *unchanged) renew(t *testing.T) {
	t.Helper()
	u.crowd = newCrowd(t, u.busy)
	u.before = u.snapshot()
}

// refuses sends a write, and reports whether it is refused. After one that isn't, the writes
// that aren't checked yet are refused by another crowd.
func (u *unchanged) refuses(t *testing.T, w write) bool {
	t.Helper()
	if u.send(w).Code < 300 {
		u.renew(t)
		for _, earlier := range u.unchecked {
			u.send(earlier)
		}
		return false
	}
	if u.unchecked = append(u.unchecked, w); len(u.unchecked) == atATime {
		u.check(t)
	}
	return true
}

// check fails where refused writes have changed something, and names the first that does.
func (u *unchanged) check(t *testing.T) {
	t.Helper()
	if after := u.snapshot(); after != u.before {
		together := fmt.Sprintf("%+v\nbefore: %s\nafter:  %s", u.unchecked, u.before, after)
		u.renew(t)
		for _, w := range u.unchecked {
			answer := u.send(w)
			if after := u.snapshot(); after != u.before {
				t.Fatalf("%s %s %s\n%d %s\nbefore: %s\nafter:  %s",
					w.method, u.paths(w.pattern)[w.path], w.body, answer.Code, answer.Body, u.before, after)
			}
		}
		t.Fatalf("one after another: %s", together)
	}
	u.unchecked = nil
}

func TestRefusedWritesChangeNothing(t *testing.T) {
	t.Parallel()
	for _, busy := range []bool{false, true} {
		u := &unchanged{busy: busy}
		u.renew(t)
		for _, route := range writeRoutes() {
			refused := 0
			for _, w := range u.routeWrites(route, busy) {
				if u.refuses(t, w) {
					refused++
				}
			}
			if refused == 0 {
				t.Errorf("%s was never refused", route)
			}
		}
		u.check(t)
	}
}
