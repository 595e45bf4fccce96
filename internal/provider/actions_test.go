package provider_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// actionTest is an action in a world that is ready for it.
type actionTest struct {
	acctest.Action

	// route is the call that does it, and operation the action of the last operation that it
	// starts; empty where it starts none.
	route, operation string
	// neverAgain is true where it isn't sent again after a lost answer.
	neverAgain bool
	// effects counts how often it has taken effect.
	effects func(t *testing.T) int
	// says are words of the last message.
	says []string
}

const (
	restoreRoute  = "POST /api/v2/projects/{project_id}/branches/{branch_id}/restore"
	endpointRoute = "POST /api/v2/projects/{project_id}/endpoints/{endpoint_id}/"
)

// actionTests prepares a world for each action.
var actionTests = map[string]func(*testing.T, *acctest.World) actionTest{
	"neon_start_endpoint": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		suspend := branch.Action("suspend_endpoint", "endpoint_id", branch.EndpointID)
		if invoked := acctest.NewProtocol(t, w).Invoke(t, suspend, nil); invoked.Problem != "" {
			t.Fatal(invoked.Problem)
		}
		return actionTest{
			Action: branch.Action("start_endpoint", "endpoint_id", branch.EndpointID), route: endpointRoute + "start",
			operation: "start_compute", effects: w.NewOperations(t, branch.ID, "start_compute"), says: []string{branch.EndpointID, "no change"},
		}
	},
	"neon_suspend_endpoint": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		return actionTest{
			Action: branch.Action("suspend_endpoint", "branch_id", branch.ID), route: endpointRoute + "suspend",
			operation: "suspend_compute", effects: w.NewOperations(t, branch.ID, "suspend_compute"), says: []string{branch.EndpointID, "no change"},
		}
	},
	"neon_restart_endpoint": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		return actionTest{
			Action: branch.Action("restart_endpoint", "branch_id", branch.ID), route: endpointRoute + "restart", neverAgain: true,
			operation: "start_compute", effects: w.NewOperations(t, branch.ID, "suspend_compute"), says: []string{branch.EndpointID, "no change"},
		}
	},
	"neon_reset_branch": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		return actionTest{
			Action: branch.Action("reset_branch", "branch_id", branch.ID), route: restoreRoute, neverAgain: true,
			operation: "create_branch", effects: w.NewOperations(t, branch.ID, "create_branch"), says: []string{branch.ID, "no change"},
		}
	},
	"neon_restore_branch": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch, source := w.ActionBranch(t, "b"), w.ActionBranch(t, "source")
		action := branch.Action("restore_branch", "branch_id", branch.ID, "source_branch_id", source.ID, "preserve_under_name", "before")
		return actionTest{
			Action: action, route: restoreRoute, neverAgain: true,
			operation: "create_branch", effects: w.NewOperations(t, branch.ID, "create_branch"), says: []string{branch.ID, "named \"before\""},
		}
	},
	"neon_set_default_branch": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		return actionTest{
			Action: branch.Action("set_default_branch", "branch_id", branch.ID),
			route:  "POST /api/v2/projects/{project_id}/branches/{branch_id}/set_as_default",
			effects: func(t *testing.T) int {
				t.Helper()
				now, err := w.Client(t).Branch(t.Context(), w.ProjectID, branch.ID)
				return countIf(t, err, func() bool { return now.Default })
			},
			says: []string{"default_branch", branch.ID},
		}
	},
	"neon_reset_role_password": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		return actionTest{
			Action:    branch.Action("reset_role_password", "branch_id", branch.ID, "role_name", "neondb_owner"),
			route:     "POST /api/v2/projects/{project_id}/branches/{branch_id}/roles/{role_name}/reset_password",
			operation: "apply_config", effects: w.NewOperations(t, branch.ID, "apply_config"), says: []string{"neondb_owner", "no change"},
		}
	},
	"neon_create_snapshot": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		return actionTest{
			Action: acctest.ActionOf("create_snapshot", "project_id", w.ProjectID, "branch_id", w.Emulator.FirstWorld().BranchID, "name", "before"),
			route:  "POST /api/v2/projects/{project_id}/branches/{branch_id}/snapshot", operation: "create_timeline",
			effects: func(t *testing.T) int {
				t.Helper()
				taken, err := w.Client(t).Snapshots(context.WithoutCancel(t.Context()), w.ProjectID)
				if err != nil {
					t.Fatal(err)
				}
				return len(taken)
			},
			says: []string{"named \"before\"", "no change"},
		}
	},
	"neon_restore_snapshot": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		main := w.Emulator.FirstWorld().BranchID
		action := acctest.ActionOf("restore_snapshot", "project_id", w.ProjectID, "snapshot_id", snapshotOf(t, w, main), "target_branch_id", main)
		action.Given["finalize_restore"] = tftypes.NewValue(tftypes.Bool, true)
		return actionTest{
			Action: action, route: "POST /api/v2/projects/{project_id}/snapshots/{snapshot_id}/restore", neverAgain: true,
			operation: "create_branch", effects: restoredAs(w, main),
			says: []string{"another id", "\"main (old)\"", "removed {", "import {", w.ProjectID + "/br-"},
		}
	},
	"neon_finalize_branch_restore": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		main := w.Emulator.FirstWorld().BranchID
		restored, operations, err := w.Client(t).RestoreSnapshot(t.Context(), w.ProjectID, snapshotOf(t, w, main), client.SnapshotRestore{TargetBranchID: main})
		if err == nil {
			err = w.Client(t).WaitForOperations(t.Context(), w.ProjectID, operations)
		}
		if err != nil {
			t.Fatal(err)
		}
		return actionTest{
			Action:    acctest.ActionOf("finalize_branch_restore", "project_id", w.ProjectID, "branch_id", restored.ID, "name", "before"),
			route:     "POST /api/v2/projects/{project_id}/branches/{branch_id}/finalize_restore",
			operation: "start_compute", effects: w.NewOperations(t, restored.ID, "start_compute"),
			says: []string{restored.ID, "\"before\"", "removed {", w.ProjectID + "/" + restored.ID},
		}
	},
	"neon_recover_project": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		id := w.MakeProject(t)
		if err := w.Client(t).DeleteProject(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return actionTest{
			Action: acctest.ActionOf("recover_project", "project_id", id), route: "POST /api/v2/projects/{project_id}/recover",
			effects: func(t *testing.T) int {
				t.Helper()
				_, err := w.Client(t).Project(t.Context(), id)
				if client.IsAbsent(err) {
					return 0
				}
				return countIf(t, err, func() bool { return true })
			},
			says: []string{"import {", id},
		}
	},
	"neon_transfer_projects": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		to := w.MakeOrganization(t, "scale")
		return actionTest{
			Action: transferOf(w.OrgID, to, w.ProjectID), route: "POST /api/v2/organizations/{source_org_id}/projects/transfer",
			effects: func(t *testing.T) int {
				t.Helper()
				now, err := w.Client(t).Project(t.Context(), w.ProjectID)
				return countIf(t, err, func() bool { return now.OrgID == to })
			},
			says: []string{"org_id", to},
		}
	},
}

