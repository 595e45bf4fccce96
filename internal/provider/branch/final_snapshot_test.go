package branch_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const (
	finalRoot     = "name = \"b\"\n init_source = \"schema-only\"\n"
	finalBranch   = finalRoot + " final_snapshot = { name = \"last\", expires_in = \"720h\" }"
	snapshotRoute = "POST /api/v2/projects/{project_id}/branches/{branch_id}/snapshot"
	deleteBranch  = "DELETE /api/v2/projects/{project_id}/branches/{branch_id}"
)

// snapshots are those of the world's project.
func snapshots(t *testing.T, w *acctest.BranchWorld) []client.Snapshot {
	t.Helper()
	all, err := client.All(w.API.ListSnapshots(context.WithoutCancel(t.Context()), w.ProjectID))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// hasTaken checks how many snapshots there are, and returns the newest.
func hasTaken(t *testing.T, w *acctest.BranchWorld, count int) client.Snapshot {
	t.Helper()
	all := snapshots(t, w)
	if len(all) != count {
		t.Fatalf("the snapshots are %v", all)
	}
	if count == 0 {
		return client.Snapshot{}
	}
	return all[0]
}

// refuseDeletion has Neon refuse to delete a branch once.
func refuseDeletion(t *testing.T, w *acctest.BranchWorld) {
	t.Helper()
	w.AddFault(t, acctest.Fault{Route: deleteBranch, Kind: "status", Status: http.StatusUnprocessableEntity,
		Body: `{"message":"not now"}`, Count: 1})
}

// writes are the requests of a world that change something.
func writes(t *testing.T, w *acctest.BranchWorld) (sent []string) {
	t.Helper()
	for route := range w.Requests(t).ByRoute {
		if !strings.HasPrefix(route, "GET ") && !strings.Contains(route, "/_emulator/") {
			sent = append(sent, route)
		}
	}
	return sent
}

// The state keeps the setting, so that a snapshot is taken when the block is gone from the configuration.
func TestAccBranch_finalSnapshot(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "snapshot-operations", finalSnapshot)
	acctest.EachReading(t, "schema-only-init-source", finalSnapshot)
}

func finalSnapshot(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.BranchWorldOf(t, played)
	other, id := finalRoot+" final_snapshot = { name = \"later\" }", ""
	acctest.RunSteps(t, w.World,
		acctest.Planned(w.BranchConfig(finalRoot), plancheck.ResourceActionCreate,
			branchIs(knownvalue.Null(), "final_snapshot"), acctest.IDOf(acctest.BranchAddress, &id)),
		resource.TestStep{
			PreConfig: func() { w.ForgetRequests(t) }, Config: w.BranchConfig(other),
			ConfigPlanChecks: acctest.ExpectAction(acctest.BranchAddress, plancheck.ResourceActionUpdate),
		},
		acctest.Planned(w.BranchConfig(finalBranch), plancheck.ResourceActionUpdate,
			branchIs(knownvalue.StringExact("last"), "final_snapshot", "name")),
		acctest.Planned(w.BranchConfig(finalBranch), plancheck.ResourceActionNoop),
		resource.TestStep{PreConfig: func() {
			if sent := writes(t, w); len(sent) > 0 {
				t.Errorf("a change of final_snapshot sends %v", sent)
			}
		}, Config: w.ProviderConfig()},
	)
	w.CheckOnly(t, "main")
	taken := hasTaken(t, w, 1)
	if stays := taken.ExpiresAt.Sub(taken.CreatedAt); taken.Name != "last" || taken.SourceBranchID != id ||
		stays < 719*time.Hour || stays > 721*time.Hour {
		t.Errorf("taken is %+v, of branch %s", taken, id)
	}
}

