package client

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// RestorePreviewed is the restore status of a branch that hasn't replaced its target yet,
// and restoreFinalized of one that has.
const (
	RestorePreviewed = "restored"
	restoreFinalized = "finalized"
)

// SnapshotRestore says how a snapshot is restored.
type SnapshotRestore struct {
	// TargetBranchID is the branch that the restored one replaces, now or later. Without
	// it Neon takes the branch that the snapshot was taken of, which after an earlier
	// restore is the replaced one, so it is required here.
	TargetBranchID string `json:"target_branch_id"`
	// Name is the restored branch's; empty has Neon choose one.
	Name string `json:"name,omitempty"`
	// Finalize has it replace the target at once: it gets the target's name and computes,
	// and the default branch and protection go with the name.
	Finalize bool `json:"finalize_restore"`
}

// RestoreSnapshot restores a snapshot as a new branch, which is usable when the returned
// operations have finished. After a lost answer it isn't sent again: a second restore would
// create a second branch, and finalized would replace the first (published description,
// restoreSnapshot).
func (c *Client) RestoreSnapshot(ctx context.Context, projectID, id string, restore SnapshotRestore) (*Branch, []Operation, error) {
	before, err := All(c.Branches(ctx, projectID, BranchQuery{}))
	if err != nil {
		return nil, nil, err
	}
	request := snapshotCall(http.MethodPost, "/{snapshot_id}/restore", projectID, id)
	request.subject = fmt.Sprintf("a branch restored from snapshot %s", id)
	request.body, request.once = restore, true
	answer, err := writeOnce(ctx, c, request,
		func() (*branchAnswer, error) {
			return receive(ctx, c, request, "branch.id", (*branchAnswer).isComplete)
		},
		func(ctx context.Context) (*branchAnswer, error) {
			branches, err := All(c.Branches(ctx, projectID, BranchQuery{}))
			found := slices.DeleteFunc(branches, func(branch Branch) bool {
				isOld := slices.ContainsFunc(before, func(old Branch) bool { return old.ID == branch.ID })
				return isOld || branch.RestoredFrom != id || branch.RestoredAs != restore.TargetBranchID
			})
			if err != nil || len(found) == 0 {
				return nil, err
			}
			operations, err := c.creationOperations(ctx, projectID, func(o Operation) bool { return o.BranchID == found[0].ID })
			return &branchAnswer{Branch: found[0], Operations: operations}, err
		})
	if err != nil {
		return nil, nil, err
	}
	return &answer.Branch, answer.Operations, nil
}

// FinalizeRestore has a branch that was restored from a snapshot replace its target. The
// target goes on under oldName, or under a name that Neon chooses where that is empty
// (published description, finalizeRestoreBranch).
func (c *Client) FinalizeRestore(ctx context.Context, projectID, branchID, oldName string) ([]Operation, error) {
	request := branchCall(http.MethodPost, projectID, branchID)
	request.route += "/finalize_restore"
	request.subject = "the end of the restore as branch " + branchID
	if oldName != "" {
		request.body = map[string]string{"name": oldName}
	}
	type operationsAnswer struct {
		Operations []Operation `json:"operations"`
	}
	answer, err := writeOnce(ctx, c, request,
		func() (*operationsAnswer, error) {
			return receive(ctx, c, request, "operations", func(a *operationsAnswer) bool { return a.Operations != nil })
		},
		func(ctx context.Context) (*operationsAnswer, error) {
			branch, err := c.Branch(ctx, projectID, branchID)
			if err != nil || branch.RestoreStatus != restoreFinalized {
				return nil, err
			}
			operations, err := c.branchOperations(ctx, projectID, branchID)
			return &operationsAnswer{operations}, err
		})
	if err != nil {
		return nil, err
	}
	return answer.Operations, nil
}
