package emulator

import (
	"net/http"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const spendingPath = "/billing/spending_limit"

var spendingRoutes = []route{
	{"GET " + orgPath + spendingPath, forOrgMembers, (*Emulator).getSpendingLimit},
	{"PUT " + orgPath + spendingPath, forOrgMembers, (*Emulator).setSpendingLimit},
	{"DELETE " + orgPath + spendingPath, forOrgMembers, (*Emulator).removeSpendingLimit},
}

// checkSpending refuses organizations whose plan has no spending limit.
func (e *Emulator) checkSpending(c *call) error {
	if e.planOf(c.org).rank == 0 {
		return e.doubtful(doubts.SpendingPlans, wire.Refuse(http.StatusForbidden, "spending limits are not available on your plan"))
	}
	return nil
}

func (org *organization) spendingLimitView() (reply, error) {
	var cents *int64
	if org.SpendingLimit > 0 {
		cents = &org.SpendingLimit
	}
	return ok(map[string]*int64{"spending_limit_cents": cents})
}

// getSpendingLimit answers GET /organizations/{org_id}/billing/spending_limit.
func (e *Emulator) getSpendingLimit(c *call) (reply, error) {
	if err := e.checkSpending(c); err != nil {
		return reply{}, err
	}
	return c.org.spendingLimitView()
}

// setSpendingLimit answers PUT /organizations/{org_id}/billing/spending_limit.
func (e *Emulator) setSpendingLimit(c *call) (reply, error) {
	var body struct {
		Cents int64 `json:"spending_limit_cents" fits:"required,1.."`
	}
	if err := c.checkAdmin(); err != nil {
		return reply{}, err
	}
	if err := c.decode(&body); err != nil {
		return reply{}, err
	}
	if err := e.checkSpending(c); err != nil {
		return reply{}, err
	}
	c.org.SpendingLimit = body.Cents
	return c.org.spendingLimitView()
}

// removeSpendingLimit answers DELETE /organizations/{org_id}/billing/spending_limit, also
// where there is no limit.
func (e *Emulator) removeSpendingLimit(c *call) (reply, error) {
	if err := c.checkAdmin(); err != nil {
		return reply{}, err
	}
	if err := e.checkSpending(c); err != nil {
		return reply{}, err
	}
	c.org.SpendingLimit = 0
	return ok(map[string]any{})
}

var shownSpending = shown{list: "spending_limits", ofOrganization: func(_ *Emulator, org *organization) []object {
	if org.SpendingLimit == 0 {
		return nil
	}
	return []object{{"id": org.ID, "spending_limit_cents": org.SpendingLimit}}
}}
