package provider_test

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
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// importIDs tells the import id of a managed object from its attributes. A nil
// function says that the resource can't be imported.
var importIDs = map[string]func(attributes map[string]string) string{
	"neon_api_key":                  func(a map[string]string) string { return a["id"] },
	"neon_org_api_key":              func(a map[string]string) string { return a["org_id"] + "/" + a["id"] },
	"neon_branch":                   func(a map[string]string) string { return a["project_id"] + "/" + a["id"] },
	"neon_endpoint":                 func(a map[string]string) string { return a["project_id"] + "/" + a["id"] },
	"neon_project":                  func(a map[string]string) string { return a["id"] },
	"neon_role":                     func(a map[string]string) string { return a["id"] },
	"neon_database":                 func(a map[string]string) string { return a["id"] },
	"neon_project_member_role":      func(a map[string]string) string { return a["project_id"] + "/" + a["member_id"] },
	"neon_org_member_role":          func(a map[string]string) string { return a["org_id"] + "/" + a["member_id"] },
	"neon_org_invitation":           func(a map[string]string) string { return a["org_id"] + "/" + a["id"] },
	"neon_jwks_url":                 func(a map[string]string) string { return a["project_id"] + "/" + a["id"] },
	"neon_project_permission":       func(a map[string]string) string { return a["project_id"] + "/" + a["id"] },
	"neon_branch_backup_schedule":   func(a map[string]string) string { return a["id"] },
	"neon_snapshot":                 func(a map[string]string) string { return a["project_id"] + "/" + a["id"] },
	"neon_vpc_endpoint_assignment":  func(a map[string]string) string { return a["id"] },
	"neon_vpc_endpoint_restriction": func(a map[string]string) string { return a["id"] },
	"neon_org_spending_limit":       func(a map[string]string) string { return a["id"] },
	"neon_claimable_database":       nil,
}

// What the provider serves has an example, and every example shows something
// that the provider serves.
func TestExamples_complete(t *testing.T) {
	server := provider.NewServer("test").New()
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for folder, served := range map[string][]string{
		"resources":           slices.Sorted(maps.Keys(schema.ResourceSchemas)),
		"data-sources":        slices.Sorted(maps.Keys(schema.DataSourceSchemas)),
		"ephemeral-resources": slices.Sorted(maps.Keys(schema.EphemeralResourceSchemas)),
		"actions":             slices.Sorted(maps.Keys(schema.ActionSchemas)),
		"functions":           slices.Sorted(maps.Keys(schema.Functions)),
		"list-resources":      slices.Sorted(maps.Keys(schema.ListResourceSchemas)),
	} {
		if shown := acctest.ExampleEntries(t, folder); !slices.Equal(shown, served) {
			t.Errorf("examples/%s shows %q; the provider serves %q", folder, shown, served)
		}
	}
	for _, name := range acctest.ExampleEntries(t, "resources") {
		importID, known := importIDs[name]
		if !known {
			t.Errorf("importIDs doesn't say how %s is imported", name)
		}
		for _, file := range []string{"import.sh", "import-by-string-id.tf"} {
			_, err := os.Stat(filepath.Join(acctest.ExamplesDir, "resources", name, file))
			if shown := err == nil; shown != (importID != nil) {
				t.Errorf("examples/resources/%s/%s: there is %t, want %t", name, file, shown, importID != nil)
			}
		}
	}
}

// Each example is applied, planned again without a change, imported where there
// is an import example, and destroyed; one that is guarded against that only after
// the guard is gone.
//
// This test isn't parallel: it sets the environment, from which the examples
// take the provider's configuration.
func TestAccExamples(t *testing.T) {
	examples := map[string]string{
		"quickstart": "",
	}
	for _, pattern := range []string{"provider/*.tf", "resources/*/resource*.tf", "resources/*/protected.tf", "data-sources/*/*.tf", "functions/*/*.tf"} {
		for _, file := range acctest.ExampleFiles(t, pattern) {
			examples[file] = acctest.ReadExample(t, file)
		}
	}
	for _, file := range acctest.ExampleEntries(t, "quickstart") {
		examples["quickstart"] += acctest.ReadExample(t, filepath.Join("quickstart", file))
	}
	w := acctest.StartEmulator(t, emulator.Config{})
	w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": "web-shop"}, nil)
	values := examplesIn(t, w)
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		t.Run(name, func(t *testing.T) { runExample(t, w, values, name, examples[name]) })
	}
}

