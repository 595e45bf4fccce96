package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A queue of 500 creations in a project that refuses overlapping work, beside work of others
// that is in the way now and then: each comes in its turn, and the whole takes hardly longer
// than its operations.
func TestAQueueOfFiveHundredIsFair(t *testing.T) {
	t.Parallel()
	const (
		creations, duration = 500, time.Second
		othersWork, others  = 5 * time.Second, 10
		// Before the first refusal has come back, writes are sent at once, and those that are
		// under way then enter the queue as their refusals come.
		mostOvertaken = 5
	)
	synctest.Test(t, func(t *testing.T) {
		b := bubbleOf(t, 1, emulator.Config{OperationDuration: duration})
		api, random := b.client(), rand.New(rand.NewPCG(1, 1))
		var all sync.WaitGroup
		var mu sync.Mutex
		var accepted []int
		var work time.Duration // A creation's operations run one after the other.
		began := time.Now()
		for nth := range creations {
			all.Go(func() {
				created, err := api.CreateBranch(t.Context(), b.world.ProjectID,
					client.BranchCreate{Name: fmt.Sprint("test-", nth)})
				mu.Lock()
				accepted = append(accepted, nth)
				if err == nil {
					work += time.Duration(len(created.Operations)) * duration
				}
				mu.Unlock()
				if err == nil {
					err = api.WaitForOperations(t.Context(), b.world.ProjectID, created.Operations)
				}
				if err != nil {
					t.Error(err)
				}
			})
			time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond)
		}
		for range others {
			time.Sleep(20 * time.Second)
			b.control("POST", "/locks", map[string]any{"project_id": b.world.ProjectID, "duration": othersWork.String()}, nil)
		}
		all.Wait()
		took, seen, bound := time.Since(began), b.requests(), work+others*othersWork
		t.Logf("%s for %s of operations, %d requests, at most %d overtook another", took, bound, seen.Total,
			overtaken(accepted))
		if len(accepted) != creations || overtaken(accepted) > mostOvertaken {
			t.Errorf("accepted in the order of %v", accepted)
		}
		if took > bound*107/100 {
			t.Errorf("it took %s for %s of operations", took, bound)
		}
		if err := b.emulate.Close(); err != nil {
			t.Error(err)
		}
	})
}

// overtaken is the most later ones that came before an earlier one.
func overtaken(order []int) (most int) {
	for at, one := range order {
		later := slices.DeleteFunc(slices.Clone(order[:at]), func(other int) bool { return other < one })
		most = max(most, len(later))
	}
	return most
}