// snapshotOf takes a snapshot of a branch.
func snapshotOf(t *testing.T, w *acctest.World, branchID string) string {
	t.Helper()
	api := w.Client(t)
	taken, err := api.CreateSnapshot(t.Context(), w.ProjectID, branchID, client.SnapshotCreate{})
	if err == nil {
		err = api.WaitForOperations(t.Context(), w.ProjectID, taken.Operations)
	}
	if err != nil {
		t.Fatal(err)
	}
	return taken.Snapshot.ID
}

// restoredAs counts the branches that have replaced a branch.
func restoredAs(w *acctest.World, targetID string) func(*testing.T) int {
	return func(t *testing.T) int {
		t.Helper()
		count := 0
		for branch, err := range w.Client(t).Branches(context.WithoutCancel(t.Context()), w.ProjectID, client.BranchQuery{}) {
			if err != nil {
				t.Fatal(err)
			}
			if branch.RestoredAs == targetID && branch.RestoreStatus == "finalized" {
				count++
			}
		}
		return count
	}
}

func countIf(t *testing.T, err error, happened func() bool) int {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if happened() {
		return 1
	}
	return 0
}

// forEachAction runs a part of the tests for each action, in a world of its own.
func forEachAction(t *testing.T, config emulator.Config, run func(*testing.T, *acctest.World, actionTest)) {
	t.Helper()
	for name, prepare := range actionTests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.StartEmulator(t, config)
			run(t, w, prepare(t, w))
		})
	}
}

