package role_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// A role's life in terraform itself: created, planned again, imported both ways, changed,
// and created again when it has gone.
func TestAccTerraform_roleLife(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	id := w.ProjectID + "/" + branchID + "/app"
	created := w.ProviderConfig() + block(w.Ref(branchID), "app", `password_rotation_triggers = { quarter = "1" }`)
	changed := w.ProviderConfig() + block(w.Ref(branchID), "app", `password_rotation_triggers = { quarter = "2" }`)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			{Config: created, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate)},
			{
				ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateId: id,
				ImportStateVerifyIgnore: []string{"password_rotation_triggers"},
			},
			{Config: changed, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate)},
			{
				PreConfig: func() {
					operations, err := w.API.DeleteRole(t.Context(), w.Ref(branchID), "app")
					w.Settle(t, operations, err)
				},
				Config:           w.ProviderConfig() + block(w.Ref(branchID), "app"),
				ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
			},
			{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateId: id},
		},
	})
}
