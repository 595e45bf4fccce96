package conformance

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What the description's schemas don't allow is refused.
func TestRefusals_schemas(t *testing.T) {
	t.Parallel()
	c := newRawCalls(t, emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone})
	long := strings.Repeat("n", 300)
	onBranch := `{"endpoint":{"branch_id":"` + c.world.BranchID + `","type":`
	for _, call := range []struct{ line, body string }{
		{"POST /api_keys", ""},
		{"POST /api_keys", `{}`},
		{"POST /api_keys", `{"key_name":"` + long + `"}`},
		{"DELETE /api_keys/first", ""},
		{"POST {o}/api_keys", `{"key_name":"k","project_id":7}`},
		{"POST {o}/api_keys", `{"key_name":"k","project_id":"No Such"}`},
		{"GET /projects?limit=0&org_id=" + c.world.OrgID, ""},
		{"GET /projects?limit=401&org_id=" + c.world.OrgID, ""},
		{"GET /projects?timeout=1&org_id=" + c.world.OrgID, ""},
		{"GET /projects/shared?limit=401", ""},
		{"POST /projects", `{}`},
		{"POST /projects", `{"project":{"name":"` + long + `"}}`},
		{"POST /projects", `{"project":{"pg_version":13}}`},
		{"POST /projects", `{"project":{"history_retention_seconds":-1}}`},
		{"POST /projects", `{"project":{"settings":{"quota":{"logical_size_bytes":-1}}}}`},
		{"POST /projects", `{"project":{"settings":{"maintenance_window":{"weekdays":[1]}}}}`},
		{"POST /projects", `{"project":{"default_endpoint_settings":{"autoscaling_limit_min_cu":0.1}}}`},
		{"POST /projects", `{"project":{"branch":{"name":"` + long + `"}}}`},
		{"PATCH {p}", `{}`},
		{"PATCH {p}", `{"project":{"settings":{"audit_log_level":"none"}}}`},
		{"PATCH {p}", `{"project":{"history_retention_seconds":2592001}}`},
		{"GET {p}/branches?sort_by=size", ""},
		{"GET {p}/branches?sort_order=up", ""},
		{"GET {p}/branches?limit=10001", ""},
		{"POST {p}/branches", `[]`},
		{"POST {p}/branches", `{"branch":{"name":""}}`},
		{"POST {p}/branches", `{"branch":{"parent_timestamp":"yesterday"}}`},
		{"POST {p}/branches", `{"branch":{"expires_at":"tomorrow"}}`},
		{"POST {p}/branches", `{"endpoints":[{}]}`},
		{"POST {p}/branches", `{"endpoints":[{"type":"write_only"}]}`},
		{"POST {p}/branches", `{"endpoints":[{"type":"read_only","suspend_timeout_seconds":604801}]}`},
		{"POST {p}/branches", `{"annotation_value":{"a":1}}`},
		{"PATCH {b}", `{}`},
		{"PATCH {b}", `{"branch":{"protected":"yes"}}`},
		{"PATCH {b}", `{"branch":{"name":"` + long + `"}}`},
		{"POST {p}/endpoints", `{"endpoint":{"type":"read_only"}}`},
		{"POST {p}/endpoints", onBranch + `"none"}}`},
		{"POST {p}/endpoints", onBranch + `"read_only","name":""}}`},
		{"POST {p}/endpoints", onBranch + `"read_only","name":"` + long + `"}}`},
		{"POST {p}/endpoints", onBranch + `"read_only","autoscaling_limit_max_cu":"8"}}`},
		{"PATCH {e}", `{}`},
		{"PATCH {e}", `{"endpoint":{"suspend_timeout_seconds":-2}}`},
		{"PATCH {e}", `{"endpoint":{"settings":{"pg_settings":{"a":1}}}}`},
		{"POST {b}/roles", `{}`},
		{"POST {b}/roles", `{"role":{}}`},
		{"POST {b}/databases", `{"database":{"name":"d"}}`},
		{"PATCH {b}/databases/neondb", `{"database":{"name":1}}`},
		{"GET {p}/connection_uri?database_name=d", ""},
		{"GET {p}/connection_uri?database_name=d&role_name=r&pooled=maybe", ""},
		{"GET {p}/operations?limit=1001", ""},
		{"GET {p}/operations/o", ""},
	} {
		c.expect(http.StatusBadRequest, c.world.APIKey, call.line, call.body)
		time.Sleep(time.Millisecond)
	}
}

// What keys, conflicts, limits and failures of the platform bring has the form of
// errors, whoever is refused.
func TestRefusals_others(t *testing.T) {
	t.Parallel()
	now := time.Now() // It stands still, so that all requests come within one second.
	c := newRawCalls(t, emulator.Config{
		OperationDuration: time.Minute, Limits: emulator.LimitsWindow, Now: func() time.Time { return now },
	})
	token := func(body string) string {
		var made struct{ Key string }
		if err := json.Unmarshal(c.expect(http.StatusOK, c.world.APIKey, "POST {o}/api_keys", body), &made); err != nil {
			t.Fatal(err)
		}
		return made.Key
	}
	organization := token(`{"key_name":"o"}`)
	project := token(`{"key_name":"p","project_id":"` + c.world.ProjectID + `"}`)
	for _, call := range []struct {
		key, line string
		status    int
	}{
		{"wrong", "GET /users/me", http.StatusUnauthorized},
		{organization, "GET /users/me", http.StatusNotFound},
		{organization, "GET /api_keys", http.StatusNotFound},
		{organization, "GET /projects", http.StatusOK},
		{project, "GET /projects", http.StatusNotFound},
		{project, "GET {p}", http.StatusOK},
		{project, "DELETE {p}", http.StatusNotFound},
		{c.world.APIKey, "POST {p}/branches", http.StatusCreated},
		{c.world.APIKey, "POST {p}/branches", http.StatusLocked},
	} {
		c.expect(call.status, call.key, call.line, "")
	}
	c.fault(`{"route":"GET /api/v2/projects/{project_id}","kind":"status","status":503,"count":1}`)
	c.expect(http.StatusServiceUnavailable, c.world.APIKey, "GET {p}", "")
	refused := false
	for range 120 {
		status, _ := c.send(c.world.APIKey, "GET {e}", "")
		refused = refused || status == http.StatusTooManyRequests
	}
	if !refused {
		t.Error("too many requests are not refused")
	}
}

// fault makes the platform fail.
func (c *rawCalls) fault(body string) {
	c.t.Helper()
	response, err := http.Post(c.address+"/_emulator/faults", "application/json", strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	_ = response.Body.Close()
}