func (a actionTest) wantEffects(t *testing.T, want int, invoked acctest.Invoked) {
	t.Helper()
	if got := a.effects(t); got != want {
		t.Errorf("%s took effect %d times, want %d; it said %q, and the error %q", a.Type, got, want, invoked.Progress, invoked.Problem)
	}
}

func (a actionTest) wantSuccess(t *testing.T, invoked acctest.Invoked, words ...string) {
	t.Helper()
	if invoked.Problem != "" || !invoked.Says(words...) {
		t.Errorf("%s said %q, want all of %q; error: %s", a.Type, invoked.Progress, words, invoked.Problem)
	}
	a.wantEffects(t, 1, invoked)
}

func TestActions_allAreTested(t *testing.T) {
	schema := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{})).Schema
	for name := range schema.ActionSchemas {
		if actionTests[name] == nil {
			t.Errorf("%s isn't in actionTests", name)
		}
	}
}

// An action says how far each of its operations is, with the time it has taken, and in the
// end what the next plan shows.
func TestAccActions_work(t *testing.T) {
	forEachAction(t, emulator.Config{OperationDuration: 200 * time.Millisecond}, func(t *testing.T, w *acctest.World, a actionTest) {
		invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
		a.wantSuccess(t, invoked)
		if a.operation != "" && !invoked.Says(a.operation+" of ", ": running", ": finished after ") {
			t.Errorf("%q doesn't say how far %s was", invoked.Progress, a.operation)
		}
		last := invoked.Progress[len(invoked.Progress)-1]
		if !strings.HasPrefix(last, "Done after ") || !(acctest.Invoked{Progress: []string{last}}).Says(a.says...) {
			t.Errorf("the last message is %q, want %q in it", last, a.says)
		}
	})
}

// A lost answer is looked into, and nothing is done twice.
func TestAccActions_lostAnswer(t *testing.T) {
	for _, fault := range []acctest.Fault{{Kind: "lost_after"}, {Kind: "status_after", Status: 502}, {Kind: "cut_body"}} {
		t.Run(fault.Kind, func(t *testing.T) {
			forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
				fault.Route, fault.Count = a.route, 1
				w.AddFault(t, fault)
				invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
				a.wantSuccess(t, invoked, "The answer to POST ", "was lost", "It took effect, and isn't sent again", "Done after")
				if sent := w.Requests(t).ByRoute[a.route]; sent != 1 {
					t.Errorf("it was sent %d times", sent)
				}
			})
		})
	}
}

// An effect that comes after its answer was lost is found, and nothing is done twice.
func TestAccActions_lateEffect(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		w.AddFault(t, acctest.Fault{Route: a.route, Kind: "late", Status: 502, Delay: "600ms", Count: 1})
		invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
		time.Sleep(time.Second) // The late effect is there in any case.
		a.wantSuccess(t, invoked, "was lost", "Done after")
	})
}

// What never reached Neon is sent again where that can do no harm, and said to.
func TestAccActions_lostRequest(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		w.AddFault(t, acctest.Fault{Route: a.route, Kind: "lost_before", Count: 1})
		invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
		if !a.neverAgain {
			a.wantSuccess(t, invoked, "The answer to POST ", "was lost", "is sent again")
			return
		}
		a.wantEffects(t, 0, invoked)
		a.wantProblem(t, invoked, "its answer was lost", "no effect of it is to be seen so far", "Invoke the action again only if it did not")
	})
}

func (a actionTest) wantProblem(t *testing.T, invoked acctest.Invoked, words ...string) {
	t.Helper()
	for _, word := range append(words, "Unable to "+strings.ReplaceAll(strings.TrimPrefix(a.Type, "neon_"), "_", " ")) {
		if !strings.Contains(invoked.Problem, word) {
			t.Errorf("%s: the error doesn't have %q: %s", a.Type, word, invoked.Problem)
		}
	}
}

// Other work on the project is waited for, and said to be.
func TestAccActions_otherWork(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		w.AddFault(t, acctest.Fault{Route: a.route, Kind: "status", Status: 423, Count: 2})
		invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
		a.wantSuccess(t, invoked)
		if a.Type != "neon_transfer_projects" && !invoked.Says("Other work on project", "is in the way") {
			t.Errorf("%q doesn't say what it waited for", invoked.Progress)
		}
	})
}

