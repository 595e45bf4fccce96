package branch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What a branch can't begin from is an error of the plan, and the branch that it would
// replace stays.
func TestAccBranch_originThatCannotBe(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	expiring := w.MakeBranch(t, "expiring")
	soon := time.Now().Add(48 * time.Hour)
	operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(expiring.ID),
		client.BranchUpdate{ExpiresAt: &soon}))
	w.Settle(t, operations, err)
	config := w.BranchConfig(`name = "b"`)
	id := newStaysTheSame("id")
	kept := func() resource.TestStep { return acctest.Planned(config, plancheck.ResourceActionNoop, id.check()) }
	fails := func(config, want string) resource.TestStep {
		return resource.TestStep{Config: config, ExpectError: acctest.InWords(want)}
	}
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config, plancheck.ResourceActionCreate, id.check()),
			fails(w.BranchConfig("name = \"b\"\n parent_id = \"br-not-there-12345678\""), `parent_id = "br-not-there-12345678"`),
			kept(),
			fails(w.BranchConfig(fmt.Sprintf("name = \"b\"\n parent_id = %q", expiring.ID)),
				"a branch that expires can't have children"),
			kept(),
			fails(w.BranchConfig("name = \"b\"\n init_source = \"everything\""), "init_source value must be one of"),
			kept(),
			fails(w.ConfigIn("not-there-12345678", `name = "b"`), `project_id = "not-there-12345678"`),
			kept(),
		},
	})
	w.CheckOnly(t, "main", "expiring")
}

func TestAccBranch_isNotItsOwnParent(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config, id := w.BranchConfig(`name = "b"`), newStaysTheSame("id")
	acctest.RunSteps(t, w.World,
		acctest.Planned(config, plancheck.ResourceActionCreate, id.check()),
		resource.TestStep{
			Config:      w.BranchConfig("name = \"b\"\n parent_id = data.neon_branch.itself.id") + dataOfB(w),
			ExpectError: acctest.InWords("A branch can't be its own parent"),
		},
		acctest.Planned(config, plancheck.ResourceActionNoop, id.check()),
	)
}

// dataOfB declares the data source of branch b.
func dataOfB(w *acctest.BranchWorld) string {
	return fmt.Sprintf("data \"neon_branch\" \"itself\" {\n project_id = %q\n name = \"b\"\n}\n", w.ProjectID)
}

// A plan that replaces a branch says whose data goes, and why. A destroy, which was
// asked for, says nothing.
func TestAccBranch_replacementIsSaid(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	parent := w.MakeBranch(t, "parent")
	const warning = "A branch will be replaced"
	var heard acctest.Heard
	silent := func(after string) func() {
		return func() {
			if said := heard.Take(); strings.Contains(said, warning) {
				t.Errorf("%s warns of a replacement: %s", after, said)
			}
		}
	}
	acctest.HearSteps(t, w.World, &heard, []resource.TestStep{
		{Config: w.BranchConfig(`name = "b"`)},
		{
			PreConfig: func() { heard.Take() },
			Config:    w.BranchConfig(fmt.Sprintf("name = \"b\"\n parent_id = %q\n init_source = \"schema-only\"", parent.ID)),
			PlanOnly:  true, ExpectNonEmptyPlan: true,
		},
		{
			PreConfig: func() {
				said := heard.Take()
				for _, wanted := range []string{warning, w.BranchNamed(t, "b").ID,
					fmt.Sprintf("parent_id = %q instead of", parent.ID),
					`and init_source = "schema-only" instead of "parent-data"`, `and set init_source = "parent-data"`,
					"prevent_destroy"} {
					if !strings.Contains(said, wanted) {
						t.Errorf("the plan doesn't say %q: %s", wanted, said)
					}
				}
			},
			Config: w.BranchConfig(`name = "renamed"`),
		},
		{PreConfig: silent("a new name"), Config: w.BranchConfig(`name = "renamed"`), Destroy: true},
	}...)
	silent("a destroy")()
}

// Nothing was restored where a plan replaces the parent by force.
func TestAccTerraform_replacedParentIsSaid(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	r := acctest.NewRun(t, w.World, w.BranchConfig("name = \"b\"\n parent_id = neon_branch.parent.id")+
		fmt.Sprintf("resource \"neon_branch\" \"parent\" {\n project_id = %q\n name = \"its parent\"\n}\n", w.ProjectID))
	r.Terraform(t, "apply", "-auto-approve")
	said := acctest.InOneLine(r.Terraform(t, "plan", "-replace=neon_branch.parent"))
	if !strings.Contains(said, "another parent_id") || strings.Contains(said, "was restored") {
		t.Errorf("it doesn't say that the parent is replaced, or it says that it was restored:\n%s", said)
	}
}

// The plan says that a tainted branch can't be made again from a moment without history. A destroy goes on.
func TestAccTerraform_taintedWithoutHistory(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := acctest.NewRun(t, w.World, w.BranchConfig(`name = "b"`))
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "taint", "neon_branch.test")
	r.Configure(t, w.BranchConfig("name = \"b\"\n parent_timestamp = \"2020-01-01T00:00:00Z\""))
	if said := acctest.InOneLine(r.Terraform(t, "plan")); !strings.Contains(said, "No history of that moment") ||
		!strings.Contains(said, "the creation fails") {
		t.Errorf("the plan says nothing of the moment:\n%s", said)
	}
	r.Terraform(t, "destroy", "-auto-approve")
}

// Many branches that are to be created cost one look at their project and their parent.
func TestAccTerraform_originIsLookedUpOnce(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	parent := w.MakeBranch(t, "parent")
	r := acctest.NewRun(t, w.World, w.BranchConfig(fmt.Sprintf("count = 30\n name = \"b-${count.index}\"\n parent_id = %q",
		parent.ID)))
	w.ForgetRequests(t)
	r.Terraform(t, "plan")
	if seen := w.Requests(t); seen.Total != 2 {
		t.Errorf("the plan takes %d requests: %v", seen.Total, seen.ByRoute)
	}
}
