package data

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// ChangedAt is when a branch's data was first seen as it is; zero for data that has never changed.
func (d *Databases) ChangedAt(branchID string) time.Time {
	if s := d.current(branchID); s != nil {
		return s.changedAt()
	}
	return time.Time{}
}

// current is the store of a branch, nil for none.
func (d *Databases) current(branchID string) *store {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stores[branchID]
}

func (s *store) changedAt() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// changedBy notes that the data had changed at a time, unless it has later.
func (s *store) changedBy(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.After(s.changed) {
		s.changed = at
	}
}

// note notes what the data is at a time.
func (s *store) note(snapshot string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.snapshot != "" && s.snapshot != snapshot {
		s.changed = now
	}
	s.snapshot = snapshot
}

// mostLooks is how many servers start at once because of a look, such as the first one at all that a folder keeps.
const mostLooks = 4

// Look looks whether data has changed that statements have touched since the last time.
func (d *Databases) Look(ctx context.Context) {
	d.looking.Lock()
	defer d.looking.Unlock()
	var looking errgroup.Group
	looking.SetLimit(mostLooks)
	for _, s := range d.all() {
		if s.cluster.ready() && s.touched.Swap(false) {
			looking.Go(func() error { s.look(ctx, d.world.Now); return nil })
		}
	}
	_ = looking.Wait() // None fails.
}

// look notes what the data is. A server that runs for this alone ends at once.
func (s *store) look(ctx context.Context, now func() time.Time) {
	cluster := s.cluster.value
	if !cluster.Running() {
		defer cluster.Rest(0)
	}
	snapshot, err := cluster.Snapshot(ctx)
	if err != nil {
		snapshot = "unknown" // It counts as changed.
	}
	s.note(snapshot, now())
}

// adoptPatience is how long a statement that has changed roles or databases waits until the API
// has its change.
const adoptPatience = 30 * time.Second

// adopt lets the world have what statements have changed in a branch's cluster, once no call
// changes that.
func (d *Databases) adopt(ctx context.Context, branchID string, s *store, said []string) error {
	ctx, cancel := context.WithTimeout(ctx, adoptPatience)
	defer cancel()
	for {
		changes, changing := s.changes.Load(), s.changing.Load() > 0
		var found postgres.Contents
		if !changing { // What a call is about to remove isn't new.
			var err error
			if found, err = s.cluster.value.Contents(ctx); err != nil {
				return err
			}
		}
		isOther, isCurrent := false, false
		err := d.world.Adopt(branchID, found, said, func() (before postgres.Contents, known bool) {
			isOther = d.current(branchID) != s // The branch has other data by now.
			if isCurrent = !isOther && !changing && changes == s.changes.Load(); isCurrent {
				before = s.see(found)
				s.note(found.Snapshot, d.world.Now())
			}
			return before, isCurrent
		})
		switch {
		case err != nil || isOther:
			return err
		case isCurrent:
			return s.forgetVerifiers(ctx, found)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(readyInterval):
		}
	}
}

// forgetVerifiers removes passwords from the cluster, as they are kept.
func (s *store) forgetVerifiers(ctx context.Context, found postgres.Contents) error {
	for _, role := range found.Roles {
		if role.Verifier != "" {
			if err := s.cluster.value.ForgetVerifier(ctx, role.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Configure begins what brings a branch's data to what the API has, and returns what does it; nil
// where nobody has connected to it yet.
func (d *Databases) Configure(branchID string, layout func() postgres.Layout, change postgres.Change) func() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.usable(branchID)
	if s == nil {
		return nil
	}
	s.changes.Add(1)
	s.changing.Add(1)
	return func() error {
		defer s.changing.Add(-1)
		cluster, err := s.cluster.wait(s.ctx)
		if err != nil {
			return err
		}
		return s.configure(cluster, layout, change)
	}
}
