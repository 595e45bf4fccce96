package stories_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// besideRegistry, set to anything, validates examples with other providers that only their registry has.
const besideRegistry = "NEON_ACC_REGISTRY"

// What stands beside another provider is valid for that provider's newest release.
func TestAccExamples_besideIsValid(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0")
	for _, name := range acctest.ExampleEntries(t, "beside") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join("beside", name)
			others := strings.Count(acctest.ReadExample(t, filepath.Join(folder, "main.tf")), "source  =") > 1
			if others && os.Getenv(besideRegistry) == "" {
				t.Skip("this takes a provider from its registry; set " + besideRegistry)
			}
			r := withMirror(t, acctest.NewExampleRun(t, acctest.StartEmulator(t, emulator.Config{}), folder))
			r.Terraform(t, "init")
			r.Terraform(t, "validate")
		})
	}
}

// Migrations run on a new branch, and again when there are more of them. One that fails isn't forgotten for the next.
// No state and no plan holds the password.
func TestAccExamples_besideMigrations(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	if _, err := exec.LookPath("psql"); err != nil {
		t.Skip(err)
	}
	w := acctest.StartDatabases(t)
	r := acctest.NewExampleRun(t, w, "beside/migrations").With("TF_VAR_project_id="+w.ProjectID,
		"PGHOSTADDR=127.0.0.1") // Not every resolver knows that *.localhost is the machine itself.
	if err := os.Mkdir(filepath.Join(r.Folder, "migrations"), 0o700); err != nil {
		t.Fatal(err)
	}
	r.Write(t, "migrations/1.sql", "CREATE TABLE IF NOT EXISTS notes (text text)")
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-detailed-exitcode")
	r.Write(t, "migrations/0.sql", "SELECT nothing")
	r.Fails(t, "apply", "-auto-approve")
	r.Write(t, "migrations/0.sql", "SELECT 1")
	r.Write(t, "migrations/2.sql", "INSERT INTO notes VALUES ('migrated')")
	r.Terraform(t, "apply", "-auto-approve")
	branches := &acctest.BranchWorld{World: w, API: w.Client(t)}
	preview := branches.BranchNamed(t, "preview/migrations").ID
	uri, err := branches.API.GetConnectionURI(t.Context(), w.ProjectID, client.ConnectionURIQuery{
		BranchID: preview, DatabaseName: "neondb", RoleName: "neondb_owner",
	})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := acctest.QueryOne(t.Context(), uri, "SELECT text FROM notes"); err != nil || text != "migrated" {
		t.Errorf("the preview has %q (%v)", text, err)
	}
	checkNoSecrets(t, w, r)
}

// The secret of a repository at GitHub gets the connection string, which no state and no plan holds.
func TestAccExamples_besideGitHub(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	if runtime.GOOS == "windows" {
		t.Skip("the program in place of gh is a script of a Unix shell")
	}
	w := acctest.StartEmulator(t, emulator.Config{})
	programs := t.TempDir()
	given := filepath.Join(programs, "given")
	script := "#!/bin/sh\necho \"$@\" > '" + given + "'\ncat >> '" + given + "'\n"
	if err := os.WriteFile(filepath.Join(programs, "gh"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	r := acctest.NewExampleRun(t, w, "beside/github").With("TF_VAR_project_id="+w.ProjectID, "TF_VAR_repository=acme/shop",
		"PATH="+programs+string(filepath.ListSeparator)+os.Getenv("PATH"))
	r.Terraform(t, "apply", "-auto-approve")
	secret, err := os.ReadFile(given)
	if err != nil {
		t.Fatal(err)
	}
	command, url, _ := strings.Cut(string(secret), "\n")
	if command != "secret set DATABASE_URL --repo acme/shop" ||
		!strings.HasPrefix(url, "postgresql://neondb_owner:npg_") || strings.ContainsAny(url, "\n'") {
		t.Errorf("gh got %q and %q", command, url)
	}
	r.Terraform(t, "plan", "-detailed-exitcode")
	checkNoSecrets(t, w, r)
}

// checkNoSecrets finds nothing secret in the state, nor in a plan.
func checkNoSecrets(t *testing.T, w *acctest.World, r acctest.Run) {
	t.Helper()
	r.Terraform(t, "plan", "-out=plan", "-destroy")
	contents := map[string][]byte{}
	acctest.ReadTree(t, r.Folder, contents)
	for path, content := range contents {
		if slices.ContainsFunc(w.Emulator.Secrets(), func(secret string) bool {
			return strings.HasPrefix(secret, "npg_") && strings.Contains(string(content), secret)
		}) {
			t.Errorf("%s holds a password", path)
		}
	}
}
