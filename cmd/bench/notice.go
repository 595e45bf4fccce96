package main

import (
	"context"
	"math"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// noticed is how many operations are waited for side by side.
const noticed = 12

// durationOf is how long each of them takes: 200 ms to 30 s, spread evenly by their ratio.
func durationOf(i int) time.Duration {
	return time.Duration(float64(200*time.Millisecond) * math.Pow(150, float64(i)/(noticed-1)))
}

// measureNoticing waits for operations on projects that had such an operation before, as all but new ones have. All are
// waited for with one client, as a run of Terraform does. It returns the largest share of an operation's duration that
// passed until its end was noticed.
func measureNoticing(ctx context.Context, b *bench) result {
	p := b.startPlatform(emulator.Config{})
	var made struct {
		ProjectIDs []string `json:"project_ids"`
	}
	p.call(ctx, http.MethodPost, "/_emulator/projects", map[string]int{"count": noticed}, &made)
	for i, project := range made.ProjectIDs { // The one before took about as long: less, the same or more.
		p.lock(ctx, project, time.Duration(float64(durationOf(i))*[]float64{0.85, 1, 1.15}[i%3]))
	}
	p.call(ctx, http.MethodPost, "/_emulator/clock", map[string]string{"advance": "1m"}, nil)
	api, late := p.client(), make([]float64, len(made.ProjectIDs))
	seen := (&workspace{platform: p}).observe(ctx, func() {
		var waits errgroup.Group
		for i, project := range made.ProjectIDs {
			waits.Go(func() (err error) {
				defer caught(&err)
				// The platform's clock is ours, so the operation ends this long after it was asked for, or a moment later.
				started, duration := time.Now(), durationOf(i)
				check(api.WaitForOperations(ctx, project, []client.Operation{p.lock(ctx, project, duration)}))
				late[i] = float64(time.Since(started)-duration) / float64(duration)
				return nil
			})
		}
		check(waits.Wait())
	})
	b.say("Noticed after another %.2f of the duration", late)
	return result{slices.Max(late), 1, seen}
}

// lock starts an operation of the platform's own.
func (p *platform) lock(ctx context.Context, project string, duration time.Duration) client.Operation {
	var answer struct{ Operation client.Operation }
	p.call(ctx, http.MethodPost, "/_emulator/locks", map[string]string{"project_id": project,
		"duration": duration.String()}, &answer)
	return answer.Operation
}
