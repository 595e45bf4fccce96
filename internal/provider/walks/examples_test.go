package walks_test

import (
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// importID is the import id of a managed object, from its attributes; empty where such an object
// can't be imported.
func importID(t *testing.T, resource string, attributes map[string]string) string {
	t.Helper()
	var parts []string
	for _, name := range acctest.NounResource(t, resource).Identity {
		parts = append(parts, attributes[name])
	}
	return strings.Join(parts, "/")
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
		shown := acctest.ExampleEntries(t, folder)
		for _, name := range served {
			if !slices.Contains(shown, name) {
				t.Errorf("examples/%s has no folder %s with an example", folder, name)
			}
		}
		for _, name := range shown {
			if !slices.Contains(served, name) {
				t.Errorf("examples/%s has %s, which internal/provider/provider.go doesn't serve", folder, name)
			}
		}
	}
}

var requiredVersion = regexp.MustCompile(`required_version = ">= ([\d.]+)"`)

// An example that an older terraform can't read says which one it needs. A file without a terraform block goes with
// the main.tf beside it.
func TestExamples_sayTheirTerraform(t *testing.T) {
	for _, pattern := range []string{"*/*.tf", "*/*/*.tf", "*/*/*/*.tf"} {
		for _, file := range acctest.ExampleFiles(t, pattern) {
			text := acctest.ReadExample(t, file)
			needed := acctest.TerraformFor(text)
			if needed == "" {
				continue
			}
			if !strings.Contains(text, "terraform {") {
				text = acctest.ReadExample(t, filepath.Join(filepath.Dir(file), "main.tf"))
			}
			if said := requiredVersion.FindStringSubmatch(text); len(said) < 2 || said[1]+".0" < needed {
				t.Errorf("%s needs Terraform %s, and requires %q", file, needed, said)
			}
		}
	}
}

// Each example is applied, one that only reads by a provider that can't write. One that creates something is planned
// again by such a provider without a change, imported where there is an import example, and destroyed; one that is
// guarded against that only after the guard is gone. Nothing is left. What the documentation shows as its output is
// what terraform prints, but for ids, moments and secrets.
func TestAccExamples(t *testing.T) {
	t.Parallel()
	examples := map[string]string{
		"quickstart": "",
	}
	for _, pattern := range []string{"provider/*.tf", "resources/*/resource*.tf", "resources/*/protected.tf",
		"data-sources/*/*.tf", "functions/*/*.tf"} {
		for _, file := range acctest.ExampleFiles(t, pattern) {
			examples[file] = acctest.ReadExample(t, file)
		}
	}
	for _, file := range acctest.ExampleEntries(t, "quickstart") {
		examples["quickstart"] += acctest.ReadExample(t, filepath.Join("quickstart", file))
	}
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := exampleWorld(t, filepath.Base(filepath.Dir(name)))
			r := acctest.NewRun(t, w, examples[name], exampleVariables(t, w, examples[name])...)
			existing := w.Existing(t)
			runExample(t, w, r, name, examples[name])
			if strings.HasSuffix(name, "_last_snapshot.tf") {
				deleteOnlySnapshot(t, w)
			}
			if difference := cmp.Diff(existing, w.Existing(t)); difference != "" {
				t.Errorf("what exists is no longer as it was (-before +after):\n%s", difference)
			}
		})
	}
}

// deleteOnlySnapshot deletes what a destroy has left on purpose.
func deleteOnlySnapshot(t *testing.T, w *acctest.World) {
	t.Helper()
	left, err := client.All(w.Client(t).ListSnapshots(t.Context(), w.ProjectID))
	if err != nil || len(left) != 1 {
		t.Fatalf("%d snapshots are left, want 1 (%v)", len(left), err)
	}
	if _, err := w.Client(t).DeleteSnapshot(t.Context(), client.SnapshotRef{ProjectID: w.ProjectID,
		ID: left[0].ID}); err != nil {
		t.Fatal(err)
	}
}

