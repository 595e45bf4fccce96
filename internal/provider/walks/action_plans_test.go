package walks_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What can be known is refused by a plan, on the attribute that is to blame.
func TestAccActions_planErrors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	protocol := acctest.NewProtocol(t, w)
	branch := w.ActionBranch(t, "b")
	main := w.Emulator.FirstWorld().BranchID
	yes := true
	protected := w.ActionBranch(t, "protected")
	if _, err := w.Client(t).UpdateBranch(t.Context(), w.Ref(protected.ID),
		client.BranchUpdate{Protected: &yes}); err != nil {
		t.Fatal(err)
	}
	timeout := withTimeout(branch.Action("reset_branch", "branch_id", branch.ID), "0s")
	for name, test := range map[string]struct {
		action acctest.Action
		want   []string
	}{
		"an id that can't be one":     {branch.Action("reset_branch", "branch_id", "Br 1"), []string{"branch_id", "must be the id"}},
		"a timeout of nothing":        {timeout, []string{"timeouts.invoke", "above zero"}},
		"neither endpoint nor branch": {branch.Action("start_endpoint"), []string{"endpoint_id", "branch_id"}},
		"endpoint and branch": {
			branch.Action("start_endpoint", "branch_id", branch.ID, "endpoint_id", branch.EndpointID),
			[]string{"endpoint_id", "branch_id"},
		},
		"an expiry in the past": {
			branch.Action("reset_branch", "branch_id", branch.ID, "expires_at", "2020-01-01T00:00:00Z"),
			[]string{"expires_at", "in the future"},
		},
		"no such endpoint": {branch.Action("suspend_endpoint", "endpoint_id", "ep-none"), []string{"No such endpoint", "404"}},
		"no such branch":   {branch.Action("restart_endpoint", "branch_id", "br-none"), []string{"No such branch", "404"}},
		"no such project": {
			acctest.ActionOf("reset_branch", "project_id", "p-none", "branch_id", "br-none"),
			[]string{"Unable to read project", "p-none"},
		},
		"reset of a root":      {branch.Action("reset_branch", "branch_id", main), []string{"has no parent", "neon_restore_branch"}},
		"reset of a protected": {protected.Action("reset_branch", "branch_id", protected.ID), []string{"is protected", "Take the protection off"}},
		"restore of a protected": {
			protected.Action("restore_branch", "branch_id", protected.ID, "source_branch_id", main),
			[]string{"is protected", "Take the protection off"},
		},
		"restore from nothing": {
			branch.Action("restore_branch", "branch_id", branch.ID),
			[]string{"Missing source_timestamp or source_lsn", "source_timestamp", "preserve_under_name"},
		},
		"restore from its own past without a name": {
			branch.Action("restore_branch", "branch_id", branch.ID, "source_branch_id", branch.ID, "source_lsn", "0/1"),
			[]string{"preserve_under_name", "keeps the present data"},
		},
		"restore to two moments": {
			branch.Action("restore_branch", "branch_id", branch.ID, "source_branch_id", main, "source_lsn", "0/1",
				"source_timestamp", "2026-01-01T00:00:00Z"),
			[]string{"source_timestamp", "source_lsn"},
		},
		"restore to the future": {
			branch.Action("restore_branch", "branch_id", branch.ID, "source_branch_id", main, "source_timestamp",
				"2999-01-01T00:00:00Z"),
			[]string{"A moment in the future"},
		},
		"restore to no position": {
			branch.Action("restore_branch", "branch_id", branch.ID, "source_branch_id", main, "source_lsn", "1"),
			[]string{"log position"},
		},
		"restore from no such branch": {
			branch.Action("restore_branch", "branch_id", branch.ID, "source_branch_id", "br-none"),
			[]string{"Unable to read the source", "404"},
		},
		"a name that no role has": {
			branch.Action("reset_role_password", "branch_id", branch.ID, "role_name", strings.Repeat("r", 64)),
			[]string{"role_name", "between 1 and 63"},
		},
		"a name that no database has": {
			branch.Action("refresh_data_api_schema", "branch_id", branch.ID, "database_name", strings.Repeat("d", 64)),
			[]string{"database_name", "between 1 and 63"},
		},
		"no address": {
			branch.Action("send_auth_test_email", "branch_id", branch.ID, "recipient_email", "max"),
			[]string{"recipient_email", "must be an email address"},
		},
		"too long an address": {
			branch.Action("send_auth_test_email", "branch_id", branch.ID, "recipient_email",
				strings.Repeat("m", 250)+"@example.com"),
			[]string{"recipient_email", "between 1 and 256"},
		},
		"snapshot of no such branch": {branch.Action("create_snapshot", "branch_id", "br-none"), []string{"No such branch"}},
		"snapshot of a child":        {branch.Action("create_snapshot", "branch_id", branch.ID), []string{"branch_id", "has the parent", "root branches alone"}},
		"snapshot of the past":       {branch.Action("create_snapshot", "branch_id", main, "expires_at", "2020-01-01T00:00:00Z"), []string{"Expiry in the past"}},
		"restore of no such snapshot": {
			branch.Action("restore_snapshot", "snapshot_id", "snap-none", "target_branch_id", main),
			[]string{"No such snapshot"},
		},
		"restore without a target": {branch.Action("restore_snapshot", "snapshot_id", "snap-none"), []string{"target_branch_id"}},
		"restore to no such target": {
			branch.Action("restore_snapshot", "snapshot_id", "snap-none", "target_branch_id", "br-none"),
			[]string{"Unable to read the target", "404"},
		},
		"finalizing no such branch": {branch.Action("finalize_branch_restore", "branch_id", "br-none"), []string{"No such branch"}},
		"no such default branch":    {branch.Action("set_default_branch", "branch_id", "br-none"), []string{"No such branch"}},
		"password without a branch": {
			branch.Action("reset_role_password", "branch_id", "br-none", "role_name", "app"), []string{"No such branch"},
		},
		"transfer to itself": {
			transferOf(w.OrgID, w.OrgID, w.ProjectID), []string{"source_org_id", "destination_org_id", "are both " + w.OrgID},
		},
		"transfer of nothing":         {transferOf(w.OrgID, "org-2"), []string{"project_ids", "at least 1"}},
		"transfer of no such project": {transferOf(w.OrgID, "org-2", "p-none"), []string{"p-none"}},
	} {
		t.Run(name, func(t *testing.T) {
			problem := protocol.PlanAction(t, test.action)
			for _, word := range test.want {
				if !strings.Contains(problem, word) {
					t.Errorf("%q isn't in %q", word, problem)
				}
			}
		})
	}
}

