package chaos

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// checkResult holds what an apply left against what was asked for.
func (c *cycle) checkResult(ctx context.Context, s *session, config tftypes.Value) {
	if !c.current.exists() {
		return
	}
	all, err := s.platform.objects(ctx)
	if err != nil {
		return // The run has ended.
	}
	if fault := c.atFault(all, config); fault != "" {
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

// ownBranches are the ids of the branches of the cycle's name where it has none in
// its state, and no twin that may be creating them.
func (c *cycle) ownBranches(ctx context.Context, s *session) []string {
	if c.resource != branch || c.current.exists() || c.twin != nil {
		return nil
	}
	all, err := s.platform.objects(ctx)
	if err != nil {
		return nil
	}
	var ids []string
	for _, o := range all {
		if o.kind == branches && strings.HasPrefix(o.Name, c.name) {
			ids = append(ids, o.id())
		}
	}
	return ids
}

// checkKept wants what a failed apply created to be in state, unless the answer to
// the creation was lost, which the provider then says.
func (c *cycle) checkKept(ctx context.Context, s *session, before []string) {
	for _, id := range c.ownBranches(ctx, s) {
		lost := fmt.Sprintf("branch named %q in project %s may have taken effect", c.name, c.project.id)
		if !slices.Contains(before, id) && !strings.Contains(strings.ToLower(c.words.String()), strings.ToLower(lost)) {
			c.surprise("branch %s was created and isn't kept in state", id)
		}
	}
}
