package walks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// peerObjects are what each of the stored states is about: in a project a branch with an
// endpoint, a role and a database, and keys. By the placeholders in the states.
type peerObjects map[string]string

func newPeerObjects(t *testing.T, w *acctest.BranchWorld) peerObjects {
	t.Helper()
	main := w.MainBranch(t)
	created, err := w.API.CreateBranch(t.Context(), w.ProjectID, client.BranchCreate{
		Name: "dev/one", Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(t, created.Operations, nil)
	operations, err := client.OperationsOf(w.API.CreateRole(t.Context(), w.Ref(created.Object.ID),
		client.RoleCreate{Name: "reader"}))
	w.Settle(t, operations, err)
	database, err := w.API.CreateDatabase(t.Context(), w.Ref(created.Object.ID),
		client.DatabaseCreate{Name: "orders", OwnerName: "reader"})
	w.Settle(t, database.Operations, err)
	objects := peerObjects{
		"PROJECT_ID": w.ProjectID, "ORG_ID": w.OrgID, "MAIN_ID": main.ID, "CHILD_ID": created.Object.ID,
		"1004":             strconv.FormatInt(database.Object.ID, 10),
		"MAIN_ENDPOINT_ID": w.Endpoints(t, main.ID)[0].ID, "ENDPOINT_ID": created.Object.Endpoints[0].ID,
	}
	for kind, key := range map[string]struct {
		scope        client.APIKeyScope
		name, number string
	}{
		"PERSONAL": {client.APIKeyScope{}, "ci", "1001"},
		"ORG":      {client.APIKeyScope{OrgID: w.OrgID}, "ci-org", "1002"},
		"PROJECT":  {client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "ci-project", "1003"},
	} {
		created, err := client.ObjectOf(w.API.CreateAPIKey(t.Context(), key.scope, key.name))
		if err != nil {
			t.Fatal(err)
		}
		objects["KEY_"+kind] = created.Key
		objects["ID_"+kind], objects[key.number] = strconv.FormatInt(created.ID, 10), strconv.FormatInt(created.ID, 10)
	}
	return objects
}

var peerPlaceholder = regexp.MustCompile(`[A-Z]+(_[A-Z]+)+|\b100[1-4]\b`)

// state is the stored state of a provider, about these objects.
func (o peerObjects) state(t *testing.T, provider string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "peer-states", provider+".tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	return peerPlaceholder.ReplaceAllStringFunc(string(text), func(placeholder string) string {
		value, known := o[placeholder]
		if !known {
			t.Errorf("no value for %s", placeholder)
		}
		return value
	})
}

// peerEndpoint is what becomes of the endpoint that other providers have as a resource of
// its own.
type peerEndpoint struct{ inBranch, blocks, planned string }

var (
	// In the branch, it is forgotten as a resource.
	endpointInBranch = peerEndpoint{
		`endpoints = { primary = { type = "read_write" } }`,
		"removed {\n from = neon_endpoint.e\n lifecycle {\n destroy = false\n }\n}\n",
		"0 to add, 1 to change, 0 to destroy",
	}
	// By itself, the branch leaves it to that resource.
	endpointByItself = peerEndpoint{
		"",
		"resource \"neon_endpoint\" \"child\" {\n project_id = neon_project.project.id\n branch_id = neon_branch.child.id\n type = \"read_write\"\n}\n" +
			"moved {\n from = neon_endpoint.e\n to = neon_endpoint.child\n}\n",
		"0 to add, 0 to change, 0 to destroy",
	}
)

// peerBlocks are the resources that all of the states have, with these labels and with lines for the branch.
func peerBlocks(name, project, branch, role, database, inBranch string) string {
	return fmt.Sprintf(`
resource "neon_project" %[2]q { name = %[1]q }
resource "neon_branch" %[3]q {
  project_id = neon_project.%[2]s.id
  name       = "dev/one"
  %[6]s
}
resource "neon_role" %[4]q {
  project_id = neon_project.%[2]s.id
  branch_id  = neon_branch.%[3]s.id
  name       = "reader"
}
resource "neon_database" %[5]q {
  project_id = neon_project.%[2]s.id
  branch_id  = neon_branch.%[3]s.id
  name       = "orders"
  owner_name = neon_role.%[4]s.name
}
`, name, project, branch, role, database, inBranch)
}

