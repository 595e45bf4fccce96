package client

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"
)

// BranchFilter says which branches are meant. A field without a value means any. Ages are by Neon's clock.
type BranchFilter struct {
	NamePrefix string
	// OlderThan is how long ago a branch was created at least.
	OlderThan time.Duration
	// IdleFor is how long no compute of a branch has been active, and the branch neither created nor reset.
	IdleFor time.Duration
	// WithoutChildren leaves out those that another branch has as its parent.
	WithoutChildren bool
	// WithUse has Endpoints and Child of what passes said.
	WithUse bool
}

// FilteredBranch is one that has passed a filter.
type FilteredBranch struct {
	Branch
	// Endpoints are the branch's, and Child is one of its children, nil for none: where the filter needs or wants them.
	Endpoints []Endpoint
	Child     *Branch
}

// ListFilteredBranches lists a project's branches that pass the filter, newest first. A filter by last use reads one
// list of the endpoints; a filter by children of searched branches reads one more list of the branches.
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
// GET /projects/{project_id}/endpoints: https://api-docs.neon.tech/reference/listprojectendpoints
func (c *Client) ListFilteredBranches(
	ctx context.Context, projectID string, query BranchQuery, filter BranchFilter,
) iter.Seq2[FilteredBranch, error] {
	return func(yield func(FilteredBranch, error) bool) {
		found, childOf, err := c.branchesToFilter(ctx, projectID, query, filter)
		endpointsOf := func(string) ([]Endpoint, error) { return nil, nil }
		if err == nil && (filter.IdleFor > 0 || filter.WithUse) {
			endpointsOf, err = c.ListEndpointsByBranch(ctx, projectID)
		}
		if err != nil {
			yield(FilteredBranch{}, err)
			return
		}
		for branch, err := range found {
			one := FilteredBranch{Branch: branch, Child: childOf[branch.ID]}
			isWanted := err == nil && filter.wants(one, c.clock.now())
			if isWanted {
				one.Endpoints, err = endpointsOf(branch.ID)
				isWanted = filter.IdleFor == 0 || one.isIdle(c.clock.now().Add(-filter.IdleFor))
			}
			if (isWanted || err != nil) && !yield(one, err) {
				return
			}
		}
	}
}

// branchesToFilter returns the branches that a query finds and, if the filter needs it, a child of each.
func (c *Client) branchesToFilter(
	ctx context.Context, projectID string, query BranchQuery, filter BranchFilter,
) (found iter.Seq2[Branch, error], childOf map[string]*Branch, err error) {
	list := func(search string) iter.Seq2[Branch, error] {
		return c.ListBranches(ctx, projectID, BranchQuery{Search: search})
	}
	if !filter.WithoutChildren && !filter.WithUse {
		return list(query.Search), nil, nil
	}
	all, err := All(list(""))
	childOf = map[string]*Branch{}
	for _, branch := range all {
		childOf[branch.ParentID] = &branch
	}
	if query.Search != "" {
		return list(query.Search), childOf, err
	}
	return func(yield func(Branch, error) bool) {
		for _, branch := range all {
			if !yield(branch, nil) {
				return
			}
		}
	}, childOf, err
}

// wants reports whether a branch passes the filter but for its endpoints.
func (f BranchFilter) wants(branch FilteredBranch, now time.Time) bool {
	return strings.HasPrefix(branch.Name, f.NamePrefix) && now.Sub(branch.CreatedAt) >= f.OlderThan &&
		(!f.WithoutChildren || branch.Child == nil)
}

// isIdle reports whether a branch hasn't been used since.
func (b FilteredBranch) isIdle(since time.Time) bool {
	isUsed := slices.ContainsFunc(b.Endpoints, func(endpoint Endpoint) bool { return endpoint.State() != "idle" })
	return !isUsed && !b.LastUse().After(since)
}

// LastUse is when one of the branch's endpoints was last active or created, or the branch itself created or reset.
func (b FilteredBranch) LastUse() time.Time {
	last := latest(b.CreatedAt, b.LastResetAt)
	for _, endpoint := range b.Endpoints {
		last = latest(last, endpoint.LastActive, &endpoint.CreatedAt)
	}
	return last
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
