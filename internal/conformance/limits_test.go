package conformance

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// One client that does much at a time keeps the platform's limits before the platform
// has to.
func TestTheClientKeepsTheLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := bubbleOf(t, 1, emulator.Config{OperationDuration: time.Second, Limits: emulator.LimitsWindow})
		api := b.client()
		var all sync.WaitGroup
		do := func(work func() error) {
			all.Go(func() {
				if err := work(); err != nil {
					t.Error(err)
				}
			})
		}
		for i := range 150 {
			name := fmt.Sprint("test-", i)
			do(func() error {
				created, err := api.CreateBranch(t.Context(), b.world.ProjectID, client.BranchCreate{Name: name})
				if err != nil {
					return err
				}
				return api.WaitForOperations(t.Context(), b.world.ProjectID, created.Operations)
			})
			do(func() error {
				scope := client.APIKeyScope{OrgID: []string{"", b.world.OrgID}[i%2]}
				_, err := client.ObjectOf(api.CreateAPIKey(t.Context(), scope, name))
				return err
			})
		}
		all.Wait()
		b.checkLimits(151, 151)
		if err := b.emulate.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Where the platform lets fewer requests through than a minute's limit says, nothing
// fails, hardly anything is refused, and the work takes little longer than that pace asks
// for, and the operations of the last creation after it.
func TestTheClientSubmitsToThePace(t *testing.T) {
	t.Parallel()
	const duration = 300 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		b := bubbleOf(t, 1, emulator.Config{OperationDuration: duration, Limits: emulator.LimitsPaced,
			Conflicts: emulator.ConflictsNone})
		api := b.client()
		began, places := time.Now(), make(chan struct{}, 20)
		var all sync.WaitGroup
		var operations atomic.Int64
		for i := range 100 {
			all.Go(func() {
				places <- struct{}{}
				defer func() { <-places }()
				created, err := api.CreateBranch(t.Context(), b.world.ProjectID, client.BranchCreate{
					Name: fmt.Sprint("test-", i), Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}},
				})
				if err == nil {
					operations.Store(int64(len(created.Operations)))
					err = api.WaitForOperations(t.Context(), b.world.ProjectID, created.Operations)
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		took, seen := time.Since(began), b.requests()
		refused := seen.ByStatus["429"]
		pace, last := time.Duration(seen.Total-refused-40)*time.Second/11, time.Duration(operations.Load())*duration
		t.Logf("%d requests, %d refused, %s; the pace asks for %s, and the last operations for %s", seen.Total, refused, took,
			pace, last)
		if refused*20 > seen.Total || took > pace*102/100+last {
			t.Error("that is too much")
		}
		if err := b.emulate.Close(); err != nil {
			t.Error(err)
		}
	})
}

// requestsSeen is what the platform has counted.
type requestsSeen struct {
	Total    int            `json:"total"`
	ByStatus map[string]int `json:"by_status"`
	ByRoute  map[string]int `json:"by_route"`
}

func (b *bubble) requests() (seen requestsSeen) {
	b.control("GET", "/requests", nil, &seen)
	return seen
}

// checkLimits checks how much exists, and that no request was refused for the limits.
func (b *bubble) checkLimits(keys, branches int) {
	b.t.Helper()
	seen := b.requests()
	if refused := seen.ByStatus["429"]; refused > 0 {
		b.t.Errorf("%d requests were refused: %v", refused, seen.ByStatus)
	}
	var exist struct {
		APIKeys  []any `json:"api_keys"`
		Branches []any
	}
	b.control("GET", "/objects", nil, &exist)
	if len(exist.APIKeys) != keys || len(exist.Branches) != branches {
		b.t.Errorf("there are %d keys and %d branches, want %d and %d", len(exist.APIKeys), len(exist.Branches), keys,
			branches)
	}
}
