package branch

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	preserveText = "Name of a new branch that keeps the data from before, and becomes the parent of the branch's " +
		"children. Without it nothing is kept."
	restoreDoubt = "Look in the web console whether the branch was reset: it shows when that was last done."
	restoredText = " The next apply creates again what Terraform manages and what no longer exists: roles, databases, " +
		"their Data API, Neon Auth."
	unprotectAdvice = "Take the protection off it first, in an apply of its own."
)

// NewResetAction returns the action neon_reset_branch.
func NewResetAction() action.Action {
	return kit.NewAction(kit.Action[resetModel]{
		Name: "reset_branch",
		Description: "Resets a branch to what its parent is now: data, roles and databases, and in some regions buckets. " +
			"What was written to the branch is lost, unless `preserve_under_name` keeps it. The branch keeps its id, " +
			"endpoints and passwords; its connections are dropped. A protected branch can't be reset, and one with children " +
			"needs `preserve_under_name`." + restoredText,
		Attributes: map[string]schema.Attribute{
			"project_id":          kit.RequiredID(kit.ProjectText),
			"branch_id":           kit.RequiredID("Id of the branch to reset, which has a parent."),
			"preserve_under_name": kit.OptionalText(preserveText),
			"expires_at": kit.ActionTime("New expiry of the branch, in RFC 3339. Without it, a branch that expires gets its " +
				"original lifetime again. A `neon_branch` that sets `expires_at` sets it back with its next apply."),
		},
		Plan:   checkReset,
		Invoke: reset,
		Doubt:  restoreDoubt,
	})
}

type resetModel struct {
	kit.InBranch
	kit.Invocation

	PreserveUnderName types.String      `tfsdk:"preserve_under_name"`
	ExpiresAt         timetypes.RFC3339 `tfsdk:"expires_at"`
}

func checkReset(ctx context.Context, run kit.Run, config resetModel) {
	run.CheckFuture(ctx, config.ExpiresAt, run.Diags)
	api, branch := run.CheckBranch(ctx, config.InBranch, run.Diags)
	if branch == nil {
		return
	}
	if err := resettable(branch); err != nil {
		kit.AddAttributeError(run.Diags, path.Root("branch_id"), "Unable to reset branch", err)
	} else if config.PreserveUnderName.IsNull() {
		checkChildless(ctx, api, branch, run.Diags)
	}
}

// checkChildless refuses to reset a branch whose children would lose the data that they began with.
func checkChildless(ctx context.Context, api *client.Client, branch *client.Branch, diags *diag.Diagnostics) {
	_, children, err := api.GetSharedFamily(ctx, client.BranchRef{ProjectID: branch.ProjectID, ID: branch.ID})
	if err == nil && len(children) > 0 { // Else the reset says what is wrong.
		diags.AddAttributeError(path.Root("preserve_under_name"), "The branch has children",
			neededBy(children[0], kit.Quoted(branch.Name)))
	}
}

// neededBy says what a restore of a branch needs that has a child.
func neededBy(child client.Branch, branch string) string {
	return fmt.Sprintf("Branch %s has the child %s (%s), which needs what it has now: set preserve_under_name to a name "+
		"under which that is kept as a branch.", branch, child.ID, kit.Quoted(child.Name))
}

// resettable says why a branch can't be reset.
func resettable(branch *client.Branch) error {
	if branch.ParentID == "" {
		return kit.Advise(fmt.Errorf("branch %q has no parent that it could be reset to", branch.Name),
			"Restore it from another branch, or from a moment of its own past, with the action neon_restore_branch.")
	}
	return restorable(branch)
}

// restorable says why a branch can't be restored.
func restorable(branch *client.Branch) error {
	if branch.Protected {
		return kit.Advise(fmt.Errorf("branch %q is protected", branch.Name), unprotectAdvice)
	}
	if reason := branch.Restriction("restore"); reason != "" {
		return kit.Advise(fmt.Errorf("branch %q can't be restored or reset: %s", branch.Name, reason), "To begin from "+
			"newer data, create another branch in its place: for one of Terraform's, terraform apply -replace.")
	}
	return nil
}

func reset(ctx context.Context, api *client.Client, config resetModel) (string, error) {
	ref := config.Branch()
	branch, err := api.GetSharedBranch(ctx, ref)
	if err == nil {
		err = resettable(branch)
	}
	if err != nil {
		return "", err
	}
	restored := client.BranchRestore{SourceID: branch.ParentID, PreserveUnderName: config.PreserveUnderName.ValueString()}
	next, err := restoreFrom(ctx, api, config.InBranch, restored)
	if err != nil || !kit.IsSet(config.ExpiresAt) {
		return next, err
	}
	expiry := client.BranchUpdate{ExpiresAt: kit.Instant(config.ExpiresAt)}
	operations, err := client.OperationsOf(api.UpdateBranch(ctx, ref, expiry))
	if err := kit.Finish(ctx, api, ref.ProjectID, operations, err); err != nil {
		return "", kit.Advise(fmt.Errorf("the branch was reset, but its expiry could not be set: %w", err),
			"Don't reset it again: set expires_at of its neon_branch, or in the web console.")
	}
	return next, nil
}

// adviseChildren says what a restore of a branch that has children needs.
func adviseChildren(ctx context.Context, api *client.Client, branch client.BranchRef, refusal error) error {
	_, children, _ := api.GetSharedFamily(ctx, branch) // Without them, the refusal is about something else.
	if len(children) == 0 {
		return refusal
	}
	return kit.Advise(refusal, neededBy(children[0], branch.ID)+" The branch wasn't restored.")
}

// restoreFrom restores a branch, and says what the next plan will show.
func restoreFrom(
	ctx context.Context, api *client.Client, at kit.InBranch, restore client.BranchRestore,
) (string, error) {
	branch := at.Branch()
	operations, err := client.OperationsOf(api.RestoreBranch(ctx, branch, restore))
	err = kit.Finish(ctx, api, branch.ProjectID, operations, err)
	if name := restore.PreserveUnderName; name != "" && client.HasStatus(err, http.StatusConflict) {
		err = kit.Blame(kit.Advise(err, fmt.Sprintf("Project %s has a branch named %s already: set preserve_under_name to "+
			"a name that no branch has. The branch wasn't restored.", branch.ProjectID, kit.Quoted(name))),
			path.Root("preserve_under_name"))
	}
	if restore.PreserveUnderName == "" && client.IsRefused(err) {
		err = adviseChildren(ctx, api, branch, err)
	}
	if err != nil {
		return "", err
	}
	source := restore.SourceID + " doesn't have"
	if restore.LSN != "" || restore.Timestamp != nil {
		source = restore.SourceID + " didn't have then"
	}
	next := fmt.Sprintf("Branch %s itself doesn't change in the next plan; it keeps its id and endpoints. Roles and "+
		"databases that %s no longer exist, with the Data API of such a database, and Neon Auth may be gone: the next apply "+
		"creates again what Terraform manages of that.", branch.ID, source)
	if name := restore.PreserveUnderName; name != "" {
		backup := "a branch"
		// A root stays one, so that its parent_id doesn't name it.
		if found, err := api.GetBranchByName(ctx, branch.ProjectID, name); err == nil && found != nil {
			backup = "branch " + found.ID + ","
		}
		next += fmt.Sprintf(" What the branch was goes on as %s named %q, with its children; Terraform manages it once it "+
			"is imported.", backup, name)
	}
	return next, nil
}