// examplesIn points the environment at a world, and gives a value for each
// variable that an example may declare.
func examplesIn(t *testing.T, w *acctest.World) config.Variables {
	t.Helper()
	for name, value := range map[string]string{
		"NEON_BASE_URL": w.BaseURL, "NEON_CLAIM_BASE_URL": w.BaseURL, "NEON_API_KEY": w.APIKey, "NEON_ORG_ID": w.OrgID,
		// Terraform looks for the provider in process where the examples say that
		// it comes from.
		"TF_ACC_PROVIDER_NAMESPACE": acctest.ExampleSource.FindStringSubmatch(acctest.ReadExample(t, "provider/provider.tf"))[1],
	} {
		t.Setenv(name, value)
	}
	memberID, _ := w.AddMember(t, "max@example.com", "collaborator")
	return config.Variables{
		"partner_api_key":    config.StringVariable(w.APIKey),
		"partner_org_id":     config.StringVariable(w.OrgID),
		"org_id":             config.StringVariable(w.OrgID),
		"project_id":         config.StringVariable(w.ProjectID),
		"preview_expires_at": config.StringVariable(acctest.InDays(7)),
		"database_url":       config.StringVariable(acctest.DirectURL),
		"member_id":          config.StringVariable(memberID),
		"database_id":        config.StringVariable(claimableDatabase(t, w)),
	}
}

// claimableDatabase makes one past Terraform, and gives its id.
func claimableDatabase(t *testing.T, w *acctest.World) string {
	t.Helper()
	made, err := w.ClientWith(t, "").CreateClaimableDatabase(t.Context(), client.ClaimableDatabaseCreate{Ref: "examples"})
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

// unprotected matches what keeps an example from being destroyed.
var unprotected = regexp.MustCompile(`(deletion_protection|prevent_destroy) = true`)

func runExample(t *testing.T, w *acctest.World, values config.Variables, name, text string) {
	variables := config.Variables{}
	for _, match := range acctest.ExampleVariable.FindAllStringSubmatch(text, -1) {
		if value, ok := values[match[1]]; ok {
			variables[match[1]] = value
		}
	}
	// The framework plans again after it, twice, and fails where that isn't empty.
	steps := []resource.TestStep{{Config: text, ConfigVariables: variables}}
	if managed := filepath.Base(filepath.Dir(name)); filepath.Base(name) == "resource.tf" && importIDs[managed] != nil {
		steps = append(steps, importSteps(t, managed, text, variables)...)
	}
	if free := unprotected.ReplaceAllString(text, "$1 = false"); free != text {
		steps = append(steps,
			resource.TestStep{Config: text, ConfigVariables: variables, Destroy: true, ExpectError: regexp.MustCompile(`prevent_destroy|deletion_protection`)},
			resource.TestStep{Config: free, ConfigVariables: variables})
	}
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: steps})
}

// identifierOf is the attribute by which an imported object is found again: the member that
// a role belongs to has no id of its own.
func identifierOf(name string) string {
	if strings.HasSuffix(name, "_member_role") {
		return "member_id"
	}
	return "id"
}

// importSteps runs both import examples of a resource, with the id of the object
// that the example made in place of the one that is shown.
func importSteps(t *testing.T, name, text string, variables config.Variables) []resource.TestStep {
	folder := filepath.Join("resources", name)
	command := acctest.CommandExample.FindStringSubmatch(acctest.ReadExample(t, filepath.Join(folder, "import.sh")))
	block := acctest.BlockExample.FindStringSubmatch(acctest.ReadExample(t, filepath.Join(folder, "import-by-string-id.tf")))
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
			ImportStateVerify:                    true,
			ImportStateVerifyIdentifierAttribute: identifierOf(name),
			ImportStateVerifyIgnore:              []string{"key", "rotation_triggers", "password_rotation_triggers"},
		},
		{
			ConfigFile: config.StaticFile(file), ConfigVariables: variables,
			ResourceName: address, ImportState: true,
			ImportStateKind: resource.ImportBlockWithID, ImportStateConfigExact: true,
		},
	}
}
