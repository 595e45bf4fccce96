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

// A run of a test plans what another has planned, creates what an earlier one has destroyed, and the test leaves
// nothing: Terraform 1.16 configures the provider once for all of its runs where its block is in the test's file.
func TestAccTerraform_testRuns(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	const place = "count      = var.instances\n  project_id = var.project_id\n  branch_id  = var.branch_id\n"
	r := acctest.NewRun(t, w.World, fmt.Sprintf(`
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
	r.Write(t, "tests/runs.tftest.hcl", w.ProviderConfig()+`
run "plans" {
  command = plan
}
run "plans_again" {
  command = plan
}
run "creates" {}
run "destroys" {
  variables {
    instances = 0
  }
}
run "creates_again" {}
`)
	if said := r.Terraform(t, "test"); !strings.Contains(said, "5 passed, 0 failed") || strings.Contains(said, twoForOne) {
		t.Error(said)
	}
	if left := w.Objects(t).BucketObjects; len(left) != 0 {
		t.Errorf("there are still %v", left)
	}
	w.CheckOnly(t, "main")
}

// twoForOne begins the warning about two creations of one object.
const twoForOne = "Two resources for one"

// A plan that creates two objects of one name says so. One that creates an object in the place of another doesn't.
func TestAccTerraform_twoForOne(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	role := func(label, name, more string) string {
		return fmt.Sprintf("resource \"neon_role\" %q {\n  project_id = %q\n  branch_id = %q\n  name = %q\n%s}\n", label,
			w.ProjectID, w.MainBranch(t).ID, name, more)
	}
	branch := func(label string) string {
		return fmt.Sprintf("resource \"neon_branch\" %q {\n  project_id = %q\n  name = \"preview\"\n}\n", label, w.ProjectID)
	}
	r := acctest.NewRun(t, w.World, role("a", "app", "")+branch("a"))
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "taint", "neon_branch.a")
	const createFirst = "  lifecycle {\n    create_before_destroy = true\n  }\n"
	kept := role("a", "app", "") + branch("a")
	for name, test := range map[string]struct {
		config    string
		arguments []string
		want      int
	}{
		"a tainted one":                  {kept, nil, 0},
		"one in the place of another":    {role("b", "app", "") + branch("b"), nil, 0},
		"one whose name another one had": {role("a", "other", "") + role("b", "app", "") + branch("a"), nil, 0},
		"replaced by the user":           {kept, []string{"-replace=neon_role.a"}, 0},
		"created first": {role("a", "app", createFirst) + branch("a"),
			[]string{"-replace=neon_role.a"}, 0},
		"two new ones": {kept + role("b", "new", "") + role("c", "new", ""), nil, 1},
		"two kinds":    {kept + role("b", "new", "") + role("c", "new", "") + branch("b") + branch("c"), nil, 2},
	} {
		r.Configure(t, w.ProviderConfig()+test.config)
		said := r.Terraform(t, append([]string{"plan"}, test.arguments...)...)
		if got := strings.Count(said, "Warning: "+twoForOne); got != test.want {
			t.Errorf("%s: %d warnings, want %d:\n%s", name, got, test.want, said)
		}
	}
	r.Configure(t, w.ProviderConfig()+kept+role("b", "new", "")+role("c", "new", ""))
	if said := r.Terraform(t, "destroy", "-auto-approve"); !strings.Contains(said, "2 destroyed") {
		t.Error(said)
	}
	w.CheckOnly(t, "main")
}
