package stories_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// The scheduled workflow names stale previews, keeps those of open pull requests, and deletes the others once the
// variable says so.
func TestAccExamples_staleBranchesWorkflow(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, acctest.ActionsSince)
	for _, program := range []string{"bash", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	w := acctest.BranchWorldOf(t, emulator.Config{})
	for _, name := range []string{"preview/pr-7", "preview/backend-pr-7", "preview/pr-8", "staging"} {
		w.MakeBranch(t, name)
	}
	w.Advance(t, 10*24*time.Hour)
	w.MakeBranch(t, "preview/pr-9")
	var read workflow
	if err := yaml.Unmarshal([]byte(acctest.ReadExample(t, "stale-branches/workflow.yml")), &read); err != nil {
		t.Fatal(err)
	}
	// GitHub's program knows the open pull requests.
	programs := t.TempDir()
	gh := "#!/bin/sh\nfor filter; do :; done\necho '[{\"number\": 7}]' | jq -c \"$filter\"\n"
	if err := os.WriteFile(filepath.Join(programs, "gh"), []byte(gh), 0o700); err != nil {
		t.Fatal(err)
	}
	weekly := func(variable string) string {
		r := withMirror(t, acctest.NewExampleRun(t, w.World, "stale-branches"))
		played := runner{workflow: read, run: r, values: map[string]string{
			"secrets.NEON_API_KEY": w.APIKey, "vars.NEON_PROJECT_ID": w.ProjectID, "vars.DELETE_STALE_BRANCHES": variable,
		}}
		for name, value := range read.Env {
			r = r.With(name + "=" + played.filled(t, value))
		}
		said, variables := "", filepath.Join(t.TempDir(), "github.env")
		for _, step := range read.Jobs["delete"].Steps {
			if arguments, isTerraform := strings.CutPrefix(step.Run, "terraform "); isTerraform {
				said = r.Terraform(t, strings.Fields(arguments)...)
				continue
			}
			if step.Run == "" {
				continue
			}
			command := exec.CommandContext(t.Context(), "bash", "-e", "-c", step.Run)
			command.Env = append(os.Environ(), "GITHUB_ENV="+variables,
				"PATH="+programs+string(filepath.ListSeparator)+os.Getenv("PATH"))
			if output, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", step.Run, err, output)
			}
			left, err := os.ReadFile(variables)
			if err != nil {
				t.Fatal(err)
			}
			r = r.With(strings.TrimSpace(string(left)))
		}
		return said
	}
	if said := weekly(""); !strings.Contains(said, `Would delete "preview/pr-8"`) ||
		!strings.Contains(said, "1 branch would be deleted") {
		t.Errorf("the first run says %s", said)
	}
	w.CheckOnly(t, "main", "preview/pr-7", "preview/backend-pr-7", "preview/pr-8", "preview/pr-9", "staging")
	if said := weekly("yes"); !strings.Contains(said, "1 branch was deleted") {
		t.Errorf("with the variable it says %s", said)
	}
	w.CheckOnly(t, "main", "preview/pr-7", "preview/backend-pr-7", "preview/pr-9", "staging")
}
