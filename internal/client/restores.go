package client

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// BranchRestore says what a branch is restored from.
type BranchRestore struct {
	SourceID string `json:"source_branch_id"`
	// LSN or Timestamp is a moment in the source's history; none of them means its present.
	LSN       string     `json:"source_lsn,omitempty"`
	Timestamp *time.Time `json:"source_timestamp,omitempty"`
	// PreserveUnderName is the name of a new branch with what the branch was, and with its children; empty for none.
	PreserveUnderName string `json:"preserve_under_name,omitempty"`
}

// RestoreBranch gives a branch the data, roles and databases of another, or of its own past.
// It keeps its id and its endpoints. A second restore would overwrite what was written since the first.
// POST /projects/{project_id}/branches/{branch_id}/restore: https://api-docs.neon.tech/reference/restoreprojectbranch
func (c *Client) RestoreBranch(ctx context.Context, branch BranchRef, restore BranchRestore) (*Answer[Branch], error) {
	request := branchKind.of(http.MethodPost, "/restore", branch.ProjectID, branch.ID)
	request.subject = fmt.Sprintf("the restore of branch %s", branch.ID)
	request.body, request.by = restore, replacing(restoreOf(branch))
	before, err := c.GetBranch(ctx, branch)
	if err != nil {
		return nil, err
	}
	known, err := c.newestOperations(ctx, branch.ProjectID)
	if err != nil {
		return nil, err
	}
	return branchKind.change(ctx, c, request, effect[Branch]{
		isDone: before.wasRestored,
		operations: func(ctx context.Context) ([]Operation, error) {
			return c.operationsSince(ctx, branch.ProjectID, known, func(o Operation) bool { return o.BranchID == branch.ID })
		},
	})
}

// restoreOf is the path of what restores of a branch change, whichever call orders them.
func restoreOf(branch BranchRef) string {
	return branchKind.named(branch.ProjectID, branch.ID).path + "/restore"
}

// wasRestored reports whether the branch was restored after b was read.
func (b *Branch) wasRestored(now *Branch) bool {
	isResetting := now.CurrentState == "resetting" && b.CurrentState != "resetting"
	wasReset := now.LastResetAt != nil && (b.LastResetAt == nil || now.LastResetAt.After(*b.LastResetAt))
	return isResetting || wasReset || now.ParentID != b.ParentID || now.ParentLSN != b.ParentLSN
}

// SetDefaultBranch makes a branch the project's default one, in place of another. One that is it already is no error.
// POST /projects/{project_id}/branches/{branch_id}/set_as_default: https://api-docs.neon.tech/reference/setdefaultprojectbranch
func (c *Client) SetDefaultBranch(ctx context.Context, branch BranchRef) (*Answer[Branch], error) {
	request := branchKind.of(http.MethodPost, "/set_as_default", branch.ProjectID, branch.ID)
	request.subject = fmt.Sprintf("the choice of branch %s as the default one", branch.ID)
	request.by = switched(branchKind.named(branch.ProjectID, "default").path)
	return branchKind.change(ctx, c, request, effect[Branch]{isDone: func(branch *Branch) bool { return branch.Default }})
}

// RestorePreviewed is the status of a branch that hasn't replaced its target yet, restoreFinalized of one that has.
const (
	RestorePreviewed = "restored"
	restoreFinalized = "finalized"
)

// SnapshotRestore says how a snapshot is restored.
type SnapshotRestore struct {
	// TargetBranchID is the branch that the restored one replaces, now or later. Without it Neon takes the branch
	// that the snapshot was taken of, which after an earlier restore is the replaced one, so it is required here.
	TargetBranchID string `json:"target_branch_id"`
	// Name is the restored branch's; empty has Neon choose one.
	Name string `json:"name,omitempty"`
	// Finalize has it replace the target at once: it gets the target's name and computes,
	// and the default branch and protection go with the name.
	Finalize bool `json:"finalize_restore"`
}

// RestoreSnapshot restores a snapshot as a new branch. A second restore creates a second branch.
// POST /projects/{project_id}/snapshots/{snapshot_id}/restore: https://api-docs.neon.tech/reference/restoresnapshot
func (c *Client) RestoreSnapshot(
	ctx context.Context, snapshot SnapshotRef, restore SnapshotRestore,
) (*Answer[Branch], error) {
	request := snapshotKind.of(http.MethodPost, "/restore", snapshot.ProjectID, snapshot.ID)
	request.subject = fmt.Sprintf("a branch restored from snapshot %s", snapshot.ID)
	request.body, request.by = restore, unrepeatable
	if restore.Finalize {
		request.by = replacing(restoreOf(BranchRef{snapshot.ProjectID, restore.TargetBranchID}))
	}
	return creation[Branch]{
		kind: branchKind, request: request, place: snapshot.ID,
		listing: branchKind.listCall(snapshot.ProjectID),
		isAlike: func(branch Branch) bool {
			isNamed := restore.Name == "" || restore.Finalize || branch.Name == restore.Name
			return isNamed && branch.RestoredFrom == snapshot.ID && branch.RestoredAs == restore.TargetBranchID
		},
		operations: func(ctx context.Context, restored Branch) ([]Operation, error) {
			return c.operationsWhere(ctx, snapshot.ProjectID, restored.lacks)
		},
	}.run(ctx, c)
}

// FinalizeRestore has a branch that was restored from a snapshot replace its target. The
// target goes on under oldName, or under a name that Neon chooses where that is empty.
// POST /projects/{project_id}/branches/{branch_id}/finalize_restore: https://api-docs.neon.tech/reference/finalizerestorebranch
func (c *Client) FinalizeRestore(ctx context.Context, branch BranchRef, oldName string) ([]Operation, error) {
	request := branchKind.of(http.MethodPost, "/finalize_restore", branch.ProjectID, branch.ID)
	request.subject, request.by = "the end of the restore as branch "+branch.ID, harmless
	if oldName != "" {
		request.body = map[string]string{"name": oldName}
	}
	return OperationsOf(branchKind.change(ctx, c, request, effect[Branch]{
		send: func() (*Answer[Branch], error) {
			answer, err := receive[fields](ctx, c, request, "operations")
			if err != nil {
				return nil, err
			}
			operations, err := answer.operations(request)
			return &Answer[Branch]{Operations: operations}, err
		},
		isDone: func(branch *Branch) bool { return branch.RestoreStatus == restoreFinalized },
	}))
}

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