func withTimeout(action acctest.Action, timeout string) acctest.Action {
	kind := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"invoke": tftypes.String}}
	action.Given["timeouts"] = tftypes.NewValue(kind, map[string]tftypes.Value{"invoke": acctest.Text(timeout)})
	return action
}

func transferOf(from, to string, projectIDs ...string) acctest.Action {
	ids := make([]tftypes.Value, len(projectIDs))
	for i, id := range projectIDs {
		ids[i] = acctest.Text(id)
	}
	action := acctest.ActionOf("transfer_projects", "source_org_id", from, "destination_org_id", to)
	action.Given["project_ids"] = tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, ids)
	return action
}

// A trigger plans an action before the resources of the same run exist: what isn't known yet
// is no error, one attribute at a time or all.
func TestAccActions_unknown(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		protocol := acctest.NewProtocol(t, w)
		attributes := protocol.Schema.ActionSchemas[a.Type].Schema.ValueType().(tftypes.Object).AttributeTypes
		all := acctest.Action{Type: a.Type, Given: maps.Clone(a.Given)}
		for name := range a.Given {
			one := acctest.Action{Type: a.Type, Given: maps.Clone(a.Given)}
			one.Given[name] = tftypes.NewValue(attributes[name], tftypes.UnknownValue)
			all.Given[name] = one.Given[name]
			if problem := protocol.PlanAction(t, one); problem != "" {
				t.Errorf("with an unknown %s: %s", name, problem)
			}
		}
		if problem := protocol.PlanAction(t, all); problem != "" {
			t.Error(problem)
		}
	})
}

// What Neon refuses at the invocation is an error with what to do.
func TestAccActions_refused(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	branch, child := w.ActionBranch(t, "b"), w.MakeProject(t)
	small := w.MakeOrganization(t, "free")
	main := w.Emulator.FirstWorld().BranchID
	taken := snapshotOf(t, w, main)
	restored, err := w.Client(t).RestoreSnapshot(t.Context(), client.SnapshotRef{ProjectID: w.ProjectID, ID: taken},
		client.SnapshotRestore{TargetBranchID: main})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Client(t).CreateBranch(t.Context(), w.ProjectID,
		client.BranchCreate{Name: "child", ParentID: branch.ID}); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		action acctest.Action
		want   []string
	}{
		"nothing to finalize": {
			branch.Action("finalize_branch_restore", "branch_id", branch.ID),
			[]string{"Unable to finalize branch restore", "422", "neon_restore_snapshot"},
		},
		"a taken name": {
			branch.Action("restore_snapshot", "snapshot_id", taken, "target_branch_id", main, "name", "b"),
			[]string{"409", "choose another name", `AttributeName("name")`},
		},
		"a taken name of the replaced branch": {
			branch.Action("finalize_branch_restore", "branch_id", restored.Object.ID, "name", "b"),
			[]string{"409", "choose another name", `AttributeName("name")`},
		},
		"a taken name of what a branch was": {
			branch.Action("restore_branch", "branch_id", branch.ID, "source_branch_id", main, "preserve_under_name", "b"),
			[]string{"409", "that no branch has", `AttributeName("preserve_under_name")`},
		},
		"no such role": {
			branch.Action("reset_role_password", "branch_id", branch.ID, "role_name", "nobody"),
			[]string{"404", "Check role_name"},
		},
		"a project that is there": {acctest.ActionOf("recover_project", "project_id", child), []string{child, "isn't deleted, so there is nothing to recover"}},
		"no such destination":     {transferOf(w.OrgID, "org-none-12345678", child), []string{"404", "Check source_org_id and destination_org_id", "Nothing was changed"}},
		"too small a plan":        {transferOf(w.OrgID, small, child), []string{"406", "doesn't fit", "Nothing was changed"}},
	} {
		t.Run(name, func(t *testing.T) {
			invoked := acctest.NewProtocol(t, w).Invoke(t, test.action, nil)
			for _, word := range test.want {
				if !strings.Contains(invoked.Problem, word) {
					t.Errorf("%q isn't in %q", word, invoked.Problem)
				}
			}
		})
	}
}

// So is what the plan would have refused, had it known the branch.
func TestAccActions_refusedUnplanned(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	branch := w.ActionBranch(t, "b")
	invoked := acctest.NewProtocol(t, w).InvokeUnplanned(t,
		branch.Action("create_snapshot", "branch_id", branch.ID), nil)
	if !acctest.InOrder("Unable to create snapshot", "422", "root branches").MatchString(invoked.Problem) {
		t.Error(invoked.Problem)
	}
}