// A whole repository of another provider moves here from the state which that provider
// wrote: nothing is changed, and no password stays in the state.
func TestAccTerraform_peerStatesMoveIn(t *testing.T) {
	t.Parallel()
	endpoints := map[string]peerEndpoint{"kislerdm": endpointByItself, "kenchan0130": endpointInBranch,
		"terraform-community-providers": endpointInBranch}
	for provider, keys := range map[string]map[string]string{
		"kislerdm":                      {"neon_api_key.k": "neon_api_key", "neon_org_api_key.o": "neon_org_api_key", "neon_org_api_key.s": "neon_org_api_key"},
		"kenchan0130":                   {"neon_api_key.k": "neon_api_key", "neon_organization_api_key.o": "neon_org_api_key", "neon_organization_api_key.s": "neon_org_api_key"},
		"terraform-community-providers": {},
	} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{})
			objects, endpoint := newPeerObjects(t, w), endpoints[provider]
			project, err := w.API.GetProject(t.Context(), w.ProjectID)
			if err != nil {
				t.Fatal(err)
			}
			blocks := peerBlocks(project.Name, "project", "child", "reader", "orders", endpoint.inBranch) + endpoint.blocks
			moves := map[string]string{
				"neon_project.p": "neon_project.project", "neon_branch.b": "neon_branch.child",
				"neon_role.r": "neon_role.reader", "neon_database.d": "neon_database.orders",
			}
			for from, kind := range keys {
				label := map[string]string{"k": "ci", "o": "ci-org", "s": "ci-project"}[from[len(from)-1:]]
				lines := ""
				if kind == "neon_org_api_key" {
					lines = fmt.Sprintf("org_id = %q\n", w.OrgID)
				}
				if label == "ci-project" {
					lines += "project_id = neon_project.project.id\n"
				}
				blocks += fmt.Sprintf("resource %q %q {\n name = %q\n %s}\n", kind, label, label, lines)
				moves[from] = kind + "." + label
			}
			for from, to := range moves {
				blocks += fmt.Sprintf("moved {\n from = %s\n to = %s\n}\n", from, to)
			}
			r := acctest.NewRun(t, w.World, w.ProviderConfig()+blocks)
			useOtherProvider(t, r, provider+"/neon")
			r.Write(t, "terraform.tfstate", objects.state(t, provider))
			checkUnread(t, r)
			if said := r.Terraform(t, "plan"); !strings.Contains(said, endpoint.planned) ||
				strings.Contains(said, "no longer managed (") {
				t.Errorf("the plan changes something:\n%s", said)
			}
			r.Terraform(t, "apply", "-auto-approve")
			if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
				t.Errorf("the plan after isn't empty:\n%s", said)
			}
			state, err := os.ReadFile(filepath.Join(r.Folder, "terraform.tfstate"))
			if err != nil || strings.Contains(string(state), "npg_") {
				t.Errorf("a password is in the state (%v)", err)
			}
			for from := range keys {
				kind := map[string]string{"k": "PERSONAL", "o": "ORG", "s": "PROJECT"}[from[len(from)-1:]]
				if !strings.Contains(string(state), objects["KEY_"+kind]) {
					t.Errorf("the token of %s isn't in the state any more", from)
				}
			}
		})
	}
}

// checkUnread has a plan refused that doesn't read what was taken over.
func checkUnread(t *testing.T, r acctest.Run) {
	t.Helper()
	said := r.Fails(t, "plan", "-refresh=false")
	if !strings.Contains(said, "The state of neon_project ") ||
		!strings.Contains(said, "was taken over and hasn't been read yet: plan without -refresh=false first.") ||
		strings.Contains(said, "must be replaced") {
		t.Errorf("a plan that doesn't read says: %s", said)
	}
}

// schemaVersion is that of an object in a state.
var schemaVersion = regexp.MustCompile(`"schema_version": \d+`)

