package stories_test

import (
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// An endpoint that came long after its answer was lost is taken in by the next apply, and no
// second one is created.
func TestAccTerraform_lateEndpointIsTakenIn(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := acctest.NewRun(t, w.World, w.BranchConfig(acctest.WithoutReplica))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, w.BranchConfig(acctest.WithReplica("")))
	w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects/{project_id}/endpoints", Kind: "status", Status: 504,
		Count: 1})
	said := r.Fails(t, "apply", "-auto-approve")
	if !strings.Contains(acctest.InOneLine(said), "it was not sent again, so that nothing is done twice") {
		t.Fatal(said)
	}
	if _, err := w.API.CreateEndpoint(t.Context(), w.Ref(w.BranchNamed(t, "b").ID),
		client.EndpointCreate{Type: client.EndpointReadOnly}); err != nil {
		t.Fatal(err)
	}
	r.Terraform(t, "apply", "-auto-approve")
	if replicas := w.Replicas(t); len(replicas) != 1 {
		t.Errorf("%d read_only endpoints exist, want one", len(replicas))
	}
	r.Terraform(t, "plan", "-detailed-exitcode")
}
