package database_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

const (
	owner         = "owner_name = \"neondb_owner\""
	finalSnapshot = "final_snapshot = { name = \"last\", expires_in = \"48h\" }"
	snapshotRoute = "POST /api/v2/projects/{project_id}/branches/{branch_id}/snapshot"
)

// checkTaken checks the names of the snapshots that there are.
func checkTaken(t *testing.T, w *acctest.BranchWorld, want ...string) {
	t.Helper()
	all, err := client.All(w.API.ListSnapshots(context.WithoutCancel(t.Context()), w.ProjectID))
	names := make([]string, len(all))
	for i, snapshot := range all {
		names[i] = snapshot.Name
	}
	if err != nil || fmt.Sprint(names) != fmt.Sprint(want) {
		t.Errorf("the snapshots are %q, want %q: %v", names, want, err)
	}
}

// hasDatabase reports whether a branch has a database of that name.
func hasDatabase(t *testing.T, w *acctest.BranchWorld, branchID, name string) bool {
	t.Helper()
	all, err := client.All(w.API.ListDatabases(context.WithoutCancel(t.Context()), w.Ref(branchID)))
	if err != nil {
		t.Fatal(err)
	}
	for _, database := range all {
		if database.Name == name {
			return true
		}
	}
	return false
}

// A database leaves a snapshot of its branch when it is replaced, and when its block is gone. Without one it stays.
func TestAccDatabase_finalSnapshot(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, other := w.MainBranch(t).ID, w.MakeRoot(t, "other").ID
	on := func(branchID string, lines ...string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), "shop", append(lines, owner)...)
	}
	fault := func(kind string) func() {
		return func() {
			w.AddFault(t, acctest.Fault{Route: snapshotRoute, Kind: kind, Status: http.StatusForbidden, Count: 1})
		}
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: on(branchID)},
		resource.TestStep{Config: on(branchID, finalSnapshot),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate)},
		resource.TestStep{Config: on(branchID, finalSnapshot),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		resource.TestStep{PreConfig: fault("lost_after"), Config: on(other, finalSnapshot),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace)},
		resource.TestStep{
			PreConfig: func() {
				checkTaken(t, w, "last")
				fault("status")()
			},
			Config: w.ProviderConfig(),
			ExpectError: acctest.InOrder("Unable to delete database", "last snapshot could be taken, so the database",
				"wasn't deleted", "final_snapshot = null"),
		},
		resource.TestStep{
			PreConfig: func() {
				if checkTaken(t, w, "last"); !hasDatabase(t, w, other, "shop") {
					t.Error("it is gone without a snapshot")
				}
			},
			Config: w.ProviderConfig(),
		},
	)
	if checkTaken(t, w, "last", "last"); hasDatabase(t, w, other, "shop") {
		t.Error("it is still there")
	}
}

// A database that was created after the last snapshot of an earlier one of its name isn't in that, and leaves its own.
func TestAccDatabase_finalSnapshotOfEach(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	with := w.ProviderConfig() + block(w.Ref(w.MainBranch(t).ID), "shop", owner, finalSnapshot)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: with},
		resource.TestStep{Config: w.ProviderConfig()},
		resource.TestStep{Config: with},
		resource.TestStep{Config: w.ProviderConfig()},
	)
	checkTaken(t, w, "last", "last")
}

// The plan refuses a last snapshot of a child branch, be it known only when it is applied.
func TestAccDatabase_finalSnapshotOfChild(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	child := w.MakeBranch(t, "child").ID
	refused := acctest.InOrder("No snapshot can be taken of this branch", "has the parent", "Remove final_snapshot")
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(child), "shop", owner, finalSnapshot), PlanOnly: true,
			ExpectError: refused},
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(child), "shop", owner)},
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(child), "shop", owner, finalSnapshot), PlanOnly: true,
			ExpectError: refused},
		resource.TestStep{
			Config: w.ProviderConfig() + fmt.Sprintf("resource \"terraform_data\" \"branch\" {\n input = %q\n}\n", child) +
				strings.Replace(block(w.Ref("B"), "shop", owner, finalSnapshot), `"B"`, "terraform_data.branch.output", 1),
			ExpectError: refused,
		},
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(child), "shop", owner),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
	)
	checkTaken(t, w)
}

// A branch and its databases that go together share one snapshot, which is taken before the first of them is deleted.
// Without one for a database, that of the branch would come too late, and the plan says so.
func TestAccTerraform_finalSnapshotIsShared(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(setting string) string {
		text := w.ProviderConfig() + fmt.Sprintf(
			"resource \"neon_branch\" \"test\" {\n project_id = %q\n name = \"b\"\n init_source = \"schema-only\"\n %s\n}\n",
			w.ProjectID, finalSnapshot)
		for _, name := range []string{"shop", "stock"} {
			text += fmt.Sprintf("resource \"neon_database\" %q {\n project_id = neon_branch.test.project_id\n branch_id = neon_branch.test.id\n name = %[1]q\n %s\n %s\n}\n", name, owner, setting)
		}
		return text
	}
	r := acctest.NewRun(t, w.World, config(""))
	r.Terraform(t, "apply", "-auto-approve")
	said := acctest.InOneLine(r.Fails(t, "destroy", "-auto-approve"))
	for _, part := range []string{"The last snapshot wouldn't have the database", "the same final_snapshot"} {
		if !strings.Contains(said, part) {
			t.Errorf("%q isn't in %s", part, said)
		}
	}
	checkTaken(t, w)
	r.Configure(t, config(finalSnapshot))
	r.Terraform(t, "apply", "-auto-approve")
	// Neon's times are to the second: a snapshot of the one in which a database was created may not have it.
	w.Advance(t, time.Second)
	r.Configure(t, w.ProviderConfig())
	r.Terraform(t, "apply", "-auto-approve")
	checkTaken(t, w, "last")
	w.CheckOnly(t, "main")
}
