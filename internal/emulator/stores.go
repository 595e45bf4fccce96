package emulator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// store is the data of a branch that somebody has connected to, or that was created of
// such a branch. Nobody waits for PostgreSQL while holding a lock.
type store struct {
	ctx     context.Context //nolint:containedctx // It is the branch's life, which all work on its data shares.
	stop    context.CancelFunc
	tasks   *sync.WaitGroup
	cluster *promise[*postgres.Cluster]
	// filledBy is the id of the operation that copied the data, empty for data of its own.
	filledBy string
	// size is that of the databases when it was last looked at, in bytes.
	size atomic.Int64

	// mu guards what follows.
	mu        sync.Mutex
	databases map[int64]*storedDatabase
	// replicas are those of read-only endpoints, by their ids.
	replicas map[string]*promise[*postgres.Cluster]
}

// storedDatabase is a database in the cluster.
type storedDatabase struct {
	// name is what it was called when it was created: renaming it would end sessions.
	name    string
	created *promise[struct{}]
	dropped bool
}

func newStore(ctx context.Context, tasks *sync.WaitGroup) *store {
	s := &store{
		tasks: tasks, cluster: newPromise[*postgres.Cluster](),
		databases: map[int64]*storedDatabase{}, replicas: map[string]*promise[*postgres.Cluster]{},
	}
	s.ctx, s.stop = context.WithCancel(ctx)
	return s
}

// wanted is what a login leads to.
type wanted struct {
	database int64
	name     string
	owner    string
	// roles are all of the branch.
	roles []string
	// replica is the id of a read-only endpoint, empty for the branch itself.
	replica string
}

// open returns where a session takes place, once there is such a place.
func (s *store) open(ctx context.Context, w wanted) (*postgres.Place, error) {
	cluster, err := s.cluster.wait(ctx)
	if err != nil {
		return nil, err
	}
	release, err := cluster.Use(ctx)
	if err != nil {
		return nil, err
	}
	place := &postgres.Place{Cluster: cluster, Release: release}
	if place.Database, err = s.database(ctx, cluster, w); err == nil && w.replica != "" {
		defer release()
		place.Cluster, place.Release, err = s.replica(ctx, cluster, w.replica)
	}
	if err != nil {
		release()
		return nil, err
	}
	return place, nil
}

// database returns the name in the cluster of a database, which it creates unless it
// is there, as it does the roles of the branch: statements may name any of them.
func (s *store) database(ctx context.Context, cluster *postgres.Cluster, w wanted) (string, error) {
	if err := cluster.CreateRoles(ctx, w.roles...); err != nil {
		return "", err
	}
	s.mu.Lock()
	d := s.databases[w.database]
	if d == nil || d.created.failed() {
		d = &storedDatabase{name: s.freeName(w), created: newPromise[struct{}]()}
		s.databases[w.database] = d
		s.tasks.Go(func() { d.created.resolve(struct{}{}, cluster.CreateDatabase(s.ctx, d.name, w.owner)) })
	}
	s.mu.Unlock()
	_, err := d.created.wait(ctx)
	return d.name, err
}

// freeName is the database's, unless one that was deleted or renamed still has it.
func (s *store) freeName(w wanted) string {
	for id, other := range s.databases {
		if id != w.database && other.name == w.name {
			return fmt.Sprintf("%s.%d", w.name, w.database)
		}
	}
	return w.name
}

