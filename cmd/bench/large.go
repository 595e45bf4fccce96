package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
)

const (
	// branchesPerProject are those of each project of both sizes, of which changedPerProject
	// are changed by an apply. Terraform writes all of its state for each change.
	branchesPerProject = 500
	changedPerProject  = 5
	// fewProjects are those of the smaller size, and the larger one has timesLarger as many.
	fewProjects = 2
	timesLarger = 10
	// mostLargeReads are the requests that read the larger size: five full pages of branches for
	// each project, the empty one behind them and one of endpoints, and the reads of three
	// branches, which come before it shows that there are many.
	mostLargeReads = fewProjects * timesLarger * (5 + 1 + 1 + 2*fewReads)
	fewReads       = 3
	// mostLargeChanges are those of an apply that changes branches: each is written, and read back
	// with its endpoints.
	mostLargeChanges = mostLargeReads + 3*fewProjects*timesLarger*changedPerProject
)

// largeBenchmarks take minutes, most of them Terraform's own, so that only -large runs them.
func largeBenchmarks() []benchmark { return []benchmark{largeBenchmark()} }

// largeBenchmark plans, refreshes and applies over 10,000 branches in 20 projects.
func largeBenchmark() benchmark {
	const (
		ten  = "ten times that over 1,000 branches in 2 projects"
		same = "with a provider that has the same schema and does nothing"
	)
	return benchmark{
		rows: []row{
			{measured: "plan over 10,000 branches in 20 projects", bound: ten, most: 1.1, mostRequests: mostLargeReads},
			{measured: "the same plan over 10,000 branches", bound: same, most: 1.7},
			{measured: "for comparison: that provider's plan over 10,000 branches", bound: ten},
			{measured: "the provider's processor time in the plan over 10,000 branches", bound: ten, most: 1.1},
			{measured: "apply -refresh-only over 10,000 branches", bound: ten, most: 1.1, mostRequests: mostLargeReads},
			{
				measured: "apply that changes 100 of 10,000 branches", bound: same,
				most: 1.7, mostRequests: mostLargeChanges,
			},
			{
				measured: "for comparison: that provider's apply that changes 100 of 10,000 branches",
				bound:    "ten times that of one that changes 10 of 1,000",
			},
			{
				measured: "the provider's processor time in the apply that changes 100 of 10,000 branches",
				bound:    "ten times that in one that changes 10 of 1,000", most: 1.1,
			},
			{measured: "peak memory of the provider in the plan over 10,000 branches", bound: "of an empty provider", most: 1},
			{measured: "peak memory of the provider in that plan over 10,000 branches", bound: "in the plan over 1,000", most: 3},
		},
		measure: func(ctx context.Context, b *bench) ([]result, error) {
			worlds, err := b.sizedWorlds(ctx)
			if err != nil {
				return nil, err
			}
			runs := map[string]growth{}
			for _, each := range []struct {
				name string
				work sizedWork
			}{
				{"plan", sizedWork{neon, aPlan, 0}},
				{"idle plan", sizedWork{idle, aPlan, 0}},
				{"empty plan", sizedWork{empty, aPlan, 0}},
				{"refresh", sizedWork{neon, []string{"apply", "-refresh-only", "-auto-approve"}, 0}},
				{"idle change", sizedWork{idle, []string{"apply", "-auto-approve"}, changedPerProject}},
				{"change", sizedWork{neon, []string{"apply", "-auto-approve"}, changedPerProject}},
			} {
				b.say("Measuring: %s", each.name)
				if runs[each.name], err = b.grown(ctx, worlds, each.work); err != nil {
					return nil, fmt.Errorf("%s: %w", each.name, err)
				}
			}
			plan, idlePlan, refresh, change, idleChange := runs["plan"], runs["idle plan"], runs["refresh"], runs["change"], runs["idle change"]
			return []result{
				compare(plan.large.took, timesLarger*plan.small.took, plan.requests),
				compare(plan.large.took, idlePlan.large.took, 0),
				compare(idlePlan.large.took, timesLarger*idlePlan.small.took, 0),
				compare(plan.large.processor, timesLarger*plan.small.processor, 0),
				compare(refresh.large.took, timesLarger*refresh.small.took, refresh.requests),
				compare(change.large.took, idleChange.large.took, change.requests),
				compare(idleChange.large.took, timesLarger*idleChange.small.took, 0),
				compare(change.large.processor, timesLarger*change.small.processor, 0),
				compare(plan.large.peak, runs["empty plan"].large.peak, 0),
				compare(plan.large.peak, plan.small.peak, 0),
			}, nil
		},
	}
}

// sizedWorlds are the smaller and the larger one.
func (b *bench) sizedWorlds(ctx context.Context) (worlds [2]*branchWorld, err error) {
	if worlds[0], err = b.branchWorldOf(ctx, fewProjects, branchesPerProject); err == nil {
		worlds[1], err = b.branchWorldOf(ctx, fewProjects*timesLarger, branchesPerProject)
	}
	return worlds, err
}

// sizedWork is what a provider does over each size.
type sizedWork struct {
	of        provider
	arguments []string
	// changed is how many branches of each project are changed.
	changed int
}

// growth is what the same work comes to over both sizes, and the requests over the larger.
type growth struct {
	small, large usage
	requests     int
}

// grown works once over the larger size, and several times over the smaller, before and after.
func (b *bench) grown(ctx context.Context, worlds [2]*branchWorld, work sizedWork) (g growth, err error) {
	var small []usage
	for run := range b.options.runs {
		if run == b.options.runs/2 {
			if g.requests, err = worlds[1].platform.counted(ctx, func() (err error) {
				g.large, err = b.work(ctx, worlds[1], work, 0)
				return err
			}); err != nil {
				return g, err
			}
		}
		used, err := b.work(ctx, worlds[0], work, run)
		if err != nil {
			return g, err
		}
		small = append(small, used)
	}
	g.small = meanUsage(small)
	return g, nil
}

// work does it once. Every other run of changes undoes those of the one before. What the idle
// provider has changed is in the state alone, which is put back.
func (b *bench) work(ctx context.Context, world *branchWorld, work sizedWork, run int) (used usage, err error) {
	in := world.neon
	switch work.of {
	case empty:
		in = world.empty
	case idle:
		before, failed := os.ReadFile(in.stateFile())
		if failed != nil {
			return used, failed
		}
		defer func() { err = errors.Join(err, os.WriteFile(in.stateFile(), before, 0o600)) }()
		run = 0
	}
	arguments := work.arguments
	if work.changed > 0 {
		arguments = append(slices.Clone(arguments), fmt.Sprintf("-var=protected=%d", work.changed*((run+1)%2)))
	}
	return b.use(ctx, work.of, in, arguments...)
}

// meanUsage has the means of the times, and the largest peak.
func meanUsage(all []usage) usage {
	var took, processor []seconds
	var peaks []memory
	for _, each := range all {
		took, processor, peaks = append(took, each.took), append(processor, each.processor), append(peaks, each.peak)
	}
	return usage{mean(took), mean(processor), slices.Max(peaks)}
}
