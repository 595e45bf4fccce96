package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// lockingPlatform is a project that runs one operation for each branch it is
// asked to make, and decides by `conflicts` which of them refuse new work.
type lockingPlatform struct {
	// conflicts tells whether running work on one branch refuses work on another.
	conflicts bool
	duration  time.Duration
	// fails makes operations fail when their time is up, and stay so.
	fails bool
	// hidden is until when something that no operation tells of holds the lock.
	hidden time.Time

	mu         sync.Mutex
	operations []client.Operation
	ends       []time.Time
	accepted   []string
	refusals   int
	reads      int
}

func (p *lockingPlatform) RoundTrip(request *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.advance()
	path := strings.TrimPrefix(request.URL.Path, "/api/v2/projects/shared")
	switch {
	case request.Method == http.MethodPost && path == "/branches":
		return p.create(request)
	case path == "/operations":
		p.reads++
		newest := make([]client.Operation, len(p.operations))
		for i, operation := range p.operations {
			newest[len(newest)-1-i] = operation
		}
		return answer(request, 200, map[string]any{"operations": newest})
	case strings.HasPrefix(path, "/operations/"):
		p.reads++
		for _, operation := range p.operations {
			if operation.ID == strings.TrimPrefix(path, "/operations/") {
				return answer(request, 200, map[string]any{"operation": operation})
			}
		}
	}
	return answer(request, 404, map[string]any{"message": "not found"})
}

func (p *lockingPlatform) advance() {
	for i, end := range p.ends {
		if !time.Now().Before(end) {
			p.operations[i].Status = client.StatusFinished
			p.operations[i].TotalDurationMS = p.duration.Milliseconds()
			if p.fails {
				p.operations[i].Status = client.StatusFailed
			}
		}
	}
}

func (p *lockingPlatform) locked() bool {
	if time.Now().Before(p.hidden) {
		return true
	}
	for _, operation := range p.operations {
		if p.conflicts && operation.Status == client.StatusRunning {
			return true
		}
	}
	return false
}

func (p *lockingPlatform) create(request *http.Request) (*http.Response, error) {
	if p.locked() {
		p.refusals++
		return answer(request, 423, map[string]any{"message": "project already has running conflicting operations"})
	}
	var body struct {
		Branch struct {
			Name string `json:"name"`
		} `json:"branch"`
	}
	if err := json.NewDecoder(request.Body).Decode(&body); err != nil {
		return nil, err
	}
	id := fmt.Sprintf("br-%d", len(p.operations))
	operation := client.Operation{
		ID: "op-" + id, ProjectID: "shared", BranchID: id, Action: "create_branch", Status: client.StatusRunning,
		CreatedAt: time.Now(), UpdatedAt: time.Now(),
	}
	p.operations, p.ends = append(p.operations, operation), append(p.ends, time.Now().Add(p.duration))
	p.accepted = append(p.accepted, body.Branch.Name)
	return answer(request, 201, map[string]any{
		"branch": map[string]any{"id": id, "name": body.Branch.Name}, "operations": []client.Operation{operation},
	})
}

func answer(request *http.Request, status int, body any) (*http.Response, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(encoded)), Request: request,
	}, nil
}

