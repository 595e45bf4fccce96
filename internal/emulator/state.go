package emulator

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// lockPatience is how long a state file may be locked by somebody else before it counts as in use.
const lockPatience = 100 * time.Millisecond

// openWorld reads the world from the state file, or creates a new one.
func (e *Emulator) openWorld() error {
	e.world = newWorld()
	if e.config.RecordSecrets {
		e.world.secrets = map[string]bool{}
	}
	if e.config.StateFile == "" {
		e.createFirstWorld()
		return nil
	}
	state, err := openState(e.config.StateFile)
	if err != nil {
		return err
	}
	if err := e.readWorld(state); err != nil {
		return errors.Join(err, state.close())
	}
	e.state = state
	return nil
}

func (e *Emulator) readWorld(state *stateFile) error {
	if err := state.read(e.world); err != nil {
		return fmt.Errorf("unable to read the state in %s: %w", state.name, err)
	}
	if len(state.kept) > 0 && e.world.First.APIKey == "" {
		return fmt.Errorf("unable to read the state in %s: it holds no world", state.name)
	}
	if len(state.kept) == 0 {
		e.createFirstWorld()
		// Whether the file can be written shows at once rather than at the first change.
		everything, err := e.world.difference(changes{anywhere: true}, nil)
		return errors.Join(err, state.write(everything))
	}
	e.world.connect(e.now())
	return nil
}

// connect creates anew what isn't in the file because it follows from it.
func (w *world) connect(now time.Time) {
	clear(w.byToken)
	for _, key := range w.Keys {
		w.byToken[key.Token] = key
	}
	for p := range w.allProjects() {
		slices.SortStableFunc(p.Operations, func(a, b *operation) int { return a.CreatedAt.Compare(b.CreatedAt) })
		p.busy = nil
		for _, o := range p.Operations {
			if at, _ := o.settled(); now.Before(at) {
				p.busy = append(p.busy, o)
			}
		}
	}
}

// keep returns once the world of a version is in the state file, where there is one:
// what was answered must survive the end of the program, however it ends. Where the file can't be written,
// the world becomes again what is in the file.
func (e *Emulator) keep(version uint64) error {
	if e.state == nil || version == 0 {
		return nil
	}
	s := e.state
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case version <= s.version: // Somebody who waited for the file too has written it along.
		return nil
	case version <= s.lost:
		return s.failure
	}
	changed, latest, err := e.takeChanges()
	if err == nil {
		err = s.write(changed)
	}
	if err != nil {
		return e.forget(changed, err)
	}
	s.version = latest
	return nil
}

// takeChanges returns what has changed since it was last kept, and the world's version.
func (e *Emulator) takeChanges() (difference, uint64, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	changed, err := e.world.difference(e.changed, e.state.kept)
	e.changed = changes{}
	return changed, e.version, err
}

// forget takes back what couldn't be kept, and all that was built on it meanwhile.
func (e *Emulator) forget(changed difference, cause error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.state
	since, err := e.world.difference(e.changed, s.kept)
	for part := range since {
		changed[part] = nil
	}
	err = errors.Join(err, s.restore(e.world, changed))
	e.world.connect(e.now())
	e.changed = changes{}
	s.lost, s.failure = e.version, errors.Join(fmt.Errorf("unable to write the state, so nothing was changed: %w", cause), err)
	return s.failure
}

// stateFile is the file that keeps the world between runs. It is ours alone.
type stateFile struct {
	name string
	file *bbolt.DB

	// mu is held while the file is written.
	mu sync.Mutex
	// version is that of the world in the file. Those up to lost, which are later, couldn't be kept because of failure.
	version, lost uint64
	failure       error
	kept          partHashes
}

// openState takes possession of a state file, which needn't be there yet. It will hold
// tokens and passwords, so only its owner may read it.
func openState(name string) (*stateFile, error) {
	// A link to the file is the same state.
	if file, err := filepath.EvalSymlinks(name); err == nil {
		name = file
	}
	file, err := bbolt.Open(name, 0o600, &bbolt.Options{Timeout: lockPatience, NoFreelistSync: true})
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("the state in %s is in use by another emulator; end that one, or use another file", name)
	case errors.Is(err, bolterrors.ErrInvalid):
		return nil, fmt.Errorf("unable to read the state in %s: it wasn't written by this emulator", name)
	case err != nil:
		return nil, fmt.Errorf("unable to open the state: %w", err)
	}
	return &stateFile{name: name, file: file, kept: partHashes{}}, nil
}

// read fills a world with what the file has.
func (s *stateFile) read(w *world) error {
	return s.file.View(func(tx *bbolt.Tx) error {
		for _, kind := range partKinds {
			bucket := tx.Bucket([]byte(kind))
			if bucket == nil {
				continue
			}
			err := bucket.ForEach(func(key, text []byte) error {
				part := partAt(kind, string(key))
				s.kept.note(part, text)
				return w.put(part, text)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// write makes the file what the world has become, or leaves it as it is.
func (s *stateFile) write(changed difference) error {
	if len(changed) == 0 {
		return nil
	}
	err := s.file.Update(func(tx *bbolt.Tx) error {
		for part, text := range changed {
			bucket, err := tx.CreateBucketIfNotExists([]byte(part.kind))
			if err != nil {
				return err
			}
			if text == nil {
				err = bucket.Delete([]byte(part.key()))
			} else {
				err = bucket.Put([]byte(part.key()), text)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for part, text := range changed {
		s.kept.note(part, text)
	}
	return nil
}

// restore gives a world the parts back as they are in the file.
func (s *stateFile) restore(w *world, changed difference) error {
	return s.file.View(func(tx *bbolt.Tx) error {
		var gone []partID
		for _, kind := range partKinds {
			bucket := tx.Bucket([]byte(kind))
			for part := range changed {
				var text []byte
				switch {
				case part.kind != kind:
					continue
				case bucket != nil:
					text = bucket.Get([]byte(part.key()))
				}
				if text == nil {
					gone = append(gone, part)
				} else if err := w.put(part, text); err != nil {
					return err
				}
			}
		}
		for _, part := range gone {
			if err := w.put(part, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// close lets others have the file. All that was answered is in it.
func (s *stateFile) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.Close()
}
