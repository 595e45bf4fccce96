package emulator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

const (
	// sweepInterval is how soon what has expired is cut off and removed.
	sweepInterval = time.Second
	// readyInterval is how often a client that waits for its branch looks again.
	readyInterval = 20 * time.Millisecond
)

// databases are those behind the branches. A database is made when somebody first
// connects to it, or when a branch is made of one that has been: until then it is
// empty, and costs nothing.
type databases struct {
	cluster *postgres.Cluster
	gateway *postgres.Gateway
	stop    context.CancelFunc
	swept   chan struct{}

	// mu guards what follows, and is held while a database is made.
	mu   sync.Mutex
	made map[string]bool
}

// openDatabases begins to serve databases, where there is a cluster to keep them.
func (e *Emulator) openDatabases() error {
	if e.config.Cluster == nil {
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	gateway, err := postgres.Listen(ctx, e.config.Cluster, e.findLogin)
	if err != nil {
		stop()
		return err
	}
	e.databases = &databases{
		cluster: e.config.Cluster, gateway: gateway, stop: stop, swept: make(chan struct{}), made: map[string]bool{},
	}
	go e.sweep(ctx)
	return nil
}

func (d *databases) close() error {
	if d == nil {
		return nil
	}
	d.stop()
	<-d.swept
	return d.gateway.Close()
}

// at adds the gateway's port to a host name.
func (d *databases) at(host string) string {
	if d == nil {
		return host
	}
	address, _ := d.gateway.Address().(*net.TCPAddr)
	return net.JoinHostPort(host, strconv.Itoa(address.Port))
}

// nameOf is a database's name in the cluster. Those of the platform can change,
// and are the same on many branches.
func nameOf(b *branch, d *database) string { return fmt.Sprintf("%s.%d", b.ID, d.ID) }

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
	target := postgres.Target{ReadOnly: endpoint.Type == readOnly}
	b := p.Branches[endpoint.BranchID]
	if r := b.role(login.Role); r != nil && !r.NoLogin {
		target.Password = r.Password
	}
	target.Open = func(ctx context.Context) (string, error) {
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

// openDatabase gives the name in the cluster of the database that a client has
// logged in to, once the platform has made its branch and started its compute.
func (e *Emulator) openDatabase(ctx context.Context, p *project, b *branch, through *endpoint, login postgres.Login) (string, error) {
	for {
		e.mu.Lock()
		now := e.now()
		d := b.database(login.Database)
		exists := p.Branches[b.ID] == b
		ready := b.States.current(now) != "init" && through.States.current(now) != "init"
		name, owner := "", ""
		if d != nil {
			name, owner = nameOf(b, d), d.OwnerName
		}
		e.mu.Unlock()
		switch {
		case !exists:
			return "", errors.New("the branch was deleted")
		case d == nil:
			return "", postgres.NoDatabase(login.Database)
		case ready:
			return name, e.databases.make(ctx, name, owner, login.Role, postgres.Source{})
		}
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-time.After(readyInterval):
		}
	}
}

// make makes a database unless there is one, and the roles that have to do with it.
func (d *databases) make(ctx context.Context, name, owner, role string, from postgres.Source) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, needed := range []string{owner, role} {
		if err := d.cluster.CreateRole(ctx, needed); err != nil {
			return err
		}
	}
	if d.made[name] {
		return nil
	}
	if err := d.cluster.CreateDatabase(ctx, name, owner, from); err != nil {
		return err
	}
	d.made[name] = true
	return nil
}

func (d *databases) has(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.made[name]
}

// copyDatabases gives a new branch its parent's data as of now.
func (e *Emulator) copyDatabases(ctx context.Context, b, parent *branch) error {
	if e.databases == nil {
		return nil
	}
	for _, d := range b.Databases {
		from := nameOf(parent, parent.database(d.Name))
		if !e.databases.has(from) {
			continue
		}
		source := postgres.Source{Database: from, SchemaOnly: b.InitSource == schemaOnly || b.InitSource == "parent-schema"}
		if err := e.databases.make(ctx, nameOf(b, d), d.OwnerName, d.OwnerName, source); err != nil {
			return fmt.Errorf("unable to copy database %s of branch %s: %w", d.Name, parent.ID, err)
		}
	}
	return nil
}

// changeOwner follows a change of a database's owner.
func (d *databases) changeOwner(ctx context.Context, name, owner string) error {
	if d == nil || !d.has(name) {
		return nil
	}
	if err := d.cluster.CreateRole(ctx, owner); err != nil {
		return err
	}
	return d.cluster.SetOwner(ctx, name, owner)
}

// sweep cuts off sessions and removes databases whose time is over.
func (e *Emulator) sweep(ctx context.Context) {
	defer close(e.databases.swept)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepInterval):
		}
		e.removeExpired(ctx)
	}
}

// removeExpired does so once. What was made must be known before what still exists:
// a branch's databases are made before anybody can see it, so one that is made in
// between would be taken for one whose branch is gone.
func (e *Emulator) removeExpired(ctx context.Context) {
	made := e.databases.names()
	endpoints, kept := e.alive()
	e.databases.gateway.EndSessions(func(endpoint string) bool { return !endpoints[endpoint] })
	e.databases.remove(ctx, slices.DeleteFunc(made, func(name string) bool { return kept[name] }))
}

// alive gives the endpoints that may be connected to, and the databases that exist.
func (e *Emulator) alive() (endpoints, kept map[string]bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.expire(e.now())
	endpoints, kept = map[string]bool{}, map[string]bool{}
	for _, p := range e.world.Projects {
		for id, endpoint := range p.Endpoints {
			endpoints[id] = !endpoint.Disabled
		}
		for _, b := range p.Branches {
			for _, d := range b.Databases {
				kept[nameOf(b, d)] = true
			}
		}
	}
	return endpoints, kept
}

func (d *databases) names() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Collect(maps.Keys(d.made))
}

// remove removes databases. One that can't be removed now is tried again at the
// next sweep.
func (d *databases) remove(ctx context.Context, names []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range names {
		if d.cluster.DropDatabase(ctx, name) == nil {
			delete(d.made, name)
		}
	}
}
