package endpoint_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// An endpoint's life in terraform itself: created, planned again, imported both ways,
// changed, and created again when it has gone.
func TestAccTerraform_endpointLife(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	branchID := w.MakeBranch(t, "b").ID
	config := func(lines ...string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), "read_write", lines...)
	}
	changed := config(`name = "app"`, "autoscaling_limit_max_cu = 2",
		`pg_settings = { log_min_duration_statement = "500" }`)
	var id string
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			{Config: config(), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate)},
			{Config: changed, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate), ConfigStateChecks: []statecheck.StateCheck{acctest.IDOf(address, &id)}},
			{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: importID},
			{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateIdFunc: importID},
			{
				PreConfig: func() { w.DeleteEndpoint(t, id) },
				Config:    changed, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
			},
		},
	})
}

// A destruction that would end at the endpoint of a protected branch, with all else gone, says so before.
func TestAccTerraform_endpointOfProtectedBranch(t *testing.T) {
	t.Parallel()
	r := acctest.NewRun(t, acctest.StartEmulator(t, emulator.Config{}), `
variable "protected" {
  default = true
}
resource "neon_project" "p" {
  name           = "p"
  default_branch = { protected = var.protected }
}
resource "neon_endpoint" "reports" {
  project_id = neon_project.p.id
  branch_id  = neon_project.p.default_branch.id
  type       = "read_only"
}
`)
	r.Terraform(t, "apply", "-auto-approve")
	const warning = "The branch is protected (endpoint ep-"
	if said := r.Terraform(t, "plan", "-destroy"); !strings.Contains(said, warning) {
		t.Errorf("the plan doesn't say %q:\n%s", warning, said)
	}
	r.Terraform(t, "apply", "-auto-approve", "-var", "protected=false")
	if said := r.Terraform(t, "destroy", "-auto-approve", "-var", "protected=false"); strings.Contains(said, warning) {
		t.Errorf("nothing is protected any more:\n%s", said)
	}
}
