package claimable_test

import (
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A claimable database's life in terraform itself: created, planned again, replaced, and
// created again when it has expired.
func TestAccTerraform_claimableDatabaseLife(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	step := func(ref string, action plancheck.ResourceActionType) resource.TestStep {
		return resource.TestStep{
			Config:            w.KeylessConfig() + acctest.ClaimableBlock(`ref = "`+ref+`"`),
			ConfigPlanChecks:  acctest.ExpectAction(acctest.ClaimableAddress, action),
			ConfigStateChecks: unclaimedChecks(ref, false),
		}
	}
	expired := step("two", plancheck.ResourceActionCreate)
	expired.PreConfig = func() { w.Advance(t, 73*time.Hour) }
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			step("one", plancheck.ResourceActionCreate), step("two", plancheck.ResourceActionReplace), expired,
		},
	})
}
