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

// measureCreation compares an apply with what its operations need: the sum of all where the project refuses overlapping
// work, else those of one object.
func measureCreation(what work, config emulator.Config) measure {
	return func(ctx context.Context, b *bench) result {
		p, seen := b.create(ctx, what, config)
		return result{seen.seconds, p.operationsOf(ctx, what, config), seen}
	}
}

// measureLimits compares an apply within Neon's limits, of fewer requests than a minute allows, with one without any.
func measureLimits(what work, config emulator.Config) measure {
	return func(ctx context.Context, b *bench) result {
		config.Limits = emulator.LimitsWindow
		_, limited := b.create(ctx, what, config)
		limited.checkRefused(0)
		config.Limits = emulator.LimitsOff
		_, free := b.create(ctx, what, config)
		return result{limited.seconds, free.seconds, limited}
	}
}

// measurePace creates 100 branches where Neon takes 11 requests a second after the first 40.
func measurePace(ctx context.Context, b *bench) result {
	config := emulator.Config{Limits: emulator.LimitsPaced, Conflicts: emulator.ConflictsNone}
	p, seen := b.create(ctx, hundredBranches, config)
	seen.checkRefused(seen.Total / 20)
	paced := float64(seen.Total-seen.ByStatus["429"]-40) / 11
	return result{seen.seconds, paced + p.operationsOf(ctx, hundredBranches, config), seen}
}

// checkRefused ends the measuring if more requests were refused for a limit.
func (o observed) checkRefused(most int) {
	if refused := o.ByStatus["429"]; refused > most {
		check(fmt.Errorf("%d of %d requests were refused", refused, o.Total))
	}
}

// create lets terraform create objects on a new platform.
func (b *bench) create(ctx context.Context, what work, config emulator.Config) (*platform, observed) {
	w := b.newWorkspace(what, b.startPlatform(config))
	return w.platform, w.observe(ctx, func() { w.apply(ctx) })
}

// operationsOf returns how many seconds the operations of these creations need: each object's are a chain, from the
// creation of the first to the end of the last, as the platform itself says. One that waits for another of its chain
// begins its duration with the wait, so that the longest of a chain is that of the chain.
func (p *platform) operationsOf(ctx context.Context, what work, config emulator.Config) (needed float64) {
	chains := map[string]float64{}
	for o, err := range p.client().ListOperations(ctx, p.world.ProjectID) {
		check(err)
		chain := o.BranchID
		// It was there before. Of a role or database on it the compute is told, in one operation.
		if chain == p.world.BranchID {
			if o.Action != "apply_config" {
				continue
			}
			chain = o.ID
		}
		chains[chain] = max(chains[chain], float64(o.TotalDurationMS)/1000)
	}
	if len(chains) != what.objects {
		check(fmt.Errorf("%d chains of operations were seen, for %d objects", len(chains), what.objects))
	}
	for _, seconds := range chains {
		if config.Conflicts == emulator.ConflictsNone {
			needed = max(needed, seconds)
		} else {
			needed += seconds
		}
	}
	return needed
}
