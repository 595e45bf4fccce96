package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// An operation that runs for long may not be the one in the way: the lock is free
// after a second, and the writes don't wait for the import.
func TestALongOperationMayNotBeInTheWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &lockingPlatform{duration: time.Second, hidden: time.Now().Add(time.Second)}
		platform.lock(20 * time.Minute)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		if took := createBranches(ctx, t, clientOf(t, platform), 3); took > 20*time.Second {
			t.Errorf("took %s", took)
		}
		if platform.refusals > 10 {
			t.Errorf("%d refusals", platform.refusals)
		}
	})
}

// unreadable is a platform of which some reads are refused.
type unreadable struct {
	http.RoundTripper
	path   string
	status int
}

func (p unreadable) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodGet && strings.Contains(request.URL.Path, p.path) {
		return answer(request, p.status, map[string]any{"message": "not here"})
	}
	return p.RoundTripper.RoundTrip(request)
}

// Where the project's operations can't be waited for, only time can tell when a
// refused write may be sent again, and it isn't sent in haste.
func TestARefusedWriteIsNotSentInHaste(t *testing.T) {
	for name, broken := range map[string]unreadable{
		"no operations":          {path: "/operations", status: 403},
		"no single operation":    {path: "/operations/", status: 403},
		"unknown operation":      {path: "/operations/", status: 404},
		"operations hardly work": {path: "/operations", status: 500},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &lockingPlatform{hidden: time.Now().Add(5 * time.Minute), duration: time.Second}
				platform.lock(time.Second)
				platform.lock(time.Hour)
				broken.RoundTripper = platform
				api := clientOf(t, broken)
				beginBranches(t, api, 3)
				if platform.refusals > 150 {
					t.Errorf("%d refusals in 5 minutes", platform.refusals)
				}
			})
		})
	}
}

// First come, first served, however many wait; those who leave the line leave it
// at once.
func TestALineOfFiveHundred(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &lockingPlatform{hidden: time.Now().Add(30 * time.Second), duration: time.Second}
		api := clientOf(t, platform)
		interrupted, interrupt := context.WithCancel(t.Context())
		var writes, leavers sync.WaitGroup
		var want []string
		for i := range 500 {
			name := fmt.Sprintf("b%03d", i)
			if i%5 == 1 {
				leavers.Go(func() {
					var ended *client.EndedError
					if _, err := api.CreateBranch(interrupted, "shared", client.BranchCreate{Name: name}); !errors.As(err, &ended) {
						t.Errorf("%s: %v", name, err)
					}
				})
			} else {
				want = append(want, name)
				writes.Go(func() {
					if _, err := api.CreateBranch(t.Context(), "shared", client.BranchCreate{Name: name}); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				})
			}
			time.Sleep(10 * time.Millisecond)
		}
		interrupt()
		before := time.Now()
		leavers.Wait()
		if took := time.Since(before); took > 0 {
			t.Errorf("leaving took %s", took)
		}
		writes.Wait()
		if !slices.Equal(platform.accepted, want) {
			t.Errorf("accepted %v", platform.accepted)
		}
		if platform.refusals > 50 {
			t.Errorf("%d refusals", platform.refusals)
		}
	})
}

// branchLock is a platform on which one branch is locked, and counts what it is sent.
type branchLock struct {
	mu   sync.Mutex
	sent map[string]int
}

func (p *branchLock) RoundTrip(request *http.Request) (*http.Response, error) {
	path := strings.TrimPrefix(request.URL.Path, "/api/v2/projects/p")
	if request.Method == http.MethodGet {
		if path == "/operations" {
			return answer(request, 200, map[string]any{"operations": []client.Operation{{ID: "o", BranchID: "locked",
				Status: client.StatusRunning}}})
		}
		return answer(request, 200, map[string]any{"endpoints": []any{}, "roles": []any{}})
	}
	p.mu.Lock()
	p.sent[path]++
	p.mu.Unlock()
	body := map[string]map[string]string{}
	_ = json.NewDecoder(request.Body).Decode(&body)
	if strings.HasPrefix(path, "/branches/locked") || body["endpoint"]["branch_id"] == "locked" ||
		body["branch"]["parent_id"] == "locked" || path == "/endpoints/locked" {
		return answer(request, 423, map[string]any{"message": "project already has running conflicting operations"})
	}
	id := map[string]any{"id": request.URL.Path[strings.LastIndex(request.URL.Path, "/")+1:], "name": body["role"]["name"]}
	return answer(request, 200, map[string]any{"role": id, "branch": id, "endpoint": id, "project": id,
		"operations": []any{}})
}

// A lock holds back what Neon refuses because of it, and no other write of the project.
func TestALockedBranchHoldsBackItsOwnWrites(t *testing.T) {
	name := "new"
	writes := map[string]func(context.Context, *client.Client, string) error{
		"role": func(ctx context.Context, api *client.Client, branch string) error {
			_, err := api.CreateRole(ctx, client.BranchRef{ProjectID: "p", ID: branch}, client.RoleCreate{Name: "r"})
			return err
		},
		"endpoint": func(ctx context.Context, api *client.Client, branch string) error {
			_, err := api.CreateEndpoint(ctx, client.BranchRef{ProjectID: "p", ID: branch},
				client.EndpointCreate{Type: client.EndpointReadOnly})
			return err
		},
		"branch": func(ctx context.Context, api *client.Client, branch string) error {
			_, err := api.CreateBranch(ctx, "p", client.BranchCreate{Name: "n", ParentID: branch})
			return err
		},
		"change": func(ctx context.Context, api *client.Client, branch string) error {
			_, err := api.UpdateBranch(ctx, client.BranchRef{ProjectID: "p", ID: branch}, client.BranchUpdate{Name: &name})
			return err
		},
		"endpoint's change": func(ctx context.Context, api *client.Client, branch string) error {
			_, err := api.UpdateEndpoint(ctx, client.EndpointRef{ProjectID: "p", ID: branch}, client.EndpointUpdate{Name: &name})
			return err
		},
		"project": func(ctx context.Context, api *client.Client, branch string) error {
			if branch == "locked" {
				<-ctx.Done()
				return ctx.Err()
			}
			_, err := api.UpdateProject(ctx, "p", client.ProjectUpdate{Name: &name})
			return err
		},
	}
	for head, held := range writes {
		for other, write := range writes {
			t.Run(head+" before "+other, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					api := clientOf(t, &branchLock{sent: map[string]int{}})
					locked, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
					defer cancel()
					var first sync.WaitGroup
					first.Go(func() {
						if err := held(locked, api, "locked"); !errors.Is(err, context.DeadlineExceeded) {
							t.Errorf("the locked write: %v", err)
						}
					})
					time.Sleep(time.Minute)
					began := time.Now()
					if err := write(t.Context(), api, "free"); err != nil || time.Since(began) > 0 {
						t.Errorf("got %v after %s", err, time.Since(began))
					}
					first.Wait()
				})
			})
		}
	}
}

// The writes of a locked branch wait in line, and only the first is sent again and again.
func TestTheLineOfALockedBranch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &branchLock{sent: map[string]int{}}
		api := clientOf(t, platform)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		var all sync.WaitGroup
		for i := range 5 {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Second)
				_, _ = api.CreateRole(ctx, client.BranchRef{ProjectID: "p", ID: "locked"},
					client.RoleCreate{Name: fmt.Sprint("r", i)})
			})
		}
		all.Wait()
		if sent := platform.sent["/branches/locked/roles"]; sent > 60 {
			t.Errorf("%d requests in ten minutes", sent)
		}
	})
}
