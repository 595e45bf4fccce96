package conformance

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// oddValues are those that some field or other of a body doesn't take.
var oddValues = []any{
	nil, "", "x", strings.Repeat("n", 5000), "a\x00b", 7, -1, 0, 1e12, 0.1, 1.5, true,
	[]any{}, []any{7}, []any{""}, slices.Repeat([]any{"a"}, 2000), map[string]any{}, map[string]any{"a": 1},
}

// Each field of each body is sent with each odd value: the checker tells where the description
// forbids what is let through.
func TestRefusals_oddValues(t *testing.T) {
	t.Parallel()
	c := newRawCalls(t, emulator.Config{OperationDuration: time.Nanosecond, Conflicts: emulator.ConflictsNone})
	document, err := description()
	if err != nil {
		t.Fatal(err)
	}
	ids := c.prepareIDs()
	sent, passed := 0, 0
	for _, path := range slices.Sorted(maps.Keys(document.Paths.Map())) {
		item := document.Paths.Value(path)
		for method, operation := range item.Operations() {
			if operation.RequestBody == nil || operation.RequestBody.Value.Content.Get("application/json") == nil ||
				!serves(t, c.checked.handler, method, path) {
				continue
			}
			body := operation.RequestBody.Value.Content.Get("application/json").Schema.Value
			for _, odd := range c.oddBodies(body) {
				text, err := json.Marshal(odd)
				if err != nil {
					t.Fatal(err)
				}
				status, answer := c.send(c.world.APIKey, method+" "+ids.Replace(path), string(text))
				sent++
				if status < http.StatusBadRequest {
					passed++
				}
				if status >= http.StatusInternalServerError {
					t.Errorf("%s %s: status %d: %s", method, path, status, answer)
				}
			}
		}
	}
	t.Logf("of %d bodies with an odd value, %d were taken", sent, passed)
	if sent < 1000 {
		t.Errorf("only %d bodies were sent", sent)
	}
}

// prepareIDs creates what paths of the description name, and puts its ids into them.
func (c *rawCalls) prepareIDs() *strings.Replacer {
	c.t.Helper()
	key := c.world.APIKey
	var made struct {
		Members []struct {
			Member struct{ ID string }
		}
		Snapshot struct{ ID string }
	}
	for _, line := range []string{"GET {o}/members", "POST {b}/snapshot"} {
		if err := json.Unmarshal(c.expect(http.StatusOK, key, line, ""), &made); err != nil {
			c.t.Fatal(err)
		}
	}
	c.expect(http.StatusOK, key, "POST {o}/vpc/region/aws-us-east-2/vpc_endpoints/vpce-0a1", `{"label":""}`)
	return strings.NewReplacer(
		"{project_id}", c.world.ProjectID, "{branch_id}", c.world.BranchID, "{endpoint_id}", c.world.EndpointID,
		"{org_id}", c.world.OrgID, "{source_org_id}", c.world.OrgID, "{role_name}", c.world.RoleName,
		"{database_name}", c.world.DatabaseName, "{member_id}", made.Members[0].Member.ID, "{snapshot_id}", made.Snapshot.ID,
		"{vpc_endpoint_id}", "vpce-0a1", "{region_id}", "aws-us-east-2",
	)
}

// oddBodies has for each field of a body, and for the body, each odd value in its place. Beside
// it is what is required.
func (c *rawCalls) oddBodies(schema *openapi3.Schema) []any {
	all := slices.Clone(oddValues)
	if schema.Items != nil {
		for _, odd := range c.oddBodies(schema.Items.Value) {
			all = append(all, []any{odd})
		}
	}
	for _, ref := range parts(openapi3.SchemaRefs{schema.NewRef()}) {
		for _, name := range slices.Sorted(maps.Keys(ref.Properties)) {
			property := ref.Properties[name].Value
			for _, odd := range c.oddBodies(property) {
				// The pattern of such a field doesn't say so.
				if odd == "" && strings.Contains(property.Description, "omitted or empty") {
					continue
				}
				body, _ := c.sample(schema).(map[string]any)
				body[name] = odd
				all = append(all, body)
			}
		}
	}
	return all
}

// sample is a value with all that a schema requires.
func (c *rawCalls) sample(schema *openapi3.Schema) any {
	switch {
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case schema.Type.Is("string") && schema.Format == "date-time":
		return time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	case schema.Type.Is("string"):
		return "x"
	case schema.Type.Is("integer"), schema.Type.Is("number"):
		return 1
	case schema.Type.Is("boolean"):
		return true
	case schema.Type.Is("array"):
		return []any{c.sample(schema.Items.Value)}
	}
	body := map[string]any{}
	for _, part := range parts(openapi3.SchemaRefs{schema.NewRef()}) {
		for name, property := range part.Properties {
			if known, found := c.knownValue(name); found {
				body[name] = known
			} else if slices.Contains(part.Required, name) {
				body[name] = c.sample(property.Value)
			}
		}
	}
	return body
}

// knownValue is that of a field which the description says too little of, or which names
// something that must be there.
func (c *rawCalls) knownValue(name string) (value any, found bool) {
	value, found = map[string]any{
		"branch_id": c.world.BranchID, "source_branch_id": c.world.BranchID, "source_lsn": "0/1", "preserve_under_name": "",
		"org_id": c.world.OrgID, "owner_name": c.world.RoleName, "role_name": c.world.RoleName, "email": "max@example.com",
		"jwks_url": "https://example.com/jwks.json", "frequency": "daily", "hour": 1,
	}[name]
	return value, found
}
