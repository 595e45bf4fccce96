package client

import (
	"context"
	"iter"
	"slices"
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
		read := &timing{}
		found, parents, err := c.branchesToFilter(ctx, projectID, query, filter, read)
		endpointsOf := func(string) ([]Endpoint, error) { return nil, nil }
		if err == nil && filter.IdleFor > 0 {
			endpointsOf, err = c.ListEndpointsByBranch(ctx, projectID)
		}
		if err != nil {
			yield(Branch{}, err)
			return
		}
		for branch, err := range found {
			isWanted := false
			if err == nil && !parents[branch.ID] {
				isWanted, err = filter.wants(branch, endpointsOf, read.now())
			}
			if (isWanted || err != nil) && !yield(branch, err) {
				return
			}
		}
	}
}

// branchesToFilter are the branches that a query finds, and those that have children where a filter leaves these out. All branches are
// listed for that; without a search they are what the query finds, too.
func (c *Client) branchesToFilter(
	ctx context.Context, projectID string, query BranchQuery, filter BranchFilter, read *timing,
) (found iter.Seq2[Branch, error], parents map[string]bool, err error) {
	list := func(search string) iter.Seq2[Branch, error] {
		request := branchesCall(projectID, search)
		request.timing = read
		return branchKind.each(ctx, c, request)
	}
	if !filter.WithoutChildren {
		return list(query.Search), nil, nil
	}
	all, err := All(list(""))
	parents = map[string]bool{}
	for _, branch := range all {
		parents[branch.ParentID] = true
	}
	if query.Search != "" {
		return list(query.Search), parents, err
	}
	return func(yield func(Branch, error) bool) {
		for _, branch := range all {
			if !yield(branch, nil) {
				return
			}
		}
	}, parents, err
}

// wants reports whether a branch passes the filter but for its children.
func (f BranchFilter) wants(branch Branch, endpointsOf func(branchID string) ([]Endpoint, error), now time.Time) (bool, error) {
	if !strings.HasPrefix(branch.Name, f.NamePrefix) || now.Sub(branch.CreatedAt) < f.OlderThan {
		return false, nil
	}
	if f.IdleFor == 0 {
		return true, nil
	}
	endpoints, err := endpointsOf(branch.ID)
	isUsed := slices.ContainsFunc(endpoints, func(endpoint Endpoint) bool { return endpoint.State() != "idle" })
	return !isUsed && now.Sub(LastUse(branch, endpoints)) >= f.IdleFor, err
}

// LastUse is when one of a branch's endpoints was last active or created, or the branch itself created or reset.
func LastUse(branch Branch, endpoints []Endpoint) time.Time {
	last := latest(branch.CreatedAt, branch.LastResetAt)
	for _, endpoint := range endpoints {
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
