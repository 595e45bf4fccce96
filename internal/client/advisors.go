package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
)

// AdvisorIssue is what Neon's advisors have found in a database.
type AdvisorIssue struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Level       string          `json:"level"`  // INFO, WARN or ERROR
	Facing      string          `json:"facing"` // EXTERNAL or INTERNAL
	Categories  []string        `json:"categories"`
	Description string          `json:"description"`
	Detail      string          `json:"detail"`
	Remediation string          `json:"remediation"` // an address
	Metadata    json.RawMessage `json:"metadata"`
	CacheKey    string          `json:"cache_key"`
}

// AdvisorQuery narrows down the issues; an empty field doesn't.
type AdvisorQuery struct {
	BranchID     string
	DatabaseName string // needed where the branch has several databases
	Category     string // SECURITY or PERFORMANCE
	MinSeverity  string // INFO, WARN or ERROR
}

// ListAdvisorIssues lists what the advisors find in a database now, which Neon sends in one answer.
// GET /projects/{project_id}/advisors: https://api-docs.neon.tech/reference/getprojectadvisorsecurityissues
func (c *Client) ListAdvisorIssues(
	ctx context.Context, projectID string, of AdvisorQuery,
) iter.Seq2[AdvisorIssue, error] {
	issues := kind[AdvisorIssue]{
		noun: "issue", route: "/projects/{project_id}/advisors", field: "issues",
		id: func(issue AdvisorIssue) string { return issue.CacheKey },
	}
	issues.query = url.Values{
		"branch_id": {of.BranchID}, "database_name": {of.DatabaseName}, "category": {of.Category},
		"min_severity": {of.MinSeverity},
	}
	return issues.list(ctx, c, projectID)
}
