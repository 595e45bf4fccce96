package kit

import (
	"context"
	"errors"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// hints returns advice for an error of an action, which isn't in any state and isn't repeated by an apply; nil if the
// error has advice already.
func (a *described[M]) hints(err error) []string {
	var (
		lost *client.AmbiguousError
		wait *client.WaitError
	)
	switch {
	case isAdvised(err):
	case errors.As(err, &lost):
		return []string{a.inDoubt() + BadAnswerAdvice(lost.Err)}
	case Is[*client.OperationError](err):
		return []string{"Neon could not finish its work, which no state keeps. Invoke the action again; if it fails " +
			"again, give the operation's id to Neon's support."}
	case errors.As(err, &wait):
		var advice string // No apply goes on with an action.
		switch {
		case wait.Outage != nil:
			advice = unreadCauses + ". "
		case errors.Is(err, context.DeadlineExceeded):
			advice = AdviceForEnd(err) + " "
		}
		return []string{advice + "Neon goes on by itself: what is named here may still take effect. " + a.inDoubt()}
	}
	return hintsToRepeat(err, "Invoke the action again")
}

// inDoubt advises what to do if the action may have taken effect.
func (a *described[M]) inDoubt() string {
	if a.spec.Doubt == "" {
		return "Invoke the action again, which does no harm."
	}
	return a.spec.Doubt + " Invoke the action again only if it did not."
}
