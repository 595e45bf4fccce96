package conformance

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// What has no name of its own and takes effect after its answer was lost is found, or
// named where it was created a second time meanwhile.
func TestLateEffects(t *testing.T) {
	t.Parallel()
	unnamed := func(ctx context.Context, b *bubble) (kept string, surplus []string, err error) {
		created, err := b.client().CreateBranch(ctx, b.world.ProjectID, client.BranchCreate{})
		if err != nil {
			return "", nil, err
		}
		for _, branch := range created.Surplus.Objects {
			surplus = append(surplus, branch.ID)
		}
		return created.Branch.ID, surplus, created.Surplus.Err
	}
	reader := func(ctx context.Context, b *bubble) (kept string, surplus []string, err error) {
		api := b.client()
		before, err := api.EndpointsNow(ctx, b.world.ProjectID, b.world.BranchID)
		if err != nil {
			return "", nil, err
		}
		create := client.EndpointCreate{Type: client.EndpointReadOnly}
		created, err := api.CreateEndpoint(ctx, b.world.ProjectID, b.world.BranchID, create, before)
		if err != nil {
			return "", nil, err
		}
		for _, endpoint := range created.Surplus.Objects {
			surplus = append(surplus, endpoint.ID)
		}
		return created.Endpoint.ID, surplus, created.Surplus.Err
	}
	for name, kind := range map[string]struct {
		route  string
		create func(context.Context, *bubble) (string, []string, error)
	}{
		"branch":   {"POST /api/v2/projects/{project_id}/branches", unnamed},
		"endpoint": {"POST /api/v2/projects/{project_id}/endpoints", reader},
	} {
		for _, test := range []struct {
			fault   map[string]any
			surplus int
		}{
			{map[string]any{"kind": "late", "status": 504, "delay": "500ms", "count": 1}, 0},
			{map[string]any{"kind": "late", "status": 504, "delay": "3s", "count": 1}, 0},
			{map[string]any{"kind": "late", "status": 504, "delay": "4800ms", "count": 1}, 1},
			{map[string]any{"kind": "status_after", "status": 504, "count": 1}, 0},
			{map[string]any{"kind": "lost_before", "count": 2}, 0},
			{map[string]any{"kind": "lost_after", "count": 1}, 0},
		} {
			t.Run(name+" "+test.fault["kind"].(string), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					b := newBubble(t, 1)
					test.fault["route"] = kind.route
					b.control("POST", "/faults", test.fault, nil)
					before := b.ids()
					kept, surplus, err := kind.create(t.Context(), b)
					if err != nil || len(surplus) != test.surplus {
						t.Fatalf("%v: kept %s, surplus %v, %v", test.fault, kept, surplus, err)
					}
					time.Sleep(time.Minute)
					named := strings.Join(append(surplus, kept), " ")
					for id := range b.ids() {
						if !before[id] && !strings.Contains(named, id) {
							t.Errorf("%v: %s isn't named in %s", test.fault, id, named)
						}
					}
					if err := b.emulate.Close(); err != nil {
						t.Error(err)
					}
				})
			})
		}
	}
}

// ids are those of the branches and endpoints that exist.
func (b *bubble) ids() map[string]bool {
	b.t.Helper()
	var exist struct{ Branches, Endpoints []struct{ ID string } }
	b.control("GET", "/objects", nil, &exist)
	ids := map[string]bool{}
	for _, object := range append(exist.Branches, exist.Endpoints...) {
		ids[object.ID] = true
	}
	return ids
}
