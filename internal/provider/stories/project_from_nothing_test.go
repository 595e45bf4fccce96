package stories_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// fromNothing is the guide's configuration, with the module that it calls, as a user would
// run it: in an organization that has no project.
func fromNothing(t *testing.T, w *acctest.World, deploy string, environment ...string) acctest.Run {
	t.Helper()
	r := acctest.NewExampleRun(t, w, "project-from-nothing")
	module := filepath.Join(filepath.Dir(r.Folder), "modules", "project")
	if err := os.MkdirAll(module, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range acctest.ExampleEntries(t, "modules/project") {
		text := acctest.ReadExample(t, "modules/project/"+file)
		if err := os.WriteFile(filepath.Join(module, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r = r.With(append(environment, "NEON_ORG_ID="+w.OrgID, "TF_VAR_deploy_command="+deploy,
		`TF_VAR_members=["ops@example.com"]`)...)
	r.Terraform(t, "get")
	return r
}

// One apply makes a project with its environments and gives the application its connection
// strings; the second plan is empty; protection holds; nothing is left at the end, and
// nothing secret is anywhere.
func TestAccExamples_projectFromNothing(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartDatabases(t)
	deleteFirstProject(t, w)
	traces, seen := t.TempDir(), t.TempDir()
	r := fromNothing(t, w, `psql --no-psqlrc --tuples-only --no-align --command="SELECT current_user || '@' || current_database()" "$DATABASE_URL" > `+
		seen+`/"$ENVIRONMENT"`, "TF_LOG=TRACE", "TF_LOG_PATH="+filepath.Join(traces, "trace.log"),
		"PGHOSTADDR=127.0.0.1") // Not every resolver knows that *.localhost is the machine itself.
	var said strings.Builder
	run := func(arguments ...string) string {
		text := r.Terraform(t, arguments...)
		said.WriteString(text)
		return text
	}
	run("plan", "-out=create.plan")
	run("apply", "create.plan")
	for _, environment := range []string{"production", "staging", "development"} {
		if answer, err := os.ReadFile(filepath.Join(seen, environment)); err != nil ||
			strings.TrimSpace(string(answer)) != "app@app" {
			t.Errorf("the application in %s sees %q, %v", environment, answer, err)
		}
	}
	run("plan", "-detailed-exitcode", "-out=nothing.plan")
	if refused := r.Fails(t, "destroy", "-auto-approve"); !strings.Contains(acctest.InOneLine(refused),
		"deletion_protection is true") {
		t.Errorf("the protected project isn't said to be protected:\n%s", refused)
	}
	run("apply", "-auto-approve", "-var=deletion_protection=false")
	run("plan", "-destroy", "-var=deletion_protection=false", "-out=destroy.plan")
	if destroyed := run("apply", "destroy.plan"); !strings.Contains(acctest.InOneLine(destroyed),
		"can be recovered with its branches") {
		t.Errorf("the destruction doesn't say until when the project can be recovered:\n%s", destroyed)
	}
	if left := w.Objects(t); len(left.Projects)+len(left.Branches)+len(left.Endpoints) > 0 {
		t.Errorf("these are left: %v, %v, %v", left.Projects, left.Branches, left.Endpoints)
	}

	contents := leavesNoSecret(t, w, said.String(), r.Folder, traces)
	if !acctest.ContainsFile(contents, "trace.log") || !acctest.ContainsFile(contents, "create.plan!tfplan") {
		t.Errorf("only %d files were looked at", len(contents))
	}
}

// A run that ended before the database was there, as after Ctrl-C, is continued; so is a
// destruction that ended when it was gone.
func TestAccExamples_projectFromNothingContinues(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	r := fromNothing(t, acctest.StartEmulator(t, emulator.Config{}), hasDatabaseURL, "TF_VAR_deletion_protection=false")
	r.Terraform(t, "apply", "-auto-approve", "-target=module.shop.neon_role.app")
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "destroy", "-auto-approve", "-target=module.shop.neon_database.app")
	r.Terraform(t, "destroy", "-auto-approve")
}

// deleteFirstProject empties the organization.
func deleteFirstProject(t *testing.T, w *acctest.World) {
	t.Helper()
	if err := w.Client(t).DeleteProject(t.Context(), w.ProjectID); err != nil {
		t.Fatal(err)
	}
}
