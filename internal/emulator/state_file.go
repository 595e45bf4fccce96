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
	return &stateFile{name: name, file: file}, nil
}

// read fills a world with what the file has, and reports whether that is nothing.
func (s *stateFile) read(w *world) (isNew bool, err error) {
	err = s.file.View(func(tx *bbolt.Tx) error {
		first, _ := tx.Cursor().First()
		isNew = first == nil
		for _, name := range kindNames {
			for key := range keptIDs(tx, name, "") {
				part := partID{name, key}
				if err := w.putPart(part, keptText(tx, part)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return isNew, err
}

// difference is what has to be written, so that the file is what the world has become.
func (s *stateFile) difference(w *world, c changes) (found difference, err error) {
	err = s.file.View(func(tx *bbolt.Tx) error {
		found, err = w.difference(c, tx)
		return err
	})
	return found, err
}

// write makes the file what the world has become, or leaves it as it is.
func (s *stateFile) write(changed difference) error {
	if len(changed) == 0 {
		return nil
	}
	return s.file.Update(func(tx *bbolt.Tx) error {
		for part, text := range changed {
			bucket, err := tx.CreateBucketIfNotExists([]byte(part.kind))
			if err != nil {
				return err
			}
			if text == nil {
				err = bucket.Delete([]byte(part.key))
			} else {
				err = bucket.Put([]byte(part.key), text)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// restore gives a world the parts back as they are in the file: first those that it has.
func (s *stateFile) restore(w *world, changed difference) error {
	return s.file.View(func(tx *bbolt.Tx) error {
		for _, isGone := range []bool{false, true} {
			for _, name := range kindNames {
				for part := range changed {
					text := keptText(tx, part)
					if part.kind != name || (text == nil) != isGone {
						continue
					}
					if err := w.putPart(part, text); err != nil {
						return err
					}
				}
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
