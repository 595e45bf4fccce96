package branch_test

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const deletesBranch = "DELETE /api/v2/projects/{project_id}/branches/{branch_id}"

// staleAction is neon_delete_stale_branches with the texts, and with other values.
func staleAction(projectID string, texts map[string]string, others map[string]tftypes.Value) acctest.Action {
	action := acctest.ActionOf("delete_stale_branches", "project_id", projectID)
	maps.Copy(action.Given, acctest.Texts(texts))
	maps.Copy(action.Given, others)
	return action
}

func keeping(names ...string) tftypes.Value {
	kept := make([]tftypes.Value, len(names))
	for i, name := range names {
		kept[i] = acctest.Text(name)
	}
	return tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, kept)
}

var (
	previews = map[string]string{"name_prefix": "preview/"}
	deletes  = map[string]tftypes.Value{"dry_run": tftypes.NewValue(tftypes.Bool, false)}
)

func wantSaid(t *testing.T, invoked acctest.Invoked, words ...string) {
	t.Helper()
	for _, text := range words {
		if !invoked.Says(text) {
			t.Errorf("%q isn't in %s; its error is %q", text, strings.Join(invoked.Progress, "\n"), invoked.Problem)
		}
	}
}

// Each rule keeps its branch, and a dry run says the same as what deletes.
func TestDeleteStale_rules(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Conflicts: emulator.ConflictsNone}) // The creation goes on meanwhile.
	main := w.MainBranch(t)
	w.MakeChild(t, "preview/child", w.MakeBranch(t, "preview/parent").ID)
	yes := true
	protected := w.MakeBranch(t, "preview/protected")
	answer, err := w.API.UpdateBranch(t.Context(), w.Ref(protected.ID), client.BranchUpdate{Protected: &yes})
	operations, err := client.OperationsOf(answer, err)
	w.Settle(t, operations, err)
	byID := w.MakeBranch(t, "preview/by-id")
	for _, name := range []string{"preview/named", "preview/release-1-eu", "preview/release-1-us", "other",
		"preview/stale"} {
		w.MakeBranch(t, name)
	}
	taken, err := w.API.CreateSnapshot(t.Context(), w.Ref(main.ID), client.SnapshotCreate{})
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(t, taken.Operations, nil)
	restored, err := w.API.RestoreSnapshot(t.Context(), client.SnapshotRef{ProjectID: w.ProjectID, ID: taken.Object.ID},
		client.SnapshotRestore{TargetBranchID: main.ID, Name: "preview/restored"})
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(t, restored.Operations, nil)
	active := w.MakeBranch(t, "preview/active")
	w.MakeEndpoint(t, active.ID, client.EndpointReadWrite)
	w.EndOperations(t, "create_branch", "running", "")
	w.StartBranch(t, "preview/creating")

	want := []string{
		`Keeps "preview/parent" (`, `it is the parent of "preview/child"`, `Keeps "preview/protected" (`, "it is protected",
		`Keeps "preview/by-id" (` + byID.ID + "): keep names it", `Keeps "preview/named" (`, `Keeps "preview/release-1-eu" (`,
		`Keeps "preview/restored" (`, "neon_finalize_branch_restore", `Keeps "preview/active" (`, "is in use",
		`Keeps "preview/creating" (`, "in the state init",
	}
	keep := keeping(byID.ID, "preview/named", "preview/rel*-*-eu", "nobody")
	before := w.Branches(t)
	w.ForgetRequests(t)
	named := acctest.NewProtocol(t, w.World).Invoke(t, staleAction(w.ProjectID, previews,
		map[string]tftypes.Value{"keep": keep}), nil)
	wantSaid(t, named, append(want, `Would delete "preview/child" (`, `Would delete "preview/release-1-us" (`,
		`Would delete "preview/stale" (`,
		"created 20", "last used 20",
		"This was a dry run: 3 branches would be deleted with dry_run = false, and 8 stay by a rule")...)
	if len(w.Branches(t)) != len(before) {
		t.Error("a dry run has changed something")
	}
	sent := w.Requests(t).ByRoute
	for route := range sent {
		if !strings.HasPrefix(route, "GET ") {
			t.Errorf("a dry run sends %s", route)
		}
	}
	// The last page of the branches has a cursor, too, so that their list takes one request more.
	if sent["GET /api/v2/projects/{project_id}/branches"] != 2 ||
		sent["GET /api/v2/projects/{project_id}/endpoints"] != 1 {
		t.Errorf("a dry run lists more than once: %v", sent)
	}
	deleted := acctest.NewProtocol(t, w.World).Invoke(t, staleAction(w.ProjectID, previews,
		map[string]tftypes.Value{"keep": keep, "dry_run": deletes["dry_run"]}), nil)
	wantSaid(t, deleted, append(want, `Deleted "preview/child" (`, `Deleted "preview/release-1-us" (`,
		`Deleted "preview/stale" (`,
		"3 branches were deleted, and 8 stay by a rule")...)
	w.CheckOnly(t, "main", "preview/parent", "preview/protected", "preview/by-id", "preview/named", "preview/release-1-eu",
		"other",
		"preview/restored", "preview/active", "preview/creating")
	// What the default branch is called doesn't matter.
	renameBranch(t, w, main.ID, "preview/main")
	wantSaid(t, acctest.NewProtocol(t, w.World).Invoke(t, staleAction(w.ProjectID, previews, nil), nil),
		`Keeps "preview/main" (`, "default branch")
}

