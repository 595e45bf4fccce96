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
	// leaving are those that began to delete what they have.
	leaving map[*cycle]bool
}

// pair lets two cycles be twins.
func pair(a, b *cycle) {
	both := &twins{held: map[*cycle][]string{}, exists: map[*cycle]bool{}, busy: map[*cycle]bool{}, leaving: map[*cycle]bool{}}
	a.twin, b.twin = &twin{both, b}, &twin{both, a}
}

// twin is the other of a cycle's twins; nil where it has none.
type twin struct {
	*twins

	cycle *cycle
}

// begins notes that a cycle is applied now, and reports whether it is its turn. What is
// known by its name alone, and was deleted by its owner, who didn't get to know, would
// be deleted once more after the twin has created it.
func (t *twin) begins(c *cycle) bool {
	if t == nil {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy[c] = !c.isUnmarked() || !t.busy[t.cycle] && !t.leaving[t.cycle]
	return t.busy[c]
}

// ends notes what a cycle has after an apply.
func (t *twin) ends(c *cycle) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy[c], t.exists[c] = false, c.current.exists()
	t.leaving[c] = t.exists[c] && c.deleted[c.current.id()] && c.broken == nil
	if c.isKnownByName() { // What is gone may be the other's next.
		t.held[c] = nil
	}
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
