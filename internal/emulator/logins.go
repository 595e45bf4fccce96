package emulator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// readyInterval is how often what waits for a branch looks again.
const readyInterval = 20 * time.Millisecond

// databaseWorld is what databases see of the world.
type databaseWorld struct{ *Emulator }

// openDatabases begins to serve databases, where there is a PostgreSQL to keep them.
func (e *Emulator) openDatabases() (err error) {
	if e.config.Postgres == nil {
		return nil
	}
	e.databases, err = data.Open(data.Options{
		Installation: e.config.Postgres, Folder: e.config.DataFolder,
		Host: cmp.Or(e.config.PostgresHost, loopbackAddress), Port: cmp.Or(e.config.PostgresPort, e.world.GatewayPort),
	}, databaseWorld{e})
	switch {
	case err == nil:
		e.databases.Serve()
		return e.keepPort()
	case e.config.PostgresPort == 0 && e.world.GatewayPort != 0:
		return fmt.Errorf("the state's connection strings lead to port %d: %w", e.world.GatewayPort, err)
	}
	return err
}

// Now is the world's time.
func (e databaseWorld) Now() time.Time { return e.worldTime() }

// keepPort keeps the gateway's port in the world: connection strings that somebody has
// stored go on working in the next run.
func (e *Emulator) keepPort() error {
	e.mu.Lock()
	if e.world.GatewayPort == e.databases.Port() {
		e.mu.Unlock()
		return nil
	}
	e.world.GatewayPort = e.databases.Port()
	version := e.changedAnywhere()
	e.mu.Unlock()
	return e.keep(version)
}

// FindLogin says where a login leads. An endpoint that doesn't exist, is disabled
// or belongs to what has expired leads nowhere.
func (e databaseWorld) FindLogin(login postgres.Login) (postgres.Target, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.expire(e.now())
	p, endpoint := e.world.endpoint(login.Endpoint)
	switch {
	case endpoint == nil:
		return postgres.Target{}, postgres.ErrNoEndpoint
	case endpoint.Disabled:
		return postgres.Target{}, errors.New("The endpoint has been disabled. Enable it using Neon API and retry.") //nolint:revive,staticcheck // It is what the platform's proxy says.
	}
	var target postgres.Target
	b := p.Branches[endpoint.BranchID]
	if err := p.admits(b, login.Address); err != nil {
		return target, err
	}
	if b.Masking.state(p, b, e.now()) == anonymizing {
		return target, errors.New("the branch is being anonymized: it takes no connections until that is over")
	}
	if r := b.role(login.Role); r != nil && !r.NoLogin {
		target.Password, target.Verifier = r.passwordAt(e.now()), r.verifierAt(e.now())
	}
	target.Open = func(ctx context.Context) (*postgres.Place, error) {
		return e.openDatabase(ctx, p, b, endpoint, login)
	}
	return target, nil
}

func (w *world) endpoint(id string) (*project, *endpoint) {
	for _, p := range w.Projects {
		if found := p.Endpoints[id]; found != nil {
			return p, found
		}
	}
	return nil, nil
}

// branch finds a branch among those of all projects.
func (w *world) branch(id string) (*project, *branch) {
	for p := range w.allProjects() {
		if b := p.Branches[id]; b != nil {
			return p, b
		}
	}
	return nil, nil
}

// openDatabase returns where a session of a client that has logged in takes place, once
// its branch is created and its compute has started.
func (e *Emulator) openDatabase(
	ctx context.Context, p *project, b *branch, through *endpoint, login postgres.Login,
) (*postgres.Place, error) {
	if err := e.awaitCompute(ctx, p, b, through, login.Database); err != nil {
		return nil, err
	}
	e.mu.Lock()
	since := e.now() // What comes while the place is made ready, such as a restart, ends the session.
	wanted := e.wanted(p, b, login.Database)
	if through.Type == readOnly {
		wanted.Replica, wanted.ReplicaSettings = through.ID, p.settingsOf(through, since)
	}
	e.mu.Unlock()
	place, err := e.databases.Place(ctx, b.ID, wanted)
	if err != nil {
		return nil, err
	}
	// The next run finds the data where data is kept.
	if err := e.databases.Keep(); err != nil {
		place.Release()
		return nil, err
	}
	place.Since = since
	place.Ended = func(active time.Time) { e.used(p, through, active) }
	return place, nil
}

// wanted is what leads to a database of a branch. The caller holds the lock.
func (e *Emulator) wanted(p *project, b *branch, database string) data.Wanted {
	return data.Wanted{Database: database, Layout: e.layoutOf(b),
		Settings: p.settingsOf(p.readWriteEndpoint(b.ID), e.now())}
}

// awaitCompute returns once a branch can be connected to. It wakes a suspended compute.
func (e *Emulator) awaitCompute(ctx context.Context, p *project, b *branch, through *endpoint, database string) error {
	var started *operation
	for {
		e.mu.Lock()
		now := e.now()
		e.expire(now)
		hasDatabase := b.database(database) != nil || database == postgres.Maintenance
		exists := p.Branches[b.ID] == b && p.Endpoints[through.ID] == through
		ready := b.ready(now) && through.States.current(now) == "active"
		if exists && hasDatabase && !ready && started == nil {
			started = e.wake(p, through, now)
		}
		keptDown := !through.runs(now) && !e.mayRunMore(p, b, now) // Too many others run.
		failed := started != nil && started.isOver(now) && !through.runs(now)
		if ready {
			through.LastActive = now
			e.changedIn(p, through.ID)
		}
		e.mu.Unlock()
		switch {
		case !exists:
			return data.ErrBranchDeleted
		case !hasDatabase:
			return postgres.NoDatabase(database)
		case ready:
			return nil
		case failed:
			return fmt.Errorf("the compute doesn't start: its operation start_compute is %s", started.End)
		case keptDown:
			return errors.New("active endpoints limit exceeded")
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(readyInterval):
		}
	}
}

// Version is the version of PostgreSQL that the project of a branch asks for.
func (e databaseWorld) Version(branchID string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p, b := e.world.branch(branchID); b != nil {
		return p.PostgresVersion
	}
	return defaultPostgres
}

// LoginOver reports whether a login leads nowhere any more, or wouldn't be let in again.
func (e databaseWorld) LoginOver(login postgres.Login) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	e.expire(now)
	p, endpoint := e.world.endpoint(login.Endpoint)
	if endpoint == nil || endpoint.Disabled {
		return true
	}
	b := p.Branches[endpoint.BranchID]
	r := b.role(login.Role)
	switch {
	case !now.Before(b.PasswordResetAt) && login.Since.Before(b.PasswordResetAt):
		return true
	case r == nil || r.CreatedAt.After(login.Since) || len(r.Logins) > 0 && r.Logins.since(now).After(login.Since):
		return true // It is another role or has another password by now.
	case b.Masking.state(p, b, now) == anonymizing:
		return true
	case endpoint.States.current(now) != "active" || endpoint.States.since(now).After(login.Since):
		return true // The compute was suspended, whether it has started again or not.
	}
	return b.database(login.Database) == nil && login.Database != postgres.Maintenance
}

// HasData reports whether there is a branch or snapshot that may have data. A deleted project's
// are there for as long as it can be recovered.
func (e databaseWorld) HasData(branchID string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.expire(e.now())
	for p := range e.world.allProjects() {
		taken := find(p.Snapshots, func(s *snapshot) bool { return s.Content.ID == branchID })
		if p.Branches[branchID] != nil || taken != nil {
			return true
		}
	}
	return false
}
