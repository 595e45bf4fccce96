package conformance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// addFaults loses a part of all requests and answers, has some creations take effect
// late, and some after a refusal.
func (b *bubble) addFaults(seed uint64) {
	b.t.Helper()
	add := func(route, kind string, fault map[string]any) {
		seed++
		fault["route"], fault["kind"], fault["seed"] = route, kind, seed
		b.control("POST", "/faults", fault, nil)
	}
	for _, route := range []string{
		"POST /api/v2/api_keys", "POST /api/v2/organizations/{org_id}/api_keys",
		"POST /api/v2/projects/{project_id}/branches",
	} {
		add(route, "late", map[string]any{"probability": 0.1, "status": 504, "delay": "3s"})
		add(route, "status_after", map[string]any{"probability": 0.1, "status": 502})
	}
	add("*", "lost_before", map[string]any{"probability": 0.15})
	add("*", "lost_after", map[string]any{"probability": 0.15})
}

// run is one run: what it created, and all that it was told.
type run struct {
	api      *client.Client
	keys     []int64
	branches []string
	told     strings.Builder
}

func (r *run) create(ctx context.Context, world emulator.World, random *rand.Rand) {
	for i := range 6 {
		time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond)
		for _, scope := range []client.APIKeyScope{{}, {OrgID: world.OrgID}} {
			created, err := client.ObjectOf(r.api.CreateAPIKey(ctx, scope, "ci"))
			if err != nil {
				fmt.Fprintln(&r.told, err)
				continue
			}
			r.keys = append(r.keys, created.ID)
		}
		branch, err := r.api.CreateBranch(ctx, world.ProjectID, client.BranchCreate{Name: fmt.Sprint("ci-", i)})
		if err != nil {
			fmt.Fprintln(&r.told, err)
			continue
		}
		r.branches = append(r.branches, branch.Object.ID)
		fmt.Fprintln(&r.told, r.api.WaitForOperations(ctx, world.ProjectID, branch.Operations))
	}
}

// Two runs that create keys and branches of the same names side by side never touch
// each other's, whatever is lost, and what they leave behind is named.
func TestTwoRunsOfTheSameNames(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBubble(t, seed)
				b.addFaults(seed)
				runs := []*run{{api: b.client()}, {api: b.client()}}
				var both sync.WaitGroup
				for i, r := range runs {
					both.Go(func() { r.create(t.Context(), b.world, rand.New(rand.NewPCG(seed, uint64(i)))) })
				}
				both.Wait()
				b.account(runs)
				if err := b.emulate.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// account compares what exists with what the runs know of.
func (b *bubble) account(runs []*run) {
	b.t.Helper()
	var exist struct {
		APIKeys []struct {
			ID   int64
			Name string
		} `json:"api_keys"`
		Branches []struct{ ID, Name string }
	}
	b.control("GET", "/objects", nil, &exist)
	alive := map[string]bool{}
	for _, key := range exist.APIKeys {
		if key.Name == "ci" {
			alive[fmt.Sprint(key.ID)] = true
		}
	}
	for _, branch := range exist.Branches {
		if strings.HasPrefix(branch.Name, "ci-") {
			alive[branch.ID] = true
		}
	}
	told := ""
	for i, r := range runs {
		told += r.told.String()
		ids := r.branches
		for _, key := range r.keys {
			ids = append(ids, fmt.Sprint(key))
		}
		for _, id := range ids {
			if !alive[id] {
				b.t.Errorf("%s of run %d was touched by the other", id, i)
			}
			delete(alive, id)
		}
	}
	for id := range alive {
		if !strings.Contains(told, id) {
			b.t.Errorf("%s is left, and nobody named it", id)
		}
	}
}
