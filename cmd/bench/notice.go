package main

import (
	"context"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// noticedDurations are those of the operations that are waited for side by side,
// spread evenly between the shortest and the longest by their ratio.
var noticedDurations = []time.Duration{
	200 * time.Millisecond, 320 * time.Millisecond, 500 * time.Millisecond, 790 * time.Millisecond,
	1250 * time.Millisecond, 1980 * time.Millisecond, 3130 * time.Millisecond, 4950 * time.Millisecond,
	7840 * time.Millisecond, 12400 * time.Millisecond, 19600 * time.Millisecond, 30 * time.Second,
}

// measureNoticing waits for operations on projects that had such an operation before, as all but new ones have. It
// returns the largest share of an operation's duration that passed until its end was noticed.
func measureNoticing(ctx context.Context, b *bench) (r result, err error) {
	p, err := b.startPlatform(emulator.Config{})
	if err != nil {
		return r, err
	}
	var made struct {
		ProjectIDs []string `json:"project_ids"`
	}
	err = p.call(ctx, http.MethodPost, "/_emulator/projects", map[string]int{"count": len(noticedDurations)}, &made)
	if err != nil {
		return r, err
	}
	if err := p.giveHistory(ctx, made.ProjectIDs); err != nil {
		return r, err
	}
	var late []float64
	seen, err := p.observe(ctx, &workspace{}, func() (err error) {
		late, err = p.wait(ctx, made.ProjectIDs)
		return err
	})
	if err != nil {
		return r, err
	}
	b.say("Noticed after another %.2f of %s", late, noticedDurations)
	return result{value: slices.Max(late), boundValue: 1, requests: seen.Total}, nil
}

// giveHistory lets each project have had such an operation, which took about as
// long: less, the same or more.
func (p *platform) giveHistory(ctx context.Context, projects []string) error {
	for i, project := range projects {
		before := time.Duration(float64(noticedDurations[i]) * []float64{0.85, 1, 1.15}[i%3])
		if _, err := p.lock(ctx, project, before); err != nil {
			return err
		}
	}
	return p.call(ctx, http.MethodPost, "/_emulator/clock", map[string]string{"advance": "1m"}, nil)
}

// lock starts an operation of the platform's own.
func (p *platform) lock(ctx context.Context, project string, duration time.Duration) (client.Operation, error) {
	var answer struct {
		Operation client.Operation `json:"operation"`
	}
	err := p.call(ctx, http.MethodPost, "/_emulator/locks",
		map[string]string{"project_id": project, "duration": duration.String()}, &answer)
	return answer.Operation, err
}

// wait waits for an operation on each project, all with one client, as a run of Terraform does, and returns how late
// each end was noticed.
func (p *platform) wait(ctx context.Context, projects []string) ([]float64, error) {
	api, err := client.New(client.Config{BaseURL: p.address, APIKey: p.world.APIKey})
	if err != nil {
		return nil, err
	}
	late := make([]float64, len(projects))
	var waits errgroup.Group
	for i, project := range projects {
		waits.Go(func() error {
			// The platform's clock is ours, so the operation ends this long after it was asked for, or a moment later.
			started := time.Now()
			operation, err := p.lock(ctx, project, noticedDurations[i])
			if err == nil {
				err = api.WaitForOperations(ctx, project, []client.Operation{operation})
			}
			late[i] = float64(time.Since(started)-noticedDurations[i]) / float64(noticedDurations[i])
			return err
		})
	}
	return late, waits.Wait()
}
