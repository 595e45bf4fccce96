package branch_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

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
func TestAccTerraform_endpointInDoubtIsNamed(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond})
	r := acctest.NewRun(t, w.World, w.BranchConfig(acctest.WithoutReplica))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, w.BranchConfig(acctest.WithReplica("")))
	loseReplica(t, w)
	if said, err := r.Command(t, "apply", "-auto-approve").CombinedOutput(); err == nil {
		t.Errorf("the lost answer is no error:\n%s", said)
	}
	r.Configure(t, w.BranchConfig(strings.Replace(acctest.WithoutReplica, "{ type",
		"{ suspend_timeout_seconds = 600, type", 1)))
	said := r.Terraform(t, "apply", "-auto-approve")
	namesWithCare(t, said, w.Replicas(t)[0].ID)
	r.Terraform(t, "destroy", "-auto-approve")
}

// An endpoint that a killed run may have left is named when one like it is made.
func TestAccTerraform_leftoverEndpointsAreNamed(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond})
	r := acctest.NewRun(t, w.World, w.BranchConfig(acctest.WithoutReplica))
	r.Terraform(t, "apply", "-auto-approve")
	left := w.MakeEndpoint(t, w.BranchNamed(t, "b").ID, client.EndpointReadOnly)
	r.Configure(t, w.BranchConfig(acctest.WithReplica("")))
	said := r.Terraform(t, "apply", "-auto-approve")
	namesWithCare(t, said, left.ID)
	r.Terraform(t, "destroy", "-auto-approve")
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
func TestAccTerraform_unwaitedChangeWasCancelled(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: time.Minute})
	stop := w.KeepAdvancing(t)
	const timeouts = "\ntimeouts = { update = \"3s\" }"
	r := acctest.NewRun(t, w.World, w.BranchConfig(acctest.WithoutReplica+timeouts))
	r.Terraform(t, "apply", "-auto-approve")
	stop()
	r.Configure(t, w.BranchConfig(acctest.WithReplica("")+timeouts))
	w.EndOperations(t, "start_compute", "cancelled", "")
	if said, err := r.Command(t, "apply", "-auto-approve").CombinedOutput(); err == nil {
		t.Errorf("the end of the timeout is no error:\n%s", said)
	}
	w.Advance(t, time.Hour)
	said := r.Terraform(t, "apply", "-auto-approve")
	if !acctest.InWords("was cancelled").MatchString(said) || !strings.Contains(said, w.Replicas(t)[0].ID) {
		t.Errorf("the apply doesn't name the endpoint that was not started:\n%s", said)
	}
}
