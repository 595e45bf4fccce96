package data

import (
	"context"
	"errors"
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
	// copies are those that are being made of it, which its end waits for.
	copies sync.WaitGroup
	// filledBy is the id of the operation that copied the data, empty for data of its own.
	filledBy string
	// size is that of the databases when it was last looked at, in bytes.
	size atomic.Int64

	// changes counts the changes of roles and databases that API calls have begun, and changing those of them that
	// aren't done yet.
	changes, changing atomic.Int64

	// touched says that a statement has ended since the data was last checked for changes.
	touched atomic.Bool

	// configuring is held while the cluster is brought to what the API has.
	configuring sync.Mutex
	// mu guards what follows.
	mu sync.Mutex
	// changed is when the data was first seen as it is, in its snapshot; zero for data that has
	// never changed, and an empty snapshot for data that wasn't looked at.
	changed  time.Time
	snapshot string
	// seen is what the cluster was known to have last: only what it had can be gone by now.
	seen postgres.Contents
	// configured says that the cluster had what the API has when it was first used in this run;
	// nil before that.
	configured *promise[struct{}]
	// replicas are those of read-only endpoints, by their ids.
	replicas map[string]*promise[*postgres.Cluster]
}

func newStore(ctx context.Context, tasks *sync.WaitGroup) *store {
	s := &store{tasks: tasks, cluster: newPromise[*postgres.Cluster](), replicas: map[string]*promise[*postgres.Cluster]{}}
	s.ctx, s.stop = context.WithCancel(ctx)
	return s
}

// Wanted describes the cluster that somebody needs.
type Wanted struct {
	// Database is its name, in the API as in the cluster.
	Database string
	// Layout is what the API has on the branch by now.
	Layout func() postgres.Layout
	// Replica is the id of a read-only endpoint, empty for the branch itself.
	Replica string
	// Settings are those of the branch's server, and ReplicaSettings those of the replica.
	Settings, ReplicaSettings postgres.Settings
}

// Place returns where a session on a branch takes place, once there is such a place.
func (d *Databases) Place(ctx context.Context, branchID string, wanted Wanted) (*postgres.Place, error) {
	s := d.store(branchID)
	adopt := func(said []string) error { return d.adopt(s.ctx, branchID, s, said) }
	place, err := s.open(ctx, wanted, adopt)
	if err != nil {
		return nil, err
	}
	place.Changed = func(passwords []string) {
		_ = adopt(passwords) // The next change is adopted with this one.
	}
	return place, nil
}

// open does that. A cluster that is used for the first time in this run may have more than the API, which adopt takes
// over.
func (s *store) open(ctx context.Context, wanted Wanted, adopt func(said []string) error) (*postgres.Place, error) {
	cluster, err := s.cluster.wait(ctx)
	if err != nil {
		return nil, err
	}
	release, err := cluster.UseWith(ctx, wanted.Settings)
	if err != nil {
		return nil, err
	}
	place := &postgres.Place{Cluster: cluster, Database: wanted.Database, Release: release, Touched: &s.touched}
	err = s.prepared(ctx, cluster, wanted, adopt)
	if err == nil && wanted.Replica != "" {
		defer release()
		place.Cluster, place.Release, err = s.replica(ctx, cluster, wanted)
	}
	if err != nil {
		release()
		return nil, err
	}
	return place, nil
}

// prepared returns once the cluster has what the API has.
func (s *store) prepared(
	ctx context.Context, cluster *postgres.Cluster, wanted Wanted, adopt func(said []string) error,
) error {
	s.mu.Lock()
	configured := s.configured
	if configured == nil || configured.failed() {
		configured = newPromise[struct{}]()
		s.configured = configured
		s.tasks.Go(func() {
			err := s.configure(cluster, wanted.Layout, postgres.Change{})
			if err == nil {
				err = adopt(nil)
			}
			configured.resolve(struct{}{}, err)
		})
	}
	s.mu.Unlock()
	if _, err := configured.wait(ctx); err != nil || wanted.Database != postgres.Maintenance {
		return err
	}
	return cluster.CreateMaintenance(ctx)
}

