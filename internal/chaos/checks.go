package chaos

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// checkResult holds what an apply left against what was asked for.
func (c *cycle) checkResult(ctx context.Context, s *session, config cty.Value, version int) {
	if !c.current.exists() || version < 0 {
		return
	}
	all, err := s.platform.objects(ctx)
	if err != nil {
		return // The run has ended.
	}
	if fault := c.atFault(ctx, s.platform, all, config, version); fault != "" {
		c.surprise("after an apply that succeeded, %s", fault)
	}
}

// checkForgotten asks the platform about what a read found to be gone.
func (c *cycle) checkForgotten(ctx context.Context, s *session, id string) {
	all, err := s.platform.objects(ctx)
	exists := slices.ContainsFunc(all, func(o object) bool { return o.id() == id })
	switch {
	case err != nil:
	case exists:
		c.surprise("a read forgot %s, which exists", id)
	case !c.deleted[id]:
		c.strangers = append(c.strangers, id)
		c.tell("STRANGER: somebody else deleted %s", id)
	}
}

// outage is a read that was answered with 503 until it was given up.
var outage = regexp.MustCompile(`GET \S+ was answered with 503`)

// taintedID is that of what is to be replaced; empty for nothing.
func (c *cycle) taintedID() string {
	if !c.current.tainted {
		return ""
	}
	return c.current.id()
}

// checkOutage wants nothing to be replaced that was created and could only not be read for a while. What was tainted
// before it was for another reason.
func (c *cycle) checkOutage(err error, before string) {
	if c.current.tainted && c.taintedID() != before && outage.MatchString(err.Error()) &&
		!strings.Contains(err.Error(), "interrupted") {
		c.surprise("%s is tainted because something could not be read", c.current.id())
	}
}

// unkept are the objects of the cycle's name where it has none in its state, and no
// twin that may be creating them. Those of keys are told apart by nothing.
func (c *cycle) unkept(ctx context.Context, s *session) []object {
	if !c.isAccountable() || c.current.exists() || c.twin != nil {
		return nil
	}
	all, err := s.platform.objects(ctx)
	if err != nil {
		return nil
	}
	return c.withoutStaying(alone(slices.DeleteFunc(named(all, c.name), c.leaves)))
}

// checkKept wants what a failed apply created to be in state, unless the answer to
// the creation was lost, which the provider then says.
func (c *cycle) checkKept(ctx context.Context, s *session, before []object) {
	for _, o := range c.unkept(ctx, s) {
		isOld := slices.ContainsFunc(before, func(old object) bool { return old.id() == o.id() })
		if !isOld && c.losses(o) == 0 {
			c.surprise("%s was created and isn't kept in state", o)
		}
	}
}
