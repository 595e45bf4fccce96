package emulator

import (
	"slices"
	"time"
)

// later runs an effect after the delay, or right before the next request of the route if there
// is none, unless the emulator is closed by then.
func (e *Emulator) later(delay time.Duration, route string, effect func()) {
	late := lateEffect{route: route, run: effect}
	if delay > 0 {
		late.due = e.worldTime().Add(delay)
		go func() {
			select {
			case <-time.After(delay):
				e.lateFor("")
			case <-e.closed:
			}
		}()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lateEffects = append(e.lateEffects, late)
}

// lateFor runs the effects that are due, and those that wait for the next request of a route. It returns once they
// have happened, whoever runs them: nothing that comes after them gets in before.
func (e *Emulator) lateFor(route string) {
	e.lateTurn.Lock()
	defer e.lateTurn.Unlock()
	e.mu.Lock()
	now, due := e.now(), []lateEffect(nil)
	e.lateEffects = slices.DeleteFunc(e.lateEffects, func(late lateEffect) bool {
		isDue := late.due.IsZero() && late.route == route || !late.due.IsZero() && !now.Before(late.due)
		if isDue {
			due = append(due, late)
		}
		return isDue
	})
	e.mu.Unlock()
	for _, late := range due {
		late.run()
	}
}
