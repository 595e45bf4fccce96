package branch

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// deletionProtection is what deletion_protection keeps of a branch.
var deletionProtection = kit.Protection{
	Name: "branch", Called: "branch", Key: branchKey, HasName: true,
	Holds: "all data written to it, and its endpoints with their host names",
}

// isOwnProtection reports whether this resource has protected the branch.
func isOwnProtection(ctx context.Context, private kit.PrivateState) bool {
	_, is := kit.MarkOf[any](ctx, private, kit.OwnProtection)
	return is
}

// readMark is in the private state of a branch that was read, with its project, its id and its name: the plan of a
// replacement by -replace or replace_triggered_by knows no more of it.
const readMark = "read"

func markRead(ctx context.Context, state branchModel, private kit.PrivateState, diags *diag.Diagnostics) {
	kit.SetMark(ctx, private, readMark,
		[]string{state.ProjectID.ValueString(), state.ID.ValueString(), state.Name.ValueString()}, diags)
}

// planForced refuses to replace a branch that Neon keeps where the configuration doesn't ask for it. Terraform drops
// the warnings of such a plan.
func planForced(ctx context.Context, p kit.Planning) {
	read, isRead := kit.MarkOf[[3]string](ctx, p.Private, readMark)
	if deletionProtection.Refuses(ctx, p, "") || !isRead {
		return
	}
	var state branchModel
	state.ProjectID, state.ID = types.StringValue(read[0]), types.StringValue(read[1])
	state.Name = types.StringValue(read[2])
	planDeletion(ctx, p, ordinary, state)
}

// planDeletion refuses a plan to delete, or to replace, what Neon would refuse to delete later, when all that
// belongs to it is deleted already. Terraform 1.11 plans a deletion by what was in the state before the plan's refresh.
func planDeletion(ctx context.Context, p kit.Planning, resourceType string, state branchModel) {
	p.Goes(state.ID.ValueString())
	p.LookUps(func(run kit.Run) {
		present, children, err := run.API.GetSharedFamily(ctx, state.ref())
		if err != nil || present == nil { // The deletion says what is wrong.
			return
		}
		state.Default, state.Protected = types.BoolValue(present.Default), types.BoolValue(present.Protected)
		checkChildren(run, state, children)
	})
	checkDeletion(ctx, resourceType, state, p.Private, p.Diags)
}

// checkChildren refuses to delete a branch from which the default branch was created, which never goes, and names other
// children that this run isn't known to delete: Neon would refuse the deletion when the branch's databases are gone.
func checkChildren(run kit.Run, state branchModel, children []client.Branch) {
	id := state.ID.ValueString()
	children = run.StayingBranches(children)
	if len(children) == 0 {
		return
	}
	names, hasDefault := make([]string, len(children)), false
	for i, child := range children {
		names[i], hasDefault = child.Name+" ("+child.ID+")", hasDefault || child.Default
	}
	called := fmt.Sprintf("Other branches were created from branch %s (%s), and Neon deletes no such branch: %s.", id,
		kit.Quoted(state.Name.ValueString()), strings.Join(names, ", "))
	if hasDefault {
		run.Diags.AddError("The default branch was created from it ("+id+")", called+" The default branch among them can't "+
			"be deleted, so this one can't either. Keep it in the configuration, or have Terraform forget it with a removed "+
			"block that has destroy = false.")
		return
	}
	called += " Unless this run deletes them before, it ends with an error when the databases and roles of the branch " +
		"are deleted already. Delete those branches first, or keep this one and its databases in the configuration."
	run.Warn("Other branches were created from it ("+id+")", called)
	run.MayStay(id, called)
}

// checkDeletion refuses to delete the default branch, and one that somebody else has protected.
func checkDeletion(
	ctx context.Context, resourceType string, state branchModel, private kit.PrivateState, diags *diag.Diagnostics,
) {
	called := fmt.Sprintf("Branch %s (%s)", state.ID.ValueString(), kit.Quoted(state.Name.ValueString()))
	forget := "To have Terraform forget the branch without deleting it, as where it goes with its project, replace its " +
		"resource by this block, where NAME is its name, and apply that first; or run terraform state rm " + resourceType +
		".NAME.\n\n" + kit.RemovedBlock(resourceType+".NAME")
	switch {
	case state.Default.ValueBool():
		diags.AddError("The default branch can't be deleted ("+state.ID.ValueString()+")", called+" is the default branch "+
			"of project "+state.ProjectID.ValueString()+
			", which Neon never deletes. To delete only this branch, make another one the default first. "+forget)
	case state.Protected.ValueBool() && !isOwnProtection(ctx, private):
		diags.AddAttributeError(path.Root("protected"), "Somebody has protected the branch ("+state.ID.ValueString()+")",
			called+" is protected, and this resource hasn't put that on, so "+
				"it doesn't take it off to delete the branch. If the branch is meant to go, set\n\n  protected = false\n\nand "+
				"apply that first. "+forget)
	}
}
