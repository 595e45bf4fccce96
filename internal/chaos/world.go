package chaos

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const (
	// cyclesPerRun is how many resources one configuration has.
	cyclesPerRun = 6
	// runsPerProject are configurations that share a project.
	runsPerProject = 3
	// Of twinsAmong configurations, one is applied twice at the same time, and blindAmong
	// runs, one has a key that doesn't see the project.
	twinsAmong = 2
	blindAmong = 12
)

// Cycles says how much of a platform's life is played.
type Cycles struct {
	Count int
	Seed  uint64
	// Conflicts is how the platform refuses overlapping work: project, branch or
	// none.
	Conflicts string
	// Limits is how the platform reads its limits, as in emulator.Config.
	Limits string
	// Readings are the alternatives that the platform plays; drawn by the seed where they are nil.
	Readings map[string]string
	// Probability is that of each kind of fault.
	Probability float64
	// SideBySide is how many configurations are applied at the same time.
	SideBySide int
	// Outages has lists be away, each for half a minute.
	Outages bool
	// Only, where it is set, matches the types of the resources that are played, such as
	// neon_branch.
	Only *regexp.Regexp
	// Ended, where it is set, is told how many cycles have come to their end.
	Ended func(cycles int)
	// Found, where it is set, is called when a run has found something, which may end the context.
	Found func()
}

// Run plays cycles of all resources on one platform, and accounts for all that
// exists afterwards. Where the context ends before, the report has what runs have found until then.
func (o Cycles) Run(ctx context.Context) (*Report, error) {
	if len(o.played()) == 0 {
		return nil, fmt.Errorf("no resource is named like %s", o.Only)
	}
	if o.Readings == nil {
		o.Readings = drawReadings(rand.New(rand.NewPCG(o.Seed, 0)))
	}
	p, err := startPlatform(newNetwork(ctx), emulator.Config{OperationDuration: operationDuration, Conflicts: o.Conflicts,
		Limits: o.Limits, Readings: o.Readings})
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.close() }()
	random := rand.New(rand.NewPCG(o.Seed, 1))
	files, err := os.MkdirTemp("", "neon-chaos-code-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(files) }()
	if err := writeFiles(files); err != nil {
		return nil, err
	}
	projects, err := p.makeProjects(ctx, max(1, o.SideBySide/runsPerProject), files)
	if err != nil {
		return nil, err
	}
	if err := o.prepare(ctx, p, projects); err != nil {
		return nil, err
	}
	acts, err := o.makeActs(ctx, p)
	if err != nil {
		return nil, err
	}
	before, err := p.objects(ctx) // The platform's own, of which no cycle knows.
	if err != nil {
		return nil, err
	}
	if err := p.addFaults(ctx, mixture(random, o.Probability, p.limited)); err != nil {
		return nil, err
	}
	report := NewReport()
	cycles, ephemerals := o.play(ctx, p, random, projects, acts, report)
	if err := ctx.Err(); err != nil {
		return report, err // No life was played to its end, so that only what runs have found counts.
	}
	faults, err := p.endFaults(ctx)
	if err == nil {
		err = p.settle(ctx)
	}
	if err != nil {
		return nil, err
	}
	report.addFaults(faults)
	err = report.close(ctx, p, append(before, p.left...), cycles, ephemerals, acts)
	return report, err
}

// drawReadings chooses an alternative of each reading, but for three: without storage there is nothing to attack, twins
// choose no other names for their keys, and a branch that the platform removes because its creation failed can't be
// told from one that somebody else deleted. What is drawn of a reading hangs on its name, and not on what others there
// are.
func drawReadings(random *rand.Rand) map[string]string {
	drawn, seed := map[string]string{}, random.Uint64()
	for _, reading := range emulator.Readings() {
		name := fnv.New64a()
		_, _ = name.Write([]byte(reading.Name))
		drawn[reading.Name] = reading.Alternatives[rand.New(rand.NewPCG(seed, name.Sum64())).IntN(len(reading.Alternatives))]
	}
	drawn["failed-creation"], drawn["key-names"], drawn["backend-offered"] = "kept", "any", "everybody"
	return drawn
}

