package emulator

import "time"

// now is the world's time: the clock's, moved by as much as the control path has
// moved it. All that changes with time is computed from it when it is looked at,
// so that moving the clock moves everything.
func (e *Emulator) now() time.Time {
	return e.config.Now().UTC().Add(e.world.Advanced)
}

// worldTime is the same for who doesn't hold the lock.
func (e *Emulator) worldTime() time.Time {
	return e.config.Now().UTC().Add(time.Duration(e.advanced.Load()))
}

func (e *Emulator) advance(by time.Duration) {
	e.world.Advanced += by
	e.advanced.Store(int64(e.world.Advanced))
}