// exampleVariables is an environment with a value for each variable that an example declares.
func exampleVariables(t *testing.T, w *acctest.World, text string) (environment []string) {
	t.Helper()
	partner := sync.OnceValue(func() *acctest.World { return addPartner(t, w) })
	values := map[string]func() string{
		"partner_api_key": func() string { return partner().APIKey },
		"partner_org_id":  func() string { return partner().OrgID },
		"org_id":          func() string { return w.OrgID },
		"project_id":      func() string { return w.ProjectID },
		"signing_key":     func() string { return "secret" },
		"database_url":    func() string { return acctest.DirectURL },
		"member_id":       func() string { id, _ := w.AddMember(t, "max@example.com", "collaborator"); return id },
		"database_id":     func() string { return claimableDatabase(t, w) },
	}
	for _, declared := range acctest.ExampleVariable.FindAllStringSubmatch(text, -1) {
		if value := values[declared[1]]; value != nil {
			environment = append(environment, "TF_VAR_"+declared[1]+"="+value())
		}
	}
	return environment
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

func runExample(t *testing.T, w *acctest.World, r acctest.Run, name, text string) {
	t.Helper()
	creates, reader := strings.Contains(text, "\nresource "), r.With("NEON_READ_ONLY=1")
	if !creates {
		r = reader
	}
	checkSample(t, w, r, name, r.Terraform(t, "apply", "-auto-approve"))
	if name == "provider/two-organizations.tf" {
		checkOwnProjects(t, r)
	}
	if !creates {
		return
	}
	reader.Terraform(t, "plan", "-detailed-exitcode")
	if managed := filepath.Base(filepath.Dir(name)); filepath.Base(name) == "resource.tf" &&
		len(acctest.NounResource(t, managed).Identity) > 0 {
		importExample(t, r, managed)
	}
	if free := unprotected.ReplaceAllString(text, "$1 = false"); free != text {
		if said := r.Fails(t, "destroy", "-auto-approve"); !strings.Contains(said, "prevent_destroy") &&
			!strings.Contains(said, "deletion_protection") {
			t.Errorf("the destruction fails with\n%s", said)
		}
		r.Configure(t, free)
		r.Terraform(t, "apply", "-auto-approve")
		r.Terraform(t, "plan", "-detailed-exitcode")
	}
	r.Terraform(t, "destroy", "-auto-approve")
}

// importExample imports as the page of a resource says: the resource of its first example, by an id of the form that an
// error shows.
func importExample(t *testing.T, r acctest.Run, name string) {
	t.Helper()
	label := regexp.MustCompile(`resource "` + name + `" "(\w+)"`).FindStringSubmatch(acctest.ReadExample(t,
		filepath.Join("resources", name, "resource.tf")))
	if label == nil {
		t.Fatalf("the example has no %s", name)
	}
	address := name + "." + label[1]
	id := idFor(t, name, r.Saved(t, "terraform.tfstate", address))
	page := read(t, filepath.Join(acctest.RepositoryDir, "docs", "resources", strings.TrimPrefix(name, "neon_")+".md"))
	_, block, _ := strings.Cut(page, "```terraform\nimport {\n  to = "+address+"\n  id = \"")
	if shown, _, isShown := strings.Cut(block, "\""); !isShown || strings.Count(id, "/") != strings.Count(shown, "/") {
		t.Fatalf("the page shows the id %q of %s, one looks like %q", shown, address, id)
	}

	r.Terraform(t, "import", "-state=imported.tfstate", address, id)
	made, imported := importable(r.Saved(t, "terraform.tfstate", address)),
		importable(r.Saved(t, "imported.tfstate", address))
	if difference := cmp.Diff(made, imported); difference != "" {
		t.Errorf("what is imported differs (-state +import):\n%s", difference)
	}

	r.Terraform(t, "state", "rm", address)
	r.Write(t, "import.tf", fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", address, id))
	changed := 0
	if made["bucket_name"] != nil || made["deployment_id"] != nil ||
		made["url"] != nil { // The content of a file, and how tokens are verified, is only in the configuration.
		changed = 1
	}
	if said := r.Terraform(t, "apply", "-auto-approve"); !strings.Contains(said,
		fmt.Sprintf("Resources: 1 imported, 0 added, %d changed, 0 destroyed.", changed)) {
		t.Errorf("the import changes something:\n%s", said)
	}
}

// importable removes the attributes that an import can't know, and those without a value.
func importable(attributes map[string]any) map[string]any {
	maps.DeleteFunc(attributes, func(name string, value any) bool {
		list, isList := value.([]any)
		return slices.Contains([]string{"key", "parent_lsn", "rotation_triggers", "password_rotation_triggers", "timeouts",
			"source", "source_hash", "content_type", "environment", "environment_wo_version", "auth_provider",
			"add_default_grants"}, name) ||
			value == nil || isList && len(list) == 0
	})
	return attributes
}

// idFor is what an object is imported by.
func idFor(t *testing.T, name string, object map[string]any) string {
	t.Helper()
	texts := map[string]string{}
	for attribute, value := range object {
		if text, ok := value.(string); ok {
			texts[attribute] = text
		}
	}
	return importID(t, name, texts)
}

// addPartner adds another organization with a project, and somebody who sees nothing else.
func addPartner(t *testing.T, w *acctest.World) *acctest.World {
	t.Helper()
	var made struct {
		APIKey string `json:"api_key"`
		OrgID  string `json:"org_id"`
	}
	w.Control(t, http.MethodPost, "/_emulator/organizations",
		map[string]string{"name": "Partner", "email": "eve@example.com"}, &made)
	partner := *w
	partner.APIKey, partner.OrgID = made.APIKey, made.OrgID
	project := client.ProjectCreate{ProjectUpdate: client.ProjectUpdate{Name: new("partners")}, OrgID: made.OrgID}
	if _, err := partner.Client(t).CreateProject(t.Context(), project); err != nil {
		t.Fatal(err)
	}
	return &partner
}

// checkOwnProjects checks that each of two organizations was asked for its projects with the key
// that sees no others.
func checkOwnProjects(t *testing.T, r acctest.Run) {
	t.Helper()
	for address, want := range map[string][]string{"data.neon_projects.ours": {"first"},
		"data.neon_projects.theirs": {"partners"}} {
		var names []string
		for _, project := range r.Saved(t, "terraform.tfstate", address)["projects"].([]any) {
			names = append(names, project.(map[string]any)["name"].(string))
		}
		if slices.Sort(names); !slices.Equal(names, want) {
			t.Errorf("%s lists %q, want %q", address, names, want)
		}
	}
}