// playedReadings are the alternatives as chaos's -readings takes them.
func playedReadings(played map[string]string) string {
	parts := make([]string, 0, len(played))
	for _, name := range slices.Sorted(maps.Keys(played)) {
		parts = append(parts, name+"="+played[name])
	}
	return "-readings " + strings.Join(parts, ",")
}

// vpcRegion is where all projects are.
const vpcRegion = "aws-us-east-2"

// prepare gives cycles what they don't create themselves.
func (o Cycles) prepare(ctx context.Context, p *platform, projects []project) error {
	all := o.configuration(0, o.Count+cyclesPerRun, project{})
	if err := p.makePlaces(ctx, all); err != nil {
		return err
	}
	return p.addBystanders(ctx, projects[0], o.Readings)
}

// play takes all cycles through their lives.
func (o Cycles) play(
	ctx context.Context, p *platform, random *rand.Rand, projects []project, acts []*act, report *Report,
) (cycles []*cycle, ephemerals []*ephemeralKey) {
	disturbed, calm := context.WithCancel(ctx)
	defer calm()
	go p.disturb(disturbed, rand.New(rand.NewPCG(o.Seed, 2)), projects)
	if o.Outages {
		go p.outages(disturbed, rand.New(rand.NewPCG(o.Seed, 2)))
	}
	places := make(chan struct{}, o.SideBySide)
	var configurations sync.WaitGroup
	for first, number := 0, 0; first < o.Count; number += cyclesPerRun {
		count := min(cyclesPerRun, o.Count-first)
		together := o.configuration(number, count, projects[random.IntN(len(projects))])
		for _, c := range together {
			c.place = p.places[c.name]
		}
		states, twins := [][]*cycle{together}, []*cycle(nil)
		if first += count; (len(cycles) == 0 || random.IntN(twinsAmong) == 0) && o.Count-first >= count {
			twins = o.twinsOf(together)
		}
		if len(twins) > 0 {
			states, first = append(states, twins), first+len(twins)
		} else {
			siblings := o.siblingsOf(together, o.Count-first)
			states[0], first = append(together, siblings...), first+len(siblings)
		}
		for i, state := range states {
			for _, c := range state {
				c.tell("Neon plays %s", playedReadings(o.Readings))
			}
			cycles = append(cycles, state...)
			run := &runs{platform: p, random: rand.New(rand.NewPCG(o.Seed, uint64(first*10+i)+3)), cycles: state, report: report}
			if len(acts) > 0 {
				run.act, acts = acts[0], acts[1:]
			}
			ephemerals = append(ephemerals, run.addEphemerals(fmt.Sprintf("ephemeral-%s-%05d-%d", o.Conflicts, first, i))...)
			places <- struct{}{}
			configurations.Go(func() {
				defer func() { <-places }()
				run.all(ctx, o.Found)
				if o.Ended != nil {
					o.Ended(len(state))
				}
			})
		}
	}
	configurations.Wait()
	return cycles, ephemerals
}

// played are the types of the resources of the cycles.
func (o Cycles) played() []string {
	return slices.DeleteFunc(slices.Clone(resources()),
		func(resource string) bool { return o.Only != nil && !o.Only.MatchString(resource) })
}

// configuration is made of cycles that are applied together.
func (o Cycles) configuration(first, count int, in project) []*cycle {
	var together []*cycle
	played := o.played()
	for number := first; number < first+count; number++ {
		name := fmt.Sprintf("chaos%s%05d", o.Conflicts, number)
		together = append(together, newCycle(number, name, played[number%len(played)], in))
	}
	return together
}

// twinsOf is a second configuration of the same names.
func (o Cycles) twinsOf(cycles []*cycle) []*cycle {
	var others []*cycle
	for _, c := range cycles {
		if c.hasTwins() && o.takesTwo(c) {
			other := newCycle(c.number, c.name, c.resource, c.project)
			other.place = c.place
			pair(c, other)
			others = append(others, other)
		}
	}
	return others
}

