package project_test

import (
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// default_branch stands for the branch that it stood for. Another default branch plans nothing, and
// what is configured goes on to be applied to the same branch.
func TestAccProject_defaultBranchMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var other client.Branch
	move := func() {
		created, err := w.api.CreateBranch(t.Context(), w.id, client.BranchCreate{
			Name: "next", Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}},
		})
		w.settle(t, created.Operations, err)
		other = created.Object.Branch
		w.makeDefault(t, other.ID)
	}
	compared := statecheck.CompareValue(compare.ValuesSame())
	same := func() statecheck.StateCheck {
		return compared.AddStateValue(address, tfjsonpath.New("default_branch").AtMapKey("id"))
	}
	stays := w.step(w.config(), plancheck.ResourceActionNoop, is(text("main"), "default_branch", "name"), same())
	stays.PreConfig = move
	renamed := w.config(`default_branch = { name = "now", endpoint = { autoscaling_limit_max_cu = 1 } }`)
	w.run(t,
		w.step(w.config(), plancheck.ResourceActionCreate, same()),
		stays,
		w.step(renamed, plancheck.ResourceActionUpdate, is(text("now"), "default_branch", "name"), same()),
		resource.TestStep{
			PreConfig: func() {
				if branch, err := w.api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: w.id, ID: other.ID}); err != nil ||
					branch.Name != "next" || !branch.Default {
					t.Errorf("the new default branch is %v, %v", branch, err)
				}
			},
			Config: renamed, PlanOnly: true,
		},
		resource.TestStep{Config: w.config(`default_branch = { name = "next" }`),
			ExpectError: acctest.InWords(`the name of branch`)},
	)
}

// After an import, settings that differ from the neutral ones show up as a change.
func TestAccProject_importShowsSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.config(`allowed_ips = ["10.0.0.1"]`, `block_public_connections = true`, `quota = { written_data_bytes = 5 }`,
		`default_branch = { protected = true }`)
	w.run(t,
		w.step(all, plancheck.ResourceActionCreate),
		w.imports(),
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID},
	)
}

// Two projects of a name are two: an answer that is lost doesn't mix them up.
func TestAccProject_namesakes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.MakeProjects(t, "shop", 1)
	for range 2 {
		w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects", Kind: "lost_after", Count: 1})
	}
	w.run(t, resource.TestStep{Config: w.config(`name = "shop"`) +
		"resource \"neon_project\" \"twin\" {\n name = \"shop\"\n}\n"}, resource.TestStep{
		PreConfig: func() {
			if projects := w.Objects(t).Projects; len(projects) != 4 {
				t.Errorf("there are %d projects, want the first, a stranger's and these two", len(projects))
			}
		},
		Config: w.config(`name = "shop"`),
	})
}

// makeDefault makes a branch the default one, past Terraform.
func (w *projectWorld) makeDefault(t *testing.T, branchID string) {
	t.Helper()
	w.Request(t, http.MethodPost, "/api/v2/projects/"+w.id+"/branches/"+branchID+"/set_as_default", nil)
}

// A branch that was restored in the place of one that this resource protects has that protection: the
// destruction of the project takes it off, too.
func TestAccProject_protectionOfARestoredBranch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.config(`default_branch = { protected = true }`)
	restored := w.step(config, plancheck.ResourceActionNoop)
	restored.PreConfig = func() {
		branch, err := w.api.GetDefaultBranch(t.Context(), w.id)
		if err != nil {
			t.Fatal(err)
		}
		taken, err := w.api.CreateSnapshot(t.Context(), client.BranchRef{ProjectID: w.id, ID: branch.ID},
			client.SnapshotCreate{})
		w.settle(t, taken.Operations, err)
		operations, err := client.OperationsOf(w.api.RestoreSnapshot(t.Context(),
			client.SnapshotRef{ProjectID: w.id, ID: taken.Object.ID},
			client.SnapshotRestore{TargetBranchID: branch.ID, Finalize: true}))
		w.settle(t, operations, err)
	}
	w.run(t, w.step(config, plancheck.ResourceActionCreate), restored)
	if left := w.Objects(t).Projects; len(left) != 1 {
		t.Errorf("%d projects are left after the destruction; want the first alone", len(left))
	}
}
