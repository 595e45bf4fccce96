package snapshot

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const restoreDoubt = "Look in the web console whether there is a branch that was restored from the snapshot."

// nextPlanText says what the plan after a finished restore shows.
const nextPlanText = "The next plan moves all that refers to the target to the new branch, in place, and nothing is " +
	"destroyed."

// NewRestoreAction returns the action neon_restore_snapshot.
func NewRestoreAction() action.Action {
	return kit.NewAction(kit.Action[restoreModel]{
		Name: "restore_snapshot",
		Description: "Restores a snapshot as a new branch. With `finalize_restore` it replaces the target at once; " +
			"otherwise you can inspect it first, and then invoke `neon_finalize_branch_restore`. It receives the target's " +
			"name, protection and endpoints, whose connections are dropped, but has **an id of its own**. " + nextPlanText +
			" The replaced branch stays, under another name and without endpoints.",
		Attributes: map[string]schema.Attribute{
			"project_id":  kit.RequiredID(kit.ProjectText),
			"snapshot_id": kit.RequiredID(idText),
			"target_branch_id": kit.RequiredID("Id of the branch that the restored one is to replace. Neon's own default is " +
				"the branch that the snapshot was taken of, which after an earlier restore is the replaced one."),
			"name": kit.OptionalText("Name of the restored branch. Defaults to one that Neon chooses. With `finalize_restore` " +
				"the branch gets the target's."),
			"finalize_restore": schema.BoolAttribute{
				MarkdownDescription: "Whether the restored branch replaces the target at once. Defaults to `false`.",
				Optional:            true,
			},
		},
		Plan:   checkRestore,
		Invoke: restore,
		Doubt:  restoreDoubt,
	})
}

type restoreModel struct {
	kit.Invocation

	ProjectID       types.String `tfsdk:"project_id"`
	SnapshotID      types.String `tfsdk:"snapshot_id"`
	TargetBranchID  types.String `tfsdk:"target_branch_id"`
	Name            types.String `tfsdk:"name"`
	FinalizeRestore types.Bool   `tfsdk:"finalize_restore"`
}

func checkRestore(ctx context.Context, run kit.Run, config restoreModel) {
	if config.ProjectID.IsUnknown() {
		return
	}
	projectID := config.ProjectID.ValueString()
	api := run.CheckProject(ctx, projectID, run.Diags)
	if api == nil {
		return
	}
	if kit.IsSet(config.TargetBranchID) {
		target := kit.RefOf[client.Branch](config.ProjectID, config.TargetBranchID)
		if _, err := run.LookUpBranch(ctx, target); err != nil {
			kit.AddAttributeError(run.Diags, path.Root("target_branch_id"), "Unable to read the target", err)
		}
	}
	if kit.IsSet(config.SnapshotID) {
		if _, err := api.GetSharedSnapshot(ctx, kit.RefOf[client.Snapshot](config.ProjectID, config.SnapshotID)); err != nil {
			kit.AddReadError(run.Diags, "snapshot_id", "snapshot", err)
		}
	}
}

func restore(ctx context.Context, api *client.Client, config restoreModel) (string, error) {
	projectID, targetID := config.ProjectID.ValueString(), config.TargetBranchID.ValueString()
	restored, err := api.RestoreSnapshot(ctx, client.SnapshotRef{ProjectID: projectID,
		ID: config.SnapshotID.ValueString()}, client.SnapshotRestore{
		TargetBranchID: targetID, Name: config.Name.ValueString(), Finalize: config.FinalizeRestore.ValueBool(),
	})
	if err != nil {
		return "", blameName(err, config.Name)
	}
	if err := api.WaitForOperations(ctx, projectID, restored.Operations); err != nil {
		return "", fmt.Errorf("%w; the restored branch is %s, named %s", err, restored.Object.ID,
			kit.Quoted(restored.Object.Name))
	}
	if config.FinalizeRestore.ValueBool() {
		return replaced(ctx, api, client.BranchRef{ProjectID: projectID, ID: restored.Object.ID}, targetID), nil
	}
	return fmt.Sprintf("Branch %s, named %s, has what the snapshot holds. This doesn't show up in the next plan. Invoke "+
		"the action neon_finalize_branch_restore with this branch to have it take the place of branch %s, or delete it.",
		restored.Object.ID, kit.Quoted(restored.Object.Name), targetID), nil
}

// blameName blames the name where it is taken.
func blameName(err error, name types.String) error {
	if kit.IsSet(name) && client.HasStatus(err, http.StatusConflict) {
		return kit.Blame(err, path.Root("name"))
	}
	return err
}

// NewFinalizeAction returns the action neon_finalize_branch_restore.
func NewFinalizeAction() action.Action {
	return kit.NewAction(kit.Action[finalizeModel]{
		Name: "finalize_branch_restore",
		Description: "Replaces a branch by the one that `neon_restore_snapshot` restored for it. The restored branch " +
			"receives the target's name, protection and endpoints, whose connections are dropped, but keeps **its own id**. " +
			nextPlanText + " The replaced branch stays, under another name and without endpoints.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"branch_id":  kit.RequiredID("Id of the restored branch."),
			"name":       kit.OptionalText("New name of the replaced branch. Defaults to one that Neon chooses."),
		},
		Plan:   kit.CheckInBranch[finalizeModel],
		Invoke: finalize,
		Doubt:  "Look in the web console whether the restored branch has the name of the other one.",
	})
}

type finalizeModel struct {
	kit.InBranch
	kit.Invocation

	Name types.String `tfsdk:"name"`
}

func finalize(ctx context.Context, api *client.Client, config finalizeModel) (string, error) {
	ref := config.Branch()
	branch, err := api.GetSharedBranch(ctx, ref)
	if err != nil {
		return "", err
	}
	operations, err := api.FinalizeRestore(ctx, ref, config.Name.ValueString())
	switch {
	case client.HasStatus(err, http.StatusConflict):
		err = blameName(err, config.Name)
	case client.IsRefused(err):
		err = kit.Advise(err, "branch_id is to be a branch that neon_restore_snapshot has restored without "+
			"finalize_restore, and that hasn't taken its target's place yet.")
	}
	if err := kit.Finish(ctx, api, ref.ProjectID, operations, err); err != nil {
		return "", err
	}
	return replaced(ctx, api, ref, branch.RestoredAs), nil
}

// replaced says how Terraform goes on with a branch that has another id now.
func replaced(ctx context.Context, api *client.Client, branch client.BranchRef, targetID string) string {
	now := "another name"
	if target, err := api.GetSharedBranch(ctx, client.BranchRef{ProjectID: branch.ProjectID, ID: targetID}); err == nil {
		now = "the name " + kit.Quoted(target.Name)
	}
	return fmt.Sprintf("The branch has another id now: %s. Branch %s, which it has replaced, stays under %s. In the "+
		"next plan, default_branch of a neon_project or a neon_branch that stood for the replaced branch stands for the "+
		"new one. Objects whose branch_id or parent_id refers to it move along in place, with warnings that name both "+
		"branches, and nothing is destroyed. An id that is written out in the configuration goes on to name the replaced "+
		"branch: change it to the new one.",
		branch.ID, targetID, now)
}
