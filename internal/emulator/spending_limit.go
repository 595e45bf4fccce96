package emulator

import (
	"net/http"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const spendingPath = "/billing/spending_limit"

var spendingRoutes = []route{
	{"GET " + orgPath + spendingPath, forOrgMembers,
		checked(answers((*Emulator).spendingLimit), (*Emulator).checkSpending)},
	{"PUT " + orgPath + spendingPath, forOrgMembers, checked(withBody((*Emulator).setSpendingLimit),
		(*Emulator).administers, (*Emulator).checkSpending)},
	{"DELETE " + orgPath + spendingPath, forOrgMembers,
		checked((*Emulator).removeSpendingLimit, (*Emulator).administers, (*Emulator).checkSpending)},
}

// checkSpending refuses organizations whose plan has no spending limit.
func (e *Emulator) checkSpending(c *call) error {
	if e.planOf(c.org).rank == 0 {
		return e.doubtful(doubts.SpendingPlans, wire.Refuse(http.StatusForbidden, "spending limits are not available on "+
			"your plan"))
	}
	return nil
}

func (e *Emulator) spendingLimit(c *call) map[string]*int64 {
	if c.org.SpendingLimit == 0 {
		return map[string]*int64{"spending_limit_cents": nil}
	}
	return map[string]*int64{"spending_limit_cents": &c.org.SpendingLimit}
}

func (e *Emulator) setSpendingLimit(c *call, body struct {
	Cents int64 `json:"spending_limit_cents" fits:"required,1.."`
}) (reply, error) {
	c.org.SpendingLimit = body.Cents
	return ok(e.spendingLimit(c))
}

// removeSpendingLimit succeeds also where there is no limit.
func (e *Emulator) removeSpendingLimit(c *call) (reply, error) {
	c.org.SpendingLimit = 0
	return ok(map[string]any{})
}

var shownSpending = shown{list: "spending_limits", ofOrganization: func(_ *Emulator, org *organization) []object {
	if org.SpendingLimit == 0 {
		return nil
	}
	return []object{{"id": org.ID, "spending_limit_cents": org.SpendingLimit}}
}}
