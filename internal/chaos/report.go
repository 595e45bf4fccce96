package chaos

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
)

// Report is what came of it all.
type Report struct {
	mu sync.Mutex
	// Cycles were played.
	Cycles int
	// GivenUp are those that ended early with a destroy, after too many failures.
	GivenUp []string
	// Failures are steps that failed, Repaired those that a later apply made good.
	Failures, Repaired int
	// Interrupted are the runs in which somebody pressed Ctrl-C.
	Interrupted int
	// Kills are runs that were killed, Mended those of which terraform had left a
	// state that isn't whole.
	Kills, Mended int
	// Faults were met, by kind.
	Faults map[string]int
	// Taken were taken in with an import block, Named are those that the provider
	// named and a person had to remove, Staying can't be deleted, as was said.
	Taken, Named, Staying int
	// Acts are the actions that have done in the end what they are for.
	Acts int
	// Orphans and Doubles are live and in no state, and nobody named them. Strangers
	// were somebody else's and are gone.
	Orphans, Doubles, Strangers []string
	// Surprises are all else that must not happen, Helpless are errors that don't
	// say what to do.
	Surprises, Helpless []string

	// seen are the ids of objects that are accounted for.
	seen map[string]bool
	// lost counts those that are left of lost creations, by what an error calls them.
	lost map[string]int
}

// NewReport is one in which nothing has happened yet.
func NewReport() *Report {
	return &Report{Faults: map[string]int{}, seen: map[string]bool{}, lost: map[string]int{}}
}

// Good tells whether nothing was left behind, made twice, taken from somebody else,
// given up, or went otherwise than it should.
func (r *Report) Good() bool {
	return len(r.Orphans)+len(r.Doubles)+len(r.Strangers)+len(r.Surprises)+len(r.Helpless)+
		len(r.GivenUp) == 0
}

// Add takes in what another report says.
func (r *Report) Add(other *Report) {
	r.Cycles, r.GivenUp = r.Cycles+other.Cycles, append(r.GivenUp, other.GivenUp...)
	r.Failures, r.Repaired = r.Failures+other.Failures, r.Repaired+other.Repaired
	r.Interrupted += other.Interrupted
	r.Kills, r.Mended = r.Kills+other.Kills, r.Mended+other.Mended
	r.Taken, r.Named, r.Staying = r.Taken+other.Taken, r.Named+other.Named, r.Staying+other.Staying
	r.Orphans, r.Doubles = append(r.Orphans, other.Orphans...), append(r.Doubles, other.Doubles...)
	r.Strangers = append(r.Strangers, other.Strangers...)
	r.Surprises, r.Helpless = append(r.Surprises, other.Surprises...), append(r.Helpless, other.Helpless...)
	r.Acts += other.Acts
	r.addFaults(other.Faults)
}

func (r *Report) addFaults(faults map[string]int) {
	for kind, hits := range faults {
		r.Faults[kind] += hits
	}
}

func (r *Report) interrupted() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Interrupted++
}

// double notes once that an object exists beside the one in state.
func (r *Report) double(o object, c *cycle) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.seen[o.id()] {
		r.seen[o.id()] = true
		r.Doubles = append(r.Doubles, withStory(o.String(), c.String()))
	}
}

