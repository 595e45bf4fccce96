package conformance

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// rawCalls sends requests as they are, to an emulator whose answers are checked.
type rawCalls struct {
	t       *testing.T
	checked *checker
	address string
	world   emulator.World
	paths   *strings.Replacer
}

func newRawCalls(t *testing.T, config emulator.Config) *rawCalls {
	t.Helper()
	e, err := emulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	checked := newChecker(t, e, false)
	world := e.FirstWorld()
	project := "/projects/" + world.ProjectID
	paths := strings.NewReplacer("{o}", "/organizations/"+world.OrgID, "{p}", project,
		"{b}", project+"/branches/"+world.BranchID, "{e}", project+"/endpoints/"+world.EndpointID)
	return &rawCalls{t, checked, checked.start(), world, paths}
}

// send sends a line such as "GET {p}", and gives the answer's status and body. It goes without a
// network, whose connections cost more than the calls.
func (c *rawCalls) send(key, line, body string) (int, []byte) {
	c.t.Helper()
	method, path, _ := strings.Cut(c.paths.Replace(line), " ")
	request := httptest.NewRequestWithContext(c.t.Context(), method, c.address+"/api/v2"+path, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+key)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	answer := httptest.NewRecorder()
	c.checked.ServeHTTP(answer, request)
	return answer.Code, answer.Body.Bytes()
}

// expect sends a line, and says when the status isn't the one that is wanted.
func (c *rawCalls) expect(status int, key, line, body string) []byte {
	c.t.Helper()
	got, answer := c.send(key, line, body)
	if got != status {
		c.t.Errorf("%s %s: status %d, want %d: %s", line, body, got, status, answer)
	}
	return answer
}

