package client

import (
	"context"
	"iter"
	"net/url"
	"time"
)

// ConsumptionQuery says which consumption is asked for. Neon rounds From and To to the granularity.
type ConsumptionQuery struct {
	OrgID       string
	From, To    time.Time
	Granularity string // hourly, daily or monthly
	Metrics     []string
	// ProjectIDs and BranchIDs choose projects and branches, at most 100 each; none chooses
	// all. The consumption of branches needs projects.
	ProjectIDs, BranchIDs []string
}

// Consumption is what a project has used, or one of its branches.
type Consumption struct {
	ProjectID string `json:"project_id"`
	// BranchID is empty for a project.
	BranchID string              `json:"branch_id"`
	Periods  []ConsumptionPeriod `json:"periods"`
}

// ConsumptionPeriod is a period for which Neon writes a bill. It has no end while it lasts.
type ConsumptionPeriod struct {
	ID         string                 `json:"period_id"`
	Plan       string                 `json:"period_plan"`
	Start      time.Time              `json:"period_start"`
	End        *time.Time             `json:"period_end"`
	Timeframes []ConsumptionTimeframe `json:"consumption"`
}

// ConsumptionTimeframe is an hour, a day or a month.
type ConsumptionTimeframe struct {
	Start   time.Time `json:"timeframe_start"`
	End     time.Time `json:"timeframe_end"`
	Metrics []struct {
		Name  string `json:"metric_name"`
		Value int64  `json:"value"`
	} `json:"metrics"`
}

// ListProjectConsumption lists what the projects of an organization have used, newest first.
// GET /consumption_history/v2/projects: https://api-docs.neon.tech/reference/getconsumptionhistoryperprojectv2
func (c *Client) ListProjectConsumption(ctx context.Context, query ConsumptionQuery) iter.Seq2[Consumption, error] {
	return c.consumption(ctx, query, "projects", "100")
}

// ListBranchConsumption lists what the branches of projects have used, by the projects' and the branches' ids.
// GET /consumption_history/v2/branches: https://api-docs.neon.tech/reference/getconsumptionhistoryperbranchv2
func (c *Client) ListBranchConsumption(ctx context.Context, query ConsumptionQuery) iter.Seq2[Consumption, error] {
	return c.consumption(ctx, query, "branches", "1000")
}

func (c *Client) consumption(
	ctx context.Context, query ConsumptionQuery, of, limit string,
) iter.Seq2[Consumption, error] {
	used := kind[Consumption]{
		noun: "consumption", route: "/consumption_history/v2/" + of, field: of, isPaged: true,
		query: url.Values{
			"limit": {limit}, "org_id": {query.OrgID}, "granularity": {query.Granularity}, "metrics": query.Metrics,
			"from": {query.From.UTC().Format(time.RFC3339)}, "to": {query.To.UTC().Format(time.RFC3339)},
			"project_ids": query.ProjectIDs, "branch_ids": query.BranchIDs,
		},
		id: func(used Consumption) string { return used.ProjectID + "/" + used.BranchID },
	}
	return used.list(ctx, c)
}