// Another provider's state becomes ours by one command, whatever its version: nothing is created or deleted, and no
// password stays in the state.
func TestAccTerraform_peerStatesAreReplaced(t *testing.T) {
	t.Parallel()
	keys := `
resource "neon_api_key" "k" { name = "ci" }
`
	orgKeys := `
resource "neon_org_api_key" "o" {
  org_id = "ORG_ID"
  name   = "ci-org"
}
resource "neon_org_api_key" "s" {
  org_id     = "ORG_ID"
  project_id = neon_project.p.id
  name       = "ci-project"
}
`
	// Types that only the other provider has move along by a block each.
	moved := "moved {\n from = neon_organization_api_key.o\n to = neon_org_api_key.o\n}\nmoved {\n from = neon_organization_api_key.s\n to = neon_org_api_key.s\n}\n"
	for name, test := range map[string]struct{ provider, blocks, version string }{
		"kislerdm":                        {"kislerdm", keys + orgKeys, ""},
		"kislerdm, a later version":       {"kislerdm", keys + orgKeys, "99"},
		"kenchan0130":                     {"kenchan0130", keys + orgKeys + moved, ""},
		"kenchan0130, a later version":    {"kenchan0130", keys + orgKeys + moved, "42"},
		"terraform-community-providers":   {"terraform-community-providers", "", ""},
		"a later version of the third":    {"terraform-community-providers", "", "99"},
		"neondatabase, with another name": {"neondatabase", keys + orgKeys, "12"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{})
			objects := newPeerObjects(t, w)
			project, err := w.API.GetProject(t.Context(), w.ProjectID)
			if err != nil {
				t.Fatal(err)
			}
			// neondatabase/neon goes on with the states of kislerdm/neon.
			written := strings.Replace(test.provider, "neondatabase", "kislerdm", 1)
			state := strings.ReplaceAll(objects.state(t, written), "/"+written+"/", "/"+test.provider+"/")
			if test.version != "" {
				state = schemaVersion.ReplaceAllString(state, `"schema_version": `+test.version)
			}
			r := acctest.NewRun(t, w.World, w.ProviderConfig()+peerBlocks(project.Name, "p", "b", "r", "d", "")+`
resource "neon_endpoint" "e" {
  project_id = neon_project.p.id
  branch_id  = neon_branch.b.id
  type       = "read_write"
}
`+strings.ReplaceAll(test.blocks, "ORG_ID", w.OrgID))
			useOtherProvider(t, r, test.provider+"/neon")
			r.Write(t, "terraform.tfstate", state)
			r.Terraform(t, "state", "replace-provider", "-auto-approve", "registry.terraform.io/"+test.provider+"/neon",
				"hashicorp/neon")
			checkUnread(t, r)
			said := r.Terraform(t, "plan")
			isEmpty := strings.Contains(said, "No changes.") || strings.Contains(said,
				"Plan: 0 to add, 0 to change, 0 to destroy.") // It moves some.
			if !isEmpty || strings.Contains(said, "no longer managed") {
				t.Errorf("the plan isn't empty:\n%s", said)
			}
			r.Terraform(t, "apply", "-auto-approve")
			r.Terraform(t, "plan", "-refresh=false", "-detailed-exitcode")
			r.Terraform(t, "plan", "-detailed-exitcode")
			left, err := os.ReadFile(filepath.Join(r.Folder, "terraform.tfstate"))
			if err != nil || strings.Contains(string(left), "npg_") {
				t.Errorf("a password is in the state (%v)", err)
			}
		})
	}
}

// A state that has lost what tells the object from others is refused, with the block that imports it.
func TestAccTerraform_peerStateWithoutAnID(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+`resource "neon_project" "p" { name = "shop" }`)
	useOtherProvider(t, r, "kislerdm/neon")
	r.Write(t, "terraform.tfstate",
		`{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "a", "outputs": {}, "resources": [
  {"mode": "managed", "type": "neon_project", "name": "p", "provider": "provider[\"registry.terraform.io/kislerdm/neon\"]",
   "instances": [{"schema_version": 11, "attributes": {"name": "shop"}, "private": "eyJzY2hlbWFfdmVyc2lvbiI6IjExIn0="}]}]}`)
	r.Terraform(t, "state", "replace-provider", "-auto-approve", "registry.terraform.io/kislerdm/neon", "hashicorp/neon")
	said := strings.Join(strings.Fields(r.Fails(t, "plan")), " ")
	for _, part := range []string{"Unable to read the state of another provider", "Its id is missing",
		"terraform state rm", "to = neon_project.NAME"} {
		if !strings.Contains(said, part) {
			t.Errorf("the error doesn't say %q:\n%s", part, said)
		}
	}
}

// useOtherProvider lets terraform find a provider that the state names. Its
// program is ours, as none of its resources is left to be worked on.
func useOtherProvider(t *testing.T, r acctest.Run, source string) {
	t.Helper()
	program, err := acctest.BuiltProvider()
	if err != nil {
		t.Fatal(err)
	}
	r.Override(t, map[string]string{"hashicorp/neon": filepath.Dir(program), source: filepath.Dir(program)})
}
