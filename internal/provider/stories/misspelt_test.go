package stories_test

import (
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// The pages of neon_branch and neon_project warn of this. Where a terraform objects, the
// warning can go.
func TestAccTerraform_misspeltInsideAnObject(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, `
variable "project_id" { type = string }

resource "neon_branch" "b" {
  project_id = var.project_id
  name       = "b"
  endpoints  = { app = { type = "read_write", suspend_timeout = 301 } }
}

resource "neon_project" "p" {
  default_endpoint_settings = { suspend_timeout = 301 }
}`, "TF_VAR_project_id="+w.ProjectID)
	if said := r.Terraform(t, "plan"); strings.Contains(said, "= 301") {
		t.Errorf("terraform takes the value:\n%s", said)
	}
}
