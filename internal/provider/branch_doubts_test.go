package provider

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const withoutReplica = `name = "b"
	endpoints = { app = { type = "read_write" } }`

func withReplica(settings string) string {
	return `name = "b"
	endpoints = {
		app = { type = "read_write" }
		ro  = { type = "read_only"` + settings + ` }
	}`
}

// loseReplica has the platform make the next endpoint, lose the answer, and fail
// when it is asked what became of it.
func (w *branchWorld) loseReplica(t *testing.T) {
	t.Helper()
	const project = "/api/v2/projects/{project_id}"
	w.addFault(t, fault{Route: "POST " + project + "/endpoints", Kind: "lost_after", Count: 1})
	w.addFault(t, fault{Route: "GET " + project + "/operations", Kind: "status", Status: http.StatusBadRequest, Count: 1})
}

func (w *branchWorld) replicas(t *testing.T) []client.Endpoint {
	t.Helper()
	var replicas []client.Endpoint
	for _, endpoint := range w.endpoints(t, w.branchNamed(t, "b").ID) {
		if endpoint.Type == client.EndpointReadOnly {
			replicas = append(replicas, endpoint)
		}
	}
	return replicas
}

// An endpoint of which a run could not find out whether it was made is taken in
// by the next, with what is configured by then.
func TestAccBranch_endpointInDoubt(t *testing.T) {
	for name, settings := range map[string]string{"the same": "", "changed": ", suspend_timeout_seconds = 600"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := branchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond})
			last := w.branchConfig(withReplica(settings))
			acceptance.Test(t, acceptance.TestCase{
				ProtoV6ProviderFactories: w.factories(),
				Steps: []acceptance.TestStep{
					{Config: w.branchConfig(withoutReplica)},
					{
						PreConfig: func() { w.loseReplica(t) }, Config: w.branchConfig(withReplica("")),
						ExpectError: regexp.MustCompile(`its\s+answer\s+was\s+lost[\s\S]*the\s+next\s+apply\s+does`),
					},
					{Config: last},
					planned(last, plancheck.ResourceActionNoop),
					{PreConfig: func() {
						if replicas := w.replicas(t); len(replicas) != 1 {
							t.Errorf("%d read_only endpoints exist, want one", len(replicas))
						}
					}, Config: last},
				},
			})
		})
	}
}

// Where such an endpoint isn't wanted any more, it is named.
func TestAccTerraform_endpointInDoubtIsNamed(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond})
	r := newRun(t, w.world, w.branchConfig(withoutReplica))
	r.terraform(t, "apply", "-auto-approve")
	r.configure(t, w.branchConfig(withReplica("")))
	w.loseReplica(t)
	if said, err := r.command(t, "apply", "-auto-approve").CombinedOutput(); err == nil {
		t.Errorf("the lost answer is no error:\n%s", said)
	}
	r.configure(t, w.branchConfig(strings.Replace(withoutReplica, "{ type", "{ suspend_timeout_seconds = 600, type", 1)))
	said := r.terraform(t, "apply", "-auto-approve")
	if command := w.api.EndpointDeletionCommand(w.projectID, w.replicas(t)[0].ID); !strings.Contains(said, command) {
		t.Errorf("the apply doesn't say %q:\n%s", command, said)
	}
	r.terraform(t, "destroy", "-auto-approve")
}

// An endpoint that a killed run may have left is named when one like it is made.
func TestAccTerraform_leftoverEndpointsAreNamed(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{OperationDuration: 20 * time.Millisecond})
	r := newRun(t, w.world, w.branchConfig(withoutReplica))
	r.terraform(t, "apply", "-auto-approve")
	left := w.makeEndpoint(t, w.branchNamed(t, "b").ID, client.EndpointReadOnly)
	r.configure(t, w.branchConfig(withReplica("")))
	said := r.terraform(t, "apply", "-auto-approve")
	if command := w.api.EndpointDeletionCommand(w.projectID, left.ID); !strings.Contains(said, command) {
		t.Errorf("the apply doesn't say %q:\n%s", command, said)
	}
	r.terraform(t, "destroy", "-auto-approve")
}
