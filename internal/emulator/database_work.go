package emulator

import (
	"context"
	"time"
)

// answerPatience is how long an answer waits for the work that it has begun. Whoever
// has the answer may go on to change what is being copied.
const answerPatience = 5 * time.Second

// Ways in which an operation is held.
const (
	heldWorking = "working"
	heldWaiting = "waiting"
)

// hold keeps operations from ending before work on databases is done, which goes on
// while others use the world. Where the work fails, the first operation fails.
func (e *Emulator) hold(c *call, operations []*operation, work func() error) {
	for _, o := range operations {
		o.Held = heldWaiting
	}
	operations[0].Held = heldWorking
	p, done := c.project, make(chan struct{})
	c.work = done
	e.databases.tasks.Go(func() {
		defer close(done)
		err := work()
		if err == nil {
			err = e.databases.keep()
		}
		// What the end of the emulator interrupts hasn't failed.
		if e.databases.ctx.Err() == nil {
			// Should it be lost, the next start releases them.
			_ = e.keep(e.release(p, operations, err))
		}
	})
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
	conclude(operations, failure, now)
	e.settle(p, operations, now)
	e.version++
	return e.version
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

// settle releases operations, and lets their objects come to the states that follow.
func (e *Emulator) settle(p *project, operations []*operation, now time.Time) {
	for _, o := range operations {
		o.Held = ""
		b, endpoint := p.Branches[o.BranchID], p.Endpoints[o.EndpointID]
		switch {
		case o.Action == "create_branch" && b != nil:
			b.States = b.States.then(o.effectAt(), now, "ready")
		case o.Action == "start_compute" && endpoint != nil:
			endpoint.States = endpoint.States.then(o.effectAt(), now, "active")
		}
	}
}
