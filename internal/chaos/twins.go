package chaos

import (
	"slices"
	"sync"
)

// twins are two cycles of the same names in two configurations that are applied at
// the same time, each with a state of its own: two runs of one workflow. Neither may
// touch what is the other's.
type twins struct {
	mu sync.Mutex
	// held is what each has had in its state; exists are those that have something
	// there, busy those that are being applied.
	held   map[*cycle][]string
	exists map[*cycle]bool
	busy   map[*cycle]bool
}

// pair lets two cycles be twins.
func pair(a, b *cycle) {
	both := &twins{held: map[*cycle][]string{}, exists: map[*cycle]bool{}, busy: map[*cycle]bool{}}
	a.twin, b.twin = &twin{both, b}, &twin{both, a}
}

// twin is the other of a cycle's twins; nil where it has none.
type twin struct {
	*twins

	cycle *cycle
}

// begins notes that a cycle is applied now.
func (t *twin) begins(c *cycle) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy[c] = true
}

// ends notes what a cycle has after an apply.
func (t *twin) ends(c *cycle) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy[c], t.exists[c] = false, c.current.exists()
	t.held[c] = append(t.held[c], c.inState()...)
}

// holds reports whether an object is or was the twin's.
func (t *twin) holds(id string) bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Contains(t.held[t.cycle], id)
}

// mayHold reports whether the twin has an object, or may be creating it now.
func (t *twin) mayHold(id string) bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.busy[t.cycle] || slices.Contains(t.held[t.cycle], id)
}

// occupies reports whether the twin has the name now, or may be taking it.
func (t *twin) occupies() bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.busy[t.cycle] || t.exists[t.cycle]
}

// names reports whether the provider spoke to the twin of an object.
func (t *twin) names(o object) bool { return t != nil && t.cycle.names(o) }