// configure brings the cluster to what the API has by then.
func (s *store) configure(cluster *postgres.Cluster, layout func() postgres.Layout, change postgres.Change) error {
	s.configuring.Lock()
	defer s.configuring.Unlock()
	wanted := layout()
	wanted.Change = change
	if err := cluster.Configure(s.ctx, wanted); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = postgres.Contents{Roles: wanted.Roles, Databases: wanted.Databases}
	return nil
}

// see notes what the cluster has, and returns what it was known to have before.
func (s *store) see(found postgres.Contents) (before postgres.Contents) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.seen = s.seen, found
	return before
}

// replica returns the cluster of a read-only endpoint, which has what the branch has.
func (s *store) replica(
	ctx context.Context, primary *postgres.Cluster, wanted Wanted,
) (*postgres.Cluster, func(), error) {
	id := wanted.Replica
	s.mu.Lock()
	promised := s.replicas[id]
	switch {
	case s.ctx.Err() != nil:
		s.mu.Unlock()
		return nil, nil, ErrBranchDeleted
	case promised == nil || promised.failed():
		promised = newPromise[*postgres.Cluster]()
		s.replicas[id] = promised
		s.tasks.Go(func() { promised.resolve(primary.Replica(s.ctx)) })
	}
	s.mu.Unlock()
	replica, err := promised.wait(ctx)
	if err != nil {
		return nil, nil, err
	}
	release, err := replica.UseWith(ctx, wanted.ReplicaSettings)
	if err != nil {
		return nil, nil, err
	}
	if err := replica.CatchUp(ctx, primary); err != nil {
		release()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.forgetReplica(id, promised)
		return nil, nil, err
	}
	return replica, release, nil
}

// ErrBranchDeleted ends work on the data of a branch that is gone.
var ErrBranchDeleted = errors.New("the branch was deleted")

// fill gives a new store the data of another as of now.
func (s *store) fill(from *store, wanted Copy) error {
	cluster, err := s.copied(from, wanted)
	s.cluster.resolve(cluster, err)
	return err
}

func (s *store) copied(from *store, wanted Copy) (*postgres.Cluster, error) {
	source, err := from.cluster.wait(s.ctx)
	if err != nil {
		return nil, err
	}
	s.changedBy(from.changedAt())
	cluster, err := source.Copy(s.ctx)
	if err != nil || !wanted.SchemaOnly {
		return cluster, err
	}
	if err := cluster.Empty(s.ctx); err != nil {
		return nil, errors.Join(err, cluster.Close())
	}
	return cluster, nil
}

// sweep ends servers that nobody has used for some time.
func (s *store) sweep() {
	if !s.cluster.ready() {
		return
	}
	cluster := s.cluster.value
	if s.size.Load() == 0 || cluster.Running() {
		s.size.Store(cluster.Size())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, replica := range s.replicas {
		if replica.ready() && replica.value.Idle(idlePatience) {
			s.forgetReplica(id, replica)
		}
	}
	cluster.Rest(idlePatience)
}

// forgetReplica removes a replica. The next login gets another. The caller holds the lock.
func (s *store) forgetReplica(id string, replica *promise[*postgres.Cluster]) {
	if s.replicas[id] == replica {
		delete(s.replicas, id)
		s.tasks.Go(func() { _ = replica.value.Close() }) // What is left goes with the folder of all.
	}
}

// close ends all work on the branch's data, whatever its sessions do, and removes it. Copies of it aren't interrupted.
func (s *store) close() error {
	s.copies.Wait()
	return s.endWith((*postgres.Cluster).Close)
}

// end ends all work on a branch's data at the end of the emulator, and removes what isn't
// kept.
func (d *Databases) end(s *store) error {
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
	for _, replica := range replicas {
		<-replica.resolved // Whatever creates it has been stopped.
		if replica.err == nil {
			err = errors.Join(err, replica.value.Close())
		}
	}
	<-s.cluster.resolved
	if s.cluster.err == nil {
		err = errors.Join(err, end(s.cluster.value))
	}
	return err
}
