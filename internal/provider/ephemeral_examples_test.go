package provider_test

import (
	"os"
	"path/filepath"
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
	for _, name := range acctest.ExampleEntries(t, "ephemeral-resources") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.StartEmulator(t, emulator.Config{})
			text := acctest.ReadExample(t, filepath.Join("ephemeral-resources", name, "ephemeral-resource.tf"))
			r := exampleRun(t, w, text)
			r.Terraform(t, "apply", "-auto-approve")
			r.Terraform(t, "plan", "-detailed-exitcode")
			r.Terraform(t, "destroy", "-auto-approve")
			w.OnlyTheFirst(t)
		})
	}
}

// The module's own tests pass, on a database of their own.
func TestAccExamples_terraformTest(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	r := exampleRun(t, w, "")
	if err := os.CopyFS(filepath.Join(r.Folder, "module"), os.DirFS(filepath.Join(acctest.ExamplesDir, "terraform-test"))); err != nil {
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
