package conformance

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Every route that the emulator serves is asked rightly and wrongly, and each answer
// is held against the description.
func TestAnswers(t *testing.T) {
	t.Parallel()
	e, err := emulator.New(emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone})
	if err != nil {
		t.Fatal(err)
	}
	checked := newChecker(t, e, false)
	address, world := checked.start(), e.FirstWorld()
	names := strings.NewReplacer("{o}", "/organizations/"+world.OrgID, "{p}", "/projects/"+world.ProjectID,
		"{b}", "/projects/"+world.ProjectID+"/branches/"+world.BranchID, "{e}", "/projects/"+world.ProjectID+"/endpoints/"+world.EndpointID)
	send := func(key, line, body string) int {
		method, path, _ := strings.Cut(names.Replace(line), " ")
		request, err := http.NewRequestWithContext(t.Context(), method, address+"/api/v2"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+key)
		if body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		_, _ = io.Copy(io.Discard, response.Body)
		return response.StatusCode
	}
	for _, call := range []struct {
		line, body string
		status     int
	}{
		{"GET /users/me", "", 200},
		{"GET /users/me/organizations", "", 200},
		{"GET {o}", "", 200},
		{"GET {o}/api_keys", "", 200},
		{"GET /organizations/org-none-12345678", "", 404},
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
		{"GET {p}/operations?limit=1", "", 200},
		{"GET {p}/operations/00000000-0000-4000-8000-000000000000", "", 404},
		{"DELETE {e}", "", 200},
		{"DELETE {p}", "", 200},
	} {
		if status := send(world.APIKey, call.line, call.body); status != call.status {
			t.Errorf("%s %s: status %d, want %d", call.line, call.body, status, call.status)
		}
		time.Sleep(5 * time.Millisecond) // Operations end meanwhile.
	}
	if status := send("wrong", "GET /users/me", ""); status != http.StatusUnauthorized {
		t.Errorf("a wrong key gets status %d", status)
	}
}
