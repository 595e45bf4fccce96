package emulator

import (
	"context"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// answerPatience is how long an answer waits for the work that it has begun. Whoever
// has the answer may go on to change what is being copied.
const answerPatience = 5 * time.Second

// copyOf is the copy that a branch becomes of another.
func copyOf(b, other *branch) data.Copy { return data.Copy{From: other.ID, To: b.ID} }

// beginWork begins the work of an operation, and returns what does it; nil where there is
// nothing to do.
func (e *Emulator) beginWork(p *project, o *operation, wanted databaseWork) func() error {
	d := e.databases
	switch b := p.Branches[o.BranchID]; {
	case d == nil:
	case len(wanted.Copies) > 0:
		return d.Copy(o.ID, wanted.Copies)
	case b != nil && wanted.Configures != nil:
		return d.Configure(b.ID, e.layoutOf(b), *wanted.Configures)
	}
	return nil
}

// layoutOf says what the API has on a branch by the time that it is asked.
func (e *Emulator) layoutOf(b *branch) func() postgres.Layout {
	return func() postgres.Layout {
		e.mu.Lock()
		defer e.mu.Unlock()
		return postgres.Layout{
			Roles: viewsOf(b.Roles, func(r *role) postgres.Role { return postgres.Role{Name: r.Name, NoLogin: r.NoLogin} }),
			Databases: viewsOf(b.Databases, func(d *database) postgres.Database {
				return postgres.Database{Name: d.Name, Owner: d.OwnerName}
			}),
		}
	}
}

// configures has the branch's data follow what a call has changed of its roles and databases,
// before the call's operations end. Roles that were deleted come back where that fails.
func (e *Emulator) configures(c *call, operations []*operation, change postgres.Change, deleted ...*role) {
	if len(operations) > 0 {
		e.hold(c, operations, databaseWork{Configures: &change, Deleted: deleted})
	}
}

// hold keeps operations from ending before work on databases is done, if there is any, which
// goes on while others use the world. Where the work fails, the first operation fails. It reports
// whether they are held.
func (e *Emulator) hold(c *call, operations []*operation, wanted databaseWork) bool {
	work := e.beginWork(c.project, operations[0], wanted)
	if work == nil {
		return false
	}
	for _, o := range operations {
		o.Held = heldWaiting
	}
	operations[0].Held, operations[0].Work = heldWorking, &wanted
	p, done := c.project, make(chan struct{})
	c.work = done
	e.databases.Go(func(ctx context.Context) {
		defer close(done)
		err := work()
		if err == nil {
			err = e.databases.Keep()
		}
		// What the end of the emulator interrupts hasn't failed.
		if ctx.Err() == nil {
			// Should it be lost, the next start releases them.
			_ = e.keep(e.release(p, operations, err))
		}
	})
	return true
}

// awaitWork waits for the work that the call has begun, if that doesn't take long.
func (c *call) awaitWork() {
	if c.work == nil {
		return
	}
	ctx, cancel := context.WithTimeout(c.Context(), answerPatience)
	defer cancel()
	select {
	case <-c.work:
	case <-ctx.Done():
	}
}

// release lets held operations end, as much later as the work took longer than planned,
// and returns the world's version.
func (e *Emulator) release(p *project, operations []*operation, failure error) uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	if failure != nil {
		p.takeBack(operations[0])
	}
	conclude(operations, failure, now)
	e.settle(p, operations, now)
	var changed []string
	for _, o := range operations {
		changed = append(changed, o.ID, o.BranchID, o.EndpointID)
	}
	return e.changedIn(p, changed...)
}

// takeBack has the API have what an operation couldn't remove from a branch's data.
func (p *project) takeBack(o *operation) {
	b := p.Branches[o.BranchID]
	if b == nil || o.Work == nil {
		return
	}
	for _, deleted := range o.Work.Deleted {
		if b.role(deleted.Name) == nil {
			b.Roles = append(b.Roles, deleted)
		}
	}
}

// conclude decides how held operations end.
func conclude(operations []*operation, failure error, now time.Time) {
	delay := max(0, now.Sub(operations[0].EndsAt))
	for i, o := range operations {
		switch {
		case failure == nil:
			o.postpone(delay, i > 0)
		case i == 0:
			o.End, o.Error, o.Then, o.EndsAt = failed, failure.Error(), "", now
		default:
			o.End, o.Then, o.RunsAt, o.EndsAt = cancelled, "", now, now
		}
	}
}

func (o *operation) postpone(delay time.Duration, begin bool) {
	times := []*time.Time{&o.EndsAt, &o.ThenAt}
	if begin {
		times = append(times, &o.RunsAt)
	}
	for _, at := range times {
		if !at.IsZero() && at.Before(never) {
			*at = at.Add(delay)
		}
	}
}

// settle releases operations, and lets their objects, and those of the operations behind them, come to the states that
// follow.
func (e *Emulator) settle(p *project, operations []*operation, now time.Time) {
	for _, o := range operations {
		o.Held, o.Work = "", nil
	}
	unblocked := e.unblock(p, now)
	for _, o := range unblocked {
		e.changedIn(p, o.EndpointID)
	}
	p.lead(slices.Concat(operations, unblocked), now)
}

// resume goes on with what the end of an earlier run has interrupted: what was to be copied is
// copied as it is now.
func (e *Emulator) resume() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for p := range e.world.allProjects() {
		for _, b := range p.Branches {
			e.resumeMasking(p, b)
		}
		held := map[string][]*operation{}
		for _, o := range p.busy {
			if o.Held != "" {
				held[o.BranchID] = append(held[o.BranchID], o)
			}
		}
		for _, operations := range held {
			e.resumeWork(p, operations)
		}
		e.settle(p, nil, e.now())
	}
}

func (e *Emulator) resumeWork(p *project, operations []*operation) {
	var left databaseWork
	if interrupted := operations[0].Work; interrupted != nil && e.databases != nil {
		left.Configures, left.Deleted = interrupted.Configures, interrupted.Deleted
		for _, c := range interrupted.Copies {
			if !e.databases.FilledBy(c.To, operations[0].ID) {
				left.Copies = append(left.Copies, c)
			}
		}
	}
	if !e.hold(&call{project: p}, operations, left) {
		e.settle(p, operations, e.now())
	}
}
