package client_test

import (
	"context"
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
