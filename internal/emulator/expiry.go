package emulator

import (
	"maps"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

// expire removes what the world's time has passed: branches with their compute
// endpoints, snapshots, transfer requests, deleted projects, which nobody can recover any more, and unclaimed databases
// with the projects below them. Computes that nobody uses are suspended.
func (e *Emulator) expire(now time.Time) {
	w := e.world
	if !now.Before(w.NextSuspension) {
		e.suspendIdle(now)
	}
	if w.NextExpiry.IsZero() || now.Before(w.NextExpiry) {
		return
	}
	e.changedAnywhere()
	w.NextExpiry = time.Time{}
	for _, p := range w.Projects {
		e.expireIn(p, now)
	}
	maps.DeleteFunc(w.Deleted, func(_ string, p *project) bool {
		return w.hasExpired(p.DeletedAt.Add(recoveryPeriod), now)
	})
	for id, c := range w.Claimables {
		if c.Status != claimed && w.hasExpired(c.ExpiresAt, now) {
			delete(w.Claimables, id)
			delete(w.Projects, c.ProjectID)
		}
	}
	w.expireRegistrations(now)
}

// expireIn removes what has expired of a project.
func (e *Emulator) expireIn(p *project, now time.Time) {
	for _, b := range p.Branches {
		if at := e.deletedAt(b); e.world.hasExpired(at, now) {
			e.removeBranch(p, b, at)
		}
	}
	p.forgetSnapshots(func(s *snapshot) bool { return e.world.hasExpired(s.ExpiresAt, now) })
	p.TransferRequests = slices.DeleteFunc(p.TransferRequests,
		func(r *transferRequest) bool { return e.world.hasExpired(r.ExpiresAt, now) })
}

// deletedAt is when a branch goes by itself, zero for never.
func (e *Emulator) deletedAt(b *branch) time.Time {
	switch {
	case !b.GoneAt.IsZero():
		return b.GoneAt
	case !b.ExpiresAt.IsZero() && e.plays(doubts.ExpiredBranch, "late"):
		return b.ExpiresAt.Add(time.Minute)
	}
	return b.ExpiresAt
}
