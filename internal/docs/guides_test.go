package docs

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// installing is where the first of the guides has the provider cloned and installed. Each other
// guide that needs it says so with this link.
const installing = "getting-started.md#install-the-provider"

// guide says how a page is followed.
type guide struct {
	// terraform is the oldest that the page takes.
	terraform string
	// databases says that the page uses real databases.
	databases bool
	// prepare creates what the page takes for granted, on Neon or in the reader's folder, and returns
	// what it adds to the environment. The clone is where the provider is installed.
	prepare func(t *testing.T, w *acctest.World, folder, clone string) []string
	// inBrowser is what a person does on a web page after a block of shell, in shell.
	inBrowser map[string]string
	// onlyShown are the first lines of blocks that nobody runs, with the reason.
	onlyShown map[string]string
}

// claim is what somebody does who opens the URL in a browser.
const claim = `
url=$(terraform output -raw claim_url)
token=$(curl -fsS -c cookies "$url" | sed -n 's/.*csrf_token" value="\([^"]*\)".*/\1/p')
curl -fsS -b cookies -d "csrf_token=$token" "$url"
`

// followed are the guides, and README.
var followed = map[string]guide{
	"README": {terraform: "1.8.0", databases: true, onlyShown: map[string]string{
		"terraform {":       "is examples/shop/main.tf, which the page copies",
		"$ terraform apply": "is what the block that applies this prints",
	}},
	"api-keys":            {terraform: "1.10.0"},
	"bring-an-account-in": {terraform: "1.14.0"},
	"claimable-databases": {terraform: "1.8.0", databases: true, inBrowser: map[string]string{
		"connection_string=$(terraform output -raw connection_string)\nterraform output -raw claim_url": claim,
	}},
	"getting-started": {terraform: "1.8.0", databases: true},
	"moving-from-another-provider": {terraform: "1.8.0", prepare: prepareMove, onlyShown: map[string]string{
		"# For the old provider":                     "is the configuration before",
		"terraform state push -force before.tfstate": "would take the move back",
		`resource "neon_custom_domain" "api" {`:      "is of another configuration; TestAccTerraform_officialBackendMovesIn moves its state",
		`data "neon_connection_uri" "shop" {`:        "is the part of a configuration that an output needs",
	}},
	"preview-environments": {terraform: "1.8.0", databases: true, onlyShown: map[string]string{
		"# The workflow sets the bucket and the key, so that each pull request has a state of its own.": "needs a bucket; TestAccExamples_previewWorkflow has one",
		"name: Pull request":                 "runs at GitHub; TestAccExamples_previewWorkflow calls the other by it",
		`resource "neon_branch" "preview" {`: "is a part of a resource",
		`resource "neon_bucket" "uploads" {`: "is another folder; TestAccExamples_previewBackendOfProduction applies it",
	}},
	"previews-without-personal-data": {terraform: "1.8.0", databases: true},
	"project-from-nothing":           {terraform: "1.10.0", databases: true},
	"rate-limits":                    {terraform: "1.8.0"},
	"restore-points": {terraform: "1.14.0", onlyShown: map[string]string{
		"# Invoked before the database is deleted or replaced. It must not refer to what triggers it.": "needs Terraform 1.16; TestAccExamples_terraform116 applies it",
	}},
	"secrets-and-protection": {terraform: "1.8.0"},
	"testing-your-modules": {terraform: "1.10.0", databases: true, onlyShown: map[string]string{
		"func TestModule(t *testing.T) {": "is for the tests of another module",
	}},
	"troubleshooting": {terraform: "1.8.0", onlyShown: map[string]string{
		"import {": "is a part of a configuration",
	}},
}

// followedElsewhere are the guides whose examples other tests run.
var followedElsewhere = map[string]string{
	"application-tests": "TestNeonWithoutNeon",
	"emulator":          "TestNeonWithoutNeon",
	"sizes-and-costs":   "it has nothing to run",
	// Its blocks need accounts elsewhere, or a registry.
	"beside-other-providers": "TestAccExamples_beside",
	"tools":                  "a test of each feature that it names",
}

// Whoever follows the pages word for word succeeds, and sees what they show.
func TestAccGuides(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the pages are for a Unix shell")
	}
	installed := sync.OnceValues(func() (string, error) { return install(t) })
	files, err := filepath.Glob(root + "/docs/guides/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, root+"/README.md") {
		name := strings.TrimSuffix(filepath.Base(file), ".md")
		g, known := followed[name]
		if !known {
			if followedElsewhere[name] == "" {
				t.Errorf("nobody follows %s", name)
			}
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			g.follow(t, filepath.Base(file), string(text), installed)
		})
	}
}

