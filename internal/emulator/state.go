package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

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
	text, err := os.ReadFile(state.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.createFirstWorld()
		// Whether the file can be written shows at once rather than at the first change.
		return state.write(e.encodeWorld)
	case err != nil:
		return fmt.Errorf("unable to read the state: %w", err)
	}
	if err := json.Unmarshal(text, e.world); err != nil {
		return fmt.Errorf("unable to read the state in %s: %w", state.name, err)
	}
	if e.world.First.APIKey == "" {
		return fmt.Errorf("unable to read the state in %s: it holds no world", state.name)
	}
	e.world.connect(e.now())
	return nil
}

// connect creates anew what isn't in the file because it follows from it.
func (w *world) connect(now time.Time) {
	for _, key := range w.Keys {
		w.byToken[key.Token] = key
	}
	for p := range w.allProjects() {
		for _, o := range p.Operations {
			if at, _ := o.settled(); now.Before(at) {
				p.busy = append(p.busy, o)
			}
		}
	}
}

func (e *Emulator) encodeWorld() (text []byte, version uint64, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	text, err = json.Marshal(e.world)
	return text, e.version, err
}

// keep returns once the world of a version is in the state file, where there is one:
// what was answered must survive the end of the program, however it ends.
func (e *Emulator) keep(version uint64) error {
	if e.state == nil || version == 0 {
		return nil
	}
	e.state.mu.Lock()
	defer e.state.mu.Unlock()
	// Somebody who waited for the file too may have written this version along.
	if version <= e.state.version {
		return nil
	}
	return e.state.write(e.encodeWorld)
}

// stateFile is the file that keeps the world between runs. It is ours alone.
type stateFile struct {
	name    string
	release func() error

	// mu is held while the file is written.
	mu sync.Mutex
	// version is that of the world in the file.
	version uint64
}

// openState takes possession of a state file, which needn't be there yet.
func openState(name string) (*stateFile, error) {
	// A link to the file is the same state.
	if file, err := filepath.EvalSymlinks(name); err == nil {
		name = file
	}
	release, err := lockFile(name + ".neon-emulator-lock")
	if errors.Is(err, errFileInUse) {
		return nil, fmt.Errorf("the state in %s is in use by another emulator; end that one, or use another file", name)
	}
	if err != nil {
		return nil, fmt.Errorf("unable to lock the state: %w", err)
	}
	s := &stateFile{name: name, release: release}
	// It is half a state of a run that was killed.
	if err := os.Remove(s.draft()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, release())
	}
	return s, nil
}

func (s *stateFile) draft() string { return s.name + draftSuffix }

// write replaces the file as a whole.
func (s *stateFile) write(encode func() ([]byte, uint64, error)) error {
	text, version, err := encode()
	if err != nil {
		return err
	}
	if err := replaceFile(s.name, s.draft(), text); err != nil {
		return fmt.Errorf("unable to write the state: %w", err)
	}
	s.version = version
	return nil
}

// draftSuffix ends the names of files that are being written. Nobody else has such names.
const draftSuffix = ".neon-emulator-draft"

// replaceFile replaces a file as a whole, so that it is never half written, not even where the
// machine fails. It holds tokens and passwords, so only its owner may read it.
func replaceFile(name, draft string, text []byte) error {
	file, err := os.OpenFile(draft, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) //nolint:gosec // It is named by who starts the emulator.
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(draft, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft))
	}
	return syncFolder(filepath.Dir(name))
}

// syncFolder has the names in a folder be on the disk.
func syncFolder(name string) error {
	folder, err := os.Open(name) //nolint:gosec // It is named by who starts the emulator.
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) {
		err = nil // Some systems know no such thing.
	}
	return errors.Join(err, folder.Close())
}

// close lets others have the file. All that was answered is in it.
func (s *stateFile) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.release()
}
