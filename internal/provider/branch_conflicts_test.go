package provider

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// lockNowAndThen has another client work on the project half of the time.
func (w *branchWorld) lockNowAndThen(t *testing.T) (stop func()) {
	t.Helper()
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			w.control(t, http.MethodPost, "/_emulator/locks", map[string]any{"project_id": w.projectID, "duration": "300ms"}, nil)
			select {
			case <-ended:
				return
			case <-time.After(600 * time.Millisecond):
			}
		}
	}()
	return func() {
		close(ended)
		<-stopped
	}
}

// Many branches in one project are made, changed and destroyed side by side,
// whatever the platform takes for a conflict, beside a client that locks the
// project, and although no request may be tried again for any other reason.
func TestAccBranch_manyInOneProject(t *testing.T) {
	for _, conflicts := range []string{emulator.ConflictsProject, emulator.ConflictsBranch, emulator.ConflictsNone} {
		t.Run(conflicts, func(t *testing.T) {
			t.Parallel()
			w := branchWorldOf(t, emulator.Config{Conflicts: conflicts, OperationDuration: 100 * time.Millisecond})
			w.maxRetries = 0
			stop := w.lockNowAndThen(t)
			defer stop()
			config := func(suspend int) string {
				return w.branchConfig(fmt.Sprintf(`count = 5
					name = "b-${count.index}"
					endpoints = { app = { type = "read_write", suspend_timeout_seconds = %d } }`, suspend))
			}
			acceptance.Test(t, acceptance.TestCase{
				ProtoV6ProviderFactories: w.factories(),
				Steps: []acceptance.TestStep{
					{Config: config(300)},
					{Config: config(600)},
					{Config: config(600), ConfigPlanChecks: acceptance.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}},
				},
			})
			w.checkOnly(t, "main")
		})
	}
}

// An answer that is lost, before or after the platform did what it was asked to,
// makes nothing twice and leaves nothing behind.
func TestAccBranch_lostAnswers(t *testing.T) {
	const branch, endpoint = "/api/v2/projects/{project_id}/branches", "/api/v2/projects/{project_id}/endpoints"
	kinds := map[string]fault{
		"before":  {Kind: "lost_before"},
		"after":   {Kind: "lost_after"},
		"cut off": {Kind: "cut_body"},
		"502":     {Kind: "status", Status: http.StatusBadGateway},
	}
	for name, of := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := branchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond})
			lose := func(routes ...string) func() {
				return func() {
					for _, route := range routes {
						of.Route, of.Count = route, 1
						w.addFault(t, of)
					}
				}
			}
			first := w.branchConfig(`name = "b"
				endpoints = {
					app = { type = "read_write" }
					ro  = { type = "read_only", name = "ro" }
				}`)
			second := w.branchConfig(`name = "b2"
				endpoints = { app = { type = "read_write", suspend_timeout_seconds = 600 } }`)
			acceptance.Test(t, acceptance.TestCase{
				ProtoV6ProviderFactories: w.factories(),
				Steps: []acceptance.TestStep{
					{PreConfig: lose("POST "+branch, "POST "+endpoint), Config: first},
					planned(first, plancheck.ResourceActionNoop),
					{
						PreConfig: lose("PATCH "+branch+"/{branch_id}", "PATCH "+endpoint+"/{endpoint_id}", "DELETE "+endpoint+"/{endpoint_id}"),
						Config:    second,
					},
					planned(second, plancheck.ResourceActionNoop),
					{PreConfig: lose("DELETE " + branch + "/{branch_id}"), Config: second, Destroy: true},
				},
			})
			w.checkOnly(t, "main")
			if endpoints, err := w.api.ProjectEndpoints(context.Background(), w.projectID); err != nil || len(endpoints) != 1 {
				t.Errorf("%d endpoints are left (%v), want that of main alone", len(endpoints), err)
			}
			if left := w.faultsLeft(t); left > 0 {
				t.Errorf("%d faults were not met, so nothing was lost", left)
			}
		})
	}
}

// faultsLeft counts those that have not been met.
func (w *branchWorld) faultsLeft(t *testing.T) int {
	t.Helper()
	var all struct {
		Faults []struct {
			Count int `json:"count"`
			Hits  int `json:"hits"`
		} `json:"faults"`
	}
	w.control(t, http.MethodGet, "/_emulator/faults", nil, &all)
	left := 0
	for _, fault := range all.Faults {
		left += max(fault.Count-fault.Hits, 0)
	}
	return left
}