// A replacement is a destruction. Once the setting is null, no snapshot is taken.
func TestAccBranch_finalSnapshotOfReplaced(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World,
		acctest.Planned(w.BranchConfig(finalBranch), plancheck.ResourceActionCreate),
		acctest.Planned(w.BranchConfig("name = \"b\"\n init_source = \"parent-data\""), plancheck.ResourceActionReplace,
			branchIs(knownvalue.Null(), "final_snapshot")),
		resource.TestStep{
			PreConfig: func() { hasTaken(t, w, 1) }, Config: w.BranchConfig(finalRoot +
				" final_snapshot = { name = \"other\" }"),
			ConfigPlanChecks: acctest.ExpectAction(acctest.BranchAddress, plancheck.ResourceActionReplace),
		},
		resource.TestStep{Config: w.BranchConfig(finalRoot)},
	)
	w.CheckOnly(t, "main")
	hasTaken(t, w, 1)
}

// Where no snapshot can be taken, nothing is deleted, and the error says how to go on. The branch's own protection
// stays on.
func TestAccBranch_finalSnapshotFails(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Plan: emulator.PlanFree})
	first, err := w.API.CreateSnapshot(t.Context(), w.Ref(w.MainBranch(t).ID), client.SnapshotCreate{Name: "the only one"})
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(t, first.Operations, nil)
	config := w.BranchConfig(finalBranch)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			Config: config, Destroy: true,
			ExpectError: acctest.InOrder("Unable to delete branch", "last snapshot could be taken, so the branch",
				"wasn't deleted", "snapshots limit exceeded", "delete one that nobody needs", "final_snapshot = null"),
		},
		acctest.Planned(config, plancheck.ResourceActionNoop),
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: snapshotRoute, Kind: "status", Status: http.StatusForbidden, Count: 1})
			},
			Config:  config,
			Destroy: true,
			ExpectError: acctest.InOrder("last snapshot could be taken", "Destroy it again when the cause is mended",
				"final_snapshot = null"),
		},
		acctest.Planned(w.BranchConfig(finalRoot), plancheck.ResourceActionUpdate),
	)
	w.CheckOnly(t, "main")
	hasTaken(t, w, 1)
}

// A snapshot whose operations fail isn't one: the branch stays, and the next destroy takes another.
func TestAccBranch_finalSnapshotUnfinished(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.BranchConfig(finalBranch)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() { w.EndOperations(t, "timeline_archive", "cancelled", "") }, Config: config, Destroy: true,
			ExpectError: acctest.InOrder("last snapshot could be taken", "cancelled", "Snapshot snap-",
				"may not be whole, and no state has it"),
		},
		acctest.Planned(config, plancheck.ResourceActionNoop),
	)
	w.CheckOnly(t, "main")
	hasTaken(t, w, 2)
}

// A lost answer makes one snapshot, and so does a destroy that fails after it and is tried again soon. Later, the data
// may be others.
func TestAccBranch_finalSnapshotOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		passes time.Duration
		want   int
	}{"tried again": {0, 1}, "tried again later": {11 * time.Minute, 2}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			config := w.BranchConfig(finalBranch)
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: config},
				resource.TestStep{
					PreConfig: func() {
						w.Advance(t, time.Second) // A snapshot of the second in which the branch began may not have it.
						w.AddFault(t, acctest.Fault{Route: snapshotRoute, Kind: "lost_after", Count: 1})
						refuseDeletion(t, w)
					},
					Config: config, Destroy: true, ExpectError: acctest.InWords("not now"),
				},
				resource.TestStep{PreConfig: func() {
					hasTaken(t, w, 1)
					w.Advance(t, test.passes)
				}, Config: w.ProviderConfig()},
			)
			w.CheckOnly(t, "main")
			hasTaken(t, w, test.want)
		})
	}
}

