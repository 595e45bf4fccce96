package branch_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// A plan may be older than the deletion of what it changes.
func TestAccBranch_deletedAfterThePlan(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(name string) string { return w.BranchConfig(fmt.Sprintf("name = %q", name)) }
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("b")},
		resource.TestStep{
			Config: config("renamed"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{acctest.Meanwhile(func() {
				w.DeleteBranch(t, w.BranchNamed(t, "b").ID)
			})}},
			ExpectError: acctest.InOrder("Unable to update branch", "deleted after this was planned, apply again"),
		},
		acctest.Planned(config("renamed"), plancheck.ResourceActionCreate),
	)
	w.CheckOnly(t, "main")
}