// Every route that the emulator serves is asked rightly and wrongly, and each answer
// is held against the description. What the client calls, TestClient asks already: it needs a row where it is refused
// in a
// way of its own.
func TestAnswers(t *testing.T) {
	t.Parallel()
	c := newRawCalls(t, emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone})
	world := c.world
	for _, call := range []struct {
		line, body string
		status     int
	}{
		{"GET /users/me", "", 200},
		{"GET /users/me/organizations", "", 200},
		{"GET {o}", "", 200},
		{"GET {o}/api_keys", "", 200},
		{"GET /organizations/org-none-12345678", "", 404},
		{"GET {o}/members?sort_by=email&sort_order=asc&limit=1", "", 200},
		{"GET {o}/members/00000000-0000-4000-8000-000000000000", "", 404},
		{"PATCH {o}/members/00000000-0000-4000-8000-000000000000", `{"role":"admin"}`, 404},
		{"PATCH {o}/members/00000000-0000-4000-8000-000000000000", `{"role":"owner"}`, 400},
		{"DELETE {o}/members/00000000-0000-4000-8000-000000000000", "", 404},
		{"POST {o}/invitations", `{"invitations":[{"email":"new@example.com","role":"viewer"}]}`, 200},
		{"POST {o}/invitations", `{"invitations":[{"email":"new","role":"viewer"}]}`, 400},
		{"GET {o}/invitations", "", 200},
		{"POST {o}/vpc/region/aws-us-east-2/vpc_endpoints/vpce-0a1", `{"label":"office"}`, 200},
		{"POST {o}/vpc/region/aws-us-east-2/vpc_endpoints/vpce-0a1", `{"label":7}`, 400},
		{"POST {o}/vpc/region/azure-gwc/vpc_endpoints/vpce-0a1", `{"label":""}`, 400},
		{"GET {o}/vpc/vpc_endpoints", "", 200},
		{"GET {o}/vpc/region/aws-us-east-2/vpc_endpoints", "", 200},
		{"POST {p}/vpc_endpoints/vpce-0a1", `{"label":""}`, 200},
		{"POST {p}/vpc_endpoints/vpce-0b2", `{"label":""}`, 422},
		{"POST {p}/vpc_endpoints/vpce-0a1", `{}`, 400},
		{"GET {p}/vpc_endpoints", "", 200},
		{"GET {o}/vpc/region/aws-us-east-2/vpc_endpoints/vpce-0a1", "", 200},
		{"DELETE {p}/vpc_endpoints/vpce-0a1", "", 200},
		{"DELETE {p}/vpc_endpoints/vpce-0a1", "", 404},
		{"DELETE {o}/vpc/region/aws-us-east-2/vpc_endpoints/vpce-0a1", "", 200},
		{"DELETE {o}/vpc/region/aws-us-east-2/vpc_endpoints/vpce-0a1", "", 404},
		{"POST {o}/vpc/region/aws-us-east-2/vpc_endpoints/vpce-0a1", `{"label":""}`, 422},
		{"GET {o}/vpc/region/aws-us-east-2/vpc_endpoints/vpce-0a1", "", 404},
		{"GET {o}/billing/spending_limit", "", 200},
		{"PUT {o}/billing/spending_limit", `{"spending_limit_cents":10000}`, 200},
		{"PUT {o}/billing/spending_limit", `{"spending_limit_cents":0}`, 400},
		{"DELETE {o}/billing/spending_limit", "", 200},
		{"GET {p}/available_preload_libraries", "", 200},
		{"GET {p}/advisors?category=SECURITY&min_severity=WARN", "", 200},
		{"GET {p}/advisors?category=STYLE", "", 400},
		{"GET {p}/advisors?database_name=none", "", 404},
		{consumed("projects", "hourly", time.Hour, "compute_unit_seconds,extra_branches_month", world.OrgID), "", 200},
		{consumed("projects", "daily", 100*24*time.Hour, "compute_unit_seconds", world.OrgID), "", 406},
		{consumed("projects", "daily", time.Hour, "none", world.OrgID), "", 400},
		{consumed("projects", "monthly", time.Hour, "compute_unit_seconds", "org-none-12345678"), "", 404},
		{consumed("branches", "monthly", time.Hour, "compute_unit_seconds", world.OrgID+"&project_ids="+world.ProjectID), "", 200},
		{consumed("branches", "monthly", time.Hour, "extra_branches_month", world.OrgID+"&project_ids="+world.ProjectID), "", 400},
		{"GET /regions", "", 200},
		{"GET /regions?org_id=" + world.OrgID, "", 200},
		{"GET /regions?org_id=org-none-12345678", "", 404},
		{"GET /api_keys", "", 200},
		{"POST /api_keys", `{"key_name":"k"}`, 200},
		{"POST /api_keys", `{"key_name":7}`, 400},
		{"DELETE /api_keys/1", "", 404},
		{"GET /projects?org_id=" + world.OrgID, "", 200},
		{"GET /projects", "", 400},
		{"GET /projects/shared", "", 200},
		{"POST /projects", `{"project":{"name":"p","org_id":"` + world.OrgID + `","pg_version":17}}`, 201},
		{"POST /projects", `{"project":{"name":"p","pg_version":"x"}}`, 400},
		{"GET {p}", "", 200},
		{"PATCH {p}", `{"project":{"name":"renamed"}}`, 200},
		{"DELETE /projects/none-12345678", "", 404},
		{"GET {p}/branches", "", 200},
		{"GET {p}/branches?search=main&limit=1", "", 200},
		{"GET {p}/branches/count", "", 200},
		{"POST {p}/branches", `{"branch":{"name":"b"},"endpoints":[{"type":"read_write"}],"annotation_value":{"a":"b"}}`, 201},
		{"POST {p}/branches", `{"branch":{"name":"b"}}`, 409},
		{"POST {p}/branches", `{"branch":{"parent_id":"br-none-none-12345678"}}`, 404},
		{"GET {b}", "", 200},
		{"PATCH {b}", `{"branch":{"protected":true}}`, 200},
		{"PATCH {b}", `{"branch":{"protected":false}}`, 200},
		{"DELETE {b}", "", 422},
		{"DELETE {p}/branches/br-none-none-12345678", "", 204},
		{"POST {b}/set_as_default", "", 200},
		{"POST {b}/restore", `{"source_branch_id":"` + world.BranchID + `","source_timestamp":"` + time.Now().Add(-time.Minute).UTC().Format(time.RFC3339) + `","preserve_under_name":"old"}`, 200},
		{"POST {b}/restore", `{"source_branch_id":"` + world.BranchID + `"}`, 400},
		{"GET {b}/endpoints", "", 200},
		{"GET {p}/endpoints", "", 200},
		{"POST {p}/endpoints", `{"endpoint":{"branch_id":"` + world.BranchID + `","type":"read_only","name":"r"}}`, 201},
		{"POST {p}/endpoints", `{"endpoint":{"branch_id":"` + world.BranchID + `","type":"read_write"}}`, 409},
		{"GET {e}", "", 200},
		{"PATCH {e}", `{"endpoint":{"suspend_timeout_seconds":600}}`, 200},
		{"POST {e}/suspend", "", 200},
		{"POST {e}/start", "", 200},
		{"POST {e}/restart", "", 200},
		{"GET {b}/roles", "", 200},
		{"POST {b}/roles", `{"role":{"name":"r"}}`, 201},
		{"POST {b}/roles", `{"role":{"name":"r"}}`, 409},
		{"GET {b}/roles/r", "", 200},
		{"GET {b}/roles/r/reveal_password", "", 200},
		{"POST {b}/roles/r/reset_password", "", 200},
		{"GET {b}/databases", "", 200},
		{"POST {b}/databases", `{"database":{"name":"d","owner_name":"r"}}`, 201},
		{"GET {b}/databases/d", "", 200},
		{"PATCH {b}/databases/d", `{"database":{"name":"e"}}`, 200},
		{"GET {p}/connection_uri?database_name=e&role_name=r&pooled=true", "", 200},
		{"GET {p}/connection_uri?database_name=none&role_name=r", "", 404},
		{"DELETE {b}/databases/e", "", 200},
		{"DELETE {b}/roles/r", "", 200},
		{"DELETE {b}/roles/r", "", 204},
		{"POST {p}/permissions", `{"email":"new@example.com"}`, 200},
		{"POST {p}/permissions", `{"email":"new@example.com"}`, 409},
		{"POST {p}/permissions", `{"email":"@"}`, 400},
		{"GET {p}/permissions", "", 200},
		{"DELETE {p}/permissions/none", "", 404},
		{"POST {p}/transfer_requests", "", 201},
		{"POST {p}/transfer_requests", `{"ttl_seconds":0}`, 400},
		{"PUT {p}/transfer_requests/00000000-0000-4000-8000-000000000000", `{"org_id":"` + world.OrgID + `"}`, 404},
		{"POST {p}/jwks", `{"jwks_url":"https://example.com/jwks.json","provider_name":"n","branch_id":"` + world.BranchID + `","jwt_audience":"a","role_names":["r"]}`, 201},
		{"POST {p}/jwks", `{"jwks_url":"http://example.com/jwks.json","provider_name":"n"}`, 400},
		{"POST {p}/jwks", `{"jwks_url":"https://example.com/jwks.json","provider_name":"n","branch_id":"br-none-none-12345678"}`, 404},
		{"GET {p}/jwks", "", 200},
		{"GET {p}/members?limit=1", "", 200},
		{"GET {p}/members?limit=0", "", 400},
		{"GET /projects/none-12345678/members", "", 404},
		{"PUT {p}/members/00000000-0000-4000-8000-000000000000/role", `{"role":"viewer"}`, 404},
		{"DELETE {p}/members/00000000-0000-4000-8000-000000000000/role", "", 404},
		{"DELETE {p}/jwks/none", "", 404},
		{"GET {b}/schema?db_name=neondb", "", 200},
		{"GET {b}/schema?db_name=neondb&format=json", "", 200},
		{"GET {b}/schema?db_name=none", "", 404},
		{"GET {b}/compare_schema?db_name=neondb", "", 200},
		{"GET {b}/compare_schema?db_name=neondb&base_branch_id=br-none-none-12345678", "", 404},
		{"GET {b}/data-api/neondb", "", 404},
		{"POST {b}/data-api/neondb", `{"auth_provider":"external"}`, 400},
		{"POST {b}/data-api/none", "", 404},
		{"POST {b}/data-api/neondb", `{"auth_provider":"external","jwks_url":"https://example.com/jwks.json","provider_name":"n","jwt_audience":"a","add_default_grants":true,"settings":{"db_max_rows":7,"db_schemas":["public"]}}`, 201},
		{"POST {b}/data-api/neondb", "", 409},
		{"GET {b}/data-api/neondb", "", 200},
		{"PATCH {b}/data-api/neondb", "", 201},
		{"PATCH {b}/data-api/neondb", `{"settings":{"openapi_mode":"disabled"}}`, 201},
		{"DELETE {b}/data-api/neondb", "", 200},
		{"DELETE {b}/data-api/neondb", "", 404},
		{"GET {b}/auth", "", 404},
		{"POST {b}/auth", `{"auth_provider":"better_auth","database_name":"none"}`, 404},
		{"POST {b}/auth", `{"auth_provider":"better_auth","database_name":"neondb"}`, 201},
		{"POST {b}/auth", `{"auth_provider":"better_auth"}`, 409},
		{"GET {b}/auth", "", 200},
		{"PATCH {b}/auth/config", `{"name":"shop"}`, 200},
		{"GET {b}/auth/allow_localhost", "", 200},
		{"PATCH {b}/auth/allow_localhost", `{"allow_localhost":true}`, 200},
		{"GET {b}/auth/email_and_password", "", 200},
		{"PATCH {b}/auth/email_and_password", `{"disable_sign_up":true}`, 200},
		{"GET {b}/auth/email_provider", "", 404},
		{"POST {b}/auth/email_provider/test", `{"recipient_email":"a@example.com"}`, 400},
		{"PATCH {b}/auth/email_provider", `{"type":"standard","host":"smtp.example.com","port":465,"username":"u","password":"p","sender_email":"a@example.com","sender_name":"n"}`, 200},
		{"GET {b}/auth/email_provider", "", 200},
		{"POST {b}/auth/email_provider/test", `{"recipient_email":"a@example.com"}`, 200},
		{"POST {b}/auth/send_test_email", `{"host":"smtp.invalid","port":465,"username":"u","password":"p","sender_email":"a@example.com","sender_name":"n","recipient_email":"b@example.com"}`, 200},
		{"PATCH {b}/auth/plugins/magic-link", `{"enabled":true}`, 200},
		{"PATCH {b}/auth/plugins/organization", `{"creator_role":"admin"}`, 200},
		{"GET {b}/auth/plugins/phone-number", "", 200},
		{"PATCH {b}/auth/plugins/phone-number", `{"otp_expires_in":60}`, 200},
		{"GET {b}/auth/plugins", "", 200},
		{"GET {b}/auth/webhooks", "", 200},
		{"PUT {b}/auth/webhooks", `{"enabled":true,"webhook_url":"https://example.com","enabled_events":["send.otp"]}`, 200},
		{"POST {b}/auth/oauth_providers", `{"id":"microsoft"}`, 400},
		{"POST {b}/auth/oauth_providers", `{"id":"github","client_id":"c","client_secret":"s"}`, 200},
		{"PATCH {b}/auth/oauth_providers/github", `{"client_id":"d"}`, 200},
		{"PATCH {b}/auth/oauth_providers/google", `{"client_id":"d"}`, 404},
		{"GET {b}/auth/oauth_providers", "", 200},
		{"DELETE {b}/auth/oauth_providers/github", "", 200},
		{"POST {b}/auth/domains", `{"domain":"https://shop.example.com","auth_provider":"better_auth"}`, 201},
		{"GET {b}/auth/domains", "", 200},
		{"DELETE {b}/auth/domains", `{"auth_provider":"better_auth","domains":[{"domain":"https://shop.example.com"}]}`, 200},
		{"POST {b}/auth/users", `{"email":"a@example.com","name":"Anna"}`, 201},
		{"PUT {b}/auth/users/none/role", `{"roles":["admin"]}`, 404},
		{"DELETE {b}/auth/users/none", "", 404},
		{"DELETE {b}/auth", `{"delete_data":true}`, 200},
		{"DELETE {b}/auth", "", 404},
		{"GET {b}/masking_rules", "", 404},
		{"GET {b}/anonymized_status", "", 404},
		{"POST {b}/anonymize", "", 404},
		{"PATCH {b}/masking_rules", `{"masking_rules":[]}`, 404},
		{"POST {p}/branch_anonymized", `{"masking_rules":[{"database_name":"neondb"}]}`, 400},
		{"GET {b}/storage", "", 200},
		{"GET {b}/ai_gateway", "", 200},
		{"GET {b}/buckets", "", 200},
		{"POST {b}/buckets", `{"name":"uploads","access_level":"public_read"}`, 201},
		{"POST {b}/buckets", `{"name":"uploads"}`, 409},
		{"GET {b}/buckets", "", 200},
		{"POST {b}/buckets/uploads/objects/img%2Flogo.png/presign", `{"operation":"download"}`, 200},
		{"GET {b}/buckets/uploads/objects?prefix=img&delimiter=/&limit=1", "", 200},
		{"GET {b}/buckets/uploads/objects/img%2Flogo.png/download", "", 404},
		{"DELETE {b}/buckets/uploads/objects/img%2Flogo.png", "", 404},
		{"DELETE {b}/buckets/uploads/objects-by-prefix?prefix=img/", "", 200},
		{"DELETE {b}/buckets/uploads/objects-by-prefix?prefix=img", "", 400},
		{"DELETE {b}/buckets/uploads", "", 204},
		{"DELETE {b}/buckets/uploads", "", 404},
		{"GET {b}/functions", "", 200},
		{"GET {b}/functions/api", "", 404},
		{"PATCH {b}/functions/api", `{"name":"n"}`, 404},
		{"DELETE {b}/functions/api", "", 404},
		{"POST {b}/functions/api/deployments", `{"runtime":"nodejs24"}`, 400},
		{"GET {b}/triggers", "", 200},
		{"POST {b}/triggers", `{"type":"schedule","function_slug":"api","name":"nightly","schedule":{"cron":"0 3 * * *"}}`, 404},
		{"POST {b}/triggers", `{"type":"schedule","function_slug":"api","name":"nightly","schedule":{"cron":"0 30 * * *"}}`, 400},
		{"GET {b}/triggers/trigger-none", "", 404},
		{"PATCH {b}/triggers/trigger-none", `{"type":"schedule","enabled":false}`, 404},
		{"DELETE {b}/triggers/trigger-none", "", 404},
		{"GET {b}/custom-domains", "", 200},
		{"POST {b}/custom-domains", `{"domain":"api.example.com","entity_type":"function","entity_id":"api"}`, 404},
		{"POST {b}/custom-domains", `{"domain":"api.example.com","entity_type":"page","entity_id":"api"}`, 400},
		{"DELETE {b}/custom-domains/api.example.com", "", 404},
		{"GET {b}/credentials", "", 200},
		{"POST {b}/credentials", `{"name":"n","scopes":["storage:read"],"principal_type":"user"}`, 201},
		{"POST {b}/credentials", `{"name":"n","scopes":[],"principal_type":"user"}`, 400},
		{"GET {b}/credentials", "", 200},
		{"POST {b}/credentials/nak_live_none/reveal", "", 404},
		{"POST {b}/credentials/nak_live_none/rotate", "", 404},
		{"DELETE {b}/credentials/nak_live_none", "", 404},
		{"GET {p}/snapshots", "", 200},
		{"POST {b}/snapshot?timestamp=now", "", 400},
		{"PATCH {p}/snapshots/snap-none", `{"snapshot":{"name":"n"}}`, 404},
		{"DELETE {p}/snapshots/snap-none", "", 404},
		{"POST {p}/snapshots/snap-none/restore", "", 404},
		{"POST {b}/finalize_restore", "", 422},
		{"GET {b}/backup_schedule", "", 200},
		{"PUT {b}/backup_schedule", `{"schedule":[{"frequency":"daily"}]}`, 200}, // A restored root stays one.
		{"PUT {b}/backup_schedule", `{"schedule":[{"frequency":"hourly"}]}`, 400},
		{"GET {p}/operations?limit=1", "", 200},
		{"GET {p}/operations/00000000-0000-4000-8000-000000000000", "", 404},
		{"DELETE {e}", "", 200},
		{"DELETE {p}", "", 200},
		{"GET /projects?recoverable=true&org_id=" + world.OrgID, "", 200},
		{"POST {p}/recover", "", 200},
		{"POST {p}/recover", "", 404},
		{"POST {o}/projects/transfer", `{"destination_org_id":"` + world.OrgID + `","project_ids":["` + world.ProjectID + `"]}`, 200},
		{"POST {o}/projects/transfer", `{"destination_org_id":"` + world.OrgID + `","project_ids":[]}`, 400},
		{"POST /users/me/projects/transfer", `{"destination_org_id":"` + world.OrgID + `","project_ids":["` + world.ProjectID + `"]}`, 404},
	} {
		c.expect(call.status, world.APIKey, call.line, call.body)
		time.Sleep(5 * time.Millisecond) // Operations end meanwhile.
	}
	c.key("/api_keys", "personal")
	c.member()
	c.key("{o}/api_keys", "organization")
	c.snapshots()
	c.anonymized()
	c.everyRouteAsked()
}

