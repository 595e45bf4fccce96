package snapshot

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

// NewRehearseAction returns the action neon_rehearse_restore.
func NewRehearseAction() action.Action {
	return kit.NewAction(kit.Action[rehearseModel]{
		Name: "rehearse_restore",
		Description: "Rehearses a restore: restores a branch's newest snapshot, another one, or a moment of its past into " +
			"a branch of its own, runs a SQL check there, and deletes that branch again, whatever happens. It says how long " +
			"the restore took until the data answered its first query (RTO), how old the data was then (RPO), and what the " +
			"check returned. If the check isn't true, the action fails.\n\nThe branch that is rehearsed isn't touched. The " +
			"branch of the rehearsal is named `" + rehearsalPrefix + "` and ten random letters and digits. It " +
			"expires, so that Neon deletes it even if Terraform is killed. A restored snapshot is given its expiry by a " +
			"second request: look for such a branch, and delete it, if Terraform was killed as soon as it said that it " +
			"restores. A restored snapshot has no parent: it takes one of the project's root branches meanwhile. `read_only` " +
			"of the provider block refuses the action; `protect` doesn't, since it deletes only the branch that it has " +
			"created. The machine that runs Terraform must reach the database.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"branch_id": kit.RequiredID("Id of the branch whose restore is rehearsed. Snapshots are of root branches alone; " +
				"any other branch needs `timestamp`."),
			"snapshot_id": kit.OptionalID("Id of the snapshot to restore, also one of another branch. Defaults to the newest " +
				"snapshot of the branch, be it taken by hand or by a schedule."),
			"timestamp": kit.ActionTime("Time in the branch's past to restore instead of a snapshot, in RFC 3339, to the "+
				"second. It must be within the project's history.",
				"snapshot_id"),
			"database_name": kit.RequiredText("Name of the database that the check runs in.", kit.PostgresName()...),
			"role_name":     kit.RequiredText("Name of the role that runs the check.", kit.PostgresName()...),
			"check": kit.RequiredText("One SQL statement that returns one row, whose first column is a boolean: `true` if the " +
				"data is as it should be. Anything else fails the action. The whole row is shown, so further columns can say " +
				"more, as in `SELECT count(*) > 1000 AS ok, count(*) FROM orders`."),
		},
		Validate: rehearseModel.validate,
		Plan:     checkRehearsal,
		Invoke:   rehearse,
	})
}

type rehearseModel struct {
	kit.InBranch
	kit.Invocation

	SnapshotID   types.String      `tfsdk:"snapshot_id"`
	Timestamp    timetypes.RFC3339 `tfsdk:"timestamp"`
	DatabaseName types.String      `tfsdk:"database_name"`
	RoleName     types.String      `tfsdk:"role_name"`
	Check        types.String      `tfsdk:"check"`
}

func (m rehearseModel) validate(diags *diag.Diagnostics) {
	if !kit.IsSet(m.Check) {
		return
	}
	statements, err := sqlscript.Split(m.Check.ValueString())
	switch {
	case err != nil:
		diags.AddAttributeError(path.Root("check"), "Invalid check", kit.Sentence("in check, "+err.Error()))
	case len(statements) != 1:
		diags.AddAttributeError(path.Root("check"), "Invalid check",
			fmt.Sprintf("check must be one SQL statement, and has %d. Several conditions fit into one: SELECT (SELECT ...) "+
				"AND (SELECT ...).", len(statements)))
	}
}

func checkRehearsal(ctx context.Context, run kit.Run, config rehearseModel) {
	run.CheckPast(ctx, "timestamp", config.Timestamp, run.Diags)
	api, branch := run.CheckBranch(ctx, config.InBranch, run.Diags)
	switch {
	case api == nil:
	case kit.IsSet(config.SnapshotID):
		if _, err := api.GetSharedSnapshot(ctx, kit.RefOf[client.Snapshot](config.ProjectID, config.SnapshotID)); err != nil {
			kit.AddReadError(run.Diags, "snapshot_id", "snapshot", err)
		}
	case branch != nil && branch.ParentID != "" && config.SnapshotID.IsNull() && config.Timestamp.IsNull():
		run.Diags.AddAttributeError(path.Root("branch_id"), "No snapshots of this branch", fmt.Sprintf("Branch %s has the "+
			"parent %s, and Neon takes snapshots of root branches alone, which have none. Set timestamp to rehearse the "+
			"restore of a moment of its past.", branch.ID, branch.ParentID))
	}
}
