package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const (
	// serialOperation is how long an operation takes where they run one after the
	// other, parallelOperation where they run side by side: what Terraform needs for
	// itself is then a part of the whole that is like that of a real run.
	serialOperation   = 300 * time.Millisecond
	parallelOperation = 2 * time.Second
	// otherPause is how long the other client waits where its work is refused: little, as
	// the lock goes to whoever asks first.
	otherPause = 3 * time.Millisecond
)

// creations are objects that one apply makes.
type creations struct {
	config string
	// count is how many of each kind, objects how many of all, parallelism how many at a time.
	count, objects, parallelism int
}

var (
	fortyBranches     = creations{branchesConfig, 40, 40, 40}
	rolesAndDatabases = creations{rolesConfig, 15, 30, 30}
	hundredBranches   = creations{branchesConfig, 100, 100, 20}
)

// creation is what one run came to.
type creation struct {
	observed

	// bound is how many seconds the operations need: those of all objects where the project refuses
	// overlapping work, else those of one.
	bound float64
}

func (c creation) against(bound float64) result { return compare(c.seconds, bound, c.Total) }

// refused is how many of the requests were, for the rate limits.
func (c creation) refused() int { return c.ByStatus["429"] }

// measureCreation compares an apply with what its operations need.
func measureCreation(what creations, config emulator.Config) func(context.Context, *bench) ([]result, error) {
	return func(ctx context.Context, b *bench) ([]result, error) {
		run, err := b.create(ctx, what, config, nil)
		return []result{run.against(run.bound)}, err
	}
}

// measureBesideOther creates branches beside another client that takes its turns.
func measureBesideOther(ctx context.Context, b *bench) ([]result, error) {
	other := &otherClient{}
	run, err := b.create(ctx, fortyBranches, emulator.Config{OperationDuration: serialOperation}, other)
	if err != nil {
		return nil, err
	}
	held := other.held.Seconds()
	b.say("The other client held the lock for %.0f %% of the time", 100*held/run.seconds)
	run.Total -= other.requests
	return []result{run.against(run.bound + held)}, nil
}

// measureLimits creates 100 branches, 20 at a time, under both readings of the account's
// limit. The whole needs fewer requests than one minute allows.
func measureLimits(ctx context.Context, b *bench) ([]result, error) {
	runs := map[string]creation{}
	for reading, mostRefused := range map[string]float64{emulator.LimitsOff: 0, emulator.LimitsWindow: 0, emulator.LimitsPaced: 0.05} {
		run, err := b.create(ctx, hundredBranches, emulator.Config{Limits: reading, Conflicts: emulator.ConflictsNone}, nil)
		if err != nil {
			return nil, err
		}
		b.say("Limits %s: %.1f s, %d requests, %d of them refused", reading, run.seconds, run.Total, run.refused())
		if float64(run.refused()) > mostRefused*float64(run.Total) {
			return nil, fmt.Errorf("%d of %d requests were refused with limits %s", run.refused(), run.Total, reading)
		}
		runs[reading] = run
	}
	paced := runs[emulator.LimitsPaced]
	pace := float64(paced.Total-paced.refused()-40)/11 + paced.bound
	return []result{runs[emulator.LimitsWindow].against(runs[emulator.LimitsOff].seconds), paced.against(pace)}, nil
}

// create lets terraform create objects in the platform's first project, beside another client
// where there is one.
func (b *bench) create(ctx context.Context, what creations, config emulator.Config, other *otherClient) (run creation, err error) {
	p, err := b.startPlatform(config)
	if err != nil {
		return run, err
	}
	w, err := b.newWorkspace(neon, p, what.config, what.count)
	if err != nil {
		return run, err
	}
	run.observed, err = p.observe(ctx, func() error {
		return other.beside(ctx, p, func() error { return w.apply(ctx, what.parallelism) })
	})
	if err != nil {
		return run, err
	}
	chains, err := p.chains(ctx)
	for _, seconds := range chains {
		if config.Conflicts == emulator.ConflictsNone {
			run.bound = max(run.bound, seconds)
		} else {
			run.bound += seconds
		}
	}
	if err == nil && len(chains) != what.objects {
		err = fmt.Errorf("%d chains of operations were seen, for %d objects", len(chains), what.objects)
	}
	return run, err
}

// chains returns how many seconds each chain of operations took, from the creation of the first to
// the end of the last, as the platform itself says. One that waits for another of its chain begins
// its duration with the wait, so that the longest of a chain is that of the chain.
func (p *platform) chains(ctx context.Context) (map[string]float64, error) {
	api, err := p.client(nil)
	if err != nil {
		return nil, err
	}
	chains := map[string]float64{}
	for o, err := range api.ListOperations(ctx, p.world.ProjectID) {
		if err != nil {
			return nil, err
		}
		chain := o.BranchID
		if chain == p.world.BranchID {
			// The branch was there before. Of a role or database on it the compute is told, in one operation.
			if chain = o.ID; o.Action != "apply_config" {
				continue
			}
		}
		chains[chain] = max(chains[chain], float64(o.TotalDurationMS)/1000)
	}
	return chains, nil
}

// otherClient works on the same project beside Terraform: it restarts an endpoint as
// soon as the platform lets it, and then leaves the project alone for as long as that
// took. Where Terraform uses the time in between, each has the lock for half of it,
// and never both at once.
type otherClient struct {
	held     time.Duration
	requests int
}

// beside lets the client work while something is done. Where there is no client, that is all.
func (o *otherClient) beside(ctx context.Context, p *platform, do func() error) error {
	if o == nil {
		return do()
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- o.work(working, p) }()
	err := do()
	stop()
	return errors.Join(err, <-ended)
}

func (o *otherClient) work(ctx context.Context, p *platform) error {
	path := "/api/v2/projects/" + p.world.ProjectID + "/endpoints/" + p.world.EndpointID + "/restart"
	for ctx.Err() == nil {
		var restart struct {
			Operations []struct{} `json:"operations"`
		}
		err := p.call(ctx, http.MethodPost, path, nil, &restart)
		o.requests++
		var refusal *client.Error
		switch {
		case err == nil:
			holding := time.Duration(len(restart.Operations)) * serialOperation
			o.held += rest(ctx, holding)
			rest(ctx, holding)
		case errors.As(err, &refusal) && refusal.StatusCode == http.StatusLocked, errors.Is(err, context.Canceled):
			rest(ctx, otherPause)
		default:
			return err
		}
	}
	return nil
}

// rest waits, and tells how much of the time there was before the context ended.
func rest(ctx context.Context, duration time.Duration) time.Duration {
	started := time.Now()
	select {
	case <-time.After(duration):
		return duration
	case <-ctx.Done():
		return time.Since(started)
	}
}
