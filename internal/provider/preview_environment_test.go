package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

// A pull request is opened, pushed to and closed. Its branch is created once: where
// one run has lost the state, the next imports the branch.
func TestAccExamples_previewEnvironment(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := acctest.NewExampleRun(t, w.World, "preview-environment")
	const pullRequest = "-var=pull_request=17"
	id := func() string { return w.BranchNamed(t, "preview/pr-17").ID }

	project := "-var=project_id=" + w.ProjectID
	r.Terraform(t, "apply", "-auto-approve", project, pullRequest)
	opened := id()
	uri := r.Terraform(t, "output", "-raw", "database_url")
	if host := w.Endpoints(t, opened)[0].PoolerHost(); !strings.Contains(uri, host) {
		t.Errorf("the connection string isn't that of %s", host)
	}
	if said := r.Terraform(t, "apply", "-auto-approve", project, pullRequest); !strings.Contains(said, "0 added, 0 changed, 0 destroyed") || id() != opened {
		t.Errorf("the second push changes the branch:\n%s", said)
	}
	again := acctest.NewExampleRun(t, w.World, "preview-environment")
	if said := again.Terraform(t, "apply", "-auto-approve", project, pullRequest); !strings.Contains(said, "1 imported, 0 added, 0 changed, 0 destroyed") || id() != opened {
		t.Errorf("without its state, the branch isn't imported:\n%s", said)
	}
	if said := again.Terraform(t, "plan", project, pullRequest); !strings.Contains(said, "No changes.") {
		t.Errorf("the plan after the import isn't empty:\n%s", said)
	}
	again.Terraform(t, "destroy", "-auto-approve", project, pullRequest)
	w.CheckOnly(t, "main")
}

// The application of a pull request sees the rows that its parent had.
func TestAccExamples_previewEnvironmentData(t *testing.T) {
	t.Parallel()
	w := acctest.StartDatabases(t)
	parent, err := w.Client(t).ConnectionURI(t.Context(), w.ProjectID, client.ConnectionURIQuery{
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
	r := acctest.NewExampleRun(t, w, "preview-environment")
	variables := []string{"-auto-approve", "-var=project_id=" + w.ProjectID, "-var=pull_request=17"}
	r.Terraform(t, slices.Concat([]string{"apply"}, variables)...)
	uri := strings.TrimSpace(r.Terraform(t, "output", "-raw", "database_url"))
	if got, err := acctest.QueryOne(t.Context(), uri, "SELECT string_agg(name, ',' ORDER BY name) FROM fruit"); err != nil || got != "apple,plum" {
		t.Errorf("the application sees %q, %v", got, err)
	}
	if got := r.Terraform(t, "output", "-raw", "schema_changes"); got != "" {
		t.Errorf("the branch changes the schema: %s", got)
	}
	migration := sqlscript.Script{Statements: []sqlscript.Statement{{Text: "ALTER TABLE fruit ADD COLUMN sweet boolean"}}}
	if err := migration.Run(t.Context(), uri); err != nil {
		t.Fatal(err)
	}
	r.Terraform(t, slices.Concat([]string{"apply", "-refresh-only"}, variables)...)
	if got := r.Terraform(t, "output", "-raw", "schema_changes"); !strings.Contains(got, "+    sweet boolean\n") {
		t.Errorf("the migration changes in the schema: %q", got)
	}
	r.Terraform(t, slices.Concat([]string{"destroy"}, variables)...)
	if _, err := acctest.QueryOne(t.Context(), uri, "SELECT ''"); err == nil {
		t.Error("the branch is gone, and its database answers")
	}
}
