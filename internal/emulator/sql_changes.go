package emulator

import (
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// Adopt lets the API have what statements have changed in a branch's cluster: roles, databases
// and passwords, of which those that were said are known.
func (e databaseWorld) Adopt(
	branchID string, found postgres.Contents, said []string, before func() (postgres.Contents, bool),
) error {
	e.mu.Lock()
	version := uint64(0)
	if known, isCurrent := before(); isCurrent {
		if p, b := e.world.branch(branchID); b != nil && e.adoptContents(b, known, found, said) {
			version = e.changedIn(p, b.ID)
		}
	}
	e.mu.Unlock()
	return e.keep(version)
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
	r.passwords, r.UpdatedAt = passwords{Verifier: other.Verifier}, now
	for _, password := range said {
		if postgres.Verifies(other.Verifier, password) {
			r.passwords = passwords{Password: password}
		}
	}
	return true
}