// replica returns the cluster of a read-only endpoint, which has what the branch has.
func (s *store) replica(ctx context.Context, primary *postgres.Cluster, id string) (*postgres.Cluster, func(), error) {
	s.mu.Lock()
	r := s.replicas[id]
	switch {
	case s.ctx.Err() != nil:
		s.mu.Unlock()
		return nil, nil, errBranchDeleted
	case r == nil || r.failed():
		r = newPromise[*postgres.Cluster]()
		s.replicas[id] = r
		s.tasks.Go(func() { r.resolve(primary.Replica(s.ctx)) })
	}
	s.mu.Unlock()
	replica, err := r.wait(ctx)
	if err != nil {
		return nil, nil, err
	}
	release, err := replica.Use(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := replica.CatchUp(ctx, primary); err != nil {
		release()
		return nil, nil, err
	}
	return replica, release, nil
}

var errBranchDeleted = errors.New("the branch was deleted")

// fill gives a new store the data of another as of now.
func (s *store) fill(from *store, c dataCopy) error {
	cluster, err := s.copied(from, c)
	s.cluster.resolve(cluster, err)
	return err
}

func (s *store) copied(from *store, c dataCopy) (*postgres.Cluster, error) {
	source, err := from.cluster.wait(s.ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for copied, id := range c.Databases {
		if d := from.awaited(s.ctx, id); d != nil {
			s.mu.Lock()
			s.databases[copied] = &storedDatabase{name: d.name, created: d.created}
			s.mu.Unlock()
			names = append(names, d.name)
		}
	}
	cluster, err := source.Copy(s.ctx)
	if err != nil || !c.SchemaOnly {
		return cluster, err
	}
	if err := cluster.Empty(s.ctx, names); err != nil {
		return nil, errors.Join(err, cluster.Close())
	}
	return cluster, nil
}

// awaited returns a database that is there or about to be, nil for none.
func (s *store) awaited(ctx context.Context, id int64) *storedDatabase {
	s.mu.Lock()
	d := s.databases[id]
	s.mu.Unlock()
	if d == nil {
		return nil
	}
	if _, err := d.created.wait(ctx); err != nil {
		return nil
	}
	return d
}

// changeOwner gives a database to another role, if it is there.
func (s *store) changeOwner(id int64, owner string) error {
	d := s.awaited(s.ctx, id)
	if d == nil {
		return nil
	}
	cluster, err := s.cluster.wait(s.ctx)
	if err != nil {
		return err
	}
	if err := cluster.CreateRoles(s.ctx, owner); err != nil {
		return err
	}
	return cluster.SetOwner(s.ctx, d.name, owner)
}

// sweep drops the databases that no longer exist, and ends servers that nobody has
// used for some time.
func (s *store) sweep(exists map[int64]bool, idle time.Duration) {
	if !s.cluster.ready() {
		return
	}
	cluster := s.cluster.value
	if s.size.Load() == 0 || cluster.Running() {
		s.size.Store(cluster.Size())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, d := range s.databases {
		if !exists[id] && !d.dropped && d.created.ready() {
			d.dropped = true
			s.tasks.Go(func() { s.drop(cluster, id, d) })
		}
	}
	for id, r := range s.replicas {
		if r.ready() && r.value.Idle(idle) {
			delete(s.replicas, id)
			s.tasks.Go(func() { _ = r.value.Close() }) // What is left goes with the folder of all.
		}
	}
	cluster.Rest(idle)
}

// drop drops a database. One that can't be dropped now is tried again.
func (s *store) drop(cluster *postgres.Cluster, id int64, d *storedDatabase) {
	err := cluster.DropDatabase(s.ctx, d.name)
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.dropped = err == nil; d.dropped {
		delete(s.databases, id)
	}
}

// close ends all work on the branch's data, whatever its sessions do, and removes it.
func (s *store) close() error { return s.endWith((*postgres.Cluster).Close) }

// end ends all work on a branch's data at the end of the emulator, and removes what isn't
// kept.
func (d *databases) end(s *store) error {
	if d.kept == nil {
		return s.close()
	}
	return s.endWith((*postgres.Cluster).End)
}

// endWith ends the branch's cluster in a way, and removes its replicas.
func (s *store) endWith(end func(*postgres.Cluster) error) error {
	s.stop()
	s.mu.Lock()
	replicas := slices.Collect(maps.Values(s.replicas))
	s.mu.Unlock()
	var err error
	for _, r := range replicas {
		<-r.resolved // Whatever creates it has been stopped.
		if r.err == nil {
			err = errors.Join(err, r.value.Close())
		}
	}
	<-s.cluster.resolved
	if s.cluster.err == nil {
		err = errors.Join(err, end(s.cluster.value))
	}
	return err
}
