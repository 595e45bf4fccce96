package provider

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// hasDatabaseURL stands for a program that works on a database, which the
// emulator need not have.
const hasDatabaseURL = `echo "$DATABASE_URL" | grep -q '^postgresql://.*:.*@'`

// exampleRun is a folder with an example, in which terraform runs with the
// provider as a program: in process a provider block with a key of the run would
// count for all others.
func exampleRun(t *testing.T, w *world, config string) run {
	t.Helper()
	return newRun(t, w, config, "TF_VAR_org_id="+w.orgID, "TF_VAR_project_id="+w.projectID,
		"TF_VAR_migrate_command="+hasDatabaseURL, "TF_VAR_check_command="+hasDatabaseURL)
}

// Each example is applied, planned again without a change, and destroyed. None
// leaves a key.
func TestAccExamples_ephemeral(t *testing.T) {
	t.Parallel()
	needsTerraform(t, "1.10.0")
	for _, name := range exampleEntries(t, "ephemeral-resources") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startEmulator(t, emulator.Config{})
			text := readExample(t, filepath.Join("ephemeral-resources", name, "ephemeral-resource.tf"))
			r := exampleRun(t, w, text)
			r.terraform(t, "apply", "-auto-approve")
			r.terraform(t, "plan", "-detailed-exitcode")
			r.terraform(t, "destroy", "-auto-approve")
			w.onlyTheFirst(t)
		})
	}
}

// The module's own tests pass, on a database of their own.
func TestAccExamples_terraformTest(t *testing.T) {
	t.Parallel()
	needsTerraform(t, "1.10.0")
	w := startEmulator(t, emulator.Config{})
	r := exampleRun(t, w, "")
	if err := os.CopyFS(filepath.Join(r.folder, "module"), os.DirFS(filepath.Join(examplesDir, "terraform-test"))); err != nil {
		t.Fatal(err)
	}
	r.folder = filepath.Join(r.folder, "module")
	r.terraform(t, "get")
	said := r.terraform(t, "test")
	if !strings.Contains(said, "1 passed, 0 failed") {
		t.Errorf("terraform test says:\n%s", said)
	}
	if made := len(w.objects(t).ClaimableDatabases); made == 0 {
		t.Error("no database was made")
	}
}
