package emulator

import (
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

// expire removes what the world's time has passed: branches with their compute
// endpoints, snapshots, transfer requests, and unclaimed databases with the projects below them. Computes that
// nobody uses are suspended.
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
	w.expireDeleted(now)
	for id, c := range w.Claimables {
		switch {
		case c.Status == claimed:
		case now.Before(c.ExpiresAt):
			w.expiresAt(c.ExpiresAt)
		default:
			delete(w.Claimables, id)
			delete(w.Projects, c.ProjectID)
		}
	}
	w.expireRegistrations(now)
}

// expireIn removes what has expired of a project.
func (e *Emulator) expireIn(p *project, now time.Time) {
	for _, b := range p.Branches {
		switch at := e.deletedAt(b); {
		case at.IsZero():
		case now.Before(at):
			e.world.expiresAt(at)
		default:
			e.removeBranch(p, b, at)
		}
	}
	e.world.expireSnapshots(p, now)
	e.world.expireTransferRequests(p, now)
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
