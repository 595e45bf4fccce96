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

// measureNoticing waits for operations on projects that had such an operation before, as all but new ones have. All are
// waited for with one client, as a run of Terraform does. It returns the largest share of an operation's duration that
// passed until its end was noticed.
func measureNoticing(ctx context.Context, b *bench) result {
	p := b.startPlatform(emulator.Config{})
	var made struct {
		ProjectIDs []string `json:"project_ids"`
	}
	p.call(ctx, http.MethodPost, "/_emulator/projects", map[string]int{"count": len(noticedDurations)}, &made)
	for i, project := range made.ProjectIDs { // The one before took about as long: less, the same or more.
		p.lock(ctx, project, time.Duration(float64(noticedDurations[i])*[]float64{0.85, 1, 1.15}[i%3]))
	}
	p.call(ctx, http.MethodPost, "/_emulator/clock", map[string]string{"advance": "1m"}, nil)
	api, late := p.client(), make([]float64, len(made.ProjectIDs))
	seen := (&workspace{platform: p}).observe(ctx, func() {
		var waits errgroup.Group
		for i, project := range made.ProjectIDs {
			waits.Go(func() (err error) {
				defer caught(&err)
				// The platform's clock is ours, so the operation ends this long after it was asked for, or a moment later.
				started := time.Now()
				check(api.WaitForOperations(ctx, project, []client.Operation{p.lock(ctx, project, noticedDurations[i])}))
				late[i] = float64(time.Since(started)-noticedDurations[i]) / float64(noticedDurations[i])
				return nil
			})
		}
		check(waits.Wait())
	})
	b.say("Noticed after another %.2f of %s", late, noticedDurations)
	return result{slices.Max(late), 1, seen}
}

// lock starts an operation of the platform's own.
func (p *platform) lock(ctx context.Context, project string, duration time.Duration) client.Operation {
	var answer struct{ Operation client.Operation }
	p.call(ctx, http.MethodPost, "/_emulator/locks", map[string]string{"project_id": project,
		"duration": duration.String()}, &answer)
	return answer.Operation
}
