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
	// areSiblings is true of two in one configuration, which one provider applies at the same time.
	areSiblings bool
}

// pair lets two cycles be twins.
func pair(a, b *cycle) *twins {
	both := &twins{held: map[*cycle][]string{}, exists: map[*cycle]bool{}, busy: map[*cycle]bool{},
		leaving: map[*cycle]bool{}}
	a.twin, b.twin = &twin{both, b}, &twin{both, a}
	return both
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
	isFree := t.areSiblings || !c.isUnmarked() || !t.busy[t.cycle] && !t.leaving[t.cycle]
	t.busy[c] = isFree
	return isFree
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

// mayHold reports whether the twin has an object, or may be creating it now. Where it can't, the
// object is this cycle's from now on.
func (t *twin) mayHold(c *cycle, id string) bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy[t.cycle] || slices.Contains(t.held[t.cycle], id) {
		return true
	}
	t.held[c] = append(t.held[c], id)
	return false
}

// isSettled reports whether what a cycle and its twin have is all that there is to be: between
// the runs of siblings that have both succeeded.
func (t *twin) isSettled() bool {
	return t == nil || t.areSiblings && !t.cycle.unsettled && t.cycle.broken == nil
}

// shares reports whether a sibling has an object in its state as well.
func (t *twin) shares(id string) bool {
	return t != nil && t.areSiblings && slices.Contains(t.cycle.inState(), id)
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

// speaksOf and losses are what the provider said to the twin.
func (t *twin) speaksOf(o object) bool { return t != nil && t.cycle.speaksOf(o) }

func (t *twin) losses(o object) int {
	if t == nil {
		return 0
	}
	return t.cycle.losses(o)
}

// names reports whether the provider spoke to the twin of an object.
func (t *twin) names(o object) bool { return t != nil && t.cycle.names(o) }
