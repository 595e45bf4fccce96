package main

import (
	"context"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const (
	manyBranches = 1000
	manyKeys     = 200
	// keysRuns is how many plans over keys take the time of one over many branches.
	keysRuns = 4
)

// branchWorld is a project with many branches that are in the state of a workspace, beside
// a workspace with as many resources of the empty provider.
type branchWorld struct {
	platform    *platform
	neon, empty *workspace
}

// manyBranchesWorld is made once for all benchmarks that plan over it.
func (b *bench) manyBranchesWorld(ctx context.Context) (*branchWorld, error) {
	if b.branches != nil {
		return b.branches, nil
	}
	p, err := b.startPlatform(emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone})
	if err != nil {
		return nil, err
	}
	b.lastCleanup, b.cleanup = b.cleanup, nil // Later benchmarks plan over it, too.
	world := &branchWorld{platform: p}
	if world.neon, err = b.newState(ctx, neon, p, branchesConfig, manyBranches); err != nil {
		return nil, err
	}
	world.empty, err = b.newState(ctx, empty, p, thingsConfig, manyBranches)
	b.branches = world
	return world, err
}

// measurePlans plans over many branches.
func measurePlans(ctx context.Context, b *bench) ([]result, error) {
	world, err := b.manyBranchesWorld(ctx)
	if err != nil {
		return nil, err
	}
	requests := 0
	p := world.platform
	taken, err := takeTurns(b.options.runs, p.planning(ctx, world.neon, &requests),
		p.planning(ctx, world.neon, new(int), "-refresh=false"), p.planning(ctx, world.empty, new(int)))
	if err != nil {
		return nil, err
	}
	// A plan takes as long as it must, and longer where the machine does something else meanwhile.
	full, withoutRefresh, ofEmpty := slices.Min(taken[0]), slices.Min(taken[1]), slices.Min(taken[2])
	return []result{compare(full, withoutRefresh, requests), compare(full, ofEmpty, 0)}, nil
}

// planning measures a plan, and keeps the most requests that one made.
func (p *platform) planning(ctx context.Context, w *workspace, most *int, arguments ...string) func() (float64, error) {
	return func() (float64, error) {
		seen, err := p.observe(ctx, func() error { return w.plan(ctx, arguments...) })
		*most = max(*most, seen.Total)
		return seen.seconds, err
	}
}

// measureKeys plans over the keys of an organization.
func measureKeys(ctx context.Context, b *bench) ([]result, error) {
	p, err := b.startPlatform(emulator.Config{})
	if err != nil {
		return nil, err
	}
	w, err := b.newState(ctx, neon, p, keysConfig, manyKeys)
	if err != nil {
		return nil, err
	}
	requests := 0
	taken, err := takeTurns(keysRuns*b.options.runs, p.planning(ctx, w, &requests), p.planning(ctx, w, new(int), "-refresh=false"))
	if err != nil {
		return nil, err
	}
	return []result{comparePairs(taken[0], taken[1], requests)}, nil
}
