package emulator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

const (
	// sweepInterval is how soon what has expired is cut off and removed.
	sweepInterval = time.Second
	// idlePatience is how long a server runs that nobody uses.
	idlePatience = 15 * time.Second
	// readyInterval is how often a client that waits for its branch looks again.
	readyInterval = 20 * time.Millisecond
)

// databases are those behind the branches. The data of a branch has a cluster of its
// own: it is created when somebody first connects to the branch, or when the branch is
// created of one that has been connected to; until then it is empty, and costs nothing.
type databases struct {
	installation *postgres.Installation
	gateway      *postgres.Gateway
	ctx          context.Context //nolint:containedctx // It is the emulator's life, which all work on databases shares.
	stop         context.CancelFunc
	tasks        sync.WaitGroup

	// version is that of PostgreSQL which the project of a branch has.
	version func(branchID string) int
	// kept is nil where data goes with this program.
	kept *keptStores

	// looking has whoever looks for changes wait for another's look, which may have found some.
	looking sync.Mutex

	// mu guards what follows.
	mu     sync.Mutex
	stores map[string]*store
	// idle is how long a server runs that nobody uses.
	idle time.Duration
}

// openDatabases begins to serve databases, where there is a PostgreSQL to keep them.
func (e *Emulator) openDatabases() error {
	if e.config.Postgres == nil {
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	d := &databases{installation: e.config.Postgres, idle: idlePatience, ctx: ctx, stop: stop, stores: map[string]*store{}, version: e.versionOf}
	err := d.openKept(e.config.DataFolder, func(branchID string) bool { return e.hasData(branchID) })
	if err == nil {
		d.gateway, err = postgres.Listen(ctx, cmp.Or(e.config.PostgresHost, loopbackAddress), cmp.Or(e.config.PostgresPort, e.world.GatewayPort), e.worldTime, e.findLogin)
		if err != nil && e.config.PostgresPort == 0 && e.world.GatewayPort != 0 {
			err = fmt.Errorf("the state's connection strings lead to port %d: %w", e.world.GatewayPort, err)
		}
	}
	if err != nil {
		stop()
		return err
	}
	e.databases = d
	d.tasks.Go(func() { e.sweep(ctx) })
	return e.keepPort()
}

// keepPort keeps the gateway's port in the world: connection strings that somebody has
// stored go on working in the next run.
func (e *Emulator) keepPort() error {
	e.mu.Lock()
	if e.world.GatewayPort == e.databases.port() {
		e.mu.Unlock()
		return nil
	}
	e.world.GatewayPort = e.databases.port()
	version := e.changedAnywhere()
	e.mu.Unlock()
	return e.keep(version)
}

func (d *databases) port() int {
	address, _ := d.gateway.Address().(*net.TCPAddr)
	return address.Port
}

// way is how clients get to the databases, nil where there are none.
func (d *databases) way() *postgres.Gateway {
	if d == nil {
		return nil
	}
	return d.gateway
}

func (d *databases) close() error {
	if d == nil {
		return nil
	}
	d.stop()
	err := d.gateway.Close()
	d.mu.Lock()
	failures := make(chan error, len(d.stores))
	for _, s := range d.stores {
		d.tasks.Go(func() { failures <- d.end(s) })
	}
	d.mu.Unlock()
	d.tasks.Wait()
	close(failures)
	for failure := range failures {
		err = errors.Join(err, failure)
	}
	return err
}

// at adds the gateway's port to a host name.
func (d *databases) at(host string) string {
	if d == nil {
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(d.port()))
}

// findLogin says where a login leads. An endpoint that doesn't exist, is disabled
// or belongs to what has expired leads nowhere.
func (e *Emulator) findLogin(login postgres.Login) (postgres.Target, error) {
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
		target.Password, target.Verifier = r.passwordAt(e.now()), r.Verifier
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

// openDatabase returns where a session of a client that has logged in takes place, once
// its branch is created and its compute has started.
func (e *Emulator) openDatabase(
	ctx context.Context, p *project, b *branch, through *endpoint, login postgres.Login,
) (*postgres.Place, error) {
	if err := e.awaitCompute(ctx, p, b, through, login.Database); err != nil {
		return nil, err
	}
	e.mu.Lock()
	w := e.wanted(p, b, login.Database)
	if through.Type == readOnly {
		w.replica, w.replicaSettings = through.ID, p.settingsOf(through)
	}
	e.mu.Unlock()
	s := e.databases.store(b.ID)
	place, err := s.open(ctx, w)
	if err != nil {
		return nil, err
	}
	// The next run finds the data where data is kept.
	if err := e.databases.keep(); err != nil {
		place.Release()
		return nil, err
	}
	place.Since = e.worldTime()
	place.Ended = func(active time.Time) { e.used(p, through, active) }
	place.Changed = func(passwords []string) {
		_ = e.adopt(s.ctx, p, b, s, passwords) // The next change is adopted with this one.
	}
	return place, nil
}

// wanted is what leads to a database of a branch. The caller holds the lock.
func (e *Emulator) wanted(p *project, b *branch, database string) wanted {
	return wanted{
		database: database, layout: e.layoutOf(b), adopt: func(s *store) error { return e.adopt(s.ctx, p, b, s, nil) },
		settings: p.settingsOf(p.readWriteEndpoint(b.ID)),
	}
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
		keptDown := e.isKeptDown(p, b, through, now)
		failed := started != nil && started.isOver(now) && !through.runs(now)
		if ready {
			through.LastActive = now
			e.changedIn(p, through.ID)
		}
		e.mu.Unlock()
		switch {
		case !exists:
			return errBranchDeleted
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

// store returns that of a branch, empty for one that nobody has connected to.
func (d *databases) store(branchID string) *store {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.stores[branchID]
	if s == nil || s.cluster.failed() {
		s = newStore(d.ctx, &d.tasks)
		d.stores[branchID] = s
		d.tasks.Go(func() { s.cluster.resolve(d.installation.CreateFor(s.ctx, d.version(branchID))) })
	}
	return s
}

// versionOf is the version of PostgreSQL that the project of a branch asks for.
func (e *Emulator) versionOf(branchID string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	for p := range e.world.allProjects() {
		if p.Branches[branchID] != nil {
			return p.PostgresVersion
		}
	}
	return defaultPostgres
}

// sweep cuts off sessions and removes data whose time is over.
func (e *Emulator) sweep(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepInterval):
		}
		e.removeExpired()
		e.look(ctx)
	}
}

// removeExpired does so once. Which stores there are must be known before which branches
// are: that of a branch which is created in between would be taken for one whose branch
// is gone.
func (e *Emulator) removeExpired() {
	d := e.databases
	d.mu.Lock()
	stores, idle := maps.Clone(d.stores), d.idle
	d.mu.Unlock()
	d.gateway.EndSessions(e.loginOver)
	for id, s := range stores {
		if e.hasData(id) {
			s.sweep(idle)
			continue
		}
		d.mu.Lock()
		if d.stores[id] == s {
			delete(d.stores, id)
			d.tasks.Go(func() { _ = s.close() }) // What is left goes with the folder of all.
		}
		d.mu.Unlock()
	}
}

// loginOver reports whether a login leads nowhere any more, or wouldn't be let in again.
func (e *Emulator) loginOver(login postgres.Login) bool {
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

// hasData reports whether there is a branch or snapshot that may have data. A deleted project's
// are there for as long as it can be recovered.
func (e *Emulator) hasData(branchID string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.expire(e.now())
	for p := range e.world.allProjects() {
		if p.Branches[branchID] != nil {
			return true
		}
		for _, s := range p.Snapshots {
			if s.Content.ID == branchID {
				return true
			}
		}
	}
	return false
}
