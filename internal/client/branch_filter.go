package client

import (
	"cmp"
	"context"
	"iter"
	"strings"
	"time"
)

// BranchFilter says which branches are meant, beyond what Neon itself looks for. A field without a value means any. Ages are by
// Neon's clock.
type BranchFilter struct {
	NamePrefix string
	// OlderThan is how long ago a branch was created at least.
	OlderThan time.Duration
	// IdleFor is how long no compute of a branch has been active, and the branch neither created nor reset.
	IdleFor time.Duration
	// WithoutChildren leaves out those that another branch has as its parent.
	WithoutChildren bool
}

// ListFilteredBranches lists those of a project's branches that pass a filter, newest first. What was used last takes a list of the
// endpoints, and children of what is searched for take one more of the branches, whatever there are.
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
// GET /projects/{project_id}/endpoints: https://api-docs.neon.tech/reference/listprojectendpoints
func (c *Client) ListFilteredBranches(ctx context.Context, projectID string, query BranchQuery, filter BranchFilter) iter.Seq2[Branch, error] {
	return func(yield func(Branch, error) bool) {
		used, parents, err := c.usesOfBranches(ctx, projectID, filter)
		if err != nil {
			yield(Branch{}, err)
			return
		}
		var read timing
		request := branchesCall(projectID, query.Search)
		request.timing = &read
		for branch, err := range branchKind.each(ctx, c, request) {
			now := read.date
			if now.IsZero() {
				now = time.Now()
			}
			if err == nil && (parents[branch.ID] || !filter.wants(branch, used[branch.ID], now)) {
				continue
			}
			if !yield(branch, err) {
				return
			}
		}
	}
}

// use is that of a branch by its computes.
type use struct {
	isActive bool
	last     time.Time
}

// usesOfBranches are the uses of branches, and which of them have children, as far as a filter asks for these.
func (c *Client) usesOfBranches(ctx context.Context, projectID string, filter BranchFilter) (map[string]use, map[string]bool, error) {
	used, parents := map[string]use{}, map[string]bool{}
	if filter.IdleFor > 0 {
		for endpoint, err := range endpointKind.list(ctx, c, projectID) {
			if err != nil {
				return nil, nil, err
			}
			so := used[endpoint.BranchID]
			so.isActive = so.isActive || cmp.Or(endpoint.PendingState, endpoint.CurrentState) != "idle"
			so.last = latest(so.last, endpoint.LastActive, &endpoint.CreatedAt)
			used[endpoint.BranchID] = so
		}
	}
	if filter.WithoutChildren {
		for branch, err := range c.ListBranches(ctx, projectID, BranchQuery{}) {
			if err != nil {
				return nil, nil, err
			}
			parents[branch.ParentID] = true
		}
	}
	return used, parents, nil
}

func (f BranchFilter) wants(branch Branch, used use, now time.Time) bool {
	isIdle := !used.isActive && now.Sub(latest(used.last, &branch.CreatedAt, branch.LastResetAt)) >= f.IdleFor
	return strings.HasPrefix(branch.Name, f.NamePrefix) && now.Sub(branch.CreatedAt) >= f.OlderThan && (f.IdleFor == 0 || isIdle)
}

// latest is the last of some moments.
func latest(last time.Time, others ...*time.Time) time.Time {
	for _, other := range others {
		if other != nil && other.After(last) {
			last = *other
		}
	}
	return last
}
