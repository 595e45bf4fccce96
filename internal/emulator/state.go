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

// saveDelay is how long changes are gathered before they are written: a file may
// be large, and requests come in bursts.
const saveDelay = 200 * time.Millisecond

// openWorld reads the world from the state file, or makes a new one.
func (e *Emulator) openWorld() error {
	e.world = newWorld()
	if e.config.RecordSecrets {
		e.world.secrets = map[string]bool{}
	}
	if e.config.StateFile == "" {
		e.createFirstWorld()
		return nil
	}
	text, err := os.ReadFile(e.config.StateFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.createFirstWorld()
	case err != nil:
		return fmt.Errorf("unable to read the state: %w", err)
	default:
		if err := json.Unmarshal(text, e.world); err != nil {
			return fmt.Errorf("unable to read the state in %s: %w", e.config.StateFile, err)
		}
		if e.world.First.APIKey == "" {
			return fmt.Errorf("unable to read the state in %s: it holds no world", e.config.StateFile)
		}
		e.world.connect(e.now())
	}
	if e.saver, err = newSaver(e.config.StateFile, e.encodeWorld); err != nil {
		return fmt.Errorf("unable to write the state: %w", err)
	}
	return nil
}

// connect makes anew what isn't in the file because it follows from it.
func (w *world) connect(now time.Time) {
	for _, key := range w.Keys {
		w.byToken[key.Token] = key
	}
	for _, p := range w.Projects {
		for _, o := range p.Operations {
			if at, _ := o.settled(); now.Before(at) {
				p.busy = append(p.busy, o)
			}
		}
	}
}

func (e *Emulator) encodeWorld() ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return json.Marshal(e.world)
}

// changed has the world saved soon.
func (e *Emulator) changed() {
	if e.saver != nil {
		e.saver.mark()
	}
}

// saver writes the world to its file a little after it has changed.
type saver struct {
	file   string
	encode func() ([]byte, error)
	// marked holds at most one mark: one save takes all changes along.
	marked  chan struct{}
	ended   chan struct{}
	stopped chan struct{}
	once    sync.Once
	// saveErr is the outcome of the last save, for close to report.
	saveErr error
}

func newSaver(file string, encode func() ([]byte, error)) (*saver, error) {
	s := &saver{
		file: file, encode: encode,
		marked: make(chan struct{}, 1), ended: make(chan struct{}), stopped: make(chan struct{}),
	}
	// Whether the file can be written shows at once rather than at the end.
	if err := s.save(); err != nil {
		return nil, err
	}
	go s.run()
	return s, nil
}

func (s *saver) mark() {
	select {
	case s.marked <- struct{}{}:
	default:
	}
}

func (s *saver) run() {
	defer close(s.stopped)
	for {
		select {
		case <-s.ended:
			return
		case <-s.marked:
		}
		// The end of the program doesn't wait for the delay; close saves then.
		timer := time.NewTimer(saveDelay)
		select {
		case <-s.ended:
			timer.Stop()
			return
		case <-timer.C:
			s.saveErr = s.save()
		}
	}
}

// save replaces the file as a whole, so that it is never half written. It holds
// tokens and passwords, so only its owner may read it.
func (s *saver) save() error {
	text, err := s.encode()
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(s.file), filepath.Base(s.file)+".*.tmp") // It has mode 0600.
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), s.file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

func (s *saver) close() error {
	s.once.Do(func() {
		close(s.ended)
		<-s.stopped
		s.saveErr = s.save()
	})
	return s.saveErr
}
