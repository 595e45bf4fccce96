package provider

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// examplesDir holds the configurations that the documentation shows. The tests
// below run each of them as it stands there.
const examplesDir = "../../examples"

var (
	exampleVariable = regexp.MustCompile(`(?m)^variable "([^"]+)"`)
	exampleSource   = regexp.MustCompile(`source\s*=\s*"([^/"]+)/neon"`)
	// commandExample and blockExample are the only forms that an import example has.
	commandExample = regexp.MustCompile(`(?m)^terraform import (\S+) (\S+)\n\z`)
	blockExample   = regexp.MustCompile(`\Aimport \{\n  to = (\S+)\n  id = "([^"]+)"\n\}\n\z`)
)

// importIDs tells the import id of a managed object from its attributes. A nil
// function says that the resource can't be imported.
var importIDs = map[string]func(attributes map[string]string) string{
	"neon_api_key":            func(a map[string]string) string { return a["id"] },
	"neon_org_api_key":        func(a map[string]string) string { return a["org_id"] + "/" + a["id"] },
	"neon_branch":             func(a map[string]string) string { return a["project_id"] + "/" + a["id"] },
	"neon_claimable_database": nil,
}

// What the provider serves has an example, and every example shows something
// that the provider serves.
func TestExamples_complete(t *testing.T) {
	server := NewServer("test").New()
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for folder, served := range map[string][]string{
		"resources":           slices.Sorted(maps.Keys(schema.ResourceSchemas)),
		"data-sources":        slices.Sorted(maps.Keys(schema.DataSourceSchemas)),
		"ephemeral-resources": slices.Sorted(maps.Keys(schema.EphemeralResourceSchemas)),
		"functions":           slices.Sorted(maps.Keys(schema.Functions)),
	} {
		if shown := exampleEntries(t, folder); !slices.Equal(shown, served) {
			t.Errorf("examples/%s shows %q; the provider serves %q", folder, shown, served)
		}
	}
	for _, name := range exampleEntries(t, "resources") {
		importID, known := importIDs[name]
		if !known {
			t.Errorf("importIDs doesn't say how %s is imported", name)
		}
		for _, file := range []string{"import.sh", "import-by-string-id.tf"} {
			_, err := os.Stat(filepath.Join(examplesDir, "resources", name, file))
			if shown := err == nil; shown != (importID != nil) {
				t.Errorf("examples/resources/%s/%s: there is %t, want %t", name, file, shown, importID != nil)
			}
		}
	}
}

// Each example is applied, planned again without a change, imported where there
// is an import example, and destroyed.
//
// This test isn't parallel: it sets the environment, from which the examples
// take the provider's configuration.
func TestAccExamples(t *testing.T) {
	examples := map[string]string{
		"provider":   readExample(t, "provider/provider.tf"),
		"quickstart": "",
	}
	for folder, file := range map[string]string{
		"resources": "resource.tf", "data-sources": "data-source.tf", "functions": "function.tf",
	} {
		for _, name := range exampleEntries(t, folder) {
			examples[folder+"/"+name] = readExample(t, filepath.Join(folder, name, file))
		}
	}
	for _, file := range exampleEntries(t, "quickstart") {
		examples["quickstart"] += readExample(t, filepath.Join("quickstart", file))
	}
	w := startEmulator(t, emulator.Config{})
	w.control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": "web-shop"}, nil)
	values := examplesIn(t, w)
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		t.Run(name, func(t *testing.T) { runExample(t, w, values, name, examples[name]) })
	}
}

