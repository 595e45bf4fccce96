// Package data keeps what is in branches: databases, copies of them, and the contents of
// objects. It asks the world for what the API has (World), and knows nothing else of it.
package data

import (
	"context"
	"errors"
	"maps"
	"net"
	"path/filepath"
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
	// readyInterval is how often what waits for others' work on a branch looks again.
	readyInterval = 20 * time.Millisecond
)

// Databases are those behind the branches. The data of a branch has a cluster of its
// own: it is created when somebody first connects to the branch, or when the branch is
// created of one that has been connected to; until then it is empty, and costs nothing.
type Databases struct {
	installation *postgres.Installation
	gateway      *postgres.Gateway
	ctx          context.Context //nolint:containedctx // It is the emulator's life, which all work on databases shares.
	stop         context.CancelFunc
	tasks        sync.WaitGroup

	world World
	// kept is nil where data goes with this program.
	kept *keptStores

	// looking has whoever looks for changes wait for another's look, which may have found some.
	looking sync.Mutex

	// mu guards what follows.
	mu     sync.Mutex
	stores map[string]*store
}

// World is what databases ask of what the API has.
type World interface {
	// Now is the world's time.
	Now() time.Time
	// Version is that of PostgreSQL which the project of a branch has.
	Version(branchID string) int
	// HasData reports whether there is a branch or snapshot that may have data.
	HasData(branchID string) bool
	// FindLogin says where a login leads, and LoginOver whether it leads nowhere any more.
	FindLogin(login postgres.Login) (postgres.Target, error)
	LoginOver(login postgres.Login) bool
	// Adopt lets the API have what statements have changed in a branch's cluster, and returns once that is kept.
	// What the cluster was known to have before is asked for while nothing else happens; nothing is adopted where
	// it isn't known.
	Adopt(branchID string, found postgres.Contents, said []string, before func() (postgres.Contents, bool)) error
}

// Options say where databases are kept and served.
type Options struct {
	Installation *postgres.Installation
	// Folder keeps the data between runs, empty for nowhere.
	Folder string
	// Host and Port are those of the gateway; port zero is any free one.
	Host string
	Port int
}

// Open opens databases. Clients wait until Serve: whom they are led to has to know the databases first.
func Open(options Options, world World) (*Databases, error) {
	ctx, stop := context.WithCancel(context.Background())
	d := &Databases{installation: options.Installation, world: world, ctx: ctx, stop: stop, stores: map[string]*store{}}
	err := d.openKept(options.Folder)
	authorityFile := ""
	if options.Folder != "" {
		authorityFile = filepath.Join(options.Folder, "authority.pem")
	}
	if err == nil {
		d.gateway, err = postgres.Listen(ctx, options.Host, options.Port, authorityFile, world.Now, world.FindLogin,
			world.LoginOver)
	}
	if err != nil {
		stop()
		return nil, err
	}
	return d, nil
}

// Serve lets clients in, and begins to sweep and to look for changes.
func (d *Databases) Serve() {
	d.gateway.Serve()
	d.watch()
}

// Port is the gateway's.
func (d *Databases) Port() int {
	address, _ := d.gateway.Address().(*net.TCPAddr)
	return address.Port
}

// Gateway is how clients get to the databases, nil where there are none.
func (d *Databases) Gateway() *postgres.Gateway {
	if d == nil {
		return nil
	}
	return d.gateway
}

// Active says when an endpoint was last used, and whether it is used now.
func (d *Databases) Active(endpointID string) (last time.Time, busy bool) {
	if d == nil {
		return time.Time{}, false
	}
	return d.gateway.Active(endpointID)
}

// Go does work that the end of the databases interrupts.
func (d *Databases) Go(work func(ctx context.Context)) { d.tasks.Go(func() { work(d.ctx) }) }

// Stop interrupts all work.
func (d *Databases) Stop() { d.stop() }

// Close ends all work and cuts off all sessions. Data that isn't kept goes.
func (d *Databases) Close() error {
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

// At adds the gateway's port to a host name.
func (d *Databases) At(host string) string {
	if d == nil {
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(d.Port()))
}

// store returns that of a branch, empty for one that nobody has connected to.
func (d *Databases) store(branchID string) *store {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.stores[branchID]
	if s == nil || s.cluster.failed() {
		s = newStore(d.ctx, &d.tasks)
		d.stores[branchID] = s
		d.tasks.Go(func() { s.cluster.resolve(d.installation.CreateFor(s.ctx, d.world.Version(branchID))) })
	}
	return s
}

// watch cuts off sessions and removes data whose time is over, and looks for changes, until all ends. A look may wait
// long for a server, and a sweep waits for none.
func (d *Databases) watch() {
	d.tasks.Go(func() { d.eachInterval(d.Sweep) })
	d.tasks.Go(func() { d.eachInterval(func() { d.Look(d.ctx) }) })
}

func (d *Databases) eachInterval(do func()) {
	for {
		select {
		case <-d.ctx.Done():
			return
		case <-time.After(sweepInterval):
		}
		do()
	}
}

// Sweep cuts off sessions and removes data whose time is over, once. It lists the stores before it asks for their
// branches: the store of a branch that is created in between would be removed otherwise.
func (d *Databases) Sweep() {
	stores := d.all()
	d.gateway.EndSessions()
	for id, s := range stores {
		if d.world.HasData(id) {
			s.sweep()
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

// Branches is how many branches and snapshots have data.
func (d *Databases) Branches() int { return len(d.all()) }

func (d *Databases) all() map[string]*store {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.stores)
}

// Size is how many bytes a branch's data takes, as it was measured last; 0 for none.
func (d *Databases) Size(branchID string) int64 {
	if d == nil {
		return 0
	}
	s := d.current(branchID)
	if s == nil {
		return 0
	}
	return s.size.Load()
}