// What CONTRIBUTING says of trying a change by hand works in a new clone.
func TestAccContributing(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the page is for a Unix shell")
	}
	_, section, _ := strings.Cut(read(t, "CONTRIBUTING.md"), "\n## Trying a change by hand\n")
	section, _, found := strings.Cut(section, "\n## ")
	if !found {
		t.Fatal("CONTRIBUTING has no such section")
	}
	clone := "\n```shell\ngit clone " + repository + "\ncd terraform-provider-neon\n```\n"
	g := guide{terraform: "1.8.0", onlyShown: map[string]string{
		"tools/clients/node_modules/.bin/neonctl --api-host $NEON_BASE_URL/api/v2 --no-analytics \\": "needs npm; TestNeonctl uses it",
	}}
	g.follow(t, "CONTRIBUTING.md", clone+section, nil)
}

// install follows the part of the first guide that the others link to, and returns the clone.
func install(t *testing.T) (string, error) {
	text, err := os.ReadFile(root + "/docs/guides/getting-started.md")
	if err != nil {
		return "", err
	}
	_, section, _ := strings.Cut(string(text), "\n## Install the provider\n")
	section, _, _ = strings.Cut(section, "\n## ")
	folder := t.TempDir()
	r := reading{page: installing, steps: steps(section)}
	return filepath.Join(folder, "terraform-provider-neon"), r.follow(t, folder, readerEnvironment(t, nil))
}

func (g guide) follow(t *testing.T, page, text string, installed func() (string, error)) {
	acctest.NeedsTerraform(t, g.terraform)
	if testing.Short() {
		t.Skip("this takes its time")
	}
	for _, program := range []string{"bash", "curl", "git", "make", "psql"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	w := g.world(t)
	folder := t.TempDir()
	// The account that PostgreSQL runs as, where the test runs as root, gets to what the emulator keeps there.
	if err := os.Chmod(filepath.Dir(folder), 0o711); err != nil { // Others only pass through.
		t.Fatal(err)
	}
	environment := readerEnvironment(t, map[string]string{"NEON_BASE_URL": w.BaseURL,
		"NEON_CLAIM_BASE_URL": w.ClaimBaseURL})
	if strings.Contains(text, "]("+installing+")") {
		clone, err := installed()
		if err == nil {
			err = os.Symlink(clone, filepath.Join(folder, "terraform-provider-neon"))
		}
		if err != nil {
			t.Fatal(err)
		}
		environment = append(environment, "TF_CLI_CONFIG_FILE="+filepath.Join(clone, "bin", "neon.tfrc"))
		if g.prepare != nil {
			environment = append(environment, g.prepare(t, w, folder, clone)...)
		}
	}
	r := reading{page: page, steps: g.toFollow(t, steps(text)), inBrowser: g.inBrowser}
	r.values = map[string]string{"NEON_API_KEY": w.APIKey, "NEON_ORG_ID": w.OrgID, "TF_VAR_project_id": w.ProjectID}
	if g.databases {
		r.values["PRODUCTION_URL"] = production(t, w)
	}
	if err := r.follow(t, folder, environment); err != nil {
		t.Fatal(err)
	}
}

// production is the connection string of the project's default branch, for a shell.
func production(t *testing.T, w *acctest.World) string {
	t.Helper()
	var answer struct{ URI string }
	path := "/api/v2/projects/" + w.ProjectID + "/connection_uri?database_name=neondb&role_name=neondb_owner"
	if err := json.Unmarshal(w.Request(t, http.MethodGet, path, nil), &answer); err != nil {
		t.Fatal(err)
	}
	return "'" + answer.URI + "'"
}

// world is a Neon for one page.
func (g guide) world(t *testing.T) *acctest.World {
	t.Helper()
	if g.databases {
		return acctest.StartDatabases(t)
	}
	return acctest.StartEmulator(t, emulator.Config{})
}

// toFollow is the page without the blocks that are only shown, which the test has to know.
func (g guide) toFollow(t *testing.T, all []step) []step {
	t.Helper()
	var kept []step
	shown := map[string]bool{}
	for _, s := range all {
		first, _, _ := strings.Cut(s.text, "\n")
		if g.onlyShown[first] == "" && (s.runs() || s.file != "") {
			kept = append(kept, s)
			continue
		}
		if shown[first] = true; g.onlyShown[first] == "" {
			t.Errorf("line %d: nothing runs this block: %s", s.line, first)
		}
	}
	for first := range g.onlyShown {
		if !shown[first] {
			t.Errorf("no block that is only shown begins with %q", first)
		}
	}
	return kept
}

// Each section of the page about other providers shows the variables that its block takes.
func TestBeside_declaresVariables(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/guides/beside-other-providers.md")
	for _, used := range regexp.MustCompile(`\bvar\.(\w+)`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, `variable "`+used[1]+`" {`) {
			t.Errorf("nothing declares %s", used[0])
		}
	}
}