// One that was seen whole isn't taken again where another branch's snapshot has failed since: Neon doesn't say which of
// them an operation of a branch that isn't listed is for.
func TestAccBranch_finalSnapshotBesideFailure(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.BranchConfig(finalBranch)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				w.Advance(t, time.Second) // A snapshot of the second in which the branch began may not have it.
				refuseDeletion(t, w)
			},
			Config: config, Destroy: true, ExpectError: acctest.InWords("not now"),
		},
		resource.TestStep{PreConfig: func() {
			hasTaken(t, w, 1)
			w.EndOperations(t, "create_branch", "cancelled", "")
			failed, err := w.API.CreateSnapshot(t.Context(), w.Ref(w.MainBranch(t).ID), client.SnapshotCreate{Name: "other"})
			if err == nil {
				err = w.API.WaitForOperations(t.Context(), w.ProjectID, failed.Operations)
			}
			if err == nil {
				t.Error("the other snapshot hasn't failed")
			}
		}, Config: w.ProviderConfig()},
	)
	w.CheckOnly(t, "main")
	hasTaken(t, w, 2)
}

// No snapshot is taken of a branch that stays: one that Neon would keep, one that is protected here, or where nothing
// may be written.
func TestAccBranch_finalSnapshotOfWhatStays(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	protected := finalBranch + "\n deletion_protection = true"
	var child client.Branch
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.BranchConfig(protected)},
		resource.TestStep{Config: w.BranchConfig(protected), Destroy: true,
			ExpectError: acctest.InWords("The branch is protected")},
		resource.TestStep{Config: w.BranchConfig(finalBranch)},
		resource.TestStep{
			PreConfig: func() { child = w.MakeChild(t, "child", w.BranchNamed(t, "b").ID) }, Config: w.BranchConfig(finalBranch),
			Destroy:     true,
			ExpectError: acctest.InOrder("Unable to delete branch", "no last snapshot was taken", "child ("),
		},
		resource.TestStep{PreConfig: func() {
			hasTaken(t, w, 0)
			w.DeleteBranch(t, child.ID)
		}, Config: w.BranchConfig(finalBranch)},
		resource.TestStep{
			Config: w.ProviderConfigWith(w.APIKey, "read_only = true"), ExpectError: acctest.InWords("read_only"),
		},
		resource.TestStep{PreConfig: func() { hasTaken(t, w, 0) }, Config: w.BranchConfig(finalBranch)},
	)
	w.CheckOnly(t, "main")
	hasTaken(t, w, 1)
}

// A branch with a parent has no snapshots, and the plan says so.
func TestAccBranch_finalSnapshotOfChild(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	const setting = "\n final_snapshot = { name = \"last\" }"
	child := w.MakeBranch(t, "child")
	refused := acctest.InOrder("No snapshot can be taken of this branch", "root branches alone", "Remove final_snapshot")
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"new":      {Config: strings.TrimPrefix(w.BranchConfig("name = \"b\""+setting), w.ProviderConfig()), Want: refused, Command: acctest.Plan},
		"existing": {Config: strings.TrimPrefix(w.BranchConfig("name = \"child\""+setting), w.ProviderConfig()) + acctest.ImportBlock(w.Ref(child.ID)), Want: refused, Command: acctest.Plan},
		"short": {
			Config: strings.TrimPrefix(w.BranchConfig(finalRoot+" final_snapshot = { name = \"last\", expires_in = \"59m\" }"),
				w.ProviderConfig()),
			Want: regexp.MustCompile(`at least 1h`), Command: acctest.Plan,
		},
	})
}

// The project's default branch can have it: an import leaves it null, and the first apply sets it.
func TestAccBranch_finalSnapshotImported(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	id, setting := w.MainBranch(t).ID, "name = \"main\"\n final_snapshot = { name = terraform_data.name.output }"
	name := "\nresource \"terraform_data\" \"name\" {\n input = \"last\"\n}\n"
	acctest.RunSteps(t, w.World,
		resource.TestStep{
			Config:            w.BranchConfig("name = \"main\"") + acctest.ImportBlock(w.Ref(id)),
			ConfigStateChecks: acctest.Planned("", "", branchIs(knownvalue.Null(), "final_snapshot")).ConfigStateChecks,
		},
		acctest.Planned(w.BranchConfig(setting)+name, plancheck.ResourceActionUpdate,
			branchIs(knownvalue.StringExact("last"), "final_snapshot", "name")),
		resource.TestStep{Config: w.BranchConfig("name = \"main\"") + name},
		resource.TestStep{Config: w.ProviderConfig() +
			"removed {\n from = neon_branch.test\n lifecycle {\n  destroy = false\n }\n}\n"},
	)
	hasTaken(t, w, 0)
}

