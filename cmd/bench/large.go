package main

import (
	"context"
	"fmt"
)

const (
	// branchesPerProject are those of each project of both sizes: 2 projects of them, and 20.
	branchesPerProject = 500
	// timesLarger is how many more branches the larger size has.
	timesLarger = 10
)

// largeBenchmarks take minutes, most of them Terraform's own, so that only -large runs them.
func largeBenchmarks() []benchmark { return []benchmark{tenThousandBenchmark()} }

// tenThousandBenchmark plans and refreshes 10,000 branches in 20 projects.
func tenThousandBenchmark() benchmark {
	const ten = "ten times that of 1,000 branches in 2 projects"
	return benchmark{
		rows: []row{
			{measured: "plan over 10,000 branches in 20 projects", bound: ten, most: 1.1, mostRequests: 200},
			{measured: "the requests of that plan", bound: ten, most: 1.1},
			{measured: "apply -refresh-only over 10,000 branches", bound: ten, most: 1.1, mostRequests: 200},
			{measured: "peak memory of the provider in the 10,000-branch plan", bound: "of an empty provider", most: 3},
		},
		measure: func(ctx context.Context, b *bench) ([]result, error) {
			small, err := b.sizedRuns(ctx, 2)
			if err != nil {
				return nil, err
			}
			large, err := b.sizedRuns(ctx, 2*timesLarger)
			if err != nil {
				return nil, err
			}
			return []result{
				compare(large.plan, timesLarger*small.plan, large.requests),
				compare(count(large.requests), timesLarger*count(small.requests), 0),
				compare(large.refresh, timesLarger*small.refresh, large.refreshRequests),
				compare(large.peak, large.emptyPeak, 0),
			}, nil
		},
	}
}

// count is a number of requests.
type count int64

// String gives it as it is.
func (c count) String() string { return fmt.Sprint(int64(c)) }

// sized is what runs over a number of branches came to.
type sized struct {
	plan, refresh             seconds
	requests, refreshRequests int
	peak, emptyPeak           memory
}

func (b *bench) sizedRuns(ctx context.Context, projects int) (sized, error) {
	var s sized
	world, err := b.branchWorldOf(ctx, projects, branchesPerProject)
	if err != nil {
		return s, err
	}
	var plans, refreshes []seconds
	if s.requests, err = world.platform.counted(ctx, func() error { return world.neon.planInto(ctx, &plans) }); err != nil {
		return s, err
	}
	if s.refreshRequests, err = world.platform.counted(ctx, func() error {
		return world.neon.runInto(ctx, &refreshes, "apply", "-refresh-only", "-auto-approve")
	}); err != nil {
		return s, err
	}
	s.plan, s.refresh = plans[0], refreshes[0]
	if s.peak, err = b.peak(ctx, neon, world.neon); err != nil {
		return s, err
	}
	s.emptyPeak, err = b.peak(ctx, empty, world.empty)
	return s, err
}
