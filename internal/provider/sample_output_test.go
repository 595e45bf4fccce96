package provider_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

var updateSamples = flag.Bool("update", false, "write the sample outputs of the examples")

// sample is the file beside an example with what terraform prints.
const sample = "output.txt"

// differing is what differs from run to run, and what a sample has in its place.
var differing = []struct {
	pattern *regexp.Regexp
	shown   string
}{
	{regexp.MustCompile(`\b(ep|br|snap)-[a-z]+-[a-z]+-[0-9a-z]{8}`), "$1-cool-breeze-a1b2c3d4"},
	{regexp.MustCompile(`\borg-[a-z]+-[a-z]+-\d{8}`), "org-wispy-meadow-12345678"},
	{regexp.MustCompile(`\b[a-z]+-[a-z]+-\d{8}\b`), "wispy-meadow-12345678"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "2026-11-21T12:00:00Z"},
	{regexp.MustCompile(`npg_\w+`), "npg_..."},
	{regexp.MustCompile(`napi_\w+`), "napi_..."},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"},
	{regexp.MustCompile(`neon\.localhost`), "neon.tech"},
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+/claim`), "https://neon.new/claim"},
	{regexp.MustCompile(`after \d+(\.\d+)?m?s`), "after 1s"},
}

// progress is what an action prints of an operation, if it is seen at all before it ends.
var progress = regexp.MustCompile(`(?m)^Action .* of (branch|endpoint) \S+: (running|scheduling|finished after 1s)\.\n`)

// checkSample compares what terraform printed with the file that the documentation shows.
// `go test ./internal/provider -run 'sampleOutputs|actionExamples' -update` writes these files.
func checkSample(t *testing.T, folder, printed string) {
	t.Helper()
	for _, d := range differing {
		printed = d.pattern.ReplaceAllString(printed, d.shown)
	}
	printed = strings.TrimSpace(printed) + "\n"
	path := filepath.Join(acctest.ExamplesDir, folder, sample)
	if *updateSamples {
		if err := os.WriteFile(path, []byte(printed), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shown := acctest.ReadExample(t, filepath.Join(folder, sample))
	if progress.ReplaceAllString(shown, "") != progress.ReplaceAllString(printed, "") {
		t.Errorf("%s shows\n%s\nterraform prints\n%s", path, shown, printed)
	}
}

// consumed is when the sample reads the consumption of the week before.
var consumed = time.Now().Add(8 * 24 * time.Hour)

// sampleWorlds are the Neons of the samples that need more than an empty project.
var sampleWorlds = map[string]func(t *testing.T, w *acctest.World){
	"neon_branches": func(t *testing.T, w *acctest.World) {
		t.Helper()
		expires := time.Now().Add(7 * 24 * time.Hour)
		for _, name := range []string{"preview/pr-41", "preview/pr-42"} {
			created, err := w.Client(t).CreateBranch(t.Context(), w.ProjectID, client.BranchCreate{Name: name, ExpiresAt: &expires})
			settled(t, w.Client(t), w.ProjectID, created.Operations, err)
		}
	},
	"neon_operations": func(t *testing.T, w *acctest.World) {
		t.Helper()
		w.EndOperations(t, "create_branch", "failed", "no room left")
		if _, err := w.Client(t).CreateBranch(t.Context(), w.ProjectID, client.BranchCreate{Name: "staging"}); err != nil {
			t.Fatal(err)
		}
	},
	"neon_projects": func(t *testing.T, w *acctest.World) {
		t.Helper()
		for _, name := range []string{"shop", "web-shop"} {
			w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": name}, nil)
		}
	},
	"neon_org_members": func(t *testing.T, w *acctest.World) {
		t.Helper()
		w.AddMember(t, "anna@example.com", "admin")
	},
	"neon_consumption": func(t *testing.T, w *acctest.World) { t.Helper(); w.Advance(t, time.Until(consumed)) },
}

// What the documentation shows as the output of an example is what terraform prints, but for
// ids, moments and secrets.
func TestAccTerraform_sampleOutputs(t *testing.T) {
	t.Parallel()
	for _, file := range append(acctest.ExampleFiles(t, "resources/*/"+sample), acctest.ExampleFiles(t, "data-sources/*/"+sample)...) {
		folder := filepath.Dir(file)
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			kind, name := filepath.Split(folder)
			w := sampleWorld(t, name)
			text := acctest.ReadExample(t, filepath.Join(folder, strings.TrimSuffix(kind, "s/")+".tf"))
			text = strings.ReplaceAll(text, "plantimestamp()", strconv.Quote(consumed.UTC().Format(time.RFC3339)))
			r := acctest.NewRun(t, w, text, "TF_VAR_project_id="+w.ProjectID, "TF_VAR_org_id="+w.OrgID)
			applied := r.Terraform(t, "apply", "-auto-approve")
			if name == "neon_schema_diff" {
				changeSchema(t, w)
				applied = r.Terraform(t, "apply", "-auto-approve")
			}
			checkSample(t, folder, transcript(t, r, applied))
		})
	}
}

func sampleWorld(t *testing.T, name string) *acctest.World {
	t.Helper()
	if name == "neon_schema_diff" || name == "neon_branch_schema" {
		w := acctest.StartDatabases(t)
		orders(t, w, w.Emulator.FirstWorld().BranchID, "CREATE TABLE orders (id bigint PRIMARY KEY)")
		return w
	}
	w := acctest.StartEmulator(t, emulator.Config{})
	if prepare := sampleWorlds[name]; prepare != nil {
		prepare(t, w)
	}
	return w
}

// changeSchema adds a column on the branch of the example.
func changeSchema(t *testing.T, w *acctest.World) {
	t.Helper()
	for branch, err := range w.Client(t).Branches(t.Context(), w.ProjectID, client.BranchQuery{Search: "feature"}) {
		if err != nil {
			t.Fatal(err)
		}
		orders(t, w, branch.ID, "ALTER TABLE orders ADD COLUMN paid_at timestamptz")
	}
}

// transcript is what a terminal shows of an apply from its summary on, and of the outputs that
// terraform keeps to itself.
func transcript(t *testing.T, r acctest.Run, applied string) string {
	t.Helper()
	_, summary, found := strings.Cut(applied, "Apply complete!")
	if !found {
		t.Fatal("the apply doesn't say that it is complete")
	}
	text := "$ terraform apply\n...\nApply complete!" + summary
	for _, output := range sensitiveOutput.FindAllStringSubmatch(summary, -1) {
		text += fmt.Sprintf("\n$ terraform output -raw %s\n%s\n", output[1], r.Terraform(t, "output", "-raw", output[1]))
	}
	return text
}

var sensitiveOutput = regexp.MustCompile(`(?m)^(\S+) = <sensitive>$`)

// fromAction is what terraform says of an invocation from its start on.
func fromAction(said string) string {
	return said[max(0, strings.Index(said, "\nAction started")+1):]
}
