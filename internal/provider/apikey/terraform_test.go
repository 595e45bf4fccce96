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
	forEachKeyKind(t, w, func(t *testing.T, kind acctest.KeyKind) {
		if kind.OrgID != "" && kind.ProjectID == "" {
			t.Skip("the project-scoped key is of the same resource")
		}
		name := acctest.UniqueName()
		without, with := w.ProviderConfig()+kind.Block(name), w.ProviderConfig()+kind.Block(name, "rotation_triggers = {}")
		resource.Test(t, resource.TestCase{
			ProtoV6ProviderFactories: w.Factories(),
			Steps: []resource.TestStep{
				{
					Config:            without,
					ConfigPlanChecks:  acctest.ExpectAction(kind.Address(), plancheck.ResourceActionCreate),
					ConfigStateChecks: kind.Checks(name, knownvalue.Null()),
				},
				kind.ImportAgain(resource.ImportCommandWithID),
				kind.ImportAgain(resource.ImportBlockWithID),
				{Config: with, ConfigPlanChecks: acctest.ExpectAction(kind.Address(), plancheck.ResourceActionUpdate)},
				{
					PreConfig:         func() { kind.Revoke(t, w, name) },
					Config:            with,
					ConfigPlanChecks:  acctest.ExpectAction(kind.Address(), plancheck.ResourceActionCreate),
					ConfigStateChecks: []statecheck.StateCheck{kind.Works(w, true)},
				},
			},
		})
		kind.NoneLeft(t, w, name)
	})
}
