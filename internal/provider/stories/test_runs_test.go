package stories_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A run of a test creates what an earlier one has destroyed, and the test leaves nothing: Terraform 1.16 configures the
// provider once for all of its runs.
func TestAccTerraform_testRuns(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	const place = "count      = var.instances\n  project_id = var.project_id\n  branch_id  = var.branch_id\n"
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+fmt.Sprintf(`
variable "project_id" {
  default = %q
}
variable "branch_id" {
  default = %q
}
variable "instances" {
  default = 1
}
resource "neon_project" "other" {
  name = "other"
}
resource "neon_role" "app" {
  %[3]s  name = "app"
}
resource "neon_org_spending_limit" "monthly" {
  count                = var.instances
  spending_limit_cents = 25000
}
resource "neon_bucket" "uploads" {
  %[3]s  name = "uploads"
}
resource "neon_bucket_object" "config" {
  %[3]s  bucket_name = neon_bucket.uploads[0].name
  key         = "config"
  content     = "x"
}
`, w.ProjectID, w.MainBranch(t).ID, place))
	if err := os.Mkdir(filepath.Join(r.Folder, "tests"), 0o750); err != nil {
		t.Fatal(err)
	}
	r.Write(t, "tests/runs.tftest.hcl", `
run "creates" {}
run "destroys" {
  variables {
    instances = 0
  }
}
run "creates_again" {}
`)
	if said := r.Terraform(t, "test"); !strings.Contains(said, "3 passed, 0 failed") {
		t.Error(said)
	}
	if left := w.Objects(t).BucketObjects; len(left) != 0 {
		t.Errorf("there are still %v", left)
	}
	w.CheckOnly(t, "main")
}
