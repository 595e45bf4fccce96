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

// newUnknownRun is a folder whose module finds a branch by its name, and has objects on it. The module depends on a
// branch of this configuration, so it is unknown which branch is found while that one changes.
func newUnknownRun(t *testing.T, w *acctest.World, root, module string) acctest.Run {
	t.Helper()
	r := acctest.NewRun(t, w, fmt.Sprintf(`
variable "hour" {
  default = 1
}
%s
module "db" {
  source     = "./db"
  project_id = %q
  hour       = var.hour
  depends_on = [neon_branch.ci]
}
`, root, w.ProjectID))
	if err := os.Mkdir(filepath.Join(r.Folder, "db"), 0o750); err != nil {
		t.Fatal(err)
	}
	r.Write(t, "db/main.tf", `
variable "project_id" {}
variable "hour" {}
`+module)
	r.Terraform(t, "get")
	r.Terraform(t, "apply", "-auto-approve")
	return r
}

// says fails unless the words are in what Terraform said.
func says(t *testing.T, said string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(acctest.InOneLine(said), word) {
			t.Errorf("%q isn't said:\n%s", word, said)
		}
	}
}

// What a module finds by a data source is unknown while something that the module depends on changes, and is what it
// was.
func TestAccTerraform_unknownStaysWhatItWas(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := newUnknownRun(t, w, fmt.Sprintf(`
resource "neon_branch" "ci" {
  project_id = %q
  name       = "ci-${var.hour}"
}
`, w.ProjectID), `
data "neon_project" "of" {
  id = var.project_id
}
data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}
resource "neon_project" "second" {
  name      = "second"
  region_id = data.neon_project.of.region_id
}
resource "neon_branch" "child" {
  project_id = var.project_id
  name       = "child"
  parent_id  = data.neon_branch.main.id
}
resource "neon_endpoint" "reader" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  type       = "read_only"
}
resource "neon_role" "r" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "r"
}
resource "neon_database" "d" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "d"
  owner_name = neon_role.r.name
}
resource "neon_snapshot" "s" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "s"
}
resource "neon_branch" "sized" {
  project_id = data.neon_project.of.id
  name       = "sized"
  endpoints  = { app = { type = "read_write", autoscaling_limit_max_cu = 1 } }
}
resource "neon_anonymized_branch" "masked" {
  project_id    = data.neon_project.of.id
  name          = "masked"
  masking_rules = [{
    database_name = "neondb", schema_name = "public", table_name = "people", column_name = "email",
      masking_value = "NULL"
  }]
  endpoint      = { autoscaling_limit_max_cu = 1 }
}
resource "neon_auth" "a" {
  project_id         = var.project_id
  branch_id          = data.neon_branch.main.id
  email_and_password = { require_email_verification = true }
}
resource "neon_data_api" "d" {
  project_id    = var.project_id
  branch_id     = data.neon_branch.main.id
  database_name = neon_auth.a.database_name
  auth_provider = "neon_auth"
  settings      = { db_max_rows = 10 }
}
`)
	says(t, r.Terraform(t, "apply", "-auto-approve", "-var", "hour=2"), "1 changed, 0 destroyed")
	says(t, r.Terraform(t, "apply", "-auto-approve", "-var", "hour=3", "-refresh=false"), "1 changed, 0 destroyed")
	r.Terraform(t, "plan", "-detailed-exitcode", "-var", "hour=3")
}

const databaseOfModule = `
resource "neon_database" "d" {
  project_id = var.project_id
  branch_id  = data.neon_branch.of.id
  name       = "d"
  owner_name = "neondb_owner"
}
`

// Where the branch that a module finds is replaced in the same run, its objects are gone with it, and created on the
// new one.
func TestAccTerraform_unknownIsReplaced(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := newUnknownRun(t, w, fmt.Sprintf(`
resource "neon_branch" "ci" {
  project_id  = %q
  name        = "ci"
  init_source = var.hour == 1 ? "parent-data" : "schema-only"
}
`, w.ProjectID), `
data "neon_branch" "of" {
  project_id = var.project_id
  name       = "ci"
}
`+databaseOfModule)
	says(t, r.Terraform(t, "apply", "-auto-approve", "-var", "hour=2"), "2 added, 0 changed, 2 destroyed")
	r.Terraform(t, "plan", "-detailed-exitcode", "-var", "hour=2")
}

// Where a module finds another branch than before, nothing is replaced that the plan didn't show.
func TestAccTerraform_unknownIsAnother(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := newUnknownRun(t, w, fmt.Sprintf(`
resource "neon_branch" "ci" {
  project_id = %q
  name       = "ci-${var.hour}"
}
`, w.ProjectID), `
data "neon_branch" "of" {
  project_id = var.project_id
  name       = var.hour == 1 ? "main" : "ci-2"
}
`+databaseOfModule)
	said := r.Fails(t, "apply", "-auto-approve", "-var", "hour=2")
	says(t, said, "Not what it was when this was planned", "branch_id of this neon_database",
		"Plan again: the plan shows the replacement")
	if strings.Contains(said, "inconsistent") {
		t.Error(said)
	}
	says(t, r.Terraform(t, "plan", "-var", "hour=2"), "module.db.neon_database.d must be replaced")
}

// Where only what another provider returns turns out to be another value, nothing of ours tells the apply from a plan.
func TestAccTerraform_unknownOfAnotherProvider(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, fmt.Sprintf(`
variable "name" {
  default = "main"
}
data "neon_branches" "all" {
  project_id = %[1]q
}
resource "terraform_data" "id" {
  input = {
    wanted = var.name
    id     = [for branch in data.neon_branches.all.branches : branch.id if branch.name == trimsuffix(var.name, "!")][0]
  }
}
resource "neon_branch" "second" {
  project_id = %[1]q
  name       = "second"
}
resource "neon_database" "d" {
  project_id = %[1]q
  branch_id  = terraform_data.id.output.id
  name       = "d"
  owner_name = "neondb_owner"
  depends_on = [neon_branch.second] # or that has a copy of it
}
`, w.ProjectID))
	r.Terraform(t, "apply", "-auto-approve")
	says(t, r.Terraform(t, "apply", "-auto-approve", "-var", "name=main!"), "1 changed, 0 destroyed")
	const hint = "With -refresh=false that is all. Where Terraform stops with \"Provider produced inconsistent final plan\", " +
		"branch_id wasn't known when it was planned"
	says(t, r.Fails(t, "apply", "-auto-approve", "-var", "name=second"), hint,
		"Plan again: the plan shows the replacement")
	said := r.Terraform(t, "plan", "-var", "name=second")
	if says(t, said, "neon_database.d must be replaced"); strings.Contains(acctest.InOneLine(said), hint) {
		t.Error(said)
	}
	says(t, r.Terraform(t, "plan", "-var", "name=second", "-refresh=false"), "neon_database.d must be replaced", hint)
}
