package client

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// BranchRestore says what a branch is restored from (published description,
// BranchRestoreRequest).
type BranchRestore struct {
	SourceID string `json:"source_branch_id"`
	// LSN or Timestamp is a moment in the source's history; none of them means its present.
	LSN       string     `json:"source_lsn,omitempty"`
	Timestamp *time.Time `json:"source_timestamp,omitempty"`
	// PreserveUnderName is the name of a new branch with what the branch was, and with its
	// children; empty for none.
	PreserveUnderName string `json:"preserve_under_name,omitempty"`
}

// RestoreBranch gives a branch the data, roles and databases of another, or of its own past.
// It keeps its id and its endpoints, and is usable when the returned operations have
// finished. After a lost answer it isn't sent again: a second restore would overwrite what
// was written since the first (published description, restoreProjectBranch).
func (c *Client) RestoreBranch(ctx context.Context, projectID, branchID string, restore BranchRestore) (*Branch, []Operation, error) {
	request := branchCall(http.MethodPost, projectID, branchID)
	request.route += "/restore"
	request.subject = fmt.Sprintf("the restore of branch %s", branchID)
	request.body, request.once = restore, true
	before, err := c.Branch(ctx, projectID, branchID)
	if err != nil {
		return nil, nil, err
	}
	known, err := c.newestOperations(ctx, projectID)
	if err != nil {
		return nil, nil, err
	}
	answer, err := writeOnce(ctx, c, request,
		func() (*branchAnswer, error) {
			return receive(ctx, c, request, "branch.id", (*branchAnswer).isComplete)
		},
		func(ctx context.Context) (*branchAnswer, error) {
			now, err := c.Branch(ctx, projectID, branchID)
			if err != nil || !before.wasRestored(now) {
				return nil, err
			}
			operations, err := c.operationsSince(ctx, projectID, known, func(o Operation) bool { return o.BranchID == branchID })
			return &branchAnswer{Branch: *now, Operations: operations}, err
		})
	if err != nil {
		return nil, nil, err
	}
	return &answer.Branch, answer.Operations, nil
}

// wasRestored reports whether the branch was restored since: it begins elsewhere then.
func (b *Branch) wasRestored(now *Branch) bool {
	isResetting := now.CurrentState == "resetting" && b.CurrentState != "resetting"
	wasReset := now.LastResetAt != nil && (b.LastResetAt == nil || now.LastResetAt.After(*b.LastResetAt))
	return isResetting || wasReset || now.ParentID != b.ParentID || now.ParentLSN != b.ParentLSN
}

// SetDefaultBranch makes a branch the project's default one, in place of another. One that
// is it already is no error (published description, setDefaultProjectBranch).
func (c *Client) SetDefaultBranch(ctx context.Context, projectID, branchID string) (*Branch, []Operation, error) {
	request := branchCall(http.MethodPost, projectID, branchID)
	request.route += "/set_as_default"
	request.subject = fmt.Sprintf("the choice of branch %s as the default one", branchID)
	return c.writeBranch(ctx, request, func(branch *Branch) bool { return branch.Default })
}
