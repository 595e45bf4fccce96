package client

import (
	"context"
	"encoding/json"
	"net/http"
)

// SetSpendingLimit sets what an organization means to spend in a month, in US cents. Neon
// suspends nothing at the limit, and sends notices at 80 % and 100 % of it (published
// description, SpendingLimitUpdateRequest).
func (c *Client) SetSpendingLimit(ctx context.Context, orgID string, cents int64) error {
	request := spendingLimitCall(http.MethodPut, orgID)
	request.subject = "the spending limit of organization " + orgID
	request.body = map[string]int64{"spending_limit_cents": cents}
	_, err := writeOnce(ctx, c, request,
		func() (*int64, error) { return &cents, c.do(ctx, request, &struct{}{}) },
		func(ctx context.Context) (*int64, error) {
			present, err := c.spendingLimit(ctx, orgID)
			if present == nil || *present != cents {
				return nil, err
			}
			return present, err
		})
	return err
}

// SpendingLimit returns the limit of an organization in US cents. IsAbsent is true for the
// error about an organization that has none.
func (c *Client) SpendingLimit(ctx context.Context, orgID string) (int64, error) {
	cents, err := c.spendingLimit(ctx, orgID)
	if err != nil {
		return 0, err
	}
	if cents == nil {
		return 0, &AbsentError{What: "organization " + orgID + " has no spending limit"}
	}
	return *cents, nil
}

// spendingLimit is SpendingLimit with nil for none, which Neon sends as null.
func (c *Client) spendingLimit(ctx context.Context, orgID string) (*int64, error) {
	type limit struct {
		Cents json.RawMessage `json:"spending_limit_cents"`
	}
	request := spendingLimitCall(http.MethodGet, orgID)
	answer, err := receive(ctx, c, request, "spending_limit_cents", func(answer *limit) bool { return answer.Cents != nil })
	if err != nil {
		return nil, err
	}
	var cents *int64
	if json.Unmarshal(answer.Cents, &cents) != nil {
		return nil, request.malformed("its spending_limit_cents isn't a whole number")
	}
	return cents, nil
}

// RemoveSpendingLimit leaves an organization without a limit. One that has none is no error.
func (c *Client) RemoveSpendingLimit(ctx context.Context, orgID string) error {
	request := spendingLimitCall(http.MethodDelete, orgID)
	request.subject = "the end of the spending limit of organization " + orgID
	_, err := deleteOnce(ctx, c, request,
		func() (*deletion, error) { return &deletion{}, c.do(ctx, request, &struct{}{}) },
		func(ctx context.Context) (*deletion, error) {
			cents, err := c.spendingLimit(ctx, orgID)
			if err != nil || cents != nil {
				return nil, err
			}
			return &deletion{}, nil
		})
	return err
}

func spendingLimitCall(method, orgID string) call {
	request := call{method: method, route: "/organizations/{org_id}/billing/spending_limit", params: []string{orgID}}
	request.named = request.path()
	return request
}
