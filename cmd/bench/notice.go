package main

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
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

// notice is how late the end of an operation was noticed, as a share of how long
// the operation took, and at what price.
type notice struct {
	late     float64
	requests int
}

// measureNoticing waits for operations on projects that had such an operation
// before, as all but new ones have.
func measureNoticing(ctx context.Context, b *bench) ([]result, error) {
	p, err := b.startPlatform(emulator.Config{})
	if err != nil {
		return nil, err
	}
	var made struct {
		ProjectIDs []string `json:"project_ids"`
	}
	err = p.call(ctx, http.MethodPost, "/_emulator/projects", map[string]int{"count": len(noticedDurations)}, &made)
	if err != nil {
		return nil, err
	}
	if err := p.giveHistory(ctx, made.ProjectIDs); err != nil {
		return nil, err
	}
	notices, err := p.notice(ctx, made.ProjectIDs)
	if err != nil {
		return nil, err
	}
	for i, n := range notices {
		b.say("%8s: noticed after another %.2f of that, with %d requests", noticedDurations[i], n.late, n.requests)
	}
	return resultsOf(notices), nil
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

// notice waits for an operation on each project, all with one client, as a run of
// Terraform does.
func (p *platform) notice(ctx context.Context, projects []string) ([]notice, error) {
	counts := &requestCounter{counts: map[string]int{}}
	api, err := p.client(counts)
	if err != nil {
		return nil, err
	}
	notices := make([]notice, len(projects))
	var waits errgroup.Group
	for i, project := range projects {
		waits.Go(func() error {
			// The platform's clock is ours, so the operation ends this long after it was
			// asked for, or a moment later.
			started := time.Now()
			operation, err := p.lock(ctx, project, noticedDurations[i])
			if err == nil {
				err = api.WaitForOperations(ctx, project, []client.Operation{operation})
			}
			notices[i].late = float64(time.Since(started)-noticedDurations[i]) / float64(noticedDurations[i])
			return err
		})
	}
	err = waits.Wait()
	for i, project := range projects {
		notices[i].requests = counts.counts[project]
	}
	return notices, err
}

// resultsOf takes the median of the shares with the most requests for any of them,
// and the largest share.
func resultsOf(notices []notice) []result {
	var late []float64
	requests := 0
	for _, n := range notices {
		late = append(late, n.late)
		requests = max(requests, n.requests)
	}
	return []result{compare(median(late), 1, requests), compare(slices.Max(late), 1, 0)}
}

// requestCounter counts the requests for each project.
type requestCounter struct {
	mu     sync.Mutex
	counts map[string]int
}

// RoundTrip counts a request and sends it.
func (c *requestCounter) RoundTrip(request *http.Request) (*http.Response, error) {
	project, _, _ := strings.Cut(strings.TrimPrefix(request.URL.Path, "/api/v2/projects/"), "/")
	c.mu.Lock()
	c.counts[project]++
	c.mu.Unlock()
	return http.DefaultTransport.RoundTrip(request)
}
