package walks_test

import (
	"context"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// actionTest is an action in a world that is ready for it.
type actionTest struct {
	acctest.Action

	// route is the call that does it, and operation the action of the last operation that it
	// starts; empty where it starts none.
	route, operation string
	// neverAgain is true where it isn't sent again after a lost answer.
	neverAgain bool
	// unseen is true where nothing shows whether it took effect: it is repeated after a lost
	// answer, unless never again.
	unseen bool
	// waits is true where it is sent again once the first can't take effect any more.
	waits bool
	// harmless is true where its effect is seen, and another invocation does no harm.
	harmless bool
	// cleansUp is how long it may take to delete what it has created, after its end.
	cleansUp time.Duration
	// effects counts how often it has taken effect.
	effects func(t *testing.T) int
	// says are words of the last message.
	says []string
	// named are words of the error of an interruption about what was created; empty where nothing is.
	named string
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
			operation: "start_compute", effects: newOperations(t, w, branch.ID, "start_compute"),
			says: []string{branch.EndpointID, "doesn't show up"},
		}
	},
	"neon_suspend_endpoint": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		return actionTest{
			Action: branch.Action("suspend_endpoint", "branch_id", branch.ID), route: endpointRoute + "suspend",
			operation: "suspend_compute", effects: newOperations(t, w, branch.ID, "suspend_compute"),
			says: []string{branch.EndpointID, "doesn't show up"},
		}
	},
	"neon_restart_endpoint": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		return actionTest{
			Action: branch.Action("restart_endpoint", "branch_id", branch.ID), route: endpointRoute + "restart",
			neverAgain: true,
			operation:  "start_compute", effects: newOperations(t, w, branch.ID, "suspend_compute"),
			says: []string{branch.EndpointID, "doesn't show up"},
		}
	},
	"neon_reset_branch": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		return actionTest{
			Action: branch.Action("reset_branch", "branch_id", branch.ID), route: restoreRoute, neverAgain: true,
			operation: "create_branch", effects: newOperations(t, w, branch.ID, "create_branch"),
			says: []string{branch.ID, "doesn't change"},
		}
	},
	"neon_restore_branch": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch, source := w.ActionBranch(t, "b"), w.ActionBranch(t, "source")
		action := branch.Action("restore_branch", "branch_id", branch.ID, "source_branch_id", source.ID,
			"preserve_under_name", "before")
		return actionTest{
			Action: action, route: restoreRoute, neverAgain: true,
			operation: "create_branch", effects: newOperations(t, w, branch.ID, "create_branch"),
			says: []string{branch.ID, "named \"before\""},
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
				now, err := w.Client(t).GetSharedBranch(t.Context(), w.Ref(branch.ID))
				return countIf(t, err, func() bool { return now.Default })
			},
			says: []string{"default_branch", branch.ID},
		}
	},
	"neon_delete_stale_branches": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := (&acctest.BranchWorld{World: w, API: w.Client(t)}).MakeBranch(t, "preview/1")
		action := acctest.ActionOf("delete_stale_branches", "project_id", w.ProjectID, "name_prefix", "preview/")
		action.Given["dry_run"] = tftypes.NewValue(tftypes.Bool, false)
		return actionTest{
			Action: action, route: "DELETE /api/v2/projects/{project_id}/branches/{branch_id}", harmless: true,
			operation: "delete_timeline", effects: newOperations(t, w, branch.ID, "delete_timeline"),
			says: []string{"1 branch was deleted", "0 stay"},
		}
	},
	"neon_reset_role_password": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		return actionTest{
			Action:    branch.Action("reset_role_password", "branch_id", branch.ID, "role_name", "neondb_owner"),
			route:     "POST /api/v2/projects/{project_id}/branches/{branch_id}/roles/{role_name}/reset_password",
			operation: "apply_config", effects: newOperations(t, w, branch.ID, "apply_config"), waits: true,
			says: []string{"neondb_owner", "doesn't show up in the next plan"},
		}
	},
	"neon_refresh_data_api_schema": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		if _, err := w.Client(t).CreateDataAPI(t.Context(), w.Ref(branch.ID), "neondb", client.DataAPICreate{}); err != nil {
			t.Fatal(err)
		}
		return actionTest{
			Action: branch.Action("refresh_data_api_schema", "branch_id", branch.ID, "database_name", "neondb"),
			route:  "PATCH /api/v2/projects/{project_id}/branches/{branch_id}/data-api/{database_name}",
			effects: func(t *testing.T) int {
				t.Helper()
				refreshes, _ := w.Objects(t).DataAPIs[0]["refreshes"].(float64)
				return min(1, int(refreshes)) // It may be sent twice.
			},
			unseen: true, says: []string{"reads its schema again", "in the next plan"},
		}
	},
	"neon_anonymize_branch": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		api := w.Client(t)
		made, err := api.CreateAnonymizedBranch(t.Context(), w.ProjectID, client.BranchCreate{Name: "b"},
			[]client.MaskingRule{})
		if err == nil {
			err = api.WaitForOperations(t.Context(), w.ProjectID, made.Operations)
		}
		if err != nil {
			t.Fatal(err)
		}
		return actionTest{
			Action: acctest.ActionOf("anonymize_branch", "branch_id", made.Object.ID, "project_id", w.ProjectID),
			route:  "POST /api/v2/projects/{project_id}/branches/{branch_id}/anonymize", neverAgain: true,
			effects: func(t *testing.T) int {
				t.Helper()
				status, err := api.GetAnonymization(context.WithoutCancel(t.Context()), w.Ref(made.Object.ID))
				if err != nil || status.LastRun == nil {
					return 0
				}
				return 1
			},
			says: []string{made.Object.ID, "doesn't show up"},
		}
	},
	"neon_send_auth_test_email": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		_, err := w.Client(t).EnableAuth(t.Context(), w.Ref(branch.ID), client.AuthEnable{Provider: "better_auth"})
		if err == nil {
			err = w.Client(t).SetAuthGroup(t.Context(), w.Ref(branch.ID), client.AuthEmailProvider,
				map[string]any{"type": "standard", "host": "smtp.example.com"})
		}
		if err != nil {
			t.Fatal(err)
		}
		return actionTest{
			Action: branch.Action("send_auth_test_email", "branch_id", branch.ID, "recipient_email", "anna@example.com"),
			route:  "POST /api/v2/projects/{project_id}/branches/{branch_id}/auth/email_provider/test", neverAgain: true,
			unseen: true,
			effects: func(t *testing.T) int {
				t.Helper()
				mails, _ := w.Objects(t).Auths[0]["mails"].(float64)
				return int(mails)
			},
			says: []string{"anna@example.com", "doesn't show up in the next plan"},
		}
	},
	"neon_create_claim_link": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		made, err := w.Client(t).CreateClaimableProject(t.Context(), client.ClaimableProjectCreate{Source: "test"})
		if err != nil {
			t.Fatal(err)
		}
		return actionTest{
			Action: acctest.ActionOf("create_claim_link", "project_id", made.Project.ID, "identity_assertion",
				made.IdentityAssertion),
			route: "POST /v1/projects/{project_id}/claim", neverAgain: true, unseen: true, harmless: true,
			effects: func(t *testing.T) int {
				t.Helper()
				links, _ := w.Objects(t).ClaimableDatabases[0]["claim_links"].(float64)
				return int(links)
			},
			says: []string{"/claim?user_code=", "15m0s", "The next plan warns that it is being claimed"},
		}
	},
	"neon_rotate_service_credential": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch, api := w.ActionBranch(t, "b"), w.Client(t)
		made, err := client.ObjectOf(api.CreateCredential(t.Context(), w.Ref(branch.ID),
			client.CredentialCreate{Scopes: []string{"storage:read"}}))
		if err != nil {
			t.Fatal(err)
		}
		return actionTest{
			Action: branch.Action("rotate_service_credential", "branch_id", branch.ID, "token_id", made.TokenID),
			route:  "POST /api/v2/projects/{project_id}/branches/{branch_id}/credentials/{token_id}/rotate", neverAgain: true,
			effects: func(t *testing.T) int {
				t.Helper()
				rotations, _ := w.Objects(t).Credentials[0]["rotations"].(float64)
				return int(rotations)
			},
			says: []string{"neon_service_credential_secret", "doesn't show up in the next plan"},
		}
	},
	"neon_redeploy_function": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		branch := w.ActionBranch(t, "b")
		(&acctest.BranchWorld{World: w, API: w.Client(t)}).MakeFunction(t, w.Ref(branch.ID), "api")
		w.ForgetRequests(t) // The first deployment has the action's route.
		return actionTest{
			Action: branch.Action("redeploy_function", "branch_id", branch.ID, "slug", "api"),
			route:  "POST /api/v2/projects/{project_id}/branches/{branch_id}/functions/{slug}/deployments", neverAgain: true,
			effects: func(t *testing.T) int {
				t.Helper()
				deployments, _ := w.Objects(t).Functions[0]["deployments"].(float64)
				return int(deployments) - 1
			},
			says: []string{"deployment 2", "deploys that once more"},
		}
	},
	"neon_create_snapshot": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		return actionTest{
			Action: acctest.ActionOf("create_snapshot", "project_id", w.ProjectID, "branch_id", w.Emulator.FirstWorld().BranchID,
				"name", "before"),
			route: "POST /api/v2/projects/{project_id}/branches/{branch_id}/snapshot", neverAgain: true,
			operation: "create_branch",
			effects: func(t *testing.T) int {
				t.Helper()
				taken, err := client.All(w.Client(t).ListSnapshots(context.WithoutCancel(t.Context()), w.ProjectID))
				if err != nil {
					t.Fatal(err)
				}
				return len(taken)
			},
			says: []string{"named \"before\"", "doesn't show up"}, named: "the snapshot is snap-",
		}
	},
	"neon_restore_snapshot": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		main := w.Emulator.FirstWorld().BranchID
		action := acctest.ActionOf("restore_snapshot", "project_id", w.ProjectID, "snapshot_id", snapshotOf(t, w, main),
			"target_branch_id", main)
		action.Given["finalize_restore"] = tftypes.NewValue(tftypes.Bool, true)
		return actionTest{
			Action: action, route: "POST /api/v2/projects/{project_id}/snapshots/{snapshot_id}/restore", neverAgain: true,
			operation: "create_branch", effects: restoredAs(w, main),
			says:  []string{"another id", "\"main (old)\"", "move along in place", "nothing is destroyed"},
			named: "the restored branch is br-",
		}
	},
	"neon_finalize_branch_restore": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		w.Play(t, "unfinished-restore", "no-compute") // Then one compute is suspended, that of the replaced branch.
		main := w.Emulator.FirstWorld().BranchID
		restored, err := w.Client(t).RestoreSnapshot(t.Context(),
			client.SnapshotRef{ProjectID: w.ProjectID, ID: snapshotOf(t, w, main)}, client.SnapshotRestore{TargetBranchID: main})
		if err == nil {
			err = w.Client(t).WaitForOperations(t.Context(), w.ProjectID, restored.Operations)
		}
		if err != nil {
			t.Fatal(err)
		}
		return actionTest{
			Action: acctest.ActionOf("finalize_branch_restore", "project_id", w.ProjectID, "branch_id", restored.Object.ID,
				"name", "before"),
			route:     "POST /api/v2/projects/{project_id}/branches/{branch_id}/finalize_restore",
			operation: "suspend_compute", effects: newOperations(t, w, restored.Object.ID, "suspend_compute"),
			says: []string{restored.Object.ID, "\"before\"", "move along in place", "nothing is destroyed"},
		}
	},
	"neon_rehearse_restore": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		main := w.Emulator.FirstWorld().BranchID
		snapshotOf(t, w, main)
		w.Advance(t, 6*time.Hour)
		creations := func(o client.Operation) bool { return o.Action == "create_branch" }
		before := len(w.OperationIDs(t, creations))
		return actionTest{
			Action: acctest.ActionOf("rehearse_restore", "project_id", w.ProjectID, "branch_id", main, "database_name", "neondb",
				"role_name", "neondb_owner",
				"check", "SELECT true AS ok"),
			route: "POST /api/v2/projects/{project_id}/snapshots/{snapshot_id}/restore", neverAgain: true, harmless: true,
			cleansUp:  time.Minute,
			operation: "create_branch",
			effects: func(t *testing.T) int {
				t.Helper()
				return len(w.OperationIDs(t, creations)) - before
			},
			says: []string{"RTO ", "RPO 6h0m", "ok = true", "Its branch is deleted"},
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
				_, err := w.Client(t).GetProject(t.Context(), id)
				if client.IsAbsent(err) {
					return 0
				}
				return countIf(t, err, func() bool { return true })
			},
			says: []string{"import {", id},
		}
	},
	"neon_create_project_transfer_request": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		return actionTest{
			Action: acctest.ActionOf("create_project_transfer_request", "project_id", w.ProjectID),
			route:  "POST /api/v2/projects/{project_id}/transfer_requests", unseen: true,
			effects: func(t *testing.T) int {
				t.Helper()
				return min(len(w.Objects(t).TransferRequests), 1) // Nobody knows one whose answer was lost.
			},
			says: []string{"/app/claim?p=" + w.ProjectID + "&tr=", "destroy = false"},
		}
	},
	"neon_accept_project_transfer": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		partner := addPartner(t, w)
		theirs, err := client.All(partner.Client(t).ListProjects(t.Context(), client.ProjectQuery{OrgID: partner.OrgID}))
		if err != nil {
			t.Fatal(err)
		}
		offered, err := partner.Client(t).CreateTransferRequest(t.Context(), theirs[0].ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		return actionTest{
			Action: acctest.ActionOf("accept_project_transfer", "project_id", theirs[0].ID, "request_id", offered.ID, "org_id",
				w.OrgID),
			route: "PUT /api/v2/projects/{project_id}/transfer_requests/{request_id}", harmless: true,
			effects: func(t *testing.T) int {
				t.Helper()
				ours, err := client.All(w.Client(t).ListProjects(t.Context(), client.ProjectQuery{OrgID: w.OrgID}))
				return countIf(t, err, func() bool { return len(ours) == 2 })
			},
			says: []string{"is organization " + w.OrgID + "'s", "new passwords"},
		}
	},
	"neon_transfer_projects": func(t *testing.T, w *acctest.World) actionTest {
		t.Helper()
		to := w.MakeOrganization(t, "scale")
		return actionTest{
			Action: transferOf(w.OrgID, to, w.ProjectID), route: "POST /api/v2/organizations/{source_org_id}/projects/transfer",
			effects: func(t *testing.T) int {
				t.Helper()
				now, err := w.Client(t).GetProject(t.Context(), w.ProjectID)
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
	taken, err := api.CreateSnapshot(t.Context(), w.Ref(branchID), client.SnapshotCreate{})
	if err == nil {
		err = api.WaitForOperations(t.Context(), w.ProjectID, taken.Operations)
	}
	if err != nil {
		t.Fatal(err)
	}
	return taken.Object.ID
}

// restoredAs counts the branches that have replaced a branch.
func restoredAs(w *acctest.World, targetID string) func(*testing.T) int {
	return func(t *testing.T) int {
		t.Helper()
		count := 0
		for branch, err := range w.Client(t).ListBranches(context.WithoutCancel(t.Context()), w.ProjectID,
			client.BranchQuery{}) {
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

// newOperations counts the operations of a branch and an action that begin from now on.
func newOperations(t *testing.T, w *acctest.World, branchID, action string) func(*testing.T) int {
	t.Helper()
	count := func(t *testing.T) int {
		t.Helper()
		return len(w.OperationIDs(t, func(o client.Operation) bool { return o.BranchID == branchID && o.Action == action }))
	}
	before := count(t)
	return func(t *testing.T) int {
		t.Helper()
		return count(t) - before
	}
}
