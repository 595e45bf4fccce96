package conformance

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// What has no unique name and takes effect after its answer was lost is found, or may still
// come by the error's words. It is never created twice.
func TestLateEffects(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]struct {
		route  string
		create func(context.Context, *bubble) error
	}{
		"branch": {"POST /api/v2/projects/{project_id}/branches", func(ctx context.Context, b *bubble) error {
			_, err := b.client().CreateBranch(ctx, b.world.ProjectID, client.BranchCreate{})
			return err
		}},
		"endpoint": {"POST /api/v2/projects/{project_id}/endpoints", func(ctx context.Context, b *bubble) error {
			_, err := b.client().CreateEndpoint(ctx, client.BranchRef{ProjectID: b.world.ProjectID, ID: b.world.BranchID},
				client.EndpointCreate{Type: client.EndpointReadOnly})
			return err
		}},
	} {
		for _, test := range []struct {
			fault map[string]any
			lost  bool
			made  int
		}{
			{map[string]any{"kind": "late", "status": 504, "delay": "500ms", "count": 1}, false, 1},
			{map[string]any{"kind": "late", "status": 504, "delay": "3s", "count": 1}, false, 1},
			{map[string]any{"kind": "late", "status": 504, "delay": "4800ms", "count": 1}, true, 1},
			{map[string]any{"kind": "late", "status": 504, "delay": "50s"}, true, 1},
			{map[string]any{"kind": "status_after", "status": 504, "count": 1}, false, 1},
			{map[string]any{"kind": "status_after", "status": 503, "body": "upstream connect error", "count": 1}, false, 1},
			{map[string]any{"kind": "status_after", "status": 408, "body": "stream timeout", "count": 1}, false, 1},
			{map[string]any{"kind": "lost_before", "count": 1}, true, 0},
			{map[string]any{"kind": "lost_after", "count": 1}, false, 1},
		} {
			t.Run(fmt.Sprint(name, " ", test.fault["kind"], " ", test.fault["delay"]), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					b := newBubble(t, 1)
					test.fault["route"] = kind.route
					b.control("POST", "/faults", test.fault, nil)
					before := len(b.ids())
					err := kind.create(t.Context(), b)
					var lost *client.AmbiguousError
					if errors.As(err, &lost) != test.lost || !test.lost && err != nil {
						t.Errorf("%v: %v", test.fault, err)
					}
					time.Sleep(time.Minute)
					if made := len(b.ids()) - before; made != test.made {
						t.Errorf("%v: %d were created", test.fault, made)
					}
					if err := b.emulate.Close(); err != nil {
						t.Error(err)
					}
				})
			})
		}
	}
}

// A password that has just been chosen is replaced all the same when an answer is lost, and the one that is read then
// is the role's for good, also where the lost reset takes effect after that.
func TestLateEffects_password(t *testing.T) {
	t.Parallel()
	for _, fault := range []map[string]any{
		{"kind": "lost_before", "count": 1}, {"kind": "late", "status": 504, "delay": "50s", "count": 1},
	} {
		t.Run(fmt.Sprint(fault["kind"]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBubble(t, 1)
				api, branch := b.client(), client.BranchRef{ProjectID: b.world.ProjectID, ID: b.world.BranchID}
				password := func() string {
					found, err := api.GetRolePassword(t.Context(), branch, "app")
					if err != nil {
						t.Fatal(err)
					}
					return found
				}
				if _, err := api.CreateRole(t.Context(), branch, client.RoleCreate{Name: "app"}); err != nil {
					t.Fatal(err)
				}
				before := password()
				fault["route"] = "POST /api/v2/projects/{project_id}/branches/{branch_id}/roles/{role_name}/reset_password"
				b.control("POST", "/faults", fault, nil)
				if _, err := api.ResetRolePassword(t.Context(), branch, "app"); err != nil {
					t.Fatal(err)
				}
				now := password()
				time.Sleep(time.Minute)
				if now == before || password() != now {
					t.Errorf("before it was %s, after it %s, and later %s", before, now, password())
				}
				if err := b.emulate.Close(); err != nil {
					t.Error(err)
				}
			})
		})
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