// An operation that doesn't finish is an error that names it.
func TestAccActions_failedOperation(t *testing.T) {
	for _, status := range []string{"failed", "cancelled"} {
		t.Run(status, func(t *testing.T) {
			forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
				if a.operation == "" {
					t.Skip("it starts no operations")
				}
				w.EndOperations(t, a.operation, status, "no room left")
				invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, func(text string) {
					if strings.Contains(text, ": failed") {
						w.Advance(t, 3*time.Minute) // Neon might recover it.
					}
				})
				a.wantProblem(t, invoked, "peration ", w.ProjectID, "Invoke the action again")
				if !invoked.Says(a.operation+" of ", ": "+status+" after") {
					t.Errorf("%q doesn't say that %s was %s", invoked.Progress, a.operation, status)
				}
				a.wantEffects(t, 1, invoked)
			})
		})
	}
}

// hold keeps the action from its end.
func (a actionTest) hold(t *testing.T, w *acctest.World) {
	t.Helper()
	if a.operation == "" {
		w.AddFault(t, acctest.Fault{Route: a.route, Kind: "hang", Count: 1})
	} else {
		w.EndOperations(t, a.operation, "running", "")
	}
}

// Ctrl-C ends an action within a second, and the error says what goes on.
func TestAccActions_interrupted(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		a.hold(t, w)
		protocol := acctest.NewProtocol(t, w)
		stopped := make(chan time.Time, 1)
		stop := func() {
			stopped <- time.Now()
			_, _ = protocol.StopProvider(context.WithoutCancel(t.Context()), &tfprotov6.StopProviderRequest{})
		}
		heard := func(text string) {
			if a.operation != "" && strings.Contains(text, a.operation+" of ") {
				go stop()
			}
		}
		if a.operation == "" {
			go func() {
				for w.Requests(t).ByRoute[a.route] == 0 {
					time.Sleep(10 * time.Millisecond)
				}
				stop()
			}()
		}
		invoked := protocol.Invoke(t, a.Action, heard)
		if took := time.Since(<-stopped); took > time.Second {
			t.Errorf("it ended %s after the interruption", took)
		}
		a.wantProblem(t, invoked, "Invoke the action again only if it did not")
		if a.operation != "" {
			a.wantProblem(t, invoked, "Interrupted after waiting", "("+a.operation+", ", "goes on by itself")
			a.wantEffects(t, 1, invoked)
		}
	})
}

// An invocation ends at its timeout, and the error says what goes on.
func TestAccActions_timeout(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		a.hold(t, w)
		invoked := acctest.NewProtocol(t, w).Invoke(t, withTimeout(a.Action, "1500ms"), nil)
		a.wantProblem(t, invoked, "Invoke the action again only if it did not")
		if a.operation != "" {
			a.wantProblem(t, invoked, "Timed out after waiting", "("+a.operation+", ", "raise the timeouts")
		}
	})
}

// A reset that was asked to changes the expiry, too, and says so where that fails.
func TestAccActions_resetExpiry(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	branch, expiry := w.ActionBranch(t, "b"), acctest.InDays(3)
	action := branch.Action("reset_branch", "branch_id", branch.ID, "expires_at", expiry)
	if invoked := acctest.NewProtocol(t, w).Invoke(t, action, nil); invoked.Problem != "" {
		t.Fatal(invoked.Problem)
	}
	now, err := w.Client(t).Branch(t.Context(), w.ProjectID, branch.ID)
	if err != nil || now.ExpiresAt == nil || now.ExpiresAt.Format(time.RFC3339) != expiry {
		t.Errorf("it expires at %v, want %s; %v", now.ExpiresAt, expiry, err)
	}
	w.AddFault(t, acctest.Fault{Route: "PATCH /api/v2/projects/{project_id}/branches/{branch_id}", Kind: "status", Status: 422, Count: 1})
	invoked := acctest.NewProtocol(t, w).Invoke(t, action, nil)
	for _, words := range []string{"The branch was reset, but its expiry could not be set", "422", "Don't reset it again"} {
		if !strings.Contains(invoked.Problem, words) {
			t.Errorf("%q isn't in %q", words, invoked.Problem)
		}
	}
}
