package inprocess

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
)

// apply carries a plan out. The state has what was reached, also where it fails.
func (w *workspace) apply(ctx context.Context, p *plan) error {
	k, err := w.newWalk(ctx, p.config)
	if err != nil {
		return err
	}
	if p.destroy {
		k.values = w.nodeValues()
	}
	w.takeOver(p)
	k.changes = p.changes
	visit := func(n *node) (cty.Value, error) { return k.carryOut(ctx, n, p) }
	base := p.config.below(providerKey)
	k.each(func(n *node) bool { return base[n.key] && (!p.destroy || n.mode == "provider") }, visit)
	if len(k.problems) == 0 {
		k.removeAll(ctx)
	}
	if !p.destroy {
		k.each(func(n *node) bool { return !base[n.key] }, visit)
	}
	if p.destroy {
		w.data = map[string]cty.Value{}
	} else {
		w.data = k.read
	}
	return errors.Join(k.problems...)
}

// takeOver puts what a plan has read, imported and forgotten into the state.
func (w *workspace) takeOver(p *plan) {
	for address, c := range p.changes {
		w.save(address, c.prior)
	}
	maps.DeleteFunc(w.state, func(_ string, stored *instance) bool {
		return slices.Contains(p.config.forgotten, stored.node.key)
	})
}

func (k *walk) carryOut(ctx context.Context, n *node, p *plan) (cty.Value, error) {
	switch n.mode {
	case "provider":
		return k.configure(ctx, n)
	case "data":
		return k.instances(n, func(index int) (cty.Value, error) {
			if value, done := p.read[n.address(index)]; done {
				k.mu.Lock()
				defer k.mu.Unlock()
				k.read[n.address(index)] = value
				return value, nil
			}
			block, err := k.block(n, index)
			if err != nil {
				return cty.NilVal, err
			}
			return k.readNow(ctx, n, index, block)
		})
	default:
		return k.instances(n, func(index int) (cty.Value, error) {
			return k.carryOutInstance(ctx, n, k.changes[n.address(index)], index)
		})
	}
}

func (k *walk) carryOutInstance(ctx context.Context, n *node, c *change, index int) (cty.Value, error) {
	if slices.Equal(c.actions, nothing) {
		c.prior.node = n
		return c.prior.value, nil
	}
	block, err := k.block(n, index)
	if err != nil {
		return cty.NilVal, err
	}
	from := c.prior
	if !slices.Equal(c.actions, updates) {
		from = &instance{value: cty.NullVal(block.Type()), node: n}
	}
	// As Terraform does: what wasn't known to the first plan is known now.
	planned, err := k.server.plan(ctx, n, from, block)
	if err != nil {
		return cty.NilVal, err
	}
	different := planning.Agrees(c.address, c.planned.value, planned.value)
	if planned.replace && from.exists() {
		different = fmt.Errorf("%s: it was planned as %v, and is replaced now", c.address, c.actions)
	}
	if different != nil {
		return cty.NilVal, planning.Error("Provider produced inconsistent final plan", "%s", different)
	}
	after, err := k.server.apply(ctx, n, from, planned, block)
	k.save(c.address, after)
	return after.value, err
}

// save puts an instance into the state, or takes it out where it doesn't exist any more.
func (k *walk) save(address string, after *instance) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.workspace.save(address, after)
}

// removeAll deletes what is to go, that which needs others before them.
func (k *walk) removeAll(ctx context.Context) {
	byDepth := map[int][]*change{}
	deepest := 0
	for _, c := range k.changes {
		if slices.Equal(c.actions, deletes) || slices.Equal(c.actions, replaces) {
			depth := c.prior.node.depth
			byDepth[depth] = append(byDepth[depth], c)
			deepest = max(deepest, depth)
		}
	}
	for depth := deepest; depth >= 0 && len(k.problems) == 0; depth-- {
		sideBySide(len(byDepth[depth]), func(i int) {
			c := byDepth[depth][i]
			k.settleEnd(c.node.key, k.remove(ctx, c.address, c.prior, c.planned.private))
		})
	}
}

func (k *walk) settleEnd(key string, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		k.failed[key] = true
		k.problems = append(k.problems, err)
	}
}

// remove destroys by what was planned: unlike a creation or a change, Terraform doesn't plan that again.
func (k *walk) remove(ctx context.Context, address string, stored *instance, private []byte) error {
	none := cty.NullVal(stored.value.Type())
	after, err := k.server.apply(ctx, stored.node, stored, answered{value: none, private: private}, none)
	after.tainted = stored.tainted
	k.save(address, after)
	if err == nil && after.exists() {
		err = fmt.Errorf("%s exists after it was destroyed", address)
	}
	return err
}
