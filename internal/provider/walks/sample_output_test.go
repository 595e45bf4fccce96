package walks_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "2026-11-21T12:00:00Z"},
	{regexp.MustCompile(`npg_\w+`), "npg_..."},
	{regexp.MustCompile(`napi_\w+`), "napi_..."},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"},
	{regexp.MustCompile(`neon\.localhost`), "neon.tech"},
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+/claim\?user_code=[A-Z0-9-]+`), "https://claimable.neon.tech/claim?user_code=ABCD-2345"},
	{regexp.MustCompile(`\(code [A-Z0-9-]+\)`), "(code ABCD-2345)"},
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+/app/claim`), "https://console.neon.tech/app/claim"},
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+/claim`), "https://neon.new/claim"},
	{regexp.MustCompile(`after \d+(\.\d+)?m?s`), "after 1s"},
	{regexp.MustCompile(`RTO \d+(\.\d+)?m?s`), "RTO 1s"},
	{regexp.MustCompile(`6h0m\d+s`), "6h0m0s"},
	{regexp.MustCompile(`restore-rehearsal-[a-z0-9]{10}`), "restore-rehearsal-k3v7q2m6xd"},
}

// ids are those of objects, and what a sample has in their place: another one for each of a kind.
var ids = []struct {
	pattern *regexp.Regexp
	shown   []string
}{
	{regexp.MustCompile(`\b(?:ep|br|snap)-[a-z]+-[a-z]+-[0-9a-z]{8}`), []string{"cool-breeze-a1b2c3d4", "quiet-river-b2c3d4e5", "wild-meadow-c3d4e5f6", "still-lake-d4e5f6a7"}},
	{regexp.MustCompile(`\borg-[a-z]+-[a-z]+-\d{8}\b`), []string{"wispy-meadow-12345678", "quiet-forest-23456789"}},
	{regexp.MustCompile(`(?:\borg-|\b)[a-z]+-[a-z]+-\d{8}\b`), []string{"wispy-meadow-12345678", "shiny-wind-23456789", "green-hill-34567890"}},
}

// withShownIDs replaces ids in the order in which they appear, first outside of what is printed of operations.
func withShownIDs(t *testing.T, printed string) string {
	t.Helper()
	for _, id := range ids {
		shown, used := map[string]string{}, map[string]int{}
		for _, found := range id.pattern.FindAllString(progress.ReplaceAllString(printed, "")+printed, -1) {
			kind, _, _ := strings.Cut(found, "-")
			if !slices.Contains([]string{"ep", "br", "snap", "org"}, kind) {
				kind = ""
			}
			switch {
			case shown[found] != "":
				continue
			case used[kind] == len(id.shown):
				t.Fatalf("the sample needs another placeholder for %s", found)
			}
			shown[found] = strings.TrimPrefix(kind+"-"+id.shown[used[kind]], "-")
			used[kind]++
		}
		printed = id.pattern.ReplaceAllStringFunc(printed, func(found string) string { return shown[found] })
	}
	return printed
}

// progress is what an action prints of an operation or of masking, if it is seen at all before it ends.
var progress = regexp.MustCompile(
	`(?m)^Action .*( of (branch|endpoint) \S+: (running|scheduling|finished after 1s)|: Branch \S+ after 1s: anonymiz(ing|ed): .*)\.\n`)

// compareSample compares what terraform printed with the file that the documentation shows.
// `go test ./internal/provider -run 'TestAccExamples$|actionExamples' -update` writes these files.
func compareSample(t *testing.T, folder, printed string) {
	t.Helper()
	for _, d := range differing {
		printed = d.pattern.ReplaceAllString(printed, d.shown)
	}
	printed = strings.TrimSpace(withShownIDs(t, printed)) + "\n"
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

// exampleWorlds fill the Neons of the examples that need more than an empty project.
var exampleWorlds = map[string]func(t *testing.T, w *acctest.World){
	"neon_delete_stale_branches": func(t *testing.T, w *acctest.World) {
		t.Helper()
		made := &acctest.BranchWorld{World: w, API: w.Client(t)}
		made.MakeBranch(t, "preview/pr-41")
		made.MakeBranch(t, "preview/demo")
		w.Advance(t, 30*24*time.Hour)
		made.MakeBranch(t, "preview/pr-42")
	},
	"neon_rehearse_restore": func(t *testing.T, w *acctest.World) {
		t.Helper()
		orders(t, w, w.Emulator.FirstWorld().BranchID, "CREATE TABLE orders AS SELECT generate_series(1, 1250) AS id")
	},
	"neon_branches": func(t *testing.T, w *acctest.World) {
		t.Helper()
		expires := time.Now().Add(7 * 24 * time.Hour)
		for _, name := range []string{"preview/pr-41", "preview/pr-42"} {
			created, err := w.Client(t).CreateBranch(t.Context(), w.ProjectID,
				client.BranchCreate{Name: name, ExpiresAt: &expires})
			if err == nil {
				err = w.Client(t).WaitForOperations(t.Context(), w.ProjectID, created.Operations)
			}
			if err != nil {
				t.Fatal(err)
			}
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
	"neon_org_member_role": func(t *testing.T, w *acctest.World) {
		t.Helper()
		w.AddMember(t, "max@example.com", "collaborator")
	},
	"neon_project": func(t *testing.T, w *acctest.World) {
		t.Helper()
		w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": "web-shop"}, nil)
	},
}

// checkSample compares the output of an example that has been applied with its sample, if the
// documentation shows one.
func checkSample(t *testing.T, w *acctest.World, r acctest.Run, name, applied string) {
	t.Helper()
	folder, file := filepath.Split(name)
	kind, noun := filepath.Split(filepath.Clean(folder))
	if file != strings.TrimSuffix(kind, "s/")+".tf" {
		return
	}
	if _, err := os.Stat(filepath.Join(acctest.ExamplesDir, folder, sample)); err != nil {
		if *updateSamples {
			fmt.Fprintf(os.Stderr, "-update leaves %s without a sample: it has no %s. Make an empty one to have it written.\n",
				folder, sample)
		}
		return
	}
	if noun == "neon_schema_diff" {
		changeSchema(t, w)
		applied = r.Terraform(t, "apply", "-auto-approve")
	}
	compareSample(t, folder, transcript(t, r, applied))
}

// exampleWorld is a Neon with what the examples of a noun are about.
func exampleWorld(t *testing.T, noun string) *acctest.World {
	t.Helper()
	switch noun {
	case "neon_schema_diff", "neon_branch_schema":
		w := acctest.StartDatabases(t)
		orders(t, w, w.Emulator.FirstWorld().BranchID, "CREATE TABLE orders (id bigint PRIMARY KEY)")
		return w
	case "neon_consumption":
		const age = 8 * 24 * time.Hour
		w := acctest.StartEmulator(t, emulator.Config{Now: func() time.Time { return time.Now().Add(-age) }})
		w.Advance(t, age)
		return w
	}
	w := acctest.StartEmulator(t, emulator.Config{})
	if fill := exampleWorlds[noun]; fill != nil {
		fill(t, w)
	}
	return w
}

// changeSchema adds a column on the branch of the example.
func changeSchema(t *testing.T, w *acctest.World) {
	t.Helper()
	for branch, err := range w.Client(t).ListBranches(t.Context(), w.ProjectID, client.BranchQuery{Search: "feature"}) {
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
