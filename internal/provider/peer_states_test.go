package provider_test

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
	_, operations, err := w.API.CreateRole(t.Context(), w.ProjectID, created.Branch.ID, client.RoleCreate{Name: "reader"})
	w.Settle(t, operations, err)
	database, operations, err := w.API.CreateDatabase(t.Context(), w.ProjectID, created.Branch.ID, client.DatabaseCreate{Name: "orders", OwnerName: "reader"})
	w.Settle(t, operations, err)
	objects := peerObjects{
		"PROJECT_ID": w.ProjectID, "ORG_ID": w.OrgID, "MAIN_ID": main.ID, "CHILD_ID": created.Branch.ID, "1004": strconv.FormatInt(database.ID, 10),
		"MAIN_ENDPOINT_ID": w.Endpoints(t, main.ID)[0].ID, "ENDPOINT_ID": created.Endpoints[0].ID,
	}
	for kind, key := range map[string]struct {
		scope        client.APIKeyScope
		name, number string
	}{
		"PERSONAL": {client.APIKeyScope{}, "ci", "1001"},
		"ORG":      {client.APIKeyScope{OrgID: w.OrgID}, "ci-org", "1002"},
		"PROJECT":  {client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "ci-project", "1003"},
	} {
		created, err := w.API.CreateAPIKey(t.Context(), key.scope, key.name)
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
		"0 to add, 0 to change, 0 to destroy",
	}
	// By itself, the branch leaves it to that resource.
	endpointByItself = peerEndpoint{
		"",
		"resource \"neon_endpoint\" \"child\" {\n project_id = neon_project.project.id\n branch_id = neon_branch.child.id\n type = \"read_write\"\n}\n" +
			"moved {\n from = neon_endpoint.e\n to = neon_endpoint.child\n}\n",
		"0 to add, 1 to change, 0 to destroy",
	}
)

// A whole repository of another provider moves here from the state which that provider
// wrote: nothing is changed, and no password stays in the state.
func TestAccTerraform_peerStatesMoveIn(t *testing.T) {
	t.Parallel()
	endpoints := map[string]peerEndpoint{"kislerdm": endpointByItself, "kenchan0130": endpointInBranch, "terraform-community-providers": endpointInBranch}
	for provider, keys := range map[string]map[string]string{
		"kislerdm":                      {"neon_api_key.k": "neon_api_key", "neon_org_api_key.o": "neon_org_api_key", "neon_org_api_key.s": "neon_org_api_key"},
		"kenchan0130":                   {"neon_api_key.k": "neon_api_key", "neon_organization_api_key.o": "neon_org_api_key", "neon_organization_api_key.s": "neon_org_api_key"},
		"terraform-community-providers": {},
	} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{})
			objects, endpoint := newPeerObjects(t, w), endpoints[provider]
			project, err := w.API.Project(t.Context(), w.ProjectID)
			if err != nil {
				t.Fatal(err)
			}
			blocks := fmt.Sprintf(`
resource "neon_project" "project" { name = %q }
resource "neon_branch" "child" {
  project_id = neon_project.project.id
  name       = "dev/one"
  %s
}
resource "neon_role" "reader" {
  project_id = neon_project.project.id
  branch_id  = neon_branch.child.id
  name       = "reader"
}
resource "neon_database" "orders" {
  project_id = neon_project.project.id
  branch_id  = neon_branch.child.id
  name       = "orders"
  owner_name = neon_role.reader.name
}
`, project.Name, endpoint.inBranch) + endpoint.blocks
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
			r.UseOtherProvider(t, provider+"/neon")
			r.Write(t, "terraform.tfstate", objects.state(t, provider))
			if said := r.Terraform(t, "plan"); !strings.Contains(said, endpoint.planned) {
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