// A project takes its snapshots along, so that one before its end would be lost: the plan says so.
func TestAccBranch_finalSnapshotGoesWithTheProject(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(setting string) string {
		return w.ProviderConfig() + fmt.Sprintf(
			"resource \"neon_project\" \"test\" {\n name = \"p\"\n org_id = %q\n}\n"+
				"resource \"neon_branch\" \"test\" {\n project_id = neon_project.test.id\n%s%s\n}\n", w.OrgID, finalRoot, setting)
	}
	kept := config(`final_snapshot = { name = "last" }`)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: kept},
		resource.TestStep{Config: kept, Destroy: true, ExpectError: acctest.InOrder(
			"The last snapshot would go with the project", "takes all its snapshots along", "final_snapshot = null")},
		resource.TestStep{Config: config("")},
	)
}

// What a destroy leaves is said, since no state has it; also the snapshot of a destroy that failed right before.
func TestAccBranch_finalSnapshotIsNamed(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	var heard acctest.Heard
	doubted, config := client.Snapshot{}, w.BranchConfig(finalBranch)
	acctest.HearSteps(t, w.World, &heard, []resource.TestStep{
		{Config: config},
		{
			PreConfig: func() { w.EndOperations(t, "timeline_archive", "cancelled", "") }, Config: config, Destroy: true,
			ExpectError: acctest.InWords("was cancelled"),
		},
		{
			PreConfig: func() {
				doubted = hasTaken(t, w, 1)
				heard.Take()
			},
			Config: config, Destroy: true,
		},
	}...)
	taken, said := hasTaken(t, w, 2), heard.Take()
	for _, part := range []string{taken.ID, taken.ExpiresAt.UTC().Format(time.RFC3339), "neon_restore_snapshot",
		"Snapshot " + doubted.ID + " may not be whole"} {
		if !strings.Contains(said, part) {
			t.Errorf("%q isn't in %s", part, said)
		}
	}
}

// A state from before the attribute has none of it.
func TestBranch_finalSnapshotOfOldState(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	old := map[string]any{
		"id": w.MakeRoot(t, "b").ID, "project_id": w.ProjectID, "name": "b", "created_at": "2026-01-01T00:00:00Z",
		"current_state": "ready", "default": false, "endpoints": nil,
		"expires_at": nil, "init_source": "schema-only", "parent_id": nil, "parent_lsn": nil, "parent_timestamp": nil,
		"protected": false, "timeouts": nil, "deletion_protection": true,
	}
	if state := p.Upgrade(t, "neon_branch", 100, old); state["name"] != "b" || state["final_snapshot"] != "" {
		t.Errorf("it is taken over as %v", state)
	}
}

// Whether there is to be a snapshot may be known only later: nothing is refused because of that.
func TestAccBranch_finalSnapshotLater(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	later := func(value string) resource.TestStep {
		return resource.TestStep{Config: fmt.Sprintf("resource \"terraform_data\" \"later\" {\n input = %q\n}\n", value) +
			w.BranchConfig("name = \"b\"\n final_snapshot = terraform_data.later.output == \"yes\" ? { name = \"last\" } : null")}
	}
	refused := later("yes")
	refused.ExpectError = acctest.InWords("No snapshot can be taken of this branch")
	acctest.RunSteps(t, w.World, later("no"), later("neither"), refused, later("no"))
}
