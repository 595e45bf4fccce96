package inprocess

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"
)

// change is what becomes of one instance.
type change struct {
	node    *node
	index   int
	address string
	// prior is what there was when it was planned.
	prior    *instance
	planned  answered
	actions  tfjson.Actions
	imported string
}

// plan is what becomes of a state.
type plan struct {
	config  *config
	changes map[string]*change
	// read is what data sources said; those that have to wait are in deferred.
	read     map[string]cty.Value
	deferred map[string]bool
	destroy  bool
}

var (
	creates  = tfjson.Actions{tfjson.ActionCreate}
	reads    = tfjson.Actions{tfjson.ActionRead}
	updates  = tfjson.Actions{tfjson.ActionUpdate}
	deletes  = tfjson.Actions{tfjson.ActionDelete}
	nothing  = tfjson.Actions{tfjson.ActionNoop}
	replaces = tfjson.Actions{tfjson.ActionDelete, tfjson.ActionCreate}
)

// mode is how a plan is made.
type mode struct{ destroy, refresh bool }

// plan says what would make of the state what the configuration wants. As terraform does, it
// plans what is configured and reads what there is before it plans to destroy that.
func (w *workspace) plan(ctx context.Context, c *config, m mode) (*plan, error) {
	if m.destroy && m.refresh && len(w.state) > 0 {
		return w.planDestruction(ctx, c)
	}
	k, err := w.newWalk(ctx, c)
	if err != nil {
		return nil, err
	}
	everything := func(*node) bool { return true }
	if m.destroy {
		k.validateAll(ctx)
		k.values = w.nodeValues()
		everything = func(n *node) bool { return n.mode == "provider" }
	}
	deferred := map[string]bool{}
	k.each(everything, func(n *node) (cty.Value, error) {
		switch n.mode {
		case "provider":
			return k.configure(ctx, n)
		case "data":
			return k.instances(n, func(index int) (cty.Value, error) { return k.planData(ctx, n, index, deferred) })
		default:
			return k.instances(n, func(index int) (cty.Value, error) { return k.planInstance(ctx, n, index, m) })
		}
	})
	if err := errors.Join(k.problems...); err != nil {
		return nil, err
	}
	k.planOrphans(ctx, m)
	planned := &plan{config: c, changes: k.changes, read: k.read, deferred: deferred, destroy: m.destroy}
	return planned, errors.Join(k.problems...)
}

func (w *workspace) planDestruction(ctx context.Context, c *config) (*plan, error) {
	before, err := w.plan(ctx, c, mode{refresh: true})
	if err != nil {
		return nil, err
	}
	refreshed := *w
	refreshed.state, refreshed.data = maps.Clone(w.state), before.read
	gone := map[string]*change{}
	for address, stored := range w.state {
		if found := before.changes[address]; found != nil {
			refreshed.save(address, found.prior)
			none := cty.NullVal(stored.value.Type())
			gone[address] = &change{node: stored.node, index: -1, address: address, prior: found.prior,
				planned: answered{value: none}, actions: nothing}
		}
	}
	planned, err := refreshed.plan(ctx, c, mode{destroy: true})
	if err == nil {
		maps.DeleteFunc(gone, func(address string, _ *change) bool { return refreshed.state[address] != nil })
		maps.Copy(planned.changes, gone)
	}
	return planned, err
}

// save puts an instance into the state, or takes it out where it doesn't exist any more.
func (w *workspace) save(address string, after *instance) {
	delete(w.state, address)
	if after.exists() {
		w.state[address] = after
	}
}

// validateAll validates what isn't planned, as terraform does before it destroys.
func (k *walk) validateAll(ctx context.Context) {
	if len(k.state) == 0 && len(k.data) == 0 {
		return
	}
	k.each(func(n *node) bool { return n.mode == "managed" || n.mode == "data" }, func(n *node) (cty.Value, error) {
		block, err := k.block(n, 0)
		if err == nil {
			err = k.server.validate(ctx, n, block)
		}
		return cty.DynamicVal, err
	})
}

