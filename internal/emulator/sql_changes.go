package emulator

import (
	"context"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// adoptPatience is how long a statement that has changed roles or databases waits until the API
// has its change.
const adoptPatience = 30 * time.Second

// adopt lets the API have what statements have changed in a branch's cluster: roles, databases
// and passwords, of which those that were said are known.
func (e *Emulator) adopt(ctx context.Context, p *project, b *branch, s *store, said []string) error {
	ctx, cancel := context.WithTimeout(ctx, adoptPatience)
	defer cancel()
	for {
		e.mu.Lock()
		changes, changing := s.changes, s.changing > 0
		e.mu.Unlock()
		var found postgres.Contents
		if !changing { // What a call is about to remove isn't new.
			var err error
			if found, err = s.cluster.value.Contents(ctx); err != nil {
				return err
			}
		}
		e.mu.Lock()
		if e.databases.current(b.ID) != s {
			e.mu.Unlock()
			return nil // The branch has other data by now.
		}
		isCurrent, version := !changing && changes == s.changes, uint64(0)
		if isCurrent && e.adoptContents(b, s.see(found), found, said) {
			version = e.changedIn(p, b.ID)
		}
		e.mu.Unlock()
		if isCurrent {
			s.note(found.Snapshot, e.worldTime())
			return e.forgetVerifiers(ctx, s, found, version)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(readyInterval):
		}
	}
}

// forgetVerifiers removes passwords from the cluster once they are kept.
func (e *Emulator) forgetVerifiers(ctx context.Context, s *store, found postgres.Contents, version uint64) error {
	if err := e.keep(version); err != nil {
		return err
	}
	for _, r := range found.Roles {
		if r.Verifier != "" {
			if err := s.cluster.value.ForgetVerifier(ctx, r.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// adoptContents reports whether it has changed anything. What the cluster never had isn't gone: a
// call has made it, and it comes.
func (e *Emulator) adoptContents(b *branch, before, found postgres.Contents, said []string) (changed bool) {
	now, roles, databases := e.now(), len(b.Roles), len(b.Databases)
	b.Roles = slices.DeleteFunc(b.Roles, func(r *role) bool {
		same := func(other postgres.Role) bool { return other.Name == r.Name }
		return slices.ContainsFunc(before.Roles, same) && !slices.ContainsFunc(found.Roles, same)
	})
	b.Databases = slices.DeleteFunc(b.Databases, func(d *database) bool {
		same := func(other postgres.Database) bool { return other.Name == d.Name }
		return slices.ContainsFunc(before.Databases, same) && !slices.ContainsFunc(found.Databases, same)
	})
	changed = len(b.Roles) < roles || len(b.Databases) < databases
	for _, other := range found.Roles {
		r := b.role(other.Name)
		if r == nil {
			changed, r = true, &role{Name: other.Name, CreatedAt: now, UpdatedAt: now}
			b.Roles = append(b.Roles, r)
		}
		changed = r.adopt(other, said, now) || changed
	}
	for _, other := range found.Databases {
		d := b.database(other.Name)
		if d == nil {
			d = e.addDatabase(b, other.Name, other.Owner, now)
			changed = true
		}
		if d.OwnerName != other.Owner {
			changed, d.OwnerName, d.UpdatedAt = true, other.Owner, now
		}
	}
	return changed
}

// adopt takes over what a statement has set of a role. The password is known if it was said: the
// cluster has only what tells whether one is right.
func (r *role) adopt(other postgres.Role, said []string, now time.Time) (changed bool) {
	if r.NoLogin != other.NoLogin {
		changed, r.NoLogin, r.UpdatedAt = true, other.NoLogin, now
	}
	if other.Verifier == "" {
		return changed
	}
	r.Password, r.Verifier, r.Logins, r.UpdatedAt = "", other.Verifier, nil, now
	for _, password := range said {
		if postgres.Verifies(other.Verifier, password) {
			r.Password, r.Verifier = password, ""
		}
	}
	return true
}
