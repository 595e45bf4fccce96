package branch

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/rootbranch"
)

// deleteOrdinary deletes the branch with its endpoints. A branch that Neon refuses to delete stays in the state.
func deleteOrdinary(ctx context.Context, run kit.Run, state branchModel) error {
	if err := takeFinalSnapshot(ctx, run, state); err != nil {
		return kit.Blame(err, path.Root("final_snapshot"))
	}
	return deleteOrSayWhy(ctx, run, state)
}

// deleteOrSayWhy deletes a branch. If Neon keeps it, the error says why before it repeats Neon's words.
func deleteOrSayWhy(ctx context.Context, run kit.Run, state branchModel) error {
	err := deleteBranch(ctx, run.API, &state, isOwnProtection(ctx, run.Private))
	switch {
	case client.IsAbsent(err):
		return nil
	case client.IsRefused(err):
		return kit.Advise(errors.New(whyKept(ctx, run.API, state)), kit.Sentence(err.Error()))
	}
	return err
}

// deleteBranch deletes a branch even if this resource has protected it, as the user asked for. If that fails, the
// branch is protected again.
func deleteBranch(ctx context.Context, api *client.Client, branch *branchModel, isOwnProtection bool) error {
	wasProtected := isOwnProtection && branch.Protected.ValueBool()
	var operations []client.Operation
	var err error
	if wasProtected {
		err = setProtected(ctx, api, branch, false)
	}
	if err == nil {
		operations, err = api.DeleteBranch(ctx, branch.ref())
	}
	switch {
	case err == nil:
		return api.WaitForOperations(ctx, branch.ProjectID.ValueString(), operations)
	case wasProtected && !branch.Protected.ValueBool():
		return kit.ProtectAgain(ctx, err, func(ctx context.Context) error { return setProtected(ctx, api, branch, true) })
	}
	return err
}

// setProtected sets the protection on Neon and in the model, where a change whose answer was lost counts as made.
func setProtected(ctx context.Context, api *client.Client, branch *branchModel, protected bool) error {
	operations, err := client.OperationsOf(api.UpdateBranch(ctx, branch.ref(), client.BranchUpdate{Protected: &protected}))
	if err == nil || kit.Is[*client.AmbiguousError](err) {
		branch.Protected = types.BoolValue(protected)
	}
	if err != nil {
		return err
	}
	return api.WaitForOperations(ctx, branch.ProjectID.ValueString(), operations)
}

// takeFinalSnapshot takes the snapshot that a branch is to leave, unless Neon would keep the branch anyway, or it was
// never there.
func takeFinalSnapshot(ctx context.Context, run kit.Run, state branchModel) error {
	if state.FinalSnapshot.IsNull() {
		return nil
	}
	present, reason := standing(ctx, run.API, state, isOwnProtection(ctx, run.Private))
	switch {
	case reason != "":
		return kit.Advise(errors.New("Neon deletes no such branch, so no last snapshot was taken of it either"), reason) //nolint:staticcheck // A name.
	case present != nil && present.CurrentState == "init": // Neon hasn't created it, so that nothing is in it.
		return nil
	}
	return rootbranch.TakeFinal(ctx, run, state.ref(), describe(state), time.Time{}, state.FinalSnapshot)
}

// whyKept says why Neon keeps a branch, as far as its project's branches tell.
func whyKept(ctx context.Context, api *client.Client, state branchModel) string {
	_, reason := standing(ctx, api, state, false)
	return cmp.Or(reason, "A branch that others were created from can't be deleted: delete its children first. Nor can "+
		"the default branch, one that somebody else has protected, or the backup that a restore of a root branch from "+
		"another one has left.")
}

// standing returns a branch, or nil if it can't be seen, and the reason for which Neon would refuse to delete it, or
// "".
func standing(
	ctx context.Context, api *client.Client, state branchModel, isOwnProtection bool,
) (present *client.Branch, reason string) {
	id := state.ID.ValueString()
	isDefault := state.Default.ValueBool()
	var children []string
	for branch, err := range api.ListBranches(ctx, state.ProjectID.ValueString(), client.BranchQuery{}) {
		switch {
		case err != nil:
		case branch.ID == id:
			present, isDefault = &branch, branch.Default
		case branch.ParentID == id:
			children = append(children, branch.Name+" ("+branch.ID+")")
		}
	}
	switch {
	case isDefault:
		return present, "This is the project's default branch, which can't be deleted: set another default branch first, " +
			"or remove this one from the state with terraform state rm."
	case len(children) > 0:
		return present, "Other branches were created from it, and have to be deleted first: " +
			strings.Join(children, ", ") + "."
	case present != nil && present.Protected && !isOwnProtection:
		return present, "It is protected, which this resource hasn't done, so it doesn't undo it: set protected = false, " +
			"apply that, and then destroy it."
	}
	return present, ""
}
