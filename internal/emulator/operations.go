package emulator

import (
	"slices"
	"sort"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var operationRoutes = []route{
	{"GET " + projectPath + "/operations", forProject, (*Emulator).listOperations},
	{"GET " + projectPath + "/operations/{operation_id}", forProject, (*Emulator).getOperation},
}

// Statuses of an operation.
const (
	scheduling = "scheduling"
	running    = "running"
	finished   = "finished"
	failed     = "failed"
	cancelling = "cancelling"
	cancelled  = "cancelled"
	skipped    = "skipped"
)

// Actions of operations.
const (
	startCompute   = "start_compute"
	suspendCompute = "suspend_compute"
	// protectedConfig tells the storage whether a branch is protected.
	protectedConfig = "timeline_update_protected_config"
)

// retention is how long operations are kept: six months.
const retention = 182 * 24 * time.Hour

// mostOperations is how many of a project are kept, the newest, so that an emulator can be
// left running.
const mostOperations = 5000

func (o *operation) status(now time.Time) string {
	switch {
	case o.Held == heldWaiting || now.Before(o.RunsAt):
		return scheduling
	case o.Held == heldWorking || now.Before(o.EndsAt):
		return running
	case o.Then != "" && !now.Before(o.ThenAt):
		return o.Then
	default:
		return o.End
	}
}

// settled is when the operation comes to its last status, and whether it has
// had its effect then.
func (o *operation) settled() (at time.Time, effect bool) {
	last, at := o.End, o.EndsAt
	if o.Held != "" {
		return never, true
	}
	if o.Then != "" {
		last, at = o.Then, o.ThenAt
	}
	switch last {
	case finished, skipped:
		return at, true
	case scheduling, running, cancelling:
		return never, false
	default:
		return at, false
	}
}

// effectAt is when the operation has its effect; never when it has none.
func (o *operation) effectAt() time.Time {
	if at, effect := o.settled(); effect {
		return at
	}
	return never
}

// isOver says whether the operation has come to its last status.
func (o *operation) isOver(now time.Time) bool {
	at, _ := o.settled()
	return !now.Before(at)
}

// lead lets the objects of operations come to the states that these lead to.
func (p *project) lead(operations []*operation, now time.Time) {
	for _, o := range operations {
		b, endpoint := p.Branches[o.BranchID], p.Endpoints[o.EndpointID]
		switch {
		case b != nil && (o.Action == "create_branch" || o.Action == "create_timeline"):
			b.States = b.States.then(o.effectAt(), now, "ready")
		case endpoint != nil && o.Action == startCompute:
			endpoint.States = endpoint.States.then(o.effectAt(), now, "active")
		case endpoint != nil && o.Action == suspendCompute:
			endpoint.States = endpoint.States.then(o.effectAt(), now, "idle")
		}
	}
}

// inTheWay says whether the operation stops others from being scheduled.
func (o *operation) inTheWay(now time.Time) bool {
	status := o.status(now)
	return status == scheduling || status == running || status == cancelling
}

// takeEnding returns the ending that waits for an operation of this action.
func (e *Emulator) takeEnding(action string) *ending {
	for i, end := range e.endings {
		if end.Action == action {
			if end.Count--; end.Count == 0 {
				e.endings = slices.Delete(e.endings, i, i+1)
			}
			return end
		}
	}
	return nil
}

// forgetOld drops the operations that Neon doesn't keep any longer, and those that
// are too many.
func (p *project) forgetOld(now time.Time) {
	left := min(len(p.retained(now)), mostOperations)
	for _, o := range p.Operations[:len(p.Operations)-left] {
		p.touched = append(p.touched, o.ID)
	}
	p.Operations = slices.Delete(p.Operations, 0, len(p.Operations)-left)
}

// schedule makes the operations of one request. An operation waits for those
// before it on the same endpoint or on its whole branch; where one of the same
// request fails for good, those that wait for it are cancelled.
func (e *Emulator) schedule(p *project, now time.Time, all ...work) []*operation {
	p.forgetOld(now)
	made := make([]*operation, 0, len(all))
	for _, w := range all {
		o := p.newOperation(w, p.nextOperationTime(now))
		o.RunsAt = p.turnOf(o, now)
		if slices.ContainsFunc(made, o.isLostWith) && e.plays(doubts.AfterFailed, "cancelled") {
			o.End = cancelled
		}
		e.setEnd(o)
		e.world.watchCompute(p.Endpoints[w.endpointID], now)
		p.Operations = append(p.Operations, o)
		p.busy = append(p.busy, o)
		made = append(made, o)
	}
	return made
}

// newOperation is one of a time, which takes a second and finishes unless something else is decided.
func (p *project) newOperation(of work, at time.Time) *operation {
	return &operation{
		ID: wire.NewUUID(), ProjectID: p.ID, BranchID: of.branchID, EndpointID: of.endpointID, Action: of.action,
		CreatedAt: at, RunsAt: at, EndsAt: at.Add(time.Second), End: finished,
	}
}

// onEach is the same work on each of some computes.
func onEach(computes []*endpoint, action string) []work {
	return viewsOf(computes, func(of *endpoint) work { return work{of.BranchID, of.ID, action} })
}

// turnOf is when those before an operation are over that it waits for; never while that isn't known.
func (p *project) turnOf(o *operation, now time.Time) time.Time {
	turn := now
	for _, earlier := range p.busy {
		if earlier == o {
			break
		}
		if at, _ := earlier.settled(); o.waitsFor(earlier) && at.After(turn) {
			turn = at
		}
	}
	return turn
}

// isLostWith says whether an operation waits for one that fails for good.
func (o *operation) isLostWith(earlier *operation) bool {
	at, effect := earlier.settled()
	return o.waitsFor(earlier) && !effect && !at.Equal(never)
}

// unblock gives their times to the operations that were waiting for one whose end wasn't known: starts that a login has
// asked for, and suspensions, as all else is refused while work on the branch's data goes on.
func (e *Emulator) unblock(p *project, now time.Time) (unblocked []*operation) {
	for _, o := range p.busy {
		if o.Held != "" || o.RunsAt.Before(never) {
			continue
		}
		if o.RunsAt = p.turnOf(o, now); !o.RunsAt.Before(never) {
			continue
		}
		after := o.ThenAt.Sub(o.EndsAt)
		o.EndsAt = o.RunsAt
		if o.End != cancelled {
			o.EndsAt = o.RunsAt.Add(e.config.OperationDuration)
		}
		if o.Then != "" {
			o.ThenAt = o.EndsAt.Add(after)
		}
		unblocked = append(unblocked, o)
	}
	return unblocked
}

// waitsFor says whether two operations concern the same endpoint, or one of them
// the branch of the other as a whole.
func (o *operation) waitsFor(earlier *operation) bool {
	if o.BranchID != earlier.BranchID {
		return false
	}
	return o.EndpointID == "" || earlier.EndpointID == "" || o.EndpointID == earlier.EndpointID
}

// setEnd decides when and how an operation ends.
func (e *Emulator) setEnd(o *operation) {
	if o.End == cancelled {
		o.EndsAt = o.RunsAt
		return
	}
	o.EndsAt = never
	if o.RunsAt.Before(never) {
		o.EndsAt = o.RunsAt.Add(e.config.OperationDuration)
	}
	if end := e.takeEnding(o.Action); end != nil {
		o.End, o.Error = end.Status, end.Error
		if end.Then != "" {
			after, _ := time.ParseDuration(end.After) // It was checked, and is zero for none.
			o.Then, o.ThenAt = end.Then, o.EndsAt.Add(after)
		}
	}
}

// nextOperationTime keeps the times of a project's operations apart: they are
// what pages are cut by.
func (p *project) nextOperationTime(now time.Time) time.Time {
	now = now.Truncate(time.Microsecond)
	if last := len(p.Operations) - 1; last >= 0 && !now.After(p.Operations[last].CreatedAt) {
		return p.Operations[last].CreatedAt.Add(time.Microsecond)
	}
	return now
}

// addFinished records an operation of the past.
func (p *project) addFinished(at time.Time, branchID, endpointID, action string) *operation {
	at = at.Truncate(time.Microsecond)
	place := sort.Search(len(p.Operations), func(i int) bool { return p.Operations[i].CreatedAt.After(at) })
	if place > 0 && !at.After(p.Operations[place-1].CreatedAt) {
		at = p.Operations[place-1].CreatedAt.Add(time.Microsecond)
	}
	o := p.newOperation(work{branchID, endpointID, action}, at)
	p.Operations = slices.Insert(p.Operations, place, o)
	p.touched = append(p.touched, o.ID)
	return o
}

// checkFree refuses work while other work is in its way: on the whole project, or on these branches alone.
func (e *Emulator) checkFree(p *project, now time.Time, branchIDs ...string) error {
	p.busy = slices.DeleteFunc(p.busy, func(o *operation) bool { return o.isOver(now) })
	for _, o := range p.busy {
		onBranch := slices.Contains(branchIDs, o.BranchID) || o.SourceID != "" && slices.Contains(branchIDs, o.SourceID)
		refused := o.Held != "" && onBranch
		switch e.config.Conflicts {
		case ConflictsProject:
			refused = true
		case ConflictsBranch:
			refused = onBranch || o.BranchID == ""
		}
		if refused && o.inTheWay(now) {
			return wire.Locked()
		}
	}
	return nil
}

// isFree refuses a write while other work on the branch of the path runs.
func (e *Emulator) isFree(c *call) error { return e.checkFree(c.project, c.now, c.branch.ID) }

// whenFree is a handler of writes that wait for other work on the branch of their path.
func whenFree[T any](handle func(*Emulator, *call, T) (reply, error)) func(*Emulator, *call, T) (reply, error) {
	return func(e *Emulator, c *call, of T) (reply, error) {
		if err := e.isFree(c); err != nil {
			return reply{}, err
		}
		return handle(e, c, of)
	}
}

func (o *operation) view(now time.Time) object {
	status, updated, over := o.status(now), o.CreatedAt, now
	for _, at := range []time.Time{o.RunsAt, o.EndsAt, o.ThenAt} {
		if at.After(updated) && !at.After(now) {
			updated = at
		}
	}
	if at, _ := o.settled(); at.Before(now) {
		over = at
	}
	view := object{
		"id": o.ID, "project_id": o.ProjectID, "branch_id": o.BranchID, "endpoint_id": o.EndpointID, "action": o.Action,
		"status": status, "failures_count": 0, "created_at": wire.Seconds(o.CreatedAt), "updated_at": wire.Seconds(updated),
		"total_duration_ms": max(0, over.Sub(o.CreatedAt).Milliseconds()),
	}
	hasEnded := !now.Before(o.EndsAt)
	if hasEnded && (o.End == failed || o.End == "error") {
		view["failures_count"] = 1
		if status == o.End && o.Then != "" {
			view["retry_at"] = wire.Seconds(o.ThenAt)
		}
	}
	if hasEnded && status == o.End {
		view["error"] = o.Error
	}
	return unlessEmpty(view, "branch_id", "endpoint_id", "error")
}

func operationViews(operations []*operation, now time.Time) []object {
	return viewsOf(operations, func(o *operation) object { return o.view(now) })
}

// listOperations has the newest first, by pages that begin below the time of the operation before.
func (e *Emulator) listOperations(c *call) (reply, error) {
	limit := c.queryInt("limit", 1000, 1, 1000)
	operations := c.project.retained(c.now)
	end := len(operations)
	if cursor := c.query("cursor"); cursor != "" {
		before, err := time.Parse(time.RFC3339Nano, cursor)
		if err != nil {
			return reply{}, badQuery("cursor", "must be a cursor of an earlier answer")
		}
		end = sort.Search(len(operations), func(i int) bool { return !operations[i].CreatedAt.Before(before) })
	}
	page := slices.Clone(operations[max(0, end-limit):end])
	slices.Reverse(page)
	answer := map[string]any{"operations": operationViews(page, c.now)}
	if len(page) > 0 {
		last := page[len(page)-1].CreatedAt
		answer["pagination"] = map[string]string{"cursor": last.UTC().Format("2006-01-02T15:04:05.000000Z")}
	}
	return ok(answer)
}

func (p *project) retained(now time.Time) []*operation {
	oldest := now.Add(-retention)
	first := sort.Search(len(p.Operations), func(i int) bool { return !p.Operations[i].CreatedAt.Before(oldest) })
	return p.Operations[first:]
}

func (e *Emulator) getOperation(c *call) (reply, error) {
	id := c.PathValue("operation_id")
	if !uuidPattern.MatchString(id) {
		return reply{}, badPath("operation_id", "must be a UUID")
	}
	// The newest are asked for most.
	for _, o := range slices.Backward(c.project.retained(c.now)) {
		if o.ID == id {
			return ok(map[string]any{"operation": o.view(c.now)})
		}
	}
	return reply{}, wire.NotFound("operation not found")
}
