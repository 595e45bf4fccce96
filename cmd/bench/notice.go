package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

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

// noticeBenchmark waits for operations on projects that had such an operation
// before, as all but new ones have.
func noticeBenchmark() benchmark {
	return benchmark{
		rows: []row{{
			measured: "time between an operation's end and our noticing it", bound: "the operation's duration",
			most: 0.15, mostRequests: 8,
		}, {
			// A median says nothing of one slow step among many.
			measured: "the longest time between an operation's end and our noticing it", bound: "that operation's duration", most: 0.3,
		}},
		measure: func(ctx context.Context, b *bench) (results []result, err error) {
			p, err := startPlatform(emulator.Config{})
			if err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, p.close()) }()
			projects, err := p.makeProjects(ctx, len(noticedDurations), 0, 0)
			if err != nil {
				return nil, err
			}
			if err := p.giveHistory(ctx, projects.ProjectIDs); err != nil {
				return nil, err
			}
			notices, err := p.notice(ctx, projects.ProjectIDs)
			if err != nil {
				return nil, err
			}
			return b.resultsOf(notices), nil
		},
	}
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

// notice is how late the end of an operation was noticed, as a share of how long
// the operation took, and at what price.
type notice struct {
	late     share
	requests int
}

// notice waits for an operation on each project, all with one client, as a run of
// Terraform does.
func (p *platform) notice(ctx context.Context, projects []string) ([]notice, error) {
	counts := &requestCounter{counts: map[string]int{}}
	api, err := client.New(client.Config{
		BaseURL: p.address, APIKey: p.world.APIKey, MaxRetries: client.DefaultMaxRetries, Transport: counts,
	})
	if err != nil {
		return nil, err
	}
	notices, failures := make([]notice, len(projects)), make([]error, len(projects))
	var waits sync.WaitGroup
	for i, project := range projects {
		waits.Go(func() {
			// The platform's clock is ours, so the operation ends this long after it was
			// asked for, or a moment later.
			started := time.Now()
			operation, err := p.lock(ctx, project, noticedDurations[i])
			if err == nil {
				err = api.WaitForOperations(ctx, project, []client.Operation{operation})
			}
			late := time.Since(started) - noticedDurations[i]
			notices[i].late, failures[i] = share(float64(late)/float64(noticedDurations[i])), err
		})
	}
	waits.Wait()
	for i, project := range projects {
		notices[i].requests = counts.of(project)
	}
	return notices, errors.Join(failures...)
}

// resultsOf takes the median of the shares with the most requests for any of them,
// and the largest share.
func (b *bench) resultsOf(notices []notice) []result {
	var late []share
	requests := 0
	for i, n := range notices {
		late = append(late, n.late)
		requests = max(requests, n.requests)
		b.say("%8s: noticed after another %s of that, with %d requests", noticedDurations[i], n.late, n.requests)
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
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, fmt.Errorf("counted request: %w", err)
	}
	return response, nil
}

func (c *requestCounter) of(project string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[project]
}
