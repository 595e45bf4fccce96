package stories_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
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

// What a new object needs on its branch is looked for by the plan, unless the same plan creates it.
func TestWhatANewObjectNeedsIsLookedFor(t *testing.T) {
	t.Parallel()
	for noun, test := range map[string]struct{ lines, needed, neededLines, want string }{
		"neon_database":      {`name = "d"` + "\n" + `owner_name = "app"`, "neon_role", `name = "app"`, `no role "app"`},
		"neon_bucket_object": {`bucket_name = "files"` + "\n" + `key = "k"` + "\n" + `content = "c"`, "neon_bucket", `name = "files"`, "no bucket files"},
		"neon_custom_domain": {`domain = "api.example.com"` + "\n" + `function_slug = "api"`, "neon_function", `slug = "api"` + "\n" + `source = "CODE"`, "no function api"},
		"neon_trigger": {`name = "n"` + "\n" + `function_slug = "api"` + "\n" + `schedule = { cron = "0 3 * * *" }`,
			"neon_function", `slug = "api"` + "\n" + `source = "CODE"`, "no function api"},
	} {
		t.Run(noun, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			block := func(kind, lines string) string {
				return fmt.Sprintf("resource %q \"test\" {\n project_id = %q\n branch_id = %q\n %s\n}\n", kind, w.ProjectID,
					w.MainBranch(t).ID, strings.ReplaceAll(lines, "CODE", acctest.CodeFolder(t, "1")))
			}
			alone := w.ProviderConfig() + block(noun, test.lines)
			both := alone + block(test.needed, test.neededLines)
			warnings := func(text string, kinds ...string) (said string) {
				f, err := inprocess.NewForesight(t.Context(), w.Factories()["neon"], text)
				for _, kind := range kinds {
					var planned inprocess.Foreseen
					if err == nil {
						planned, err = f.Plan(t.Context(), text, kind+".test")
					}
					said = strings.Join(planned.Warnings, "\n")
				}
				if err != nil {
					t.Fatal(err)
				}
				return said
			}
			if said := warnings(alone, noun); !strings.Contains(said, test.want) ||
				!strings.Contains(said, "Until that is mended, the creation fails.") {
				t.Errorf("the plan should say %q, and says: %s", test.want, said)
			}
			if said := warnings(both, test.needed, noun); said != "" {
				t.Errorf("the plan that creates what is needed warns: %s", said)
			}
		})
	}
}
