package branch_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// A branch is archived at its creation alone: another value later is only recorded.
func TestAccBranch_archived(t *testing.T) {
	t.Parallel()
	const address = "neon_branch.test"
	w := acctest.NewBranchWorld(t)
	state := func(want string) []statecheck.StateCheck {
		return []statecheck.StateCheck{statecheck.ExpectKnownValue(address, tfjsonpath.New("current_state"),
			knownvalue.StringExact(want))}
	}
	const archived = "name = \"cold\"\n archived = true\n"
	const used = " endpoints = { app = { type = \"read_write\" } }\n"
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.BranchConfig(archived)},
		resource.TestStep{
			Config: w.BranchConfig(archived), ConfigStateChecks: state("archived"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop),
		},
		resource.TestStep{Config: w.BranchConfig("name = \"cold\"\n"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate)},
		resource.TestStep{
			Config:           w.BranchConfig(archived + used),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
		},
		resource.TestStep{Config: w.BranchConfig(archived + used), ConfigStateChecks: state("ready")},
	)
}

// A compute that starts with the branch ends its archiving at once: the plan warns of it.
func TestAccBranch_archivedWakes(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	kind, _ := p.Schema.ResourceSchemas["neon_branch"].ValueType().(tftypes.Object)
	endpoints, _ := kind.AttributeTypes["endpoints"].(tftypes.Map)
	given := acctest.Texts(map[string]string{"project_id": w.ProjectID, "name": "cold"})
	given["archived"] = tftypes.NewValue(tftypes.Bool, true)
	if said := p.PlanCreation(t, "neon_branch", given); said != "" {
		t.Error(said)
	}
	given["endpoints"] = tftypes.NewValue(endpoints, map[string]tftypes.Value{"app": acctest.Object(endpoints.ElementType,
		acctest.Texts(map[string]string{"type": "read_write"}))})
	if said := p.PlanCreation(t, "neon_branch", given); !strings.Contains(said, "The branch won't stay archived") {
		t.Errorf("the plan says %q", said)
	}
}
