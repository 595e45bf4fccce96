package apikey_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// A key's life in terraform itself: created, planned again, imported both ways, changed,
// and created again when it has been revoked.
func TestAccTerraform_keyLife(t *testing.T) {
	t.Parallel()
	w := acctest.StartAny(t)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		if kind.orgID != "" && kind.projectID == "" {
			t.Skip("the project-scoped key is of the same resource")
		}
		name := uniqueName()
		without, with := w.ProviderConfig()+kind.block(name), w.ProviderConfig()+kind.block(name, "rotation_triggers = {}")
		resource.Test(t, resource.TestCase{
			ProtoV6ProviderFactories: w.Factories(),
			Steps: []resource.TestStep{
				{
					Config:            without,
					ConfigPlanChecks:  acctest.ExpectAction(kind.address(), plancheck.ResourceActionCreate),
					ConfigStateChecks: kind.checks(name, knownvalue.Null()),
				},
				kind.importAgain(resource.ImportCommandWithID),
				kind.importAgain(resource.ImportBlockWithID),
				{Config: with, ConfigPlanChecks: acctest.ExpectAction(kind.address(), plancheck.ResourceActionUpdate)},
				{
					PreConfig:         func() { kind.revoke(t, w, name) },
					Config:            with,
					ConfigPlanChecks:  acctest.ExpectAction(kind.address(), plancheck.ResourceActionCreate),
					ConfigStateChecks: []statecheck.StateCheck{kind.works(w)},
				},
			},
		})
		kind.noneLeft(t, w, name)
	})
}
