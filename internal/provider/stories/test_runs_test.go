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

// A plan after which two resources would be one object says so. One that creates an object in the place of another, or
// gives it the name that another one gives up, doesn't.
func TestAccTerraform_twoForOne(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	block := func(kind, label string, lines ...string) string {
		return fmt.Sprintf("resource %q %q {\n  project_id = %q\n  %s\n}\n", kind, label, w.ProjectID,
			strings.Join(lines, "\n  "))
	}
	onMain := fmt.Sprintf("branch_id = %q", w.MainBranch(t).ID)
	role := func(label, name string, more ...string) string {
		return block("neon_role", label, append(more, onMain, fmt.Sprintf("name = %q", name))...)
	}
	database := func(label, name string) string {
		return block("neon_database", label, onMain, fmt.Sprintf("name = %q", name), `owner_name = "neondb_owner"`)
	}
	branch := func(label, name string, more ...string) string {
		return block("neon_branch", label, append(more, fmt.Sprintf("name = %q", name))...)
	}
	endpoint := func(label, kind string) string {
		return block("neon_endpoint", label, "branch_id = neon_branch.b.id", fmt.Sprintf("type = %q", kind))
	}
	const app = "endpoints = {\n    app = { type = \"read_write\" }\n  }"
	a, b := branch("a", "preview"), branch("b", "other")
	stay := role("a", "app") + database("a", "shop") + database("b", "wiki")
	kept := stay + a + b
	r := acctest.NewRun(t, w.World, kept)
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "taint", "neon_branch.a")
	const createFirst = "lifecycle {\n    create_before_destroy = true\n  }"
	for name, test := range map[string]struct {
		config    string
		arguments []string
		want      int
	}{
		"a tainted one":                     {kept, nil, 0},
		"one in the place of another":       {strings.ReplaceAll(kept, `"a"`, `"c"`), nil, 0},
		"one whose name another one had":    {role("a", "other") + role("b", "app") + a + b, nil, 0},
		"replaced by the user":              {kept, []string{"-replace=neon_role.a", "-replace=neon_branch.b"}, 0},
		"created first":                     {role("a", "app", createFirst) + a + b, []string{"-replace=neon_role.a"}, 0},
		"two new ones":                      {kept + role("b", "new") + role("c", "new"), nil, 1},
		"two kinds":                         {kept + role("b", "new") + role("c", "new") + branch("c", "new") + branch("d", "new"), nil, 2},
		"a copy of one that stays":          {kept + role("b", "app"), nil, 1},
		"a new name that stays another's":   {role("a", "app") + database("a", "shop") + database("b", "shop") + a + b, nil, 1},
		"a new name that is created":        {role("a", "app") + database("a", "shop") + database("b", "new") + database("c", "new") + a + b, nil, 1},
		"two new names":                     {role("a", "app") + database("a", "new") + database("b", "new") + a + b, nil, 1},
		"a new name that becomes free":      {role("a", "app") + database("a", "new") + database("b", "shop") + a + b, nil, 0},
		"a branch's name that is created":   {stay + a + branch("b", "new") + branch("c", "new"), nil, 1},
		"a branch's name that becomes free": {stay + branch("a", "new") + branch("b", "preview"), nil, 0},
		"two endpoints":                     {kept + endpoint("a", "read_write") + endpoint("b", "read_write"), nil, 1},
		"an endpoint of each type":          {kept + endpoint("a", "read_write") + endpoint("b", "read_only"), nil, 0},
		"two readers":                       {kept + endpoint("a", "read_only") + endpoint("b", "read_only"), nil, 0},
		"an endpoint beside a branch's own": {stay + a + branch("b", "other", app) + endpoint("a", "read_write"), nil, 1},
	} {
		r.Configure(t, w.ProviderConfig()+test.config)
		said := r.Terraform(t, append([]string{"plan"}, test.arguments...)...)
		if got := strings.Count(said, "Warning: "+twoForOne); got != test.want {
			t.Errorf("%s: %d warnings, want %d:\n%s", name, got, test.want, said)
		}
	}
	r.Configure(t, w.ProviderConfig()+kept+role("b", "new")+role("c", "new"))
	if said := r.Terraform(t, "destroy", "-auto-approve"); !strings.Contains(said, "5 destroyed") {
		t.Error(said)
	}
	w.CheckOnly(t, "main")
}
