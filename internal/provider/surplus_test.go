package provider_test

import (
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// An endpoint that took effect long after its answer was lost, and again when it was
// sent again, is named with the command that deletes it.
func TestAccTerraform_lateEndpointIsNamed(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := acctest.NewRun(t, w.World, w.BranchConfig(acctest.WithoutReplica))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, w.BranchConfig(acctest.WithReplica("")))
	w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects/{project_id}/endpoints", Kind: "late", Status: 504, Count: 1})
	said := r.Terraform(t, "apply", "-auto-approve")
	replicas := w.Replicas(t)
	if len(replicas) != 2 {
		t.Fatalf("%d read_only endpoints exist, want two", len(replicas))
	}
	named := 0
	for _, replica := range replicas {
		if strings.Contains(said, w.API.EndpointDeletionCommand(w.ProjectID, replica.ID)) {
			named++
		}
	}
	if named != 1 || !strings.Contains(said, "Created twice") {
		t.Errorf("%d of %v are named in\n%s", named, replicas, said)
	}
	r.Terraform(t, "plan", "-detailed-exitcode")
}
