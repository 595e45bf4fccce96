package emulator

import "time"

// never is the time of what doesn't happen by itself.
var never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// states is what becomes of an object's state over time, in order: a platform
// that works on an object knows when the work will be done.
type states []stateChange

type stateChange struct {
	At    time.Time
	State string
}

func (s states) current(now time.Time) string {
	state, _ := s.at(now)
	return state
}

func (s states) since(now time.Time) time.Time {
	_, since := s.at(now)
	return since
}

func (s states) at(now time.Time) (string, time.Time) {
	current := stateChange{}
	for _, change := range s {
		if change.At.After(now) {
			break
		}
		current = change
	}
	return current.State, current.At
}

// pending is the state that comes next, empty when none does.
func (s states) pending(now time.Time) string {
	for _, change := range s {
		if change.At.After(now) && change.At.Before(never) {
			return change.State
		}
	}
	return ""
}

// then adds a change, unless it comes to that state in any case, and forgets those that are over.
func (s states) then(at, now time.Time, state string) states {
	if at.Equal(never) || len(s) > 0 && s[len(s)-1].State == state {
		return s
	}
	state0, since := s.at(now)
	kept := states{{At: since, State: state0}}
	for _, change := range s {
		if change.At.After(now) && change.At.Before(at) {
			kept = append(kept, change)
		}
	}
	return append(kept, stateChange{At: at, State: state})
}
