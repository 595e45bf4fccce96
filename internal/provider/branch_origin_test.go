package provider

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// reparent moves a branch to another parent, as Neon does with the children of a
// branch that is restored.
func (w *branchWorld) reparent(t *testing.T, branchID, parentID string) {
	t.Helper()
	w.control(t, http.MethodPost, "/_emulator/parents", map[string]string{"branch_id": branchID, "parent_id": parentID}, nil)
}

// A branch that Neon gives another parent stays as it is: parent_id is where the
// branch was created from. The data source has the present parent.
func TestAccBranch_reparented(t *testing.T) {
	w := newBranchWorld(t)
	parent := w.makeBranch(t, "parent")
	present := w.mainBranch(t).ID
	config := w.branchConfig(fmt.Sprintf("name = \"b\"\n parent_id = %q\n endpoints = { app = { type = \"read_write\" } }", parent.ID))
	data := fmt.Sprintf("\ndata \"neon_branch\" \"now\" {\n project_id = %q\n name = \"b\"\n}\n", w.projectID)
	id := newStaysTheSame("id")
	reparented := planned(config+data, plancheck.ResourceActionNoop, id.check(), branchIs(knownvalue.StringExact(parent.ID), "parent_id"),
		statecheck.ExpectKnownValue("data.neon_branch.now", tfjsonpath.New("parent_id"), knownvalue.StringExact(present)))
	reparented.PreConfig = func() { w.reparent(t, w.branchNamed(t, "b").ID, present) }
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			planned(config, plancheck.ResourceActionCreate, id.check()),
			reparented,
			planned(w.branchConfig(`name = "b2"`), plancheck.ResourceActionUpdate, id.check(),
				branchIs(knownvalue.StringExact(parent.ID), "parent_id")),
		},
	})
	w.checkOnly(t, "main", "parent")
}

// An import knows the present parent alone.
func TestAccBranch_reparentedBeforeTheImport(t *testing.T) {
	w := newBranchWorld(t)
	parent, branch := w.makeBranch(t, "parent"), w.makeBranch(t, "b")
	w.reparent(t, branch.ID, parent.ID)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			planned(w.branchConfig(fmt.Sprintf("name = \"b\"\n parent_id = %q", parent.ID))+importBlock(w.projectID, branch.ID),
				plancheck.ResourceActionNoop, branchIs(knownvalue.StringExact(parent.ID), "parent_id")),
		},
	})
	w.checkOnly(t, "main", "parent")
}

// A schema-only branch is a root: Neon doesn't say what it was created from. The state
// knows it, and an import takes it from the configuration.
func TestAccBranch_schemaOnly(t *testing.T) {
	w := newBranchWorld(t)
	parent := w.makeBranch(t, "parent")
	moment := parent.CreatedAt.UTC().Format(time.RFC3339)
	for name, line := range map[string]string{
		"with a parent": fmt.Sprintf("parent_id = %q", parent.ID), "with a moment": fmt.Sprintf("parent_timestamp = %q", moment), "without": "",
	} {
		t.Run(name, func(t *testing.T) {
			config := w.branchConfig("name = \"b " + name + "\"\n init_source = \"schema-only\"\n" + line)
			id := newStaysTheSame("id")
			forget := resource.TestStep{Config: w.providerConfig() + "removed {\n from = neon_branch.test\n lifecycle { destroy = false }\n}\n"}
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: w.factories(),
				Steps: []resource.TestStep{
					planned(config, plancheck.ResourceActionCreate, id.check()),
					planned(config, plancheck.ResourceActionNoop, id.check()),
					forget,
				},
			})
			branch := w.branchNamed(t, "b "+name)
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: w.factories(),
				Steps: []resource.TestStep{
					{
						Config: config + importBlock(w.projectID, branch.ID),
						ConfigStateChecks: []statecheck.StateCheck{
							branchIs(knownvalue.StringExact(branch.ID), "id"),
						},
					},
					planned(config, plancheck.ResourceActionNoop),
				},
			})
		})
	}
	w.checkOnly(t, "main", "parent")
}

// Where a branch began is said by a position or by a moment, not by both, since a
// configuration can't have both.
func TestAccBranch_beginsAtOneMoment(t *testing.T) {
	w := newBranchWorld(t)
	moment := w.mainBranch(t).CreatedAt.UTC().Format(time.RFC3339)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			planned(w.branchConfig(fmt.Sprintf("name = \"b\"\n parent_timestamp = %q", moment)), plancheck.ResourceActionCreate,
				branchIs(knownvalue.StringExact(moment), "parent_timestamp"), branchIs(knownvalue.Null(), "parent_lsn")),
			importStep(resource.ImportCommandWithID),
			importStep(resource.ImportBlockWithID),
			planned(w.branchConfig("name = \"b\"\n parent_lsn = \"0/1E88480\""), plancheck.ResourceActionReplace,
				branchIs(knownvalue.Null(), "parent_timestamp"), branchIs(knownvalue.StringExact("0/1E88480"), "parent_lsn")),
			importStep(resource.ImportCommandWithID),
		},
	})
}
