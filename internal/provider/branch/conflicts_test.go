package branch_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"sync"
	"testing"
	"time"

	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Many branches in one project are made, changed and destroyed side by side,
// whatever Neon takes for a conflict, beside a client that locks the
// project, and although no request may be tried again for any other reason.
func TestAccBranch_manyInOneProject(t *testing.T) {
	t.Parallel()
	for _, conflicts := range []string{emulator.ConflictsProject, emulator.ConflictsBranch, emulator.ConflictsNone} {
		t.Run(conflicts, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{Conflicts: conflicts, OperationDuration: 100 * time.Millisecond})
			w.MaxRetries = 0
			stop := lockNowAndThen(t, w)
			defer stop()
			config := func(suspend int) string {
				return w.BranchConfig(fmt.Sprintf(`count = 5
					name = "b-${count.index}"
					endpoints = { app = { type = "read_write", suspend_timeout_seconds = %d } }`, suspend))
			}
			acctest.Test(t, acceptance.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []acceptance.TestStep{
					{Config: config(300)},
					{Config: config(600)},
					{Config: config(600), ConfigPlanChecks: acceptance.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}},
				},
			})
			w.CheckOnly(t, "main")
		})
	}
}

// An answer that is lost, before or after Neon did what it was asked to,
// makes nothing twice and leaves nothing behind.
func TestAccBranch_lostAnswers(t *testing.T) {
	t.Parallel()
	const branch, endpoint = "/api/v2/projects/{project_id}/branches", "/api/v2/projects/{project_id}/endpoints"
	kinds := map[string]acctest.Fault{
		"before":  {Kind: "lost_before"},
		"after":   {Kind: "lost_after"},
		"cut off": {Kind: "cut_body"},
		"502":     {Kind: "status", Status: http.StatusBadGateway},
	}
	// A read-only endpoint that isn't there may still come: only the next apply creates another.
	mayCome := acctest.InWords("the next apply does, before it creates an endpoint")
	for name, of := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond})
			lose := func(routes ...string) func() {
				return func() {
					for _, route := range routes {
						of.Route, of.Count = route, 1
						w.AddFault(t, of)
					}
				}
			}
			var refused *regexp.Regexp
			if name == "before" || name == "502" {
				refused = mayCome
			}
			first := w.BranchConfig(`name = "b"
				endpoints = {
					app = { type = "read_write" }
					ro  = { type = "read_only", name = "ro" }
				}`)
			second := w.BranchConfig(`name = "b2"
				endpoints = { app = { type = "read_write", suspend_timeout_seconds = 600 } }`)
			acctest.Test(t, acceptance.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []acceptance.TestStep{
					{PreConfig: lose("POST "+branch, "POST "+endpoint), Config: first, ExpectError: refused},
					{Config: first},
					acctest.Planned(first, plancheck.ResourceActionNoop),
					{
						PreConfig: lose("PATCH "+branch+"/{branch_id}", "PATCH "+endpoint+"/{endpoint_id}",
							"DELETE "+endpoint+"/{endpoint_id}"),
						Config: second,
					},
					acctest.Planned(second, plancheck.ResourceActionNoop),
					{PreConfig: lose("DELETE " + branch + "/{branch_id}"), Config: second, Destroy: true},
				},
			})
			w.CheckOnly(t, "main")
			if endpoints, err := client.All(w.API.ListEndpoints(context.Background(), w.Ref(""))); err != nil ||
				len(endpoints) != 1 {
				t.Errorf("%d endpoints are left (%v), want that of main alone", len(endpoints), err)
			}
			if left := w.FaultsLeft(t); left > 0 {
				t.Errorf("%d faults were not met, so nothing was lost", left)
			}
		})
	}
}

// What an answer of Neon's that was lost still brings is waited for by the next apply, which
// creates no second one.
func TestAccBranch_lateEndpoint(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond})
	config := w.BranchConfig(`name = "b"
		endpoints = { replica = { type = "read_only" } }`)
	const look = "GET /api/v2/projects/{project_id}/branches/{branch_id}/endpoints"
	var came sync.WaitGroup
	comesLate := func() { // When the apply has looked in vain, and waits.
		w.ForgetRequests(t)
		came.Go(func() {
			for deadline := time.Now().Add(3 * time.Minute); w.Requests(t).ByRoute[look] == 0; {
				if time.Now().After(deadline) {
					t.Error("the apply doesn't look for the endpoint")
					return
				}
				time.Sleep(50 * time.Millisecond)
			}
			w.Advance(t, 30*time.Second)
		})
	}
	acctest.Test(t, acceptance.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []acceptance.TestStep{
			{Config: w.BranchConfig(`name = "b"`)},
			{
				PreConfig: func() { // Later than the first apply looks for it.
					w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects/{project_id}/endpoints", Kind: "late",
						Status: http.StatusGatewayTimeout, Delay: "25s", Count: 1})
				},
				Config: config, ExpectError: acctest.InWords("for as long as it may still come"),
			},
			{PreConfig: comesLate, Config: config},
			acctest.Planned(config, plancheck.ResourceActionNoop),
			{
				PreConfig: func() {
					came.Wait()
					w.Advance(t, 30*time.Second) // What would come later has come.
					endpoints, err := client.All(w.API.ListEndpoints(context.Background(), w.Ref(w.BranchNamed(t, "b").ID)))
					if err != nil || len(endpoints) != 1 {
						t.Errorf("the branch has %d endpoints (%v), want 1", len(endpoints), err)
					}
				},
				Config: config,
			},
		},
	})
}