// keep takes in what a run has found, and reports whether there is something. What others come to once the context has
// ended says nothing.
func (r *Report) keep(ctx context.Context, cycles []*cycle, keys []*ephemeralKey) bool {
	found := NewReport()
	for _, c := range cycles {
		found.count(c)
	}
	for _, k := range keys {
		found.closeKey(k, nil, nil)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if ctx.Err() != nil || found.Good() && len(r.Doubles) == 0 {
		return false
	}
	r.Add(found)
	return true
}

// close accounts for all that exists at the end, and removes what was named.
func (r *Report) close(
	ctx context.Context, p *platform, before []object, cycles []*cycle, ephemerals []*ephemeralKey, acts []*act,
) error {
	all, err := p.objects(ctx)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, o := range before {
		known[o.id()] = true
	}
	replaced := replacedIn(all)
	for _, o := range all {
		known[o.id()] = known[o.id()] || p.isBeside(o) || o.kind == snapshots && o.Name == restoreSnapshot ||
			o.isLeft(replaced)
	}
	for _, c := range cycles {
		r.count(c)
		for _, o := range named(all, c.name) {
			known[o.id()] = true
		}
		for _, fault := range c.wronglyLeft(all, p.takesSnapshotsAlong) {
			r.Surprises = append(r.Surprises, withStory(c.name+": "+fault, c.String()))
		}
		extra, _ := c.account(all)
		r.Staying += len(c.forgotten) + c.lost
		for _, o := range extra {
			if err := r.leftover(ctx, p, o, c); err != nil {
				return err
			}
		}
	}
	for _, k := range ephemerals {
		r.closeKey(k, all, known)
	}
	r.closeActs(acts, p, all, known)
	isMeant := func(o object) bool {
		isRenamed := o.kind == branches && slices.Contains(replaced, o.id())
		return isRenamed || slices.ContainsFunc(acts, func(a *act) bool { return a.concerns(o) })
	}
	for _, stranger := range touched(slices.DeleteFunc(slices.Clone(before), isMeant), all, cycles) {
		r.Strangers = append(r.Strangers, withStory(stranger, "    was there before the attack"))
	}
	for _, o := range all {
		if !known[o.id()] && !o.comesAlong() {
			r.Orphans = append(r.Orphans, withStory(o.String(), "    of no cycle"))
		}
	}
	return nil
}

// closeKey accounts for a key that was to be revoked at the end of its run.
func (r *Report) closeKey(k *ephemeralKey, all []object, known map[string]bool) {
	for _, o := range k.account(all) {
		known[o.id()] = true
		if k.names(o) {
			r.Named++
		} else {
			r.Orphans = append(r.Orphans, withStory(o.String()+" (ephemeral)", k.String()))
		}
	}
	for _, surprise := range k.surprises {
		r.Surprises = append(r.Surprises, withStory(k.name+": "+surprise, k.String()))
	}
}

func (r *Report) leftover(ctx context.Context, p *platform, o object, c *cycle) error {
	if r.seen[o.id()] {
		return nil
	}
	r.seen[o.id()] = true
	switch {
	case c.speaksOf(o) || c.twin.speaksOf(o) || r.isLost(o, c):
		if o.stays() { // A person can't remove it either.
			r.Staying++
			return nil
		}
		r.Named++
		return p.remove(ctx, o)
	default:
		r.Orphans = append(r.Orphans, withStory(o.String(), c.String()))
	}
	return nil
}

// isLost reports whether the provider said that the answer to an object's creation was lost, as often as there are
// such objects, where a creation makes one of them at most.
func (r *Report) isLost(o object, c *cycle) bool {
	said := c.losses(o) + c.twin.losses(o)
	if isOne := c.hasSiblings() || c.of().Chaos.Stays && !c.of().Chaos.SometimesGoes; !isOne {
		return said > 0
	}
	r.lost[o.lostAs()]++
	return r.lost[o.lostAs()] <= said
}

func (r *Report) count(c *cycle) {
	r.Cycles++
	r.Failures += c.failures
	r.Repaired += c.repaired
	r.Taken += c.taken
	r.Helpless = append(r.Helpless, c.helpless...)
	if c.gaveUp {
		r.GivenUp = append(r.GivenUp, withStory(c.name, c.String()))
	}
	if c.broken != nil {
		c.surprise("the cycle ended early: %v", c.broken)
	}
	for _, stranger := range c.strangers {
		r.Strangers = append(r.Strangers, withStory(c.name+" had "+stranger, c.String()))
	}
	for _, surprise := range c.surprises {
		r.Surprises = append(r.Surprises, withStory(c.name+": "+surprise, c.String()))
	}
}

func withStory(what, story string) string { return what + "\n" + story }

// Write shows the report.
func (r *Report) Write(out io.Writer) {
	line := func(format string, values ...any) { _, _ = fmt.Fprintf(out, format+"\n", values...) }
	for _, list := range []struct {
		title   string
		entries []string
	}{{"Orphan", r.Orphans}, {"Double", r.Doubles}, {"Stranger touched", r.Strangers}, {"Given up", r.GivenUp},
		{"Surprise", r.Surprises}, {"Error that doesn't say what to do", r.Helpless}} {
		for _, entry := range list.entries {
			line("%s: %s\n", list.title, entry)
		}
	}
	line("cycles          %6d  of which %d were given up and destroyed early", r.Cycles, len(r.GivenUp))
	line("steps failed    %6d  and %d of them made good by applying again", r.Failures, r.Repaired)
	line("actions         %6d  that have done in the end what they are for", r.Acts)
	line("interruptions   %6d", r.Interrupted)
	line("runs killed     %6d  of which %d left a state file that isn't whole", r.Kills, r.Mended)
	for _, kind := range slices.Sorted(maps.Keys(r.Faults)) {
		line("faults met      %6d  %s", r.Faults[kind], kind)
	}
	line("taken in        %6d  with the import block of an error", r.Taken)
	line("named           %6d  by an error or a warning, and removed", r.Named)
	line("staying         %6d  claimable databases, invitations and members' roles, which can't be deleted", r.Staying)
	line("orphans         %6d", len(r.Orphans))
	line("doubles         %6d", len(r.Doubles))
	line("strangers       %6d  touched", len(r.Strangers))
	line("surprises       %6d", len(r.Surprises))
	line("helpless errors %6d", len(r.Helpless))
}
