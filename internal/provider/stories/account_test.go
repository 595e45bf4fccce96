package stories_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// names are such as people give, and configurations have to escape.
var names = []string{`plain`, `two words`, `with "quotes"`, `preview/feature-42`, `Überprüfung`, `${var.x} %{if}`,
	`back\slash`}

// settled is what a creation returned, after its operations have ended.
func settled(t *testing.T, api *client.Client, projectID string, operations []client.Operation, err error) {
	t.Helper()
	if err == nil {
		err = api.WaitForOperations(t.Context(), projectID, operations)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fillAccount creates so many projects beside the first, each with twelve branches and what
// belongs to them.
func fillAccount(t *testing.T, w *acctest.World, projects int) {
	t.Helper()
	api := w.Client(t)
	for i := range projects {
		name := names[i+1]
		created, err := api.CreateProject(t.Context(), client.ProjectCreate{OrgID: w.OrgID,
			ProjectUpdate: client.ProjectUpdate{Name: &name}})
		if err != nil {
			t.Fatal(err)
		}
		settled(t, api, created.Object.ID, created.Operations, nil)
	}
	moment := time.Now()
	for project, err := range api.ListProjects(t.Context(), client.ProjectQuery{OrgID: w.OrgID}) {
		if err != nil {
			t.Fatal(err)
		}
		fillProject(t, api, project.ID, moment)
	}
	limits := client.ProjectSettings{Quota: &client.ProjectQuota{ActiveTimeSeconds: 3600},
		AllowedIPs: &client.AllowedIPs{IPs: []string{"10.0.0.0/8"}}}
	operations, err := client.OperationsOf(api.UpdateProject(t.Context(), w.ProjectID,
		client.ProjectUpdate{Settings: &limits}))
	settled(t, api, w.ProjectID, operations, err)
	settled(t, api, w.ProjectID, nil, api.AssignVPCEndpoint(t.Context(),
		client.VPCEndpointRef{OrgID: w.OrgID, RegionID: "aws-us-east-2", ID: "vpce-0a1"}, names[2]))
	settled(t, api, w.ProjectID, nil, api.CreateVPCEndpointRestriction(t.Context(),
		client.Ref[client.VPCEndpoint]{ProjectID: w.ProjectID, ID: "vpce-0a1"}, names[4]))
	for name, scope := range map[string]client.APIKeyScope{`of "me"`: {}, "der Organisation/ä": {OrgID: w.OrgID},
		"scoped": {OrgID: w.OrgID, ProjectID: w.ProjectID}} {
		if _, err := client.ObjectOf(api.CreateAPIKey(t.Context(), scope, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// fillProject has eleven branches beside the default one, three of them of a special kind.
func fillProject(t *testing.T, api *client.Client, projectID string, moment time.Time) {
	t.Helper()
	main, err := api.GetDefaultBranch(t.Context(), projectID)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names[1:4] {
		operations, err := client.OperationsOf(api.CreateRole(t.Context(),
			client.BranchRef{ProjectID: projectID, ID: main.ID}, client.RoleCreate{Name: name, NoLogin: name == names[1]}))
		settled(t, api, projectID, operations, err)
		operations, err = client.OperationsOf(api.CreateDatabase(t.Context(),
			client.BranchRef{ProjectID: projectID, ID: main.ID}, client.DatabaseCreate{Name: name, OwnerName: name}))
		settled(t, api, projectID, operations, err)
		if _, err := api.GrantProjectPermission(t.Context(), projectID,
			strings.ReplaceAll(name, " ", "+")[:3]+"@example.com"); err != nil {
			t.Fatal(err)
		}
	}
	added, err := api.CreateJWKS(t.Context(), projectID, client.JWKSAdd{URL: "https://example.com/jwks.json",
		ProviderName: "Example"})
	if err != nil {
		t.Fatal(err)
	}
	settled(t, api, projectID, added.Operations, nil)
	taken, err := api.CreateSnapshot(t.Context(), client.BranchRef{ProjectID: projectID, ID: main.ID},
		client.SnapshotCreate{Name: names[4]})
	if err != nil {
		t.Fatal(err)
	}
	settled(t, api, projectID, taken.Operations, nil)
	settled(t, api, projectID, nil, api.SetBackupSchedule(t.Context(), client.BranchRef{ProjectID: projectID, ID: main.ID},
		[]client.BackupEntry{{Frequency: "daily"}}))
	expiry, protected := time.Now().Add(48*time.Hour), true
	special := map[string]client.BranchCreate{
		"protected": {Protected: &protected}, "expiring": {ExpiresAt: &expiry}, "of a moment": {ParentTimestamp: &moment},
		"with replicas": {Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}, {Type: client.EndpointReadOnly}, {Type: client.EndpointReadOnly}}},
	}
	for _, name := range names {
		special[name] = client.BranchCreate{}
	}
	for name, create := range special {
		create.Name = name
		created, err := api.CreateBranch(t.Context(), projectID, create)
		if err != nil {
			t.Fatal(err)
		}
		settled(t, api, projectID, created.Operations, nil)
		if name == "with replicas" {
			replica := client.EndpointRef{ProjectID: projectID, ID: created.Object.Endpoints[1].ID}
			disabled, err := api.UpdateEndpoint(t.Context(), replica, client.EndpointUpdate{Disabled: new(true)})
			if err != nil {
				t.Fatal(err)
			}
			settled(t, api, projectID, disabled.Operations, nil)
		}
	}
}

// The guide imports a whole account but its API keys, one of which Terraform runs with, and leaves nothing to change.
func TestAccTerraform_bringAnAccountIn(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, acctest.QueriesSince)
	w := acctest.StartEmulator(t, emulator.Config{})
	fillAccount(t, w, 4)
	r := acctest.NewExampleRun(t, w, "bring-an-account-in")
	r.Terraform(t, "query", "-generate-config-out=generated.tf")
	generated := readGenerated(t, r)
	all := w.Objects(t)
	// Each project has a JWKS URL, a snapshot and a backup schedule, and the organization a VPC endpoint with a
	// restriction.
	objects := 4*len(all.Projects) + len(all.Branches) + len(all.Roles) + len(all.Databases) + len(all.Permissions) + 2
	if imports := strings.Count(generated, "\nimport {"); imports != objects || len(all.Projects) != 5 ||
		len(all.Branches) != 60 {
		t.Errorf("%d blocks for %d objects of %d projects with %d branches", imports, objects, len(all.Projects),
			len(all.Branches))
	}
	if endpoints := strings.Count(generated, `= "read_`); endpoints != len(all.Endpoints) {
		t.Errorf("%d endpoints, and there are %d", endpoints, len(all.Endpoints))
	}
	want := fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", objects)
	r.Write(t, "generated.tf", defaultBranch.ReplaceAllString(generated, ""))
	checkTakenIn(t, r, want)
}

// checkTakenIn applies, and then expects an empty plan. It returns what the apply says.
func checkTakenIn(t *testing.T, r acctest.Run, want string) string {
	t.Helper()
	applied := r.Terraform(t, "apply", "-auto-approve")
	if !strings.Contains(applied, want) {
		t.Errorf("the apply doesn't say %q:\n%s", want, applied)
	}
	if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
		t.Errorf("the plan after the import isn't empty:\n%s", said)
	}
	return applied
}

// defaultBranch is what the guide's sed takes out of projects.
var defaultBranch = regexp.MustCompile(`(?ms)^  default_branch = \{.*?\n  \}\n`)

func readGenerated(t *testing.T, r acctest.Run) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.Folder, "generated.tf"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Without terraform query, data sources find the account, and import blocks take it in.
func TestAccTerraform_importAnAccount(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.8.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	fillAccount(t, w, 1)
	r := acctest.NewExampleRun(t, w, "import-an-account")
	all := w.Objects(t)
	objects := len(all.Projects) + len(all.Branches) + len(all.Endpoints) + len(all.Roles) + len(all.Databases) +
		len(all.Permissions)
	withEndpoints := map[any]bool{} // Their branches leave them to neon_endpoint.
	for _, endpoint := range all.Endpoints {
		withEndpoints[endpoint["branch_id"]] = true
	}
	said := checkTakenIn(t, r, fmt.Sprintf("%d imported, 0 added, %d changed, 0 destroyed", objects, len(withEndpoints)))
	// Each branch has a warning of the plan and one of the apply: the first is shown, the others are counted.
	counted := fmt.Sprintf("(and %d more similar warnings elsewhere)", 2*len(withEndpoints)-1)
	if strings.Count(said, "Endpoints of imported branches") != 1 || !strings.Contains(said, counted) {
		t.Errorf("not one warning counts those of %d branches:\n%s", len(withEndpoints), said)
	}
}
