package provider

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Terraform writes the configuration of every kind of object that exists, and then has
// nothing to change.
func TestAccTerraform_generatedConfiguration(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{})
	r := newRun(t, w.world, "")
	ids := map[string]string{"neon_branch.main": w.projectID + "/" + w.mainBranch(t).ID}
	for name, id := range w.branchesOfEveryKind(t) {
		ids["neon_branch."+name] = w.projectID + "/" + id
	}
	for resource, scope := range map[string]client.APIKeyScope{
		"neon_api_key.personal": {}, "neon_org_api_key.org": {OrgID: w.orgID}, "neon_org_api_key.project": {OrgID: w.orgID, ProjectID: w.projectID},
	} {
		key, err := w.api.CreateAPIKey(t.Context(), scope, "generated")
		if err != nil {
			t.Fatal(err)
		}
		ids[resource] = strings.TrimPrefix(fmt.Sprintf("%s/%d", scope.OrgID, key.ID), "/")
	}
	var blocks strings.Builder
	for address, id := range ids {
		fmt.Fprintf(&blocks, "import {\n  to = %s\n  id = %q\n}\n", address, id)
	}
	r.configure(t, blocks.String())
	r.terraform(t, "plan", "-generate-config-out=generated.tf")
	want := fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", len(ids))
	if said := r.terraform(t, "apply", "-auto-approve"); !strings.Contains(said, want) {
		t.Errorf("the apply doesn't say %q:\n%s", want, said)
	}
	if said := r.terraform(t, "plan"); !strings.Contains(said, "No changes.") {
		t.Errorf("the plan after the import isn't empty:\n%s", said)
	}
}

// branchesOfEveryKind creates branches with all that a branch can be created with, and
// returns their ids by name.
func (w *branchWorld) branchesOfEveryKind(t *testing.T) map[string]string {
	t.Helper()
	moment, soon, protected := w.mainBranch(t).CreatedAt, time.Now().Add(48*time.Hour), true
	smallest, largest, never := 0.5, 2.0, int64(-1)
	ids := map[string]string{}
	for name, create := range map[string]client.BranchCreate{
		"plain":       {},
		"position":    {ParentLSN: "0/1E88480"},
		"moment":      {ParentTimestamp: &moment},
		"schema_only": {InitSource: "schema-only"},
		"protected":   {Protected: &protected},
		"expiring":    {ExpiresAt: &soon},
		"endpoints": {Endpoints: []client.EndpointCreate{
			{Type: client.EndpointReadWrite, EndpointSettings: client.EndpointSettings{
				AutoscalingLimitMinCU: &smallest, AutoscalingLimitMaxCU: &largest, SuspendTimeoutSeconds: &never,
			}},
			{Type: client.EndpointReadOnly}, {Type: client.EndpointReadOnly},
		}},
	} {
		create.Name = name
		created, err := w.api.CreateBranch(t.Context(), w.projectID, create)
		if err != nil {
			t.Fatal(err)
		}
		w.settle(t, created.Operations, nil)
		ids[name] = created.Branch.ID
	}
	disabled := true
	reader, err := w.api.CreateEndpoint(t.Context(), w.projectID, ids["plain"],
		client.EndpointCreate{Type: client.EndpointReadOnly, Name: "a name", Disabled: &disabled}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.settle(t, reader.Operations, nil)
	return ids
}
