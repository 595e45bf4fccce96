package stories_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// hasDatabaseURL stands for a program that works on a database, which the
// emulator need not have.
const hasDatabaseURL = `echo "$DATABASE_URL" | grep -q '^postgresql://.*:.*@'`

// exampleRun is a folder with an example, in which terraform runs with the
// provider as a program: in process a provider block with a key of the run would
// count for all others.
func exampleRun(t *testing.T, w *acctest.World, config string) acctest.Run {
	t.Helper()
	return acctest.NewRun(t, w, config, "TF_VAR_org_id="+w.OrgID, "TF_VAR_project_id="+w.ProjectID,
		"TF_VAR_migrate_command="+hasDatabaseURL, "TF_VAR_check_command="+hasDatabaseURL)
}

// Each example is applied, planned again without a change, and destroyed. None
// leaves a key.
func TestAccExamples_ephemeral(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	for _, file := range acctest.ExampleFiles(t, "ephemeral-resources/*/*.tf") {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			w := acctest.StartEmulator(t, emulator.Config{})
			r := exampleRun(t, w, acctest.ReadExample(t, file))
			r.Terraform(t, "apply", "-auto-approve")
			r.Terraform(t, "plan", "-detailed-exitcode")
			r.Terraform(t, "destroy", "-auto-approve")
			w.OnlyTheFirst(t)
		})
	}
}

// A database that is renamed is waited for, too; without after, the error names it.
func TestAccTerraform_ephemeralWaits(t *testing.T) {
	t.Parallel()
	if acctest.IsOpenTofu() {
		t.Skip("OpenTofu waits for what an ephemeral resource refers to by itself")
	}
	w := acctest.StartEmulator(t, emulator.Config{})
	text := acctest.ReadExample(t, "ephemeral-resources/neon_connection_uri/ephemeral-resource_added.tf")
	r := exampleRun(t, w, regexp.MustCompile(`(?m)^ *after .*\n`).ReplaceAllString(text, ""))
	says(t, r.Fails(t, "apply", "-auto-approve"), `has no database "shop"`, `has these databases: "neondb"`,
		"have Terraform wait for that with after = [neon_database.NAME.id]")
	r.Configure(t, text)
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, strings.Replace(strings.Replace(text, `"shop"
  owner`, `"store"
  owner`, 1), `["1"]`, `["2"]`, 1))
	says(t, r.Terraform(t, "apply", "-auto-approve"), "1 added, 1 changed, 1 destroyed")
	text = acctest.ReadExample(t, "ephemeral-resources/neon_role_password/ephemeral-resource_added.tf")
	r.Configure(t, regexp.MustCompile(`(?m)^ *after .*\n`).ReplaceAllString(text, ""))
	says(t, r.Fails(t, "plan"), `has no role "app"`, "have Terraform wait for that with after = [neon_role.NAME.id]")
}

// The module's own tests pass, on a database of their own.
func TestAccExamples_terraformTest(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	r := exampleRun(t, w, "")
	if err := os.CopyFS(filepath.Join(r.Folder, "module"),
		os.DirFS(filepath.Join(acctest.ExamplesDir, "terraform-test"))); err != nil {
		t.Fatal(err)
	}
	r.Folder = filepath.Join(r.Folder, "module")
	r.Terraform(t, "get")
	said := r.Terraform(t, "test")
	if !strings.Contains(said, "1 passed, 0 failed") {
		t.Errorf("terraform test says:\n%s", said)
	}
	if made := len(w.Objects(t).ClaimableDatabases); made == 0 {
		t.Error("no database was made")
	}
}
