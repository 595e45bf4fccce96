package project_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// A deletion that Neon refuses keeps the project in the state.
func TestAccProject_refusedDeletion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, status := range []int{http.StatusUnprocessableEntity, http.StatusConflict} {
		w.AddFault(t, acctest.Fault{Route: "DELETE /api/v2/projects/{project_id}", Kind: "status", Status: status, Count: 1})
	}
	w.run(t,
		w.step(w.config(), plancheck.ResourceActionCreate),
		resource.TestStep{Config: w.config(), Destroy: true, ExpectError: acctest.InOrder("Unable to delete project", "422")},
		resource.TestStep{Config: w.config(), Destroy: true, ExpectError: acctest.InOrder("Unable to delete project", "409")},
		w.step(w.config(), plancheck.ResourceActionNoop),
	)
}

// A creation that was answered with 500 after its effect isn't sent again.
func TestAccProject_noSecondProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects", Kind: "lost_after", Count: 1})
	w.run(t, resource.TestStep{Config: w.config(`name = "once"`),
		ConfigStateChecks: []statecheck.StateCheck{acctest.IDOf(address, &w.id)}}, resource.TestStep{
		PreConfig: func() {
			if projects := w.Objects(t).Projects; len(projects) != 2 {
				t.Errorf("there are %d projects, want the first and this one", len(projects))
			}
		},
		Config: w.config(`name = "once"`), PlanOnly: true,
	})
}

// Quotas are lifted by sending zeros.
func TestAccProject_quotasAreLifted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lifted := func(want int64) func() {
		return func() {
			if got := w.now(t).Settings.Quota.WrittenDataBytes; got != want {
				t.Errorf("the quota is %d, want %d", got, want)
			}
		}
	}
	zero := w.step(w.config(`quota = { written_data_bytes = 0 }`), plancheck.ResourceActionUpdate)
	zero.PreConfig = lifted(5)
	same := w.step(w.config(`quota = {}`), plancheck.ResourceActionUpdate)
	same.PreConfig = lifted(0)
	w.run(t, w.step(w.config(`quota = { written_data_bytes = 5 }`), plancheck.ResourceActionCreate), zero, same)
}

// A project that stores no passwords is created and read without them.
func TestAccProject_noStoredPasswords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, w.step(w.config(`store_passwords = false`), plancheck.ResourceActionCreate, is(no, "store_passwords")),
		w.imports())
	for route, count := range w.Requests(t).ByRoute {
		if strings.Contains(route, "reveal_password") {
			t.Errorf("%s was asked for %d times", route, count)
		}
	}
}

// A refusal other than a proof of absence is an error, and the state is kept.
func TestAccProject_readErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	steps := []resource.TestStep{w.step(w.config(), plancheck.ResourceActionCreate)}
	for _, status := range []int{http.StatusConflict, http.StatusNotFound, http.StatusForbidden} {
		for _, route := range []string{"GET /api/v2/projects/{project_id}", "GET /api/v2/projects/{project_id}/endpoints"} {
			steps = append(steps, resource.TestStep{
				PreConfig: func() { w.AddFault(t, acctest.Fault{Route: route, Kind: "status", Status: status, Count: 1}) },
				Config:    w.config(), PlanOnly: true, ExpectError: acctest.InWords("Unable to read project"),
			})
		}
	}
	// Nor does a branch that is gone by then prove that the project is.
	steps = append(steps, resource.TestStep{
		PreConfig: func() {
			w.AddFault(t, acctest.Fault{
				Route: "GET /api/v2/projects/{project_id}/endpoints", Kind: "status", Status: http.StatusOK,
				Body: `{"endpoints":[]}`, Count: 1,
			})
			w.AddFault(t, acctest.Fault{
				Route: "GET /api/v2/projects/{project_id}/branches/{branch_id}/endpoints", Kind: "status",
				Status: http.StatusNotFound,
				Body:   `{"message":"branch not found"}`, Count: 1,
			})
		},
		Config: w.config(), PlanOnly: true, ExpectError: acctest.InOrder("Unable to read project",
			"changed while it was read"),
	})
	w.run(t, append(steps, w.step(w.config(), plancheck.ResourceActionNoop))...)
}

// A plan reads a project and its default branch with an endpoint, and lists no projects.
func TestAccProject_requestsOfAPlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t,
		w.step(w.config(), plancheck.ResourceActionCreate),
		resource.TestStep{PreConfig: func() { w.ForgetRequests(t) }, Config: w.config(), PlanOnly: true},
		resource.TestStep{
			PreConfig: func() {
				if sent := w.Requests(t); sent.Total > 3 || sent.ByRoute["GET /api/v2/projects"] != 0 {
					t.Errorf("a plan sends %v, want 3 at most", sent.ByRoute)
				}
			},
			Config: w.config(), PlanOnly: true,
		},
	)
}
