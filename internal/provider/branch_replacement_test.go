package provider

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What a branch can't begin from is an error of the plan, and the branch that it would
// replace stays.
func TestAccBranch_originThatCannotBe(t *testing.T) {
	w := newBranchWorld(t)
	expiring := w.makeBranch(t, "expiring")
	soon := time.Now().Add(48 * time.Hour)
	_, operations, err := w.api.UpdateBranch(t.Context(), w.projectID, expiring.ID, client.BranchUpdate{ExpiresAt: &soon})
	w.settle(t, operations, err)
	config := w.branchConfig(`name = "b"`)
	id := newStaysTheSame("id")
	kept := func() resource.TestStep { return planned(config, plancheck.ResourceActionNoop, id.check()) }
	fails := func(config, want string) resource.TestStep {
		return resource.TestStep{Config: config, ExpectError: inWords(want)}
	}
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			planned(config, plancheck.ResourceActionCreate, id.check()),
			fails(w.branchConfig("name = \"b\"\n parent_id = \"br-not-there-12345678\""), `parent_id = "br-not-there-12345678"`),
			kept(),
			fails(w.branchConfig(fmt.Sprintf("name = \"b\"\n parent_id = %q", expiring.ID)), "a branch that expires can't have children"),
			kept(),
			fails(w.branchConfig("name = \"b\"\n init_source = \"everything\""), "init_source value must be one of"),
			kept(),
			fails(w.configIn("not-there-12345678", `name = "b"`), `project_id = "not-there-12345678"`),
			kept(),
		},
	})
	w.checkOnly(t, "main", "expiring")
}

func TestAccTerraform_branchIsNotItsOwnParent(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{})
	r := newRun(t, w.world, w.branchConfig(`name = "b"`))
	r.terraform(t, "apply", "-auto-approve")
	id := w.branchNamed(t, "b").ID
	r.configure(t, w.branchConfig(fmt.Sprintf("name = \"b\"\n parent_id = %q", id)))
	if said := r.fails(t, "apply", "-auto-approve"); !strings.Contains(said, "A branch can't be its own parent") {
		t.Errorf("it says:\n%s", said)
	}
	if w.branchNamed(t, "b").ID != id {
		t.Error("the branch was replaced")
	}
}

// A plan that replaces a branch says whose data goes, and why. A destroy, which was
// asked for, says nothing.
func TestAccTerraform_replacementIsSaid(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{})
	parent := w.makeBranch(t, "parent")
	r := newRun(t, w.world, w.branchConfig(`name = "b"`))
	r.terraform(t, "apply", "-auto-approve")
	const warning = "A branch will be replaced"
	r.configure(t, w.branchConfig(fmt.Sprintf("name = \"b\"\n parent_id = %q\n init_source = \"schema-only\"", parent.ID)))
	said := inOneLine(r.terraform(t, "plan"))
	for _, wanted := range []string{warning, w.branchNamed(t, "b").ID, "parent_id and init_source", "prevent_destroy"} {
		if !strings.Contains(said, wanted) {
			t.Errorf("the plan doesn't say %q:\n%s", wanted, said)
		}
	}
	r.configure(t, w.branchConfig(`name = "renamed"`))
	for _, arguments := range [][]string{{"plan"}, {"plan", "-destroy"}, {"destroy", "-auto-approve"}} {
		if said := inOneLine(r.terraform(t, arguments...)); strings.Contains(said, warning) {
			t.Errorf("terraform %s warns of a replacement:\n%s", strings.Join(arguments, " "), said)
		}
	}
}

// Many branches that are to be created cost one look at their project and their parent.
func TestAccTerraform_originIsLookedUpOnce(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{})
	parent := w.makeBranch(t, "parent")
	r := newRun(t, w.world, w.branchConfig(fmt.Sprintf("count = 30\n name = \"b-${count.index}\"\n parent_id = %q", parent.ID)))
	w.forgetRequests(t)
	r.terraform(t, "plan")
	if seen := w.requests(t); seen.Total != 2 {
		t.Errorf("the plan takes %d requests: %v", seen.Total, seen.ByRoute)
	}
}