// What passes the filters alone is found, by Neon's clock, oldest first.
func TestDeleteStale_filters(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	w.MakeBranch(t, "old")
	used := w.MakeBranch(t, "used")
	endpoint := w.MakeEndpoint(t, used.ID, client.EndpointReadWrite)
	w.Advance(t, 20*24*time.Hour)
	operations, err := client.OperationsOf(w.API.StartEndpoint(t.Context(),
		client.EndpointRef{ProjectID: w.ProjectID, ID: endpoint.ID}))
	w.Settle(t, operations, err)
	w.MakeBranch(t, "new")
	w.Advance(t, 20*24*time.Hour)
	for _, test := range []struct {
		filter map[string]string
		want   []string
	}{
		{map[string]string{"older_than": "30d"}, []string{"old", "used"}},
		{map[string]string{"idle_for": "30d"}, []string{"old"}},
		{map[string]string{"older_than": "10d", "name_prefix": "n"}, []string{"new"}},
		{map[string]string{"older_than": "10d"}, []string{"old", "used", "new"}},
	} {
		var named []string
		for _, text := range acctest.NewProtocol(t, w.World).Invoke(t, staleAction(w.ProjectID, test.filter, nil),
			nil).Progress {
			if rest, is := strings.CutPrefix(text, `Would delete "`); is {
				name, _, _ := strings.Cut(rest, `"`)
				named = append(named, name)
			}
		}
		if !slices.Equal(named, test.want) {
			t.Errorf("%v: it names %q, want %q", test.filter, named, test.want)
		}
	}
}

