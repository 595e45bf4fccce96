package client

import (
	"context"
	"net/http"
)

// SetSpendingLimit sets what an organization means to spend in a month, in US cents. Neon
// suspends nothing at the limit, and sends notices at 80 % and 100 % of it.
// PUT /organizations/{org_id}/billing/spending_limit: https://api-docs.neon.tech/reference/setorganizationspendinglimit
func (c *Client) SetSpendingLimit(ctx context.Context, orgID string, cents int64) error {
	request := spendingLimitCall(http.MethodPut, orgID)
	request.subject = "the spending limit of organization " + orgID
	request.body = map[string]int64{"spending_limit_cents": cents}
	return c.settle(ctx, request, "spending_limit_cents", func(ctx context.Context) (bool, error) {
		present, err := c.GetSpendingLimit(ctx, orgID)
		return err == nil && present == cents, unlessAbsent(err)
	})
}

// GetSpendingLimit returns an organization's limit in US cents. IsAbsent is true for the error about one without.
// GET /organizations/{org_id}/billing/spending_limit: https://api-docs.neon.tech/reference/getorganizationspendinglimit
func (c *Client) GetSpendingLimit(ctx context.Context, orgID string) (int64, error) {
	request := spendingLimitCall(http.MethodGet, orgID)
	answer, err := c.ownAnswer(ctx, request, "spending_limit_cents")
	if err != nil {
		return 0, err
	}
	var cents *int64
	if err := answer.decode(request, "spending_limit_cents", &cents); err != nil {
		return 0, err
	}
	if cents == nil {
		return 0, &AbsentError{What: "organization " + orgID + " has no spending limit"}
	}
	return *cents, nil
}

// DeleteSpendingLimit leaves an organization without a limit. One that has none is no error.
// DELETE /organizations/{org_id}/billing/spending_limit: https://api-docs.neon.tech/reference/deleteorganizationspendinglimit
func (c *Client) DeleteSpendingLimit(ctx context.Context, orgID string) error {
	request := spendingLimitCall(http.MethodDelete, orgID)
	request.subject = "the end of the spending limit of organization " + orgID
	return end(ctx, c, request, "", func(ctx context.Context) (int64, error) { return c.GetSpendingLimit(ctx, orgID) })
}

func spendingLimitCall(method, orgID string) call {
	request := call{method: method, route: "/organizations/{org_id}/billing/spending_limit", params: []string{orgID}}
	return request.identified(true)
}
