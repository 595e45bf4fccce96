package emulator

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// lockPatience is how long a state file may be locked by somebody else before it counts as in use.
const lockPatience = 100 * time.Millisecond

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
