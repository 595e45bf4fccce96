package stories_test

import (
	"fmt"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// With Terraform itself: -replace and a tainted object, by the environment, and a plan that was saved before.
func TestAccTerraform_protectByEnvironment(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := acctest.NewRun(t, w.World,
		fmt.Sprintf("resource \"neon_branch\" \"test\" {\n  project_id = %q\n  name = \"b\"\n}\n", w.ProjectID))
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-destroy", "-out=destroy.plan")
	safe := r.With("NEON_PROTECT=branch,project")
	const by = "by the environment variable NEON_PROTECT. "
	says(t, acctest.InOneLine(safe.Fails(t, "plan", "-replace=neon_branch.test")), "would be replaced, by -replace", by)
	says(t, acctest.InOneLine(safe.Fails(t, "plan", "-destroy")), "would be destroyed", by)
	says(t, acctest.InOneLine(safe.Fails(t, "apply", "destroy.plan")), "wasn't destroyed", by)
	r.Terraform(t, "taint", "neon_branch.test")
	says(t, acctest.InOneLine(safe.Fails(t, "apply", "-auto-approve")), "wasn't destroyed", "terraform untaint", by)
	r.Terraform(t, "untaint", "neon_branch.test")
	safe.Terraform(t, "plan", "-detailed-exitcode")
	if !w.HasBranch("b") {
		t.Error("the branch is gone")
	}
	r.Terraform(t, "destroy", "-auto-approve")
}