// planInstance is the visit of a resource.
func (k *walk) planInstance(ctx context.Context, n *node, index int, m mode) (cty.Value, error) {
	block, err := k.block(n, index)
	if err != nil {
		return cty.NilVal, err
	}
	if err := k.server.validate(ctx, n, block); err != nil {
		return cty.NilVal, err
	}
	c := &change{node: n, index: index, address: n.address(index)}
	if err := k.findPrior(ctx, c, block.Type(), m); err != nil {
		return cty.NilVal, err
	}
	none := &instance{value: cty.NullVal(block.Type()), node: n}
	from := c.prior
	if c.prior.tainted {
		from = none
	}
	if c.planned, err = k.server.plan(ctx, n, from, block); err != nil {
		return cty.NilVal, err
	}
	replaced := c.prior.exists() && (c.prior.tainted || c.planned.replace)
	if replaced && !c.prior.tainted {
		none.private = c.planned.private // Which the deletion is given, too.
		if c.planned, err = k.server.plan(ctx, n, none, block); err != nil {
			return cty.NilVal, err
		}
	}
	c.actions = actionsOf(c, replaced)
	k.record(c)
	return c.planned.value, nil
}

func actionsOf(c *change, replaced bool) tfjson.Actions {
	switch {
	case replaced:
		return replaces
	case !c.prior.exists():
		return creates
	case c.prior.value.RawEquals(c.planned.value):
		return nothing
	default:
		return updates
	}
}

// findPrior finds what there is of an instance: in the state, or by importing it.
func (k *walk) findPrior(ctx context.Context, c *change, of cty.Type, m mode) error {
	c.prior = &instance{value: cty.NullVal(of), node: c.node}
	if stored := k.state[c.address]; stored != nil {
		c.prior = stored
		if !m.refresh {
			return nil
		}
		read, err := k.server.read(ctx, c.node, stored)
		c.prior = read
		return err
	}
	for _, block := range k.config.imports {
		if block.to == c.address {
			taken, err := k.server.take(ctx, c.node, block.id)
			c.prior, c.imported = taken, block.id
			return err
		}
	}
	return nil
}

func (k *walk) record(c *change) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.changes[c.address] = c
}

// planOrphans plans the end of what is in the state and not in the configuration.
func (k *walk) planOrphans(ctx context.Context, m mode) {
	var all sync.WaitGroup
	configured := maps.Clone(k.changes)
	for address, stored := range k.state {
		if configured[address] != nil || slices.Contains(k.config.forgotten, stored.node.key) {
			continue
		}
		all.Go(func() {
			c := &change{node: stored.node, index: -1, address: address, prior: stored, actions: deletes}
			k.settle(address, cty.NilVal, k.planEnd(ctx, c, m))
		})
	}
	all.Wait()
}

func (k *walk) planEnd(ctx context.Context, c *change, m mode) (err error) {
	none := cty.NullVal(c.prior.value.Type())
	if m.refresh {
		if c.prior, err = k.server.read(ctx, c.node, c.prior); err != nil {
			return err
		}
	}
	if c.prior.exists() {
		if c.planned, err = k.server.plan(ctx, c.node, c.prior, none); err != nil {
			return err
		}
	} else {
		c.planned, c.actions = answered{value: none}, nothing
	}
	k.record(c)
	return nil
}

// planData is the visit of a data source, which is read as soon as its arguments are known and what it names is as
// planned.
func (k *walk) planData(ctx context.Context, n *node, index int, deferred map[string]bool) (cty.Value, error) {
	block, err := k.block(n, index)
	if err != nil {
		return cty.NilVal, err
	}
	if err := k.server.validate(ctx, n, block); err != nil {
		return cty.NilVal, err
	}
	if block.IsWhollyKnown() && !k.isPending(n) {
		return k.readNow(ctx, n, index, block)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	deferred[n.address(index)] = true
	return cty.UnknownVal(block.Type()), nil
}

// isPending reports whether a resource that the node names itself is to be changed by this plan.
func (k *walk) isPending(n *node) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, c := range k.changes {
		if slices.Contains(n.needs, c.node.key) && !c.actions.NoOp() {
			return true
		}
	}
	return false
}

func (k *walk) readNow(ctx context.Context, n *node, index int, block cty.Value) (cty.Value, error) {
	value, err := k.server.readData(ctx, n, block)
	k.mu.Lock()
	defer k.mu.Unlock()
	if err == nil {
		k.read[n.address(index)] = value
	}
	return value, err
}