// takesTwo reports whether Neon accepts the same resource twice. Where it doesn't, one would try in vain until the
// other is gone.
func (o Cycles) takesTwo(c *cycle) bool { return !takesOne(c.of(), o.Readings) }

// siblingsOf are more resources of the same names in the same configuration, as with count: of what
// nothing tells apart.
func (o Cycles) siblingsOf(cycles []*cycle, most int) []*cycle {
	var others []*cycle
	for _, c := range cycles {
		if len(others) < most && c.hasSiblings() && c.place.branchID == "" && o.takesTwo(c) {
			other := newCycle(c.number, c.name, c.resource, c.project)
			other.place = c.place
			pair(c, other).areSiblings = true
			others = append(others, other)
		}
	}
	return others
}

// runs are those of one configuration, one after the other, each with a provider
// of its own.
type runs struct {
	platform *platform
	random   *rand.Rand
	cycles   []*cycle
	// keys are open during each run.
	keys []*ephemeralKey
	// act is invoked by each run until it is done; nil for none.
	act    *act
	report *Report
}

func (r *runs) addEphemerals(name string) []*ephemeralKey {
	for _, resource := range slices.Sorted(maps.Keys(told())) {
		if told()[resource].Chaos.Ephemeral {
			r.keys = append(r.keys, &ephemeralKey{name: name + "-" + resource, resource: resource, project: r.cycles[0].project})
		}
	}
	return r.keys
}

func (r *runs) all(ctx context.Context, found func()) {
	for ctx.Err() == nil {
		left := slices.DeleteFunc(slices.Clone(r.cycles), (*cycle).done)
		if len(left) == 0 {
			return
		}
		r.one(ctx, left)
		r.check(ctx, left)
		if found != nil && r.report.keep(ctx, r.cycles, r.keys) {
			found()
		}
	}
}

// one applies all that is left of the configuration once.
func (r *runs) one(ctx context.Context, cycles []*cycle) {
	key := r.platform.APIKey
	if r.random.IntN(blindAmong) == 0 {
		key = r.platform.blindKey
	}
	s, err := newSession(ctx, r.platform, key)
	if err == nil && r.random.IntN(5) == 0 {
		err = r.platform.spoil(ctx, r.random)
	}
	if err == nil && r.random.IntN(3) == 0 {
		err = r.restore(ctx, cycles[r.random.IntN(len(cycles))])
	}
	if err == nil && r.random.IntN(2) == 0 {
		r.replace(ctx, cycles[r.random.IntN(len(cycles))])
		err = ctx.Err()
	}
	if err == nil && r.random.IntN(3) == 0 {
		err = r.lose(ctx, cycles[r.random.IntN(len(cycles))])
	}
	if err != nil {
		for _, c := range cycles {
			c.broken = err
		}
		return
	}
	var interrupted atomic.Bool
	defer r.mayInterrupt(ctx, s, cycles, &interrupted)()
	var applies sync.WaitGroup
	if opened := r.keys[r.random.IntN(len(r.keys))]; !s.blind {
		applies.Go(func() { opened.open(ctx, s) })
		defer opened.close(ctx, s)
	}
	applies.Go(func() { r.act.play(ctx, s) })
	for _, c := range cycles {
		applies.Go(func() { c.apply(ctx, s, interrupted.Load) })
	}
	applies.Wait()
	if interrupted.Load() {
		r.report.interrupted()
	}
}

