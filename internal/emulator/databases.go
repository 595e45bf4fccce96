package emulator

import (
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

	// kept is nil where data goes with this program.
	kept *keptStores

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
	d := &databases{installation: e.config.Postgres, idle: idlePatience, ctx: ctx, stop: stop, stores: map[string]*store{}}
	err := d.openKept(e.config.DataFolder, func(branchID string) bool { return e.databaseIDs(branchID) != nil })
	if err == nil {
		d.gateway, err = postgres.Listen(ctx, or(e.config.PostgresPort, e.world.GatewayPort), e.findLogin)
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
		return postgres.Target{}, errors.New("The requested endpoint could not be found, or you don't have access to it." + //nolint:staticcheck // It is what the platform's proxy says.
			" Please check the provided ID and try again.")
	case endpoint.Disabled:
		return postgres.Target{}, errors.New("The endpoint has been disabled. Enable it using Neon API and retry.") //nolint:revive,staticcheck // As above.
	}
	var target postgres.Target
	b := p.Branches[endpoint.BranchID]
	if r := b.role(login.Role); r != nil && !r.NoLogin {
		target.Password = r.passwordAt(e.now())
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
	for {
		e.mu.Lock()
		now := e.now()
		d := b.database(login.Database)
		exists := p.Branches[b.ID] == b
		ready := b.ready(now) && through.States.current(now) != "init"
		var w wanted
		for _, r := range b.Roles {
			w.roles = append(w.roles, r.Name)
		}
		if d != nil {
			w.database, w.name, w.owner = d.ID, d.Name, d.OwnerName
		}
		if through.Type == readOnly {
			w.replica = through.ID
		}
		e.mu.Unlock()
		switch {
		case !exists:
			return nil, errBranchDeleted
		case d == nil:
			return nil, postgres.NoDatabase(login.Database)
		case ready:
			return e.databases.open(ctx, b.ID, w)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(readyInterval):
		}
	}
}

// open returns where a session takes place once its data is there, and will be found by
// the next run where data is kept.
func (d *databases) open(ctx context.Context, branchID string, w wanted) (*postgres.Place, error) {
	place, err := d.store(branchID).open(ctx, w)
	if err != nil {
		return nil, err
	}
	if err := d.keep(); err != nil {
		place.Release()
		return nil, err
	}
	return place, nil
}

// store returns that of a branch, empty for one that nobody has connected to.
func (d *databases) store(branchID string) *store {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.stores[branchID]
	if s == nil || s.cluster.failed() {
		s = newStore(d.ctx, &d.tasks)
		d.stores[branchID] = s
		d.tasks.Go(func() { s.cluster.resolve(d.installation.Create(s.ctx)) })
	}
	return s
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
		exists := e.databaseIDs(id)
		if exists != nil {
			s.sweep(exists, idle)
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
	return b.database(login.Database) == nil || r == nil || r.passwordAt(now) != login.Password
}

// databaseIDs has those of a branch or snapshot, nil for one that doesn't exist. A deleted
// project's exist for as long as it can be recovered.
func (e *Emulator) databaseIDs(branchID string) map[int64]bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.expire(e.now())
	for p := range e.world.allProjects() {
		b := p.Branches[branchID]
		for _, s := range p.Snapshots {
			if s.Content.ID == branchID {
				b = s.Content
			}
		}
		if b != nil {
			ids := map[int64]bool{}
			for _, d := range b.Databases {
				ids[d.ID] = true
			}
			return ids
		}
	}
	return nil
}
