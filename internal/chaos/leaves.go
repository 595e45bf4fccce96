package chaos

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// leaves reports whether an object is what a destruction of the cycle's resource leaves on purpose.
func (c *cycle) leaves(o object) bool { return o.kind == c.of().Chaos.Leaves }

// leaving is the branch of which a destruction has to leave a snapshot; empty where the state asks for none. In one
// that Neon hasn't created in the end, or that is tainted, there may be nothing to keep.
func (c *cycle) leaving(all []object) string {
	if !c.current.isToLeave() || c.current.tainted {
		return ""
	}
	id := cmp.Or(textIn(c.current.value, "branch_id"), c.current.id())
	if !slices.ContainsFunc(all, func(o object) bool { return o.kind == branches && o.id() == id && o.State != "init" }) {
		return ""
	}
	return id
}

// isToLeave reports whether the next apply takes a snapshot and then deletes something.
func (c *cycle) isToLeave() bool { return c.stages[0].version < 0 && c.current.isToLeave() }

// countLife notes an object that is destroyed. What Neon gives an id besides its name is another each time.
func (c *cycle) countLife() {
	branchID := cmp.Or(textIn(c.current.value, "branch_id"), c.current.id())
	if c.lives[branchID] == nil {
		c.lives[branchID] = map[string]bool{}
	}
	c.lives[branchID][c.current.id()+" "+textIn(c.current.value, "database_id")] = true
}

// isDoubted reports whether errors have said that an object may not be whole, and no warning that it was used after
// all.
func (o object) isDoubted(said string) bool {
	return strings.Contains(said, o.id()+" may not be whole") &&
		!strings.Contains(said, "A last snapshot was taken ("+o.id()+")")
}

// isRoot reports whether the cycle's branch has no parent, which no restore gives it. Of one that was made without
// data the state keeps where its schema is from, of an imported one that it has no parent.
func (c *cycle) isRoot() bool {
	return textIn(c.current.value, "init_source") == "schema-only" || textIn(c.current.value, "parent_id") == ""
}

// wronglyLeft says of which branches destructions have left no snapshot, or more than one of each object that no error
// has spoken of as lost, or as one that may not be whole: whoever tries again right after such a one can't tell its
// operations from the next one's, and may take one more. By one reading a deleted branch takes its snapshots along.
func (c *cycle) wronglyLeft(all []object, goAlong bool) (faults []string) {
	said, snapshots, doubted, most := c.String(), map[string]int{}, map[string]int{}, map[string]int{}
	var twinsLives map[string]map[string]bool
	if c.twin != nil {
		said += c.twin.cycle.String()
		twinsLives = c.twin.cycle.lives
	}
	for _, o := range named(all, c.name) {
		if c.leaves(o) {
			if o.isDoubted(said) {
				doubted[o.BranchID]++
			} else {
				snapshots[o.BranchID]++
			}
			most[o.BranchID] = max(len(c.lives[o.BranchID])+len(twinsLives[o.BranchID]), 1) + o.lossesIn(said)
		}
	}
	for branchID := range c.left {
		isThere := slices.ContainsFunc(all, func(o object) bool { return o.kind == branches && o.id() == branchID })
		if snapshots[branchID] == 0 && (isThere || !goAlong) {
			faults = append(faults, "its destruction left no snapshot of branch "+branchID)
		}
	}
	for branchID, count := range snapshots {
		if count > most[branchID]+doubted[branchID] {
			faults = append(faults, fmt.Sprintf("its destruction left %d snapshots of branch %s", count, branchID))
		}
	}
	slices.Sort(faults)
	return faults
}
