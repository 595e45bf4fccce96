package emulator

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

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
			if !o.isOver(now) {
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
	changed, err := e.state.difference(e.world, e.changed)
	e.changed = changes{}
	return changed, e.version, err
}

// forget takes back what couldn't be kept, and all that was built on it meanwhile.
func (e *Emulator) forget(changed difference, cause error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.state
	since, err := s.difference(e.world, e.changed)
	for part := range since {
		changed[part] = nil
	}
	err = errors.Join(err, s.restore(e.world, changed))
	e.advance(0) // The clock is back where it was.
	e.world.connect(e.now())
	e.changed = changes{}
	s.lost, s.failure = e.version, errors.Join(fmt.Errorf("unable to write the state, so nothing was changed: %w",
		cause), err)
	return s.failure
}
