package stories_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// mockedValues are values of required variables. Ids are written as mocks write them.
var mockedValues = map[string]string{
	"project_id": `"x7k2m9qa"`, "org_id": `"b4w8zt1c"`, "member_id": `"q0fj3v6d"`, "database_id": `"n5h2ygr8"`,
	"pull_request":   "7",
	"deploy_command": `"true"`, "migrate_command": `"true"`, "check_command": `"true"`, "name": `"shop"`,
	"signing_key":      `"secret"`,
	"oauth_client_ids": "{}", "oauth_client_secrets": "{}", "smtp_password": `"secret"`, "stripe_key": `"secret"`,
}

// mockedMore is what a test of an example says besides mock_provider "neon" {}: a mock has no JSON in its
// texts.
var mockedMore = map[string]string{
	"data-sources/neon_branch_schema/data-source.tf": `override_data {
  target = data.neon_branch_schema.main
  values = { json = "{\"tables\": []}" }
}
`,
}

// notMocked are the folders of examples that no test with mocks can run, with the reason.
var notMocked = map[string]string{
	"claimable-env": "no mock has functions", "rotation": "is about another provider",
	"restore-point": "no mock has actions", "stale-branches": "no mock has actions",
	"restore-rehearsal": "no mock has actions",
	"terraform-1.16":    "no mock has actions",
	"import-an-account": "imports what exists", "terraform-test": "has no provider",
	"provider": "is several configurations",
}

// beyondMocks are the examples that Terraform, and those that OpenTofu can't run with mocks, with what it says.
func beyondMocks(name string) string {
	switch name {
	case "data-sources/neon_operation/data-source.tf":
		return "is empty list of object"
	case "data-sources/neon_custom_domain/data-source.tf":
		return "Check block assertion known after apply"
	}
	if os.Getenv("TF_ACC_PROVIDER_HOST") == "registry.opentofu.org" {
		return map[string]string{ // It fills in nothing in an object that is configured, and passes a mock to no alias.
			"quickstart": "branch_id", "modules/project": "branch_id", "project-from-nothing": "branch_id",
			"api-keys": "Unable to",
			"ephemeral-resources/neon_api_key/ephemeral-resource.tf":     "Unable to",
			"ephemeral-resources/neon_org_api_key/ephemeral-resource.tf": "Unable to",
		}[name]
	}
	if slices.Contains([]string{"api-keys", "project-from-nothing", "resources/neon_database/resource.tf",
		"resources/neon_role/resource.tf",
		"resources/neon_service_credential/resource.tf"}, name) || strings.HasPrefix(name, "ephemeral-resources/") {
		return "does not yet support ephemeral resource types"
	}
	return ""
}

// mockedExamples are the files of each configuration among the examples, by its name.
func mockedExamples(t *testing.T) map[string][]string {
	t.Helper()
	examples := map[string][]string{}
	for _, pattern := range []string{"resources/*/resource*.tf", "resources/*/protected.tf", "data-sources/*/*.tf",
		"ephemeral-resources/*/*.tf"} {
		for _, file := range acctest.ExampleFiles(t, pattern) {
			examples[file] = []string{file}
		}
	}
	for _, pattern := range []string{"ephemeral-resources/*/*.sql"} {
		for _, file := range acctest.ExampleFiles(t, pattern) {
			example := filepath.Dir(file) + "/ephemeral-resource.tf"
			examples[example] = append(examples[example], file)
		}
	}
	for _, pattern := range []string{"*/*.tf", "*/*.sql", "modules/*/*.tf"} {
		for _, file := range acctest.ExampleFiles(t, pattern) {
			if folder := filepath.Dir(file); notMocked[folder] == "" {
				examples[folder] = append(examples[folder], file)
			}
		}
	}
	return examples
}

var (
	// Only the root of a run may have import blocks.
	importBlocks = regexp.MustCompile(`(?ms)^import \{.*?^\}\n`) //nolint:gocritic // Lines begin in the middle, too.
	// What a module configures itself is no mock.
	providerBlocks = regexp.MustCompile(`(?ms)^provider "neon" \{(\}|.*?^\})\n`) //nolint:gocritic // As above.
	notInNames     = regexp.MustCompile(`\W`)
)

// Whoever tests a module with mock_provider "neon" {} and nothing else can plan it, apply it and apply
// it again: a mock's ids aren't like Neon's.
func TestAccTerraform_mockProvider(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	requires := strings.SplitAfter(acctest.ReadExample(t, "provider/provider.tf"), "\n}\n")[0]
	r := acctest.NewRun(t, w, requires, "NEON_API_KEY=", "NEON_BASE_URL=http://127.0.0.1:1")
	together, whyNot := requires, map[string]string{"together": ""} // By files of tests, why they can't pass.
	for name, files := range mockedExamples(t) {
		called, folder := notInNames.ReplaceAllString(name, "_"), filepath.Join("examples", strings.TrimSuffix(name, ".tf"))
		variables := writeMocked(t, r, folder, files)
		why, more := beyondMocks(name), mockedMore[name]
		if why == "" && more == "" { // Terraform plans them together in a quarter of the time.
			together += fmt.Sprintf("module %q {\n  source = \"../%s\"\n%s}\n", called, filepath.ToSlash(folder), variables)
			continue
		}
		whyNot[called] = why
		r.Write(t, called+".tftest.hcl", mockedRuns(called, folder, more, variables))
	}
	if err := os.Mkdir(filepath.Join(r.Folder, "together"), 0o700); err != nil {
		t.Fatal(err)
	}
	r.Write(t, "together/main.tf", together)
	r.Write(t, "together.tftest.hcl", mockedRuns("together", "together", "", ""))
	r.Terraform(t, "get")
	output, _ := r.Command(t, "test").CombinedOutput() // What must pass is in what it says.
	said := acctest.InOneLine(string(output))
	for called, why := range whyNot {
		_, own, _ := strings.Cut(said, called+".tftest.hcl... ")
		if passed := strings.Contains(own, fmt.Sprintf("run %q... pass", called+"_1")); passed != (why == "") {
			t.Errorf("with mocks, %s passes: %t (%q); it says:\n%.2000s", called, passed, why, own)
		}
	}
}

// writeMocked writes an example into a folder of a run, and returns the values of its variables.
func writeMocked(t *testing.T, r acctest.Run, folder string, files []string) (variables string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(r.Folder, folder), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text := importBlocks.ReplaceAllString(acctest.ReadExample(t, file), "")
		text = providerBlocks.ReplaceAllStringFunc(text, func(block string) string {
			if strings.Contains(block, "alias") {
				return block
			}
			return ""
		})
		for _, declared := range acctest.ExampleVariable.FindAllStringSubmatch(text, -1) {
			if value := mockedValues[declared[1]]; value != "" {
				variables += fmt.Sprintf("    %s = %s\n", declared[1], value)
			}
		}
		r.Write(t, filepath.Join(folder, filepath.Base(file)), text)
	}
	return variables
}

// mockedRuns is a file of tests that plans and applies what is in a folder, twice.
func mockedRuns(called, folder, more, variables string) string {
	text := "mock_provider \"neon\" {}\n" + more
	for run := range 2 {
		text += fmt.Sprintf("run \"%s_%d\" {\n  module {\n    source = \"./%s\"\n  }\n  variables {\n%s  }\n}\n",
			called, run, filepath.ToSlash(folder), variables)
	}
	return text
}
