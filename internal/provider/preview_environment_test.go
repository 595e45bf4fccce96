package provider

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

// A pull request is opened, pushed to and closed. Its branch is created once: where
// one run has lost the state, the next imports the branch.
func TestAccExamples_previewEnvironment(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{})
	r := newExampleRun(t, w.world, "preview-environment")
	const pullRequest = "-var=pull_request=17"
	id := func() string { return w.branchNamed(t, "preview/pr-17").ID }

	project := "-var=project_id=" + w.projectID
	r.terraform(t, "apply", "-auto-approve", project, pullRequest)
	opened := id()
	uri := r.terraform(t, "output", "-raw", "database_url")
	if host := w.endpoints(t, opened)[0].PoolerHost(); !strings.Contains(uri, host) {
		t.Errorf("the connection string isn't that of %s", host)
	}
	if said := r.terraform(t, "apply", "-auto-approve", project, pullRequest); !strings.Contains(said, "0 added, 0 changed, 0 destroyed") || id() != opened {
		t.Errorf("the second push changes the branch:\n%s", said)
	}
	again := newExampleRun(t, w.world, "preview-environment")
	if said := again.terraform(t, "apply", "-auto-approve", project, pullRequest); !strings.Contains(said, "1 imported, 0 added, 0 changed, 0 destroyed") || id() != opened {
		t.Errorf("without its state, the branch isn't imported:\n%s", said)
	}
	if said := again.terraform(t, "plan", project, pullRequest); !strings.Contains(said, "No changes.") {
		t.Errorf("the plan after the import isn't empty:\n%s", said)
	}
	again.terraform(t, "destroy", "-auto-approve", project, pullRequest)
	w.checkOnly(t, "main")
}

// The application of a pull request sees the rows that its parent had.
func TestAccExamples_previewEnvironmentData(t *testing.T) {
	t.Parallel()
	w := startDatabases(t)
	parent, err := w.client(t).ConnectionURI(t.Context(), w.projectID, client.ConnectionURIQuery{
		DatabaseName: "neondb", RoleName: "neondb_owner",
	})
	if err != nil {
		t.Fatal(err)
	}
	fruit := sqlscript.Script{Statements: []sqlscript.Statement{
		{Text: "CREATE TABLE fruit (name text)"}, {Text: "INSERT INTO fruit VALUES ('apple'), ('plum')"},
	}}
	if err := fruit.Run(t.Context(), parent); err != nil {
		t.Fatal(err)
	}
	r := newExampleRun(t, w, "preview-environment")
	variables := []string{"-auto-approve", "-var=project_id=" + w.projectID, "-var=pull_request=17"}
	r.terraform(t, slices.Concat([]string{"apply"}, variables)...)
	uri := strings.TrimSpace(r.terraform(t, "output", "-raw", "database_url"))
	if got, err := queryOne(t.Context(), uri, "SELECT string_agg(name, ',' ORDER BY name) FROM fruit"); err != nil || got != "apple,plum" {
		t.Errorf("the application sees %q, %v", got, err)
	}
	r.terraform(t, slices.Concat([]string{"destroy"}, variables)...)
	if _, err := queryOne(t.Context(), uri, "SELECT ''"); err == nil {
		t.Error("the branch is gone, and its database answers")
	}
}

// withMirror has terraform init find the built provider in a folder, as it would in
// the Registry.
func (r run) withMirror(t *testing.T) run {
	t.Helper()
	own, err := builtProvider()
	if err != nil {
		t.Fatal(err)
	}
	source := exampleSource.FindStringSubmatch(readExample(t, "provider/provider.tf"))[1] + "/neon"
	const version = "0.0.1"
	mirror := t.TempDir()
	folder := filepath.Join(mirror, "registry.terraform.io", source, version, runtime.GOOS+"_"+runtime.GOARCH)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "terraform-provider-neon_v"+version), program, 0o700); err != nil {
		t.Fatal(err)
	}
	r.write(t, "dev.tfrc", fmt.Sprintf("provider_installation {\n  filesystem_mirror { path = %q }\n}\n", filepath.ToSlash(mirror)))
	return r
}