// mayInterrupt has somebody press Ctrl-C soon, if that is drawn, and notes it, unless the run has ended by itself and
// calls what is returned. Where the run creates a branch, that comes after the creation has begun, which fails later,
// and where it takes a last snapshot, after that has begun.
func (r *runs) mayInterrupt(
	ctx context.Context, s *session, cycles []*cycle, interrupted *atomic.Bool,
) (end func()) {
	creates, leaves := slices.ContainsFunc(cycles, (*cycle).createsBranch), slices.ContainsFunc(cycles, (*cycle).isToLeave)
	if isDrawn := r.random.IntN(8) == 0 || creates && r.random.IntN(4) == 0 || leaves && r.random.IntN(2) == 0; !isDrawn {
		return func() {}
	}
	pause := time.Duration(r.random.IntN(1500)) * time.Millisecond
	timer := time.AfterFunc(pause, func() {
		interrupted.Store(true)
		_ = s.interrupt(ctx)
	})
	if (creates || leaves) && timer.Stop() && (!creates || r.platform.failLate(ctx) == nil) {
		s.begins = sync.OnceFunc(func() { timer.Reset(pause) })
	}
	return func() { timer.Stop() }
}

// restore moves a branch to another parent, if there is one.
func (r *runs) restore(ctx context.Context, c *cycle) error {
	id := c.current.id()
	if c.resource != branch || id == "" || c.isRoot() {
		return nil
	}
	if c.place.branchID != "" { // It is in a project of its own.
		return nil
	}
	c.tell("its parent is restored")
	_ = r.platform.restore(ctx, id, c.project.backup) // A branch that is gone has no parent.
	return ctx.Err()
}

// replace makes another branch the default one of a cycle's project, or has a restore of a snapshot
// put another in the place of its default branch, of the branch that its resource is on, or of its
// branch itself. Either may meet faults, and not happen.
func (r *runs) replace(ctx context.Context, c *cycle) {
	projectID, branchID := c.place.projectID, c.place.branchID
	if c.resource == ownProject {
		projectID, branchID = c.current.id(), textIn(elements(c.current.value)["default_branch"], "id")
	}
	rootID := branchID
	if c.resource == branch && branchID == "" {
		projectID, branchID, rootID = c.project.id, c.current.id(), c.project.root
	}
	switch {
	case c.resource != ownProject && (c.twin != nil || !c.stages[0].unchanged):
	case c.unsettled || c.current.tainted || branchID == "" || !c.current.exists():
	case rootID == branchID && r.random.IntN(2) == 0:
		c.tell("another branch is made the default one: %v", r.platform.setDefault(ctx, projectID))
	default:
		standing, err := r.platform.replace(ctx, projectID, rootID, branchID)
		c.tell("branch %s is replaced by a restore: %s has its place, %v", branchID, standing, err)
		if standing != branchID && c.resource != ownProject { // Which stands for the new one by itself.
			r.platform.leave(ctx, branchID)
			c.replaced(standing)
		}
	}
}

// lose deletes what a cycle has outside of Terraform. A branch is not among that: many
// things go with it. Nor is what the next plan doesn't read, and so can't miss.
func (r *runs) lose(ctx context.Context, c *cycle) error {
	id := c.current.id()
	if !c.isUnmarked() || c.isOnlyForgotten() || c.twin != nil || c.moved || c.skipsRefresh() || id == "" {
		return nil
	}
	lost, err := r.platform.lose(ctx, c)
	if lost {
		c.deleted[id] = true
		c.tell("%s is deleted outside of Terraform", id)
	}
	return err
}

// check looks for what has been made twice, and for what a state holds and isn't
// there.
func (r *runs) check(ctx context.Context, cycles []*cycle) {
	all, err := r.platform.objects(ctx)
	if err != nil {
		return
	}
	for _, c := range cycles {
		if c.unsettled || c.broken != nil {
			continue
		}
		extra, missing := c.account(all)
		for _, o := range extra {
			if c.current.exists() && c.twin.isSettled() && !c.names(o) && !c.twin.names(o) {
				r.report.double(o, c)
			}
		}
		for _, id := range c.inState() {
			if c.twin.shares(id) {
				c.surprise("%s is in the states of two resources", id)
			}
		}
		for _, id := range missing {
			if c.twin != nil {
				c.strangers = append(c.strangers, id)
				continue
			}
			c.surprise("%s is in state and doesn't exist", id)
		}
	}
}