func clientOf(t *testing.T, transport http.RoundTripper) *client.Client {
	t.Helper()
	api, err := client.New(client.Config{APIKey: "napi_secret", Transport: transport, MaxRetries: 3})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// createBranches makes branches side by side, each waited for, and returns how
// long all took.
func createBranches(ctx context.Context, t *testing.T, api *client.Client, count int) time.Duration {
	t.Helper()
	started := time.Now()
	var all sync.WaitGroup
	for i := range count {
		all.Go(func() {
			created, err := api.CreateBranch(ctx, "shared", client.BranchCreate{Name: fmt.Sprintf("b%02d", i)})
			if err == nil {
				err = api.WaitForOperations(ctx, "shared", created.Operations)
			}
			if err != nil {
				t.Errorf("branch %d: %v", i, err)
			}
		})
	}
	all.Wait()
	return time.Since(started)
}

// beginBranches creates branches side by side and doesn't wait for their
// operations.
func beginBranches(t *testing.T, api *client.Client, count int) {
	t.Helper()
	var writes sync.WaitGroup
	for i := range count {
		writes.Go(func() {
			if _, err := api.CreateBranch(t.Context(), "shared", client.BranchCreate{Name: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	writes.Wait()
}

// Writes that the platform refuses to run side by side run one after the
// other, hardly slower than their operations, and none fails.
func TestWritesQueueWhereTheProjectIsExclusive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &lockingPlatform{conflicts: true, duration: time.Second}
		took := createBranches(t.Context(), t, clientOf(t, platform), 40)
		if len(platform.accepted) != 40 {
			t.Errorf("%d branches were made, want 40", len(platform.accepted))
		}
		if bound := 40 * time.Second; took > bound*115/100 {
			t.Errorf("took %s, more than 1.15 of the operations' %s", took, bound)
		}
		// Of each write that was sent before the first refusal came, and again at its turn.
		if platform.refusals > 80 {
			t.Errorf("%d refusals for 40 writes", platform.refusals)
		}
		t.Logf("%s for 40 s of operations, %d refusals, %d reads", took, platform.refusals, platform.reads)
	})
}

// lock has another client hold the project's lock for a time.
func (p *lockingPlatform) lock(held time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	operation := client.Operation{
		ID: fmt.Sprintf("op-other-%d", len(p.operations)), ProjectID: "shared", Action: "check_availability",
		Status: client.StatusRunning, CreatedAt: time.Now(), UpdatedAt: time.Now(),
	}
	p.operations, p.ends = append(p.operations, operation), append(p.ends, time.Now().Add(held))
}

// Another client that holds the lock half of the time costs that time, and
// little more: what has been waited for isn't waited for again.
func TestWritesBesideAnotherClientThatLocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &lockingPlatform{conflicts: true, duration: time.Second}
		ended := make(chan struct{})
		var other sync.WaitGroup
		other.Go(func() {
			for {
				select {
				case <-ended:
					return
				case <-time.After(3 * time.Second):
					platform.lock(1500 * time.Millisecond)
				}
			}
		})
		took := createBranches(t.Context(), t, clientOf(t, platform), 20)
		close(ended)
		other.Wait()
		// Where the other has half of the time, twice the operations' sum remains.
		if bound := 2 * 20 * time.Second; took > bound {
			t.Errorf("took %s, more than the operations and the locks: %s", took, bound)
		}
		if reads := platform.reads; reads > 6*20 {
			t.Errorf("%d reads for 20 writes", reads)
		}
		t.Logf("%s, %d refusals, %d reads", took, platform.refusals, platform.reads)
	})
}

// Where nothing conflicts, no write waits for another.
func TestWritesDontQueueWhereNothingConflicts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &lockingPlatform{duration: 10 * time.Second}
		if took := createBranches(t.Context(), t, clientOf(t, platform), 40); took > 20*time.Second {
			t.Errorf("took %s, more than twice the 10 s of one operation", took)
		}
		if platform.refusals != 0 {
			t.Errorf("%d refusals", platform.refusals)
		}
	})
}

// A queue that began because of a passing lock opens again.
func TestTheQueueOpensWhenWritesAreNoLongerRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &lockingPlatform{duration: 30 * time.Second, hidden: time.Now().Add(3 * time.Second)}
		if took := createBranches(t.Context(), t, clientOf(t, platform), 20); took > 60*time.Second {
			t.Errorf("took %s: the writes ran one after the other", took)
		}
		if platform.refusals == 0 {
			t.Error("the lock was never met")
		}
	})
}

// A lock that is held longer than any number of retries ends a write only by
// its own timeout, and the error says what the platform said.
func TestALockEndsAWriteOnlyByItsTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &lockingPlatform{hidden: time.Now().Add(time.Hour)}
		api := clientOf(t, platform)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		started := time.Now()
		_, err := api.CreateBranch(ctx, "shared", client.BranchCreate{Name: "late"})
		var ended *client.EndedError
		if !errors.As(err, &ended) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v, want an EndedError by the deadline", err)
		}
		if !client.HasStatus(ended.Last, http.StatusLocked) {
			t.Errorf("the last answer is %v, want the refusal", ended.Last)
		}
		if took := time.Since(started); took != 10*time.Minute {
			t.Errorf("ended after %s", took)
		}
		if len(platform.accepted) != 0 {
			t.Errorf("made %v", platform.accepted)
		}
	})
}

// Those who wait in line leave it the moment they are interrupted, and the
// others go on.
func TestAnInterruptionEndsThePlaceInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &lockingPlatform{conflicts: true, duration: time.Second}
		api := clientOf(t, platform)
		interrupted, interrupt := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 20 {
			ctx := t.Context()
			if i%2 == 1 {
				ctx = interrupted
			}
			all.Go(func() {
				_, err := api.CreateBranch(ctx, "shared", client.BranchCreate{Name: fmt.Sprintf("b%02d", i)})
				if i%2 == 0 && err != nil {
					t.Errorf("branch %d: %v", i, err)
				}
			})
		}
		time.Sleep(2500 * time.Millisecond)
		interrupt()
		began := time.Now()
		all.Wait()
		if took := time.Since(began); took > 12*time.Second {
			t.Errorf("the others took %s", took)
		}
	})
}

// An operation that failed refuses nothing, so the queue doesn't wait until it
// may have recovered.
func TestAFailedOperationIsInNobodysWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &lockingPlatform{conflicts: true, duration: time.Second, fails: true}
		api := clientOf(t, platform)
		began := time.Now()
		beginBranches(t, api, 5)
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("took %s for five operations of a second", took)
		}
	})
}