// consumed asks for consumption up to now.
func consumed(of, granularity string, ago time.Duration, metrics, orgID string) string {
	now := time.Now().UTC()
	return "GET /consumption_history/v2/" + of + "?granularity=" + granularity + "&from=" +
		now.Add(-ago).Format(time.RFC3339) +
		"&to=" + now.Format(time.RFC3339) + "&metrics=" + metrics + "&org_id=" + orgID
}

// The refusals of a plan have the shape that the description gives them.
func TestAnswers_plan(t *testing.T) {
	t.Parallel()
	c := newRawCalls(t, emulator.Config{Plan: emulator.PlanFree, Conflicts: emulator.ConflictsNone})
	response, err := http.Post(c.address+"/_emulator/organizations", "application/json",
		strings.NewReader(`{"plan":"scale"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var paid struct {
		OrgID string `json:"org_id"`
	}
	if err := json.NewDecoder(response.Body).Decode(&paid); err != nil {
		t.Fatal(err)
	}
	transfer := `{"destination_org_id":"` + paid.OrgID + `","project_ids":["` + c.world.ProjectID + `"]}`
	back := `{"destination_org_id":"` + c.world.OrgID + `","project_ids":["` + c.world.ProjectID + `"]}`
	for _, call := range []struct {
		line, body string
		status     int
	}{
		{"GET {o}", "", 200},
		{"GET /users/me", "", 200},
		{"PATCH {p}", `{"project":{"history_retention_seconds":86400}}`, 400},
		{"PATCH {e}", `{"endpoint":{"suspend_timeout_seconds":60}}`, 412},
		{"PATCH {b}", `{"branch":{"protected":true}}`, 422},
		{"PUT {b}/backup_schedule", `{"schedule":[{"frequency":"daily"}]}`, 422},
		{"POST {o}/vpc/region/aws-us-east-2/vpc_endpoints/vpce-0a1", `{"label":""}`, 403},
		{"GET {o}/billing/spending_limit", "", 403},
		{consumed("projects", "daily", time.Hour, "compute_unit_seconds", c.world.OrgID), "", 403},
		{"POST {o}/projects/transfer", transfer, 200},
		{"POST /organizations/" + paid.OrgID + "/projects/transfer", back, 406},
	} {
		c.expect(call.status, c.world.APIKey, call.line, call.body)
	}
	c.transferRequest()
}

// transferRequest has the first organization accept the project, once its plan has room for the branches.
func (c *rawCalls) transferRequest() {
	c.t.Helper()
	var made struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(c.expect(http.StatusCreated, c.world.APIKey, "POST {p}/transfer_requests",
		`{"ttl_seconds":60}`), &made); err != nil {
		c.t.Fatal(err)
	}
	accept := func(status int) {
		c.t.Helper()
		c.expect(status, c.world.APIKey, "PUT {p}/transfer_requests/"+made.ID, `{"org_id":"`+c.world.OrgID+`"}`)
	}
	var last struct {
		Branch struct {
			ID string `json:"id"`
		} `json:"branch"`
	}
	for range 10 {
		if err := json.Unmarshal(c.expect(http.StatusCreated, c.world.APIKey, "POST {p}/branches", ""), &last); err != nil {
			c.t.Fatal(err)
		}
	}
	accept(http.StatusNotAcceptable)
	c.expect(http.StatusOK, c.world.APIKey, "DELETE {p}/branches/"+last.Branch.ID, "")
	accept(http.StatusNoContent)
}

// key makes a key, lists it, and revokes it.
func (c *rawCalls) key(path, name string) {
	c.t.Helper()
	made := struct {
		ID int64 `json:"id"`
	}{}
	if err := json.Unmarshal(c.expect(http.StatusOK, c.world.APIKey, "POST "+path, `{"key_name":"`+name+`"}`),
		&made); err != nil {
		c.t.Fatal(err)
	}
	c.expect(http.StatusOK, c.world.APIKey, "GET "+path, "")
	c.expect(http.StatusOK, c.world.APIKey, "DELETE "+path+"/"+strconv.FormatInt(made.ID, 10), "")
}

// anonymized creates an anonymized branch and anonymizes it.
func (c *rawCalls) anonymized() {
	c.t.Helper()
	const rules = `[{"database_name":"neondb","schema_name":"public","table_name":"people","column_name":"email","masking_function":"anon.fake_email()"}]`
	var made struct {
		Branch struct {
			ID string `json:"id"`
		} `json:"branch"`
	}
	answer := c.expect(http.StatusCreated, c.world.APIKey, "POST {p}/branch_anonymized",
		`{"branch_create":{"branch":{"name":"masked"}},"masking_rules":`+rules+
			`,"annotation_value":{"a":"b"}}`)
	if err := json.Unmarshal(answer, &made); err != nil {
		c.t.Fatal(err)
	}
	at := "{p}/branches/" + made.Branch.ID
	for state := ""; state != "initialized"; {
		state = c.anonymization(at)
	}
	c.expect(http.StatusOK, c.world.APIKey, "PATCH "+at+"/masking_rules", `{"masking_rules":`+rules+`}`)
	c.expect(http.StatusOK, c.world.APIKey, "GET "+at+"/masking_rules", "")
	c.expect(http.StatusOK, c.world.APIKey, "POST "+at+"/anonymize", "")
	for state := ""; state != "anonymized"; {
		state = c.anonymization(at)
	}
	c.expect(http.StatusOK, c.world.APIKey, "GET "+at, "")
	c.expect(http.StatusUnprocessableEntity, c.world.APIKey, "POST "+at+"/restore",
		`{"source_branch_id":"`+c.world.BranchID+`"}`)
	c.expect(http.StatusOK, c.world.APIKey, "DELETE "+at, "")
}

func (c *rawCalls) anonymization(at string) string {
	c.t.Helper()
	var status struct {
		State string `json:"state"`
	}
	if err := json.Unmarshal(c.expect(http.StatusOK, c.world.APIKey, "GET "+at+"/anonymized_status", ""),
		&status); err != nil {
		c.t.Fatal(err)
	}
	return status.State
}

// member changes a member, and lets it go.
func (c *rawCalls) member() {
	c.t.Helper()
	other, err := http.Post(c.address+"/_emulator/members", "application/json",
		strings.NewReader(`{"email":"eve@example.com"}`))
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = other.Body.Close() }()
	var list struct {
		Members []struct {
			Member struct {
				ID string `json:"id"`
			} `json:"member"`
		} `json:"members"`
	}
	if err := json.Unmarshal(c.expect(http.StatusOK, c.world.APIKey, "GET {o}/members", ""), &list); err != nil {
		c.t.Fatal(err)
	}
	role := "{p}/members/" + list.Members[0].Member.ID + "/role"
	c.expect(http.StatusOK, c.world.APIKey, "PUT "+role, `{"role":"admin"}`)
	c.expect(http.StatusOK, c.world.APIKey, "PUT "+role+"?confirm_self_demotion=true", `{"role":"editor"}`)
	c.expect(http.StatusBadRequest, c.world.APIKey, "PUT "+role, `{"role":"owner"}`)
	c.expect(http.StatusOK, c.world.APIKey, "GET {p}/members", "")
	c.expect(http.StatusOK, c.world.APIKey, "DELETE "+role+"?confirm_self_lockout=true", "")
	at := "{o}/members/" + list.Members[0].Member.ID
	c.expect(http.StatusOK, c.world.APIKey, "GET "+at, "")
	c.expect(http.StatusOK, c.world.APIKey, "PATCH "+at, `{"role":"viewer"}`)
	c.expect(http.StatusOK, c.world.APIKey, "DELETE "+at, "")
}

// snapshots takes one in a new project, restores it in two steps, and deletes it.
func (c *rawCalls) snapshots() {
	c.t.Helper()
	read := func(answer []byte) (ids struct {
		Project, Branch, Snapshot struct {
			ID string `json:"id"`
		}
	},
	) {
		c.t.Helper()
		if err := json.Unmarshal(answer, &ids); err != nil {
			c.t.Fatal(err)
		}
		return ids
	}
	made := read(c.expect(http.StatusCreated, c.world.APIKey, "POST /projects",
		`{"project":{"org_id":"`+c.world.OrgID+`"}}`))
	project := "/projects/" + made.Project.ID
	main := project + "/branches/" + made.Branch.ID
	send := func(status int, line, body string) []byte {
		c.t.Helper()
		time.Sleep(5 * time.Millisecond) // Operations end meanwhile.
		return c.expect(status, c.world.APIKey, line, body)
	}
	moment := time.Now().UTC().Format(time.RFC3339Nano)
	id := read(send(200, "POST "+main+"/snapshot?name=n&slug=s-1&timestamp="+moment+"&expires_at=2099-01-01T00:00:00Z",
		"")).Snapshot.ID
	at := project + "/snapshots/" + id
	send(200, "GET "+project+"/snapshots", "")
	send(200, "PATCH "+at, `{"snapshot":{"name":"m"}}`)
	restored := read(send(200, "POST "+at+"/restore", `{"name":"preview","target_branch_id":"`+made.Branch.ID+
		`"}`)).Branch.ID
	send(200, "POST "+project+"/branches/"+restored+"/finalize_restore", `{"name":"before"}`)
	send(200, "PUT "+main+"/backup_schedule",
		`{"schedule":[{"frequency":"weekly","day":1,"hour":3},{"frequency":"monthly","day":31,"retention_seconds":3600}]}`)
	send(200, "GET "+main+"/backup_schedule", "")
	send(202, "DELETE "+at, "")
}

// everyRouteAsked says which routes that the emulator serves got no request, here or by the client in TestClient.
func (c *rawCalls) everyRouteAsked() {
	c.t.Helper()
	document, err := description()
	if err != nil {
		c.t.Fatal(err)
	}
	called := clientRoutes(c.t)
	for path, item := range document.Paths.Map() {
		for method := range item.Operations() {
			route := method + " " + path
			if c.checked.served[route] == 0 && !called[route] && serves(c.t, c.checked.handler, method, path) {
				c.t.Errorf("%s is served, and neither a row here nor a method of the client asks it", route)
			}
		}
	}
}