// examplesIn points the environment at a world, and gives a value for each
// variable that an example may declare.
func examplesIn(t *testing.T, w *world) config.Variables {
	t.Helper()
	for name, value := range map[string]string{
		"NEON_BASE_URL": w.baseURL, "NEON_CLAIM_BASE_URL": w.baseURL, "NEON_API_KEY": w.apiKey, "NEON_ORG_ID": w.orgID,
		// Terraform looks for the provider in process where the examples say that
		// it comes from.
		"TF_ACC_PROVIDER_NAMESPACE": exampleSource.FindStringSubmatch(readExample(t, "provider/provider.tf"))[1],
	} {
		t.Setenv(name, value)
	}
	return config.Variables{
		"neon_api_key":       config.StringVariable(w.apiKey),
		"org_id":             config.StringVariable(w.orgID),
		"project_id":         config.StringVariable(w.projectID),
		"preview_expires_at": config.StringVariable(inDays(7)),
		"database_url":       config.StringVariable(directURL),
		"database_id":        config.StringVariable(claimableDatabase(t, w)),
	}
}

// claimableDatabase makes one past Terraform, and gives its id.
func claimableDatabase(t *testing.T, w *world) string {
	t.Helper()
	made, err := w.clientWith(t, "").CreateClaimableDatabase(t.Context(), client.ClaimableDatabaseCreate{Ref: "examples"})
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

func runExample(t *testing.T, w *world, values config.Variables, name, text string) {
	if !strings.Contains(text, "required_providers") {
		text = fmt.Sprintf("terraform {\n  required_providers {\n    neon = { source = \"%s/neon\" }\n  }\n}\n%s",
			os.Getenv("TF_ACC_PROVIDER_NAMESPACE"), text)
	}
	variables := config.Variables{}
	for _, match := range exampleVariable.FindAllStringSubmatch(text, -1) {
		if value, ok := values[match[1]]; ok {
			variables[match[1]] = value
		}
	}
	steps := []resource.TestStep{
		{Config: text, ConfigVariables: variables},
		{
			Config: text, ConfigVariables: variables,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
	}
	if managed, ok := strings.CutPrefix(name, "resources/"); ok && importIDs[managed] != nil {
		steps = append(steps, importSteps(t, managed, text, variables)...)
	}
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: w.factories(), Steps: steps})
}

// importSteps runs both import examples of a resource, with the id of the object
// that the example made in place of the one that is shown.
func importSteps(t *testing.T, name, text string, variables config.Variables) []resource.TestStep {
	folder := filepath.Join("resources", name)
	command := commandExample.FindStringSubmatch(readExample(t, filepath.Join(folder, "import.sh")))
	block := blockExample.FindStringSubmatch(readExample(t, filepath.Join(folder, "import-by-string-id.tf")))
	if command == nil || block == nil {
		t.Fatal("an import example isn't in the form that the test knows")
	}
	if !slices.Equal(command[1:], block[1:]) {
		t.Errorf("the two import examples differ: %q and %q", command[1:], block[1:])
	}
	address, shown := command[1], command[2]

	file := filepath.Join(t.TempDir(), "import.tf")
	write := func(id string) error {
		return os.WriteFile(file, []byte(text+strings.Replace(block[0], shown, id, 1)), 0o600)
	}
	// The framework looks at every file before the first step.
	if err := write(shown); err != nil {
		t.Fatal(err)
	}
	return []resource.TestStep{
		{
			Config: text, ConfigVariables: variables,
			ResourceName: address, ImportState: true,
			ImportStateIdFunc: func(state *terraform.State) (string, error) {
				object, ok := state.RootModule().Resources[address]
				if !ok {
					return "", fmt.Errorf("the example makes no %s", address)
				}
				id := importIDs[name](object.Primary.Attributes)
				if strings.Count(id, "/") != strings.Count(shown, "/") {
					return "", fmt.Errorf("the import example shows %q, an id looks like %q", shown, id)
				}
				return id, write(id)
			},
			ImportStateVerify:       true,
			ImportStateVerifyIgnore: []string{"key", "rotation_triggers"},
		},
		{
			ConfigFile: config.StaticFile(file), ConfigVariables: variables,
			ResourceName: address, ImportState: true,
			ImportStateKind: resource.ImportBlockWithID, ImportStateConfigExact: true,
		},
	}
}

func exampleEntries(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(examplesDir, folder))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func readExample(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(examplesDir, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
