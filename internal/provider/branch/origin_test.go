package branch_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// A branch that Neon gives another parent stays as it is: parent_id is where the
// branch was created from. The data source has the present parent.
func TestAccBranch_reparented(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	parent := w.MakeBranch(t, "parent")
	present := w.MainBranch(t).ID
	config := w.BranchConfig(fmt.Sprintf("name = \"b\"\n parent_id = %q\n endpoints = { app = { type = \"read_write\" } }", parent.ID))
	data := fmt.Sprintf("\ndata \"neon_branch\" \"now\" {\n project_id = %q\n name = \"b\"\n}\n", w.ProjectID)
	id := newStaysTheSame("id")
	reparented := acctest.Planned(config+data, plancheck.ResourceActionNoop, id.check(), branchIs(knownvalue.StringExact(parent.ID), "parent_id"),
		statecheck.ExpectKnownValue("data.neon_branch.now", tfjsonpath.New("parent_id"), knownvalue.StringExact(present)))
	reparented.PreConfig = func() { w.Reparent(t, w.BranchNamed(t, "b").ID, present) }
	acctest.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config, plancheck.ResourceActionCreate, id.check()),
			reparented,
			acctest.Planned(w.BranchConfig(`name = "b2"`), plancheck.ResourceActionUpdate, id.check(),
				branchIs(knownvalue.StringExact(parent.ID), "parent_id")),
		},
	})
	w.CheckOnly(t, "main", "parent")
}

// An import knows the present parent alone.
func TestAccBranch_reparentedBeforeTheImport(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	parent, branch := w.MakeBranch(t, "parent"), w.MakeBranch(t, "b")
	w.Reparent(t, branch.ID, parent.ID)
	acctest.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(fmt.Sprintf("name = \"b\"\n parent_id = %q", parent.ID))+acctest.ImportBlock(w.ProjectID, branch.ID),
				plancheck.ResourceActionNoop, branchIs(knownvalue.StringExact(parent.ID), "parent_id")),
		},
	})
	w.CheckOnly(t, "main", "parent")
}

// A schema-only branch is a root: Neon doesn't say what it was created from. The state
// knows it, and an import takes it from the configuration.
func TestAccBranch_schemaOnly(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	parent := w.MakeBranch(t, "parent")
	moment := parent.CreatedAt.UTC().Format(time.RFC3339)
	for name, line := range map[string]string{
		"with a parent": fmt.Sprintf("parent_id = %q", parent.ID), "with a moment": fmt.Sprintf("parent_timestamp = %q", moment), "without": "",
	} {
		t.Run(name, func(t *testing.T) {
			config := w.BranchConfig("name = \"b " + name + "\"\n init_source = \"schema-only\"\n" + line)
			id := newStaysTheSame("id")
			forget := resource.TestStep{Config: w.ProviderConfig() + "removed {\n from = neon_branch.test\n lifecycle { destroy = false }\n}\n"}
			acctest.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []resource.TestStep{
					acctest.Planned(config, plancheck.ResourceActionCreate, id.check()),
					acctest.Planned(config, plancheck.ResourceActionNoop, id.check()),
					forget,
				},
			})
			branch := w.BranchNamed(t, "b "+name)
			acctest.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []resource.TestStep{
					{
						Config: config + acctest.ImportBlock(w.ProjectID, branch.ID),
						ConfigStateChecks: []statecheck.StateCheck{
							branchIs(knownvalue.StringExact(branch.ID), "id"),
						},
					},
					acctest.Planned(config, plancheck.ResourceActionNoop),
				},
			})
		})
	}
	w.CheckOnly(t, "main", "parent")
}

// Where a branch began is said by a position or by a moment, not by both, since a
// configuration can't have both.
func TestAccBranch_beginsAtOneMoment(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	moment := w.MainBranch(t).CreatedAt.UTC().Format(time.RFC3339)
	acctest.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(fmt.Sprintf("name = \"b\"\n parent_timestamp = %q", moment)), plancheck.ResourceActionCreate,
				branchIs(knownvalue.StringExact(moment), "parent_timestamp"), branchIs(knownvalue.Null(), "parent_lsn")),
			importStep(resource.ImportCommandWithID),
			importStep(resource.ImportBlockWithID),
			acctest.Planned(w.BranchConfig("name = \"b\"\n parent_lsn = \"0/1E88480\""), plancheck.ResourceActionReplace,
				branchIs(knownvalue.Null(), "parent_timestamp"), branchIs(knownvalue.StringExact("0/1E88480"), "parent_lsn")),
			importStep(resource.ImportCommandWithID),
		},
	})
}
