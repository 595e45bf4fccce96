package stories_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Terraform writes the configuration of every kind of object that exists, and then has
// nothing to change.
func TestAccTerraform_generatedConfiguration(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.9.0") // Before, Terraform generates no maps of objects.
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := acctest.NewRun(t, w.World, "")
	ids := map[string]string{"neon_branch.main": w.ProjectID + "/" + w.MainBranch(t).ID}
	for name, id := range w.BranchesOfEveryKind(t) {
		ids["neon_branch."+name] = w.ProjectID + "/" + id
	}
	for resource, scope := range map[string]client.APIKeyScope{
		"neon_api_key.personal": {}, "neon_org_api_key.org": {OrgID: w.OrgID}, "neon_org_api_key.project": {OrgID: w.OrgID, ProjectID: w.ProjectID},
	} {
		key, err := client.ObjectOf(w.API.CreateAPIKey(t.Context(), scope, "generated"))
		if err != nil {
			t.Fatal(err)
		}
		ids[resource] = strings.TrimPrefix(fmt.Sprintf("%s/%d", scope.OrgID, key.ID), "/")
	}
	// Nothing of its mail server is set, nor returned.
	main := w.Ref(w.MainBranch(t).ID)
	if _, err := w.API.EnableAuth(t.Context(), main, client.AuthEnable{Provider: "better_auth"}); err != nil {
		t.Fatal(err)
	}
	ids["neon_auth.main"] = w.ProjectID + "/" + main.ID
	var blocks strings.Builder
	for address, id := range ids {
		fmt.Fprintf(&blocks, "import {\n  to = %s\n  id = %q\n}\n", address, id)
	}
	r.Configure(t, blocks.String())
	r.Terraform(t, "plan", "-generate-config-out=generated.tf")
	// Neon returns a position and a moment for each branch, and nobody has asked for them.
	if asked := regexp.MustCompile(`parent_(lsn|timestamp) += ".*`).FindString(readGenerated(t, r)); asked != "" {
		t.Errorf("the generated configuration has %s", asked)
	}
	want := fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", len(ids))
	if said := r.Terraform(t, "apply", "-auto-approve"); !strings.Contains(said, want) {
		t.Errorf("the apply doesn't say %q:\n%s", want, said)
	}
	if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
		t.Errorf("the plan after the import isn't empty:\n%s", said)
	}
}
