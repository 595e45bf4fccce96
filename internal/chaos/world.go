package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
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
)

// Cycles says how much of a platform's life is played.
type Cycles struct {
	Count int
	Seed  uint64
	// Conflicts is how the platform refuses overlapping work: project, branch or
	// none.
	Conflicts string
	// Probability is that of each kind of fault.
	Probability float64
	// SideBySide is how many configurations are applied at the same time.
	SideBySide int
	// Ended, where it is set, is told how many cycles have come to their end.
	Ended func(cycles int)
}

// Run plays cycles of all resources on one platform, and accounts for all that
// exists afterwards.
func (o Cycles) Run(ctx context.Context) (*Report, error) {
	p, err := startPlatform(ctx, emulator.Config{OperationDuration: operationDuration, Conflicts: o.Conflicts})
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.close() }()
	random := rand.New(rand.NewPCG(o.Seed, 1))
	projects, err := p.makeProjects(ctx, max(1, o.SideBySide/runsPerProject))
	if err != nil {
		return nil, err
	}
	before, err := p.objects(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.addFaults(ctx, mixture(random, o.Probability)); err != nil {
		return nil, err
	}
	report := NewReport()
	cycles := o.play(ctx, p, random, projects, report)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	faults, err := p.endFaults(ctx)
	if err != nil {
		return nil, err
	}
	report.addFaults(faults)
	err = report.close(ctx, p, before, cycles)
	return report, err
}

// play takes all cycles through their lives.
func (o Cycles) play(ctx context.Context, p *platform, random *rand.Rand, projects []string, report *Report) []*cycle {
	var cycles []*cycle
	disturbed, calm := context.WithCancel(ctx)
	defer calm()
	go p.disturb(disturbed, rand.New(rand.NewPCG(o.Seed, 2)), projects)
	places := make(chan struct{}, o.SideBySide)
	var configurations sync.WaitGroup
	for first := 0; first < o.Count; first += cyclesPerRun {
		var together []*cycle
		project := projects[random.IntN(len(projects))]
		for number := first; number < min(first+cyclesPerRun, o.Count); number++ {
			name := fmt.Sprintf("chaos-%s-%05d", o.Conflicts, number)
			together = append(together, newCycle(number, name, resources[number%len(resources)], project))
		}
		cycles = append(cycles, together...)
		run := &runs{platform: p, random: rand.New(rand.NewPCG(o.Seed, uint64(first)+3)), cycles: together, report: report}
		places <- struct{}{}
		configurations.Go(func() {
			defer func() { <-places }()
			run.all(ctx)
			if o.Ended != nil {
				o.Ended(len(together))
			}
		})
	}
	configurations.Wait()
	return cycles
}

// runs are those of one configuration, one after the other, each with a provider
// of its own.
type runs struct {
	platform *platform
	random   *rand.Rand
	cycles   []*cycle
	report   *Report
}

func (r *runs) all(ctx context.Context) {
	for ctx.Err() == nil {
		left := slices.DeleteFunc(slices.Clone(r.cycles), (*cycle).done)
		if len(left) == 0 {
			return
		}
		r.one(ctx, left)
		r.check(ctx, left)
	}
}

// one applies all that is left of the configuration once.
func (r *runs) one(ctx context.Context, cycles []*cycle) {
	s, err := newSession(ctx, r.platform)
	if err == nil && r.random.IntN(5) == 0 {
		err = r.platform.spoil(ctx, r.random)
	}
	if err != nil {
		for _, c := range cycles {
			c.broken = err
		}
		return
	}
	var interruption atomic.Pointer[time.Time]
	if r.random.IntN(8) == 0 {
		timer := time.AfterFunc(time.Duration(r.random.IntN(1500))*time.Millisecond, func() {
			now := time.Now()
			interruption.Store(&now)
			_ = s.interrupt(ctx)
		})
		defer timer.Stop()
	}
	var applies sync.WaitGroup
	for _, c := range cycles {
		applies.Go(func() { c.apply(ctx, s, func() bool { return interruption.Load() != nil }) })
	}
	applies.Wait()
	if at := interruption.Load(); at != nil {
		r.report.interrupted(time.Since(*at))
	}
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
			if c.current.exists() && !c.names(o) {
				r.report.double(o, c)
			}
		}
		for _, id := range missing {
			c.surprise("%s is in state and doesn't exist", id)
		}
	}
}
