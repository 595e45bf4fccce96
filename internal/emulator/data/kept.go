package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// Files of the folder that keeps everything.
const (
	storesFile     = "stores.json"
	clustersFolder = "neon-clusters"
)

// keptStores is the file that says which cluster has the data of which branch, so that
// the next run finds it.
type keptStores struct {
	name string

	// mu is held while the file is written.
	mu      sync.Mutex
	stores  map[string]keptStore
	written []byte
}

// keptStore is what the file says of a branch.
type keptStore struct {
	Cluster string `json:"cluster"`
	// FilledBy is the id of the operation that copied it, empty for data of its own.
	FilledBy string `json:"filled_by,omitempty"`
	// Changed is when the data was first seen as it is, in its snapshot.
	Changed  time.Time `json:"changed,omitzero"`
	Snapshot string    `json:"snapshot,omitempty"`
}

// openKept takes over the data that an earlier run has kept of the branches that exist.
func (d *Databases) openKept(folder string) error {
	if folder == "" {
		return nil
	}
	if err := d.installation.Keep(d.ctx, filepath.Join(folder, clustersFolder)); err != nil {
		return err
	}
	d.kept = &keptStores{name: filepath.Join(folder, storesFile), stores: map[string]keptStore{}}
	text, err := os.ReadFile(d.kept.name)
	if err == nil {
		err = json.Unmarshal(text, &d.kept.stores)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("unable to read which data belongs to which branch: %w", err)
	}
	var names []string
	for id, saved := range d.kept.stores {
		if !d.world.HasData(id) {
			continue
		}
		cluster, err := d.installation.Open(saved.Cluster)
		if err != nil {
			return fmt.Errorf("unable to open the data of branch %s: %w", id, err)
		}
		d.stores[id] = d.reopened(cluster, saved)
		names = append(names, saved.Cluster)
	}
	return errors.Join(d.installation.Forget(names), d.Keep())
}

// reopened is the store of a cluster of an earlier run.
func (d *Databases) reopened(cluster *postgres.Cluster, saved keptStore) *store {
	s := newStore(d.ctx, &d.tasks)
	s.filledBy, s.changed, s.snapshot = saved.FilledBy, saved.Changed, saved.Snapshot
	s.touched.Store(true) // Nobody noted how the last run ended.
	s.cluster.resolve(cluster, nil)
	return s
}

// Keep returns once it is in the file where the data of all branches is: before anybody
// is let into a database, and before data is removed that others have replaced.
func (d *Databases) Keep() error {
	if d == nil || d.kept == nil {
		return nil
	}
	d.kept.mu.Lock()
	defer d.kept.mu.Unlock()
	d.kept.stores = d.present(d.kept.stores)
	text, err := json.Marshal(d.kept.stores)
	if err != nil || bytes.Equal(text, d.kept.written) {
		return err
	}
	if err := replaceFile(d.kept.name, d.kept.name+draftSuffix, text); err != nil {
		return fmt.Errorf("unable to keep which data belongs to which branch: %w", err)
	}
	d.kept.written = text
	return nil
}

// present says where the data of all branches is now. Of what is still being copied, it
// stays what was there before.
func (d *Databases) present(before map[string]keptStore) map[string]keptStore {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := map[string]keptStore{}
	for id, s := range d.stores {
		saved, known := before[id]
		if s.cluster.ready() {
			saved, known = s.saved(), true
		}
		if known {
			now[id] = saved
		}
	}
	return now
}

func (s *store) saved() keptStore {
	s.mu.Lock()
	defer s.mu.Unlock()
	return keptStore{Cluster: s.cluster.value.Name(), FilledBy: s.filledBy, Changed: s.changed, Snapshot: s.snapshot}
}
