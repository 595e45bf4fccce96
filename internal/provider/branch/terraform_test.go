package branch_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// A branch's life in terraform itself: created, planned again, imported both ways,
// changed, and created again when it has gone.
func TestAccTerraform_branchLife(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	sameID := newStaysTheSame("id")
	renamed := w.BranchConfig("name = \"b2\"\n protected = true")
	gone := acctest.Planned(renamed, plancheck.ResourceActionCreate, branchIs(knownvalue.Bool(true), "protected"))
	gone.PreConfig = func() {
		id, open := w.BranchNamed(t, "b2").ID, false
		operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(id),
			client.BranchUpdate{Protected: &open}))
		w.Settle(t, operations, err)
		w.DeleteBranch(t, id)
	}
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(branchWithEndpoints), plancheck.ResourceActionCreate, sameID.check()),
			importStep(resource.ImportCommandWithID),
			importStep(resource.ImportBlockWithID),
			acctest.Planned(renamed, plancheck.ResourceActionUpdate, sameID.check()),
			gone,
		},
	})
	w.CheckOnly(t, "main")
}
