package branch_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// An endpoint of which a run could not find out whether it was made is taken in
// by the next, with what is configured by then.
func TestAccBranch_endpointInDoubt(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string]string{"the same": "", "changed": ", suspend_timeout_seconds = 600"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond})
			last := w.BranchConfig(acctest.WithReplica(settings))
			acctest.Test(t, acceptance.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []acceptance.TestStep{
					{Config: w.BranchConfig(acctest.WithoutReplica)},
					{
						PreConfig: func() { loseReplica(t, w) }, Config: w.BranchConfig(acctest.WithReplica("")),
						ExpectError: regexp.MustCompile(`its\s+answer\s+was\s+lost[\s\S]*the\s+next\s+apply\s+does`),
					},
					{Config: last},
					acctest.Planned(last, plancheck.ResourceActionNoop),
					{PreConfig: func() {
						if replicas := w.Replicas(t); len(replicas) != 1 {
							t.Errorf("%d read_only endpoints exist, want one", len(replicas))
						}
					}, Config: last},
				},
			})
		})
	}
}

// Where Neon could not start such an endpoint, the apply that takes it in says so.
func TestAccBranch_endpointInDoubtWasNotStarted(t *testing.T) {
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond, Readings: startedReplicas})
	config := w.BranchConfig(acctest.WithReplica(""))
	parallelTest(t, acceptance.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []acceptance.TestStep{
			{Config: w.BranchConfig(acctest.WithoutReplica)},
			{
				PreConfig: func() {
					loseReplica(t, w)
					w.EndOperations(t, "start_compute", "cancelled", "")
				},
				Config: config, ExpectError: acctest.InWords("its answer was lost"),
			},
			// What can't be read isn't taken for the end of the start.
			{
				PreConfig: func() {
					w.AddFault(t, acctest.Fault{Route: "GET /api/v2/projects/{project_id}/operations", Kind: "status",
						Status: http.StatusBadRequest, Count: 1})
				},
				Config: config, ExpectError: acctest.InWords("/operations was answered with 400"),
			},
			{Config: config, ExpectError: regexp.MustCompile(`start_compute[\s\S]*was\s+cancelled`)},
			acctest.Planned(config, plancheck.ResourceActionNoop),
		},
	})
}

// Where such an endpoint isn't wanted any more, it is named.
func TestAccBranch_endpointInDoubtIsNamed(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond})
	var heard acctest.Heard
	acctest.HearSteps(t, w.World, &heard, []acceptance.TestStep{
		{Config: w.BranchConfig(acctest.WithoutReplica)},
		{
			PreConfig: func() { loseReplica(t, w) }, Config: w.BranchConfig(acctest.WithReplica("")),
			ExpectError: acctest.InWords("its answer was lost"),
		},
		{
			PreConfig: func() { heard.Take() }, Config: w.BranchConfig(strings.Replace(acctest.WithoutReplica, "{ type",
				"{ suspend_timeout_seconds = 600, type", 1)),
			ConfigStateChecks: []statecheck.StateCheck{checked(func() {
				namesWithCare(t, heard.Take(), w.Replicas(t)[0].ID)
			})},
		},
	}...)
}

// An endpoint that a killed run may have left is named when one like it is made.
func TestAccBranch_leftoverEndpointsAreNamed(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond})
	var heard acctest.Heard
	left := client.Endpoint{}
	acctest.HearSteps(t, w.World, &heard, []acceptance.TestStep{
		{Config: w.BranchConfig(acctest.WithoutReplica)},
		{
			PreConfig: func() {
				left = w.MakeEndpoint(t, w.BranchNamed(t, "b").ID, client.EndpointReadOnly)
				heard.Take()
			},
			Config:            w.BranchConfig(acctest.WithReplica("")),
			ConfigStateChecks: []statecheck.StateCheck{checked(func() { namesWithCare(t, heard.Take(), left.ID) })},
		},
	}...)
}

// namesWithCare checks that an endpoint which may be somebody's is named without the command to delete it.
func namesWithCare(t *testing.T, said, id string) {
	t.Helper()
	if said = acctest.InOneLine(said); !strings.Contains(said,
		"look at them in the web console before you delete any there: read_only endpoint "+id) ||
		strings.Contains(said, "DELETE") {
		t.Errorf("it says %s", said)
	}
}

// A change whose operations could not be waited for is waited for by the next apply.
func TestAccBranch_unwaitedChange(t *testing.T) {
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 5 * time.Minute,
		Readings: map[string]string{"patch-idle-compute": "apply-config"}})
	stop := w.KeepAdvancing(t)
	config := func(timeout, size string) string {
		return w.BranchConfig(`name = "b"
			timeouts  = { update = "` + timeout + `" }
			endpoints = { app = { type = "read_write", autoscaling_limit_max_cu = ` + size + ` } }`)
	}
	parallelTest(t, acceptance.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []acceptance.TestStep{
			{Config: config("1s", "1")},
			{
				PreConfig:   func() { stop() },
				Config:      config("1s", "2"),
				ExpectError: regexp.MustCompile(`Unable to update branch[\s\S]*timed out`),
			},
			{
				Config: config("1s", "2"), PlanOnly: true, ExpectNonEmptyPlan: true,
			},
			{PreConfig: func() { stop = w.KeepAdvancing(t) }, Config: config("5m", "2")},
			{PreConfig: func() {
				for _, endpoint := range w.Endpoints(t, w.BranchNamed(t, "b").ID) {
					if endpoint.CurrentState == "init" {
						t.Error("the apply returned before the change had ended")
					}
				}
			}, Config: config("5m", "2")},
		},
	})
	stop()
}

// Where Neon cancels what a run could not wait for, the next one says so.
func TestAccBranch_unwaitedChangeWasCancelled(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 5 * time.Minute})
	stop := w.KeepAdvancing(t)
	const timeouts = "\ntimeouts = { update = \"1s\" }"
	changed := w.BranchConfig(acctest.WithReplica("") + timeouts)
	var heard acctest.Heard
	acctest.HearSteps(t, w.World, &heard, []acceptance.TestStep{
		{Config: w.BranchConfig(acctest.WithoutReplica + timeouts)},
		{
			PreConfig: func() {
				stop()
				w.EndOperations(t, "start_compute", "cancelled", "")
			},
			Config: changed, ExpectError: acctest.InWords("timed out"),
		},
		{
			PreConfig: func() {
				heard.Take()
				w.Advance(t, time.Hour)
				stop = w.KeepAdvancing(t)
			},
			Config: changed,
			ConfigStateChecks: []statecheck.StateCheck{checked(func() {
				if said, id := heard.Take(), w.Replicas(t)[0].ID; !strings.Contains(said, "was cancelled") ||
					!strings.Contains(said, id) {
					t.Errorf("the apply doesn't name endpoint %s, which was not started: %s", id, said)
				}
			})},
		},
	}...)
	stop()
}