// What has changed since a branch was found is seen before it is deleted.
func TestDeleteStale_looksAgain(t *testing.T) {
	t.Parallel()
	yes := true
	for name, test := range map[string]struct {
		change func(t *testing.T, w *acctest.BranchWorld, branch client.Branch)
		says   string
		isGone bool
		blocks string // what can't be done until the change is made; by default a deletion
	}{
		"protected": {change: func(t *testing.T, w *acctest.BranchWorld, branch client.Branch) {
			t.Helper()
			operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(branch.ID),
				client.BranchUpdate{Protected: &yes}))
			w.Settle(t, operations, err)
		}, says: "it is protected"},
		"default": {change: func(t *testing.T, w *acctest.BranchWorld, branch client.Branch) {
			t.Helper()
			operations, err := client.OperationsOf(w.API.SetDefaultBranch(t.Context(), w.Ref(branch.ID)))
			w.Settle(t, operations, err)
		}, says: "default branch"},
		"renamed": {change: func(t *testing.T, w *acctest.BranchWorld, branch client.Branch) {
			t.Helper()
			renameBranch(t, w, branch.ID, "staging")
		}, says: `its name is now "staging"`},
		"renamed to one to keep": {change: func(t *testing.T, w *acctest.BranchWorld, branch client.Branch) {
			t.Helper()
			renameBranch(t, w, branch.ID, "preview/keep")
		}, says: "keep names it"},
		"a parent": {change: func(t *testing.T, w *acctest.BranchWorld, branch client.Branch) {
			t.Helper()
			w.MakeChild(t, "child", branch.ID)
		}, says: `it has become the parent of "child"`},
		"in use": {change: func(t *testing.T, w *acctest.BranchWorld, branch client.Branch) {
			t.Helper()
			w.MakeEndpoint(t, branch.ID, client.EndpointReadWrite)
		}, says: "it has been used since it was found"},
		"reset": {change: func(t *testing.T, w *acctest.BranchWorld, branch client.Branch) {
			t.Helper()
			w.ResetBranch(t, branch.ID)
		}, says: "it has been used since it was found"},
		"deleted": {change: func(t *testing.T, w *acctest.BranchWorld, branch client.Branch) {
			t.Helper()
			w.DeleteBranch(t, branch.ID)
		}, says: "somebody else has deleted it", isGone: true,
			blocks: "GET /api/v2/projects/{project_id}/branches/{branch_id}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			w.MakeBranch(t, "preview/a")
			branch := w.MakeBranch(t, "preview/b")
			w.MakeBranch(t, "preview/keep-this")
			w.Advance(t, time.Minute)
			// The second branch can't be looked at until the change is made, after all were found.
			w.AddFault(t, acctest.Fault{Route: cmp.Or(test.blocks, deletesBranch), Kind: "status",
				Status: http.StatusServiceUnavailable})
			given := map[string]tftypes.Value{"keep": keeping("preview/keep*"), "dry_run": deletes["dry_run"]}
			invoked := acctest.NewProtocol(t, w.World).Invoke(t, staleAction(w.ProjectID, previews, given), func(text string) {
				if strings.HasPrefix(text, `Keeps "preview/keep-this"`) {
					test.change(t, w, branch)
					w.Control(t, http.MethodDelete, "/_emulator/faults", nil, nil)
				}
			})
			wantSaid(t, invoked, test.says, "1 branch was deleted, and 2 stay by a rule")
			if _, err := w.API.GetBranch(t.Context(), w.Ref(branch.ID)); (err == nil) == test.isGone {
				t.Errorf("it is read with %v", err)
			}
		})
	}
}

// More than at_most, a protection of the provider and no filter are errors, and nothing is deleted.
func TestDeleteStale_refused(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	for _, name := range []string{"preview/a", "preview/b", "preview/c"} {
		w.MakeBranch(t, name)
	}
	two := tftypes.NewValue(tftypes.Number, 2)
	for name, given := range map[string]map[string]tftypes.Value{
		"dry": {"at_most": two}, "not dry": {"at_most": two, "dry_run": deletes["dry_run"]},
	} {
		invoked := acctest.NewProtocol(t, w.World).Invoke(t, staleAction(w.ProjectID, previews, given), nil)
		if !strings.Contains(invoked.Problem, "3 branches are stale, and at_most is 2: none was deleted") ||
			!strings.Contains(invoked.Problem, "raise at_most") {
			t.Errorf("%s: it says %q", name, invoked.Problem)
		}
	}
	protocol, unfiltered := acctest.NewProtocol(t, w.World), staleAction(w.ProjectID, nil, deletes)
	for _, problem := range []string{protocol.PlanAction(t, unfiltered),
		protocol.InvokeUnplanned(t, unfiltered, nil).Problem} {
		if !strings.Contains(problem, "Set older_than, idle_for or name_prefix") {
			t.Errorf("without a filter it says %q", problem)
		}
	}
	protects := acctest.NewProtocolWith(t, w.World, map[string]tftypes.Value{"protect": keeping("branch")})
	problem := protects.PlanAction(t, staleAction(w.ProjectID, previews, deletes))
	for _, words := range []string{"The provider protects each branch", "by protect of the provider block",
		`take "branch" out there first`} {
		if !strings.Contains(problem, words) {
			t.Errorf("under protect it says %q", problem)
		}
	}
	wantSaid(t, protects.Invoke(t, staleAction(w.ProjectID, previews, nil), nil), "3 branches would be deleted")
	reads := acctest.NewProtocolWith(t, w.World, map[string]tftypes.Value{"read_only": tftypes.NewValue(tftypes.Bool,
		true)})
	wantSaid(t, reads.Invoke(t, staleAction(w.ProjectID, previews, nil), nil), "3 branches would be deleted")
	if refused := reads.Invoke(t, staleAction(w.ProjectID, previews, deletes), nil); !strings.Contains(refused.Problem,
		"was not sent: read_only") ||
		!strings.Contains(refused.Problem, "only what reads.\n\nDeleted: none.\n\nNot tried: ") {
		t.Errorf("a provider that only reads says %q", refused.Problem)
	}
	w.CheckOnly(t, "main", "preview/a", "preview/b", "preview/c")
}

