package branch

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewRestoreAction returns the action neon_restore_branch.
func NewRestoreAction() action.Action {
	return kit.NewAction(kit.Action[restoreModel]{
		Name: "restore_branch",
		Description: "Restores a branch from another branch, or from a moment of its own past: data, roles and databases, " +
			"not buckets. What was written to the branch is lost, unless `preserve_under_name` keeps it. The branch keeps " +
			"its id, endpoints and passwords; its connections are dropped. A protected branch can't be restored, and one " +
			"with children needs `preserve_under_name`." + restoredText,
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"branch_id":  kit.RequiredID("Id of the branch to restore."),
			"source_branch_id": kit.OptionalID("Id of the branch to restore from. Defaults to the branch itself, which needs " +
				"`source_lsn` or `source_timestamp`, and `preserve_under_name`."),
			"source_lsn": kit.OptionalText("Position in the source's write-ahead log to restore to, such as `0/1E88838`. "+
				"Defaults to its current data.", kit.LSNValidators()...),
			"source_timestamp": kit.ActionTime("Time in the source's past to restore to, in RFC 3339. Defaults to its "+
				"current data.", "source_lsn"),
			"preserve_under_name": kit.OptionalText(preserveText + " Needed to restore a branch from its own past."),
		},
		Validate: restoreModel.validate,
		Plan:     checkRestore,
		Invoke: func(ctx context.Context, api *client.Client, config restoreModel) (string, error) {
			return restoreFrom(ctx, api, config.InBranch, config.restore())
		},
		Doubt: restoreDoubt,
	})
}

type restoreModel struct {
	kit.InBranch
	kit.Invocation

	SourceBranchID    types.String      `tfsdk:"source_branch_id"`
	SourceLSN         types.String      `tfsdk:"source_lsn"`
	SourceTimestamp   timetypes.RFC3339 `tfsdk:"source_timestamp"`
	PreserveUnderName types.String      `tfsdk:"preserve_under_name"`
}

// fromItself reports whether the source is known to be the branch itself.
func (m restoreModel) fromItself() bool {
	return m.SourceBranchID.IsNull() || kit.IsSet(m.SourceBranchID) && m.SourceBranchID.Equal(m.BranchID)
}

func (m restoreModel) validate(diags *diag.Diagnostics) {
	if m.fromItself() && m.SourceLSN.IsNull() && m.SourceTimestamp.IsNull() {
		diags.AddAttributeError(path.Root("source_branch_id"), "Missing source_timestamp or source_lsn",
			"A branch that is restored from itself needs a moment of its past: set source_timestamp or source_lsn, or another "+
				"source_branch_id.")
	}
	if m.fromItself() && m.PreserveUnderName.IsNull() {
		diags.AddAttributeError(path.Root("preserve_under_name"), "Missing preserve_under_name",
			"Neon restores a branch from its own past only if it keeps the present data as another branch: set "+
				"preserve_under_name to a name for that branch.")
	}
}

func checkRestore(ctx context.Context, run kit.Run, config restoreModel) {
	run.CheckPast(ctx, "source_timestamp", config.SourceTimestamp, run.Diags)
	api, branch := run.CheckBranch(ctx, config.InBranch, run.Diags)
	if branch != nil {
		if err := restorable(branch); err != nil {
			kit.AddAttributeError(run.Diags, path.Root("branch_id"), "Unable to restore branch", err)
		}
	}
	if api == nil || run.Diags.HasError() || !kit.IsSet(config.SourceBranchID) {
		return
	}
	_, err := run.LookUpBranch(ctx, kit.RefOf[client.Branch](config.ProjectID, config.SourceBranchID))
	if err != nil {
		kit.AddAttributeError(run.Diags, path.Root("source_branch_id"), "Unable to read the source", err)
	}
}

// restore is what is sent to Neon.
func (m restoreModel) restore() client.BranchRestore {
	restore := client.BranchRestore{
		SourceID: m.SourceBranchID.ValueString(), LSN: m.SourceLSN.ValueString(),
		PreserveUnderName: m.PreserveUnderName.ValueString(),
	}
	if m.fromItself() {
		restore.SourceID = m.BranchID.ValueString()
	}
	if kit.IsSet(m.SourceTimestamp) {
		moment, _ := m.SourceTimestamp.ValueRFC3339Time()
		restore.Timestamp = &moment
	}
	return restore
}
