package client

import (
	"context"
	"slices"
)

// Succeeds reports whether a branch has replaced an earlier one, by one or more restores of a snapshot: it has another
// id, but users see the same branch. Only Neon's data about the branches proves that, never their names.
// GET /projects/{project_id}/branches/{branch_id}: https://api-docs.neon.tech/reference/getprojectbranch
func (c *Client) Succeeds(ctx context.Context, branch BranchRef, earlier string) (bool, error) {
	for seen := map[string]bool{"": true}; !seen[branch.ID]; {
		seen[branch.ID] = true
		now, err := c.GetSharedBranch(ctx, branch)
		switch {
		case IsAbsent(err):
			return false, nil
		case err != nil:
			return false, err
		case now.RestoreStatus == RestorePreviewed:
			return false, nil
		}
		if branch.ID = now.RestoredAs; branch.ID == earlier {
			return true, nil
		}
	}
	return false, nil
}

// GetSuccessor returns the branch that has replaced another, or nil if none has. If several restores have replaced it,
// as a restore into the replaced branch does, the successor with its former name counts.
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
func (c *Client) GetSuccessor(ctx context.Context, ref BranchRef, name string) (*Branch, error) {
	latest, err := c.ListSuccessors(ctx, ref)
	if len(latest) > 1 {
		latest = slices.DeleteFunc(latest, func(branch Branch) bool { return branch.Name != name })
	}
	if err != nil || len(latest) != 1 {
		return nil, err
	}
	return &latest[0], nil
}

// ListSuccessors returns all branches that have taken the place of another, and that none has replaced since.
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
func (c *Client) ListSuccessors(ctx context.Context, ref BranchRef) ([]Branch, error) {
	branches, err := All(c.ListBranches(ctx, ref.ProjectID, BranchQuery{}))
	if err != nil {
		return nil, err
	}
	return latestSuccessors(branches, ref.ID), nil
}

// latestSuccessors returns the successors of a branch that have none themselves.
func latestSuccessors(branches []Branch, id string) (latest []Branch) {
	// What was restored has the name, the protection and the endpoints of that one.
	isNext := func(branch Branch) bool { return branch.RestoredAs == id && branch.RestoreStatus != RestorePreviewed }
	others := slices.DeleteFunc(slices.Clone(branches), isNext) // Without those that were met, a circle ends.
	for _, branch := range branches {
		if !isNext(branch) {
			continue
		}
		if later := latestSuccessors(others, branch.ID); len(later) > 0 {
			latest = append(latest, later...)
		} else {
			latest = append(latest, branch)
		}
	}
	return latest
}