// A failure says which branches were deleted, and which weren't.
func TestDeleteStale_failure(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	names := []string{"preview/a", "preview/b", "preview/c", "preview/d"}
	for _, name := range names {
		w.MakeBranch(t, name)
	}
	// What is said next waits for this: the second or the third deletion meets the fault.
	invoked := acctest.NewProtocol(t, w.World).Invoke(t, staleAction(w.ProjectID, previews, deletes), func(text string) {
		if strings.HasPrefix(text, `Deleted "preview/a"`) {
			w.AddFault(t, acctest.Fault{Route: deletesBranch, Kind: "status", Status: http.StatusForbidden, Count: 1})
		}
	})
	_, gone, _ := strings.Cut(invoked.Problem, "Deleted: ")
	gone, left, _ := strings.Cut(gone, "Not tried: ")
	for _, name := range names {
		isFailed := strings.Contains(invoked.Problem, `eleting branch "`+name+`" (`)
		if isThere := w.HasBranch(name); strings.Contains(gone, name) == isThere ||
			strings.Contains(left, name) != (isThere && !isFailed) {
			t.Errorf("of %s, which is there: %t, it says %q", name, isThere, invoked.Problem)
		}
	}
	if !strings.Contains(invoked.Problem, "403") || !w.HasBranch("preview/d") || w.HasBranch("preview/a") {
		t.Errorf("it says %q", invoked.Problem)
	}
}

// Of hundreds of branches, all go but those that a rule keeps. Each takes two looks and a deletion.
func TestDeleteStale_ofHundreds(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{BranchPage: 10_000, Conflicts: emulator.ConflictsBranch})
	var made struct {
		Project struct {
			ID string `json:"id"`
		} `json:"project"`
	}
	w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": "many", "branches": 250,
		"endpoints_per_branch": 1}, &made)
	w.ProjectID = made.Project.ID
	yes := true
	kept := []string{}
	for i, branch := range w.Branches(t) {
		switch {
		case branch.Default:
			kept = append(kept, branch.ID)
		case i%25 == 1:
			operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(branch.ID),
				client.BranchUpdate{Protected: &yes}))
			w.Settle(t, operations, err)
			kept = append(kept, branch.ID)
		case i%25 == 2:
			kept = append(kept, branch.ID, w.MakeChild(t, "child of "+branch.ID, branch.ID).ID)
		}
	}
	w.Advance(t, 40*24*time.Hour)
	kept = append(kept, w.MakeBranch(t, "new").ID)
	for i, branch := range w.Branches(t) {
		if i%25 == 18 {
			endpoint := w.Endpoints(t, branch.ID)[0]
			operations, err := client.OperationsOf(w.API.StartEndpoint(t.Context(),
				client.EndpointRef{ProjectID: w.ProjectID, ID: endpoint.ID}))
			w.Settle(t, operations, err)
			kept = append(kept, branch.ID)
		}
	}
	all := len(w.Branches(t))
	w.ForgetRequests(t)
	began := time.Now()
	given := map[string]tftypes.Value{"dry_run": deletes["dry_run"], "at_most": tftypes.NewValue(tftypes.Number, 1000),
		"keep": keeping("child of *")}
	// With the limit of 700 requests in a minute it would take one; 40 of a route in a second stay the limit.
	fast := acctest.NewProtocolWith(t, w.World, map[string]tftypes.Value{"requests_per_minute": tftypes.NewValue(
		tftypes.Number, 60_000)})
	invoked := fast.Invoke(t, staleAction(w.ProjectID, map[string]string{"older_than": "30d", "idle_for": "7d"},
		given), nil)
	if invoked.Problem != "" {
		t.Fatal(invoked.Problem)
	}
	requests, gone := w.Requests(t), all-len(kept)
	var left []string
	for _, branch := range w.Branches(t) {
		left = append(left, branch.ID)
	}
	slices.Sort(kept)
	slices.Sort(left)
	if !slices.Equal(left, kept) {
		t.Errorf("%d branches are left, want %d", len(left), len(kept))
	}
	if requests.ByRoute[deletesBranch] != gone || requests.Total > 3*gone+75 {
		t.Errorf("%d deletions take the requests %v", gone, requests.ByRoute)
	}
	t.Logf("%d of %d branches deleted, %d requests, %s: %v", gone, all, requests.Total, time.Since(began),
		requests.ByRoute)
}
