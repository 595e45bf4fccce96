package main

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// serialOperation is how long an operation takes where they run one after the other, parallelOperation where they run
// side by side: what Terraform needs for itself is then a part of the whole that is like that of a real run.
const (
	serialOperation   = 300 * time.Millisecond
	parallelOperation = 2 * time.Second
)

// creations are objects that one apply creates.
type creations struct {
	config string
	// count is how many of each kind, objects how many have operations, parallelism how many are created at a time.
	count, objects, parallelism int
}

var (
	tenBranches       = creations{branchesConfig, 10, 10, 10}
	fortyBranches     = creations{branchesConfig, 40, 40, 40}
	rolesAndDatabases = creations{rolesConfig, 15, 30, 30}
	hundredBranches   = creations{branchesConfig, 100, 100, 20}
	sixtyProjects     = creations{projectsConfig, 60, 0, 20}
)

// measureCreation compares an apply with what its operations need: the sum of all where the project refuses overlapping
// work, else those of one object.
func measureCreation(what creations, config emulator.Config) measure {
	return func(ctx context.Context, b *bench) (result, error) {
		p, seen, err := b.create(ctx, what, config)
		if err != nil {
			return result{}, err
		}
		bound, err := p.operationsOf(ctx, what, config)
		return seen.beside(bound), err
	}
}

// measureLimits compares an apply within Neon's limits, of fewer requests than a minute allows, with one without any.
func measureLimits(what creations, config emulator.Config) measure {
	return func(ctx context.Context, b *bench) (result, error) {
		config.Limits = emulator.LimitsWindow
		_, limited, err := b.create(ctx, what, config)
		if err != nil {
			return result{}, err
		}
		if refused := limited.ByStatus["429"]; refused > 0 {
			return result{}, fmt.Errorf("%d of %d requests were refused", refused, limited.Total)
		}
		config.Limits = emulator.LimitsOff
		_, free, err := b.create(ctx, what, config)
		return limited.beside(free.seconds), err
	}
}

// measurePace creates 100 branches where Neon takes 11 requests a second after the first 40.
func measurePace(ctx context.Context, b *bench) (result, error) {
	config := emulator.Config{Limits: emulator.LimitsPaced, Conflicts: emulator.ConflictsNone}
	p, seen, err := b.create(ctx, hundredBranches, config)
	if err != nil {
		return result{}, err
	}
	refused := seen.ByStatus["429"]
	if 20*refused > seen.Total {
		return result{}, fmt.Errorf("%d of %d requests were refused", refused, seen.Total)
	}
	operations, err := p.operationsOf(ctx, hundredBranches, config)
	return seen.beside(float64(seen.Total-refused-40)/11 + operations), err
}

// create lets terraform create objects on a new platform.
func (b *bench) create(ctx context.Context, what creations, config emulator.Config) (*platform, observed, error) {
	w, err := b.newWorkspace(neon, config, what.config, what.count)
	if err != nil {
		return nil, observed{}, err
	}
	if config.Limits == emulator.LimitsOff {
		w = w.unpaced()
	}
	seen, err := w.observe(ctx, func() error { return w.apply(ctx, what.parallelism) })
	return w.platform, seen, err
}

// operationsOf returns how many seconds the operations of these creations need: each object's are a chain, from the
// creation of the first to the end of the last, as the platform itself says. One that waits for another of its chain
// begins its duration with the wait, so that the longest of a chain is that of the chain.
func (p *platform) operationsOf(ctx context.Context, what creations, config emulator.Config) (needed float64, err error) {
	api, err := p.client()
	if err != nil {
		return 0, err
	}
	chains := map[string]float64{}
	for o, err := range api.ListOperations(ctx, p.world.ProjectID) {
		chain := o.BranchID
		switch {
		case err != nil:
			return 0, err
		case chain == p.world.BranchID && o.Action != "apply_config":
			continue
		case chain == p.world.BranchID: // It was there before. Of a role or database on it the compute is told, in one operation.
			chain = o.ID
		}
		chains[chain] = max(chains[chain], float64(o.TotalDurationMS)/1000)
	}
	if len(chains) != what.objects {
		return 0, fmt.Errorf("%d chains of operations were seen, for %d objects", len(chains), what.objects)
	}
	for _, seconds := range chains {
		if config.Conflicts == emulator.ConflictsNone {
			needed = max(needed, seconds)
		} else {
			needed += seconds
		}
	}
	return needed, nil
}
