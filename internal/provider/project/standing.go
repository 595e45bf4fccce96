package project

import (
	"context"
	"fmt"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// standingFor returns the branch that default_branch manages: the same as before while it exists, or the one that
// replaced it in a restore, otherwise Neon's default branch. If another branch is Neon's default now, it warns, since
// nothing needs to be planned.
func standingFor(ctx context.Context, run kit.Run, projectID string, prior branchModel) (*client.Branch, error) {
	now, err := run.API.GetSharedDefaultBranch(ctx, projectID)
	if err != nil || !kit.IsSet(prior.ID) || now.ID == prior.ID.ValueString() && now.Name == prior.Name.ValueString() {
		return now, err
	}
	branch, err := sameBranch(ctx, run, projectID, prior)
	switch {
	case err != nil || branch != nil && branch.Default:
		return branch, err
	case branch == nil:
		run.Warn("The default branch is gone ("+prior.ID.ValueString()+")", fmt.Sprintf("Branch %s (%s), which "+
			"default_branch of project %s stood for, was deleted. It stands for the project's present default branch from now "+
			"on: %s (%s).",
			prior.ID.ValueString(), kit.Quoted(prior.Name.ValueString()), projectID, now.ID, kit.Quoted(now.Name)))
		return now, nil
	}
	run.Warn("Another branch is the default one ("+projectID+")", fmt.Sprintf("Neon's default branch is %s (%s) now. "+
		"default_branch of project %s goes on to stand for branch %s (%s), and nothing is planned because of the change. "+
		"The action neon_set_default_branch makes that one the default again. To have default_branch stand for the present "+
		"one, take the project out of the state with terraform state rm, and import it again.",
		now.ID, kit.Quoted(now.Name), projectID, branch.ID, kit.Quoted(branch.Name)))
	return branch, nil
}

// sameBranch returns the branch of the state or its replacement by a restore; nil if there is neither.
func sameBranch(ctx context.Context, run kit.Run, projectID string, prior branchModel) (*client.Branch, error) {
	id, name := prior.ID.ValueString(), prior.Name.ValueString()
	ref := client.BranchRef{ProjectID: projectID, ID: id}
	branch, err := run.API.GetSharedBranch(ctx, ref)
	switch {
	case err != nil && !client.IsAbsent(err):
		return nil, err
	case err == nil && branch.Name == name: // A restore gives the name to another.
		return branch, nil
	}
	successor, err := run.API.GetSuccessor(ctx, ref, name)
	if successor == nil || err != nil {
		return branch, err
	}
	run.Warn("A restored branch has taken the place of "+id, fmt.Sprintf("Branch %s (%s) was restored from a snapshot "+
		"and has replaced branch %s. default_branch of project %s stands for branch %s from now on. What refers to it "+
		"moves along in place, and nothing is deleted because of that.",
		successor.ID, kit.Quoted(successor.Name),
		kit.DescribeBranch(ctx, run.API, client.BranchRef{ProjectID: projectID, ID: id}), projectID, successor.ID))
	return successor, nil
}

// adviseTaken names the branch that has the name which the default branch is to get.
func adviseTaken(ctx context.Context, api *client.Client, branch client.Branch, name string, refusal error) error {
	other, err := api.GetBranchByName(ctx, branch.ProjectID, name)
	if err != nil || other == nil {
		return refusal
	}
	return kit.Advise(refusal, fmt.Sprintf("default_branch.name is to be %s, which is the name of branch %s. "+
		"default_branch stands for branch %s (%s), and wasn't renamed. Give one of the two another name.", kit.Quoted(name),
		other.ID, branch.ID, kit.Quoted(branch.Name)))
}
