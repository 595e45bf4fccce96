package stories_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// A branch that a plan names twice is looked up once, and judged by each resource for itself:
// one that expires can have roles, and no children.
func TestBranchIsJudgedByEachResource(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	expiring := w.BranchesOfEveryKind(t)["expiring"]
	plan := func(resourceType string, given map[string]tftypes.Value) []*tfprotov6.Diagnostic {
		kind := p.Schema.ResourceSchemas[resourceType].ValueType()
		config := acctest.Dynamic(t, kind, acctest.Object(kind, given))
		planned, err := p.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: resourceType, PriorState: acctest.Dynamic(t, kind, tftypes.NewValue(kind, nil)), ProposedNewState: config,
			Config: config,
		})
		if err != nil {
			t.Fatal(err)
		}
		return planned.Diagnostics
	}
	project, name := acctest.Text(w.ProjectID), acctest.Text("child")
	role := map[string]tftypes.Value{"project_id": project, "branch_id": acctest.Text(expiring), "name": name}
	child := map[string]tftypes.Value{"project_id": project, "parent_id": acctest.Text(expiring), "name": name}
	checkRole := func() {
		if problems := plan("neon_role", role); len(problems) > 0 {
			t.Errorf("the role on a branch that expires: %s %s", problems[0].Summary, problems[0].Detail)
		}
	}
	checkChild := func() {
		if problems := plan("neon_branch", child); len(problems) != 1 ||
			!strings.Contains(problems[0].Detail, "can't have children") {
			t.Errorf("a child of a branch that expires: %v", problems)
		}
	}
	checkRole()
	checkChild()
	p = acctest.NewProtocol(t, w.World) // another run, in which the child comes first
	checkChild()
	checkRole()
}
