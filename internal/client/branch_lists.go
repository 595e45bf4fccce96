package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
)

// BranchQuery narrows a list of branches.
type BranchQuery struct {
	// Search matches a part of the name or the id.
	Search string
}

// Branches lists a project's branches, newest first. A branch that can't be decoded comes
// with an error of its own, after which the list goes on.
func (c *Client) Branches(ctx context.Context, projectID string, query BranchQuery) iter.Seq2[Branch, error] {
	request := branchesCall(projectID, query.Search)
	return each(request, "branch", func(branch Branch) string { return branch.ID }, c.branchElements(ctx, request))
}

// branchesCall asks for the largest pages, in an order that doesn't change with a
// branch.
func branchesCall(projectID, search string) call {
	return call{
		method: http.MethodGet, route: "/projects/{project_id}/branches", params: []string{projectID},
		query: url.Values{"limit": {"10000"}, "sort_by": {"created_at"}, "sort_order": {"desc"}, "search": {search}},
	}
}

func (c *Client) branchElements(ctx context.Context, request call) iter.Seq2[element[Branch], error] {
	return pages(ctx, c, request, func(branch element[Branch]) string { return branch.object.ID },
		func(answer *branchesPage) (page[element[Branch]], error) {
			for i := range answer.Branches {
				branch := &answer.Branches[i]
				annotation := answer.Annotations[branch.object.ID]
				branch.object.Annotations = annotation.object.Value
				branch.isBroken = branch.isBroken || annotation.isBroken
			}
			return page[element[Branch]]{answer.Branches, answer.Pagination.Next}, nil
		})
}

type branchesPage struct {
	Branches    listField[element[Branch]]           `json:"branches"`
	Annotations map[string]element[branchAnnotation] `json:"annotations"`
	Pagination  struct {
		Next string `json:"next"`
	} `json:"pagination"`
}

// listBranches returns the branches that can be read, by id.
func (c *Client) listBranches(ctx context.Context, request call) (map[string]Branch, error) {
	branches := map[string]Branch{}
	for branch, err := range c.branchElements(ctx, request) {
		if err != nil {
			return nil, err
		}
		if !branch.isBroken {
			branches[branch.object.ID] = branch.object
		}
	}
	return branches, nil
}

// SharedBranchNamed returns the project's branch of exactly that name, nil if there is none.
// Reads that come close together share one list with those of Branch; a name missing
// from it is searched for individually.
func (c *Client) SharedBranchNamed(ctx context.Context, projectID, name string) (*Branch, error) {
	branches, err := c.reads.branches.share(ctx, projectID)
	if err != nil {
		return nil, err
	}
	for _, branch := range branches {
		if branch.Name == name {
			return &branch, nil
		}
	}
	return c.BranchNamed(ctx, projectID, name)
}

// BranchNamed is SharedBranchNamed by a request of its own.
func (c *Client) BranchNamed(ctx context.Context, projectID, name string) (*Branch, error) {
	request := branchesCall(projectID, name)
	for branch, err := range c.branchElements(ctx, request) {
		switch {
		case err != nil:
			return nil, err
		case branch.isBroken && (branch.object.Name == name || branch.object.Name == ""):
			return nil, request.broken("branch", branch.object.ID)
		case branch.object.Name == name:
			return &branch.object, nil
		}
	}
	return nil, nil
}
