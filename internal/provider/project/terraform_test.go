package project_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// A project's life in terraform itself: created, planned again, imported both ways,
// changed, and created again when it has gone.
func TestAccTerraform_projectLife(t *testing.T) {
	w := newWorld(t)
	same := staysTheSame()
	gone := w.step(w.config(`name = "shop"`), plancheck.ResourceActionCreate)
	gone.PreConfig = w.deleteOutside(t)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			w.step(w.config(everything), plancheck.ResourceActionCreate, same()),
			w.imports("timeouts", "quota.logical_size_bytes", "quota.%"),
			w.step(w.config(`name = "shop"`, `enable_logical_replication = true`, `hipaa = true`,
				`default_branch = { protected = true }`), plancheck.ResourceActionUpdate, same()),
			{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID},
			w.step(w.config(`enable_logical_replication = true`, `hipaa = true`, `default_branch = { protected = false }`),
				plancheck.ResourceActionUpdate, same()),
			gone,
		},
	})
}

// A replacement warns of what is lost, and a destruction says until when it can be had back.
func TestAccTerraform_projectWarnings(t *testing.T) {
	w := newWorld(t)
	r := acctest.NewRun(t, w.World, w.config(`name = "shop"`))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, w.config(`name = "shop"`, `pg_version = 16`,
		`maintenance_window = { weekdays = [1], start_time = "22:00", end_time = "02:00" }`))
	said := acctest.InOneLine(r.Terraform(t, "plan"))
	if want := acctest.InOrder("The maintenance window ends before it begins", "begins at 22:00 and ends at 02:00",
		"Write an end_time after start_time"); !want.MatchString(said) {
		t.Errorf("the plan of a window past midnight should say %s, and says %s", want, said)
	}
	if want := acctest.InOrder("Data will be lost", "instead of", "replaces it", "all its branches",
		"To keep it, set pg_version =", "deletion_protection = true"); !want.MatchString(said) {
		t.Errorf("the plan of a replacement should say %s, and says %s", want, said)
	}
	r.Configure(t, w.config(`name = "shop"`, `region_id = "us-east-2"`))
	said = acctest.InOneLine(r.Terraform(t, "plan"))
	if want := acctest.InOrder("No such region (us-east-2)", "Neon calls that region \"aws-us-east-2\"",
		"deletes the old project first"); !want.MatchString(said) {
		t.Errorf("the plan of a region that isn't there should say %s, and says %s", want, said)
	}
	other := w.MakeOrganization(t, "scale")
	r.Configure(t, w.config(`name = "shop"`, fmt.Sprintf("org_id = %q", other)))
	said = acctest.InOneLine(r.Terraform(t, "plan"))
	if want := acctest.InOrder("Project-scoped API keys will be revoked", w.OrgID, other,
		"neon_org_api_key"); !want.MatchString(said) {
		t.Errorf("the plan of a transfer should say %s, and says %s", want, said)
	}
	for project, err := range w.api.ListProjects(t.Context(), client.ProjectQuery{OrgID: w.OrgID, Search: "shop"}) {
		if err != nil {
			t.Fatal(err)
		}
		w.id = project.ID
	}
	w.deleteOutside(t)()
	r.Configure(t, w.config(`name = "shop"`))
	said = acctest.InOneLine(r.Terraform(t, "plan"))
	if want := acctest.InOrder("A deleted project can be recovered ("+w.id+")", `"shop"`, "Until 20",
		"neon_recover_project", "creates an empty project"); !want.MatchString(said) {
		t.Errorf("the plan of another project should say %s, and says %s", want, said)
	}
	if _, err := w.api.RecoverProject(t.Context(), w.id); err != nil {
		t.Fatal(err)
	}
	if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
		t.Errorf("the plan after the recovery isn't empty: %s", said)
	}
	said = acctest.InOneLine(r.Terraform(t, "destroy", "-auto-approve"))
	if want := acctest.InOrder("Project deleted", "seven days, until 20", `"shop"`, "recover"); !want.MatchString(said) {
		t.Errorf("the destruction should say %s, and says %s", want, said)
	}
}

// A destruction reads of each project what a plan reads. Then another process plans that it goes, which reads its
// branches, and it is deleted.
func TestAccTerraform_projectsDestroyed(t *testing.T) {
	w := newWorld(t)
	const projects = 3
	r := acctest.NewRun(t, w.World, w.config(fmt.Sprintf("count = %d", projects), `name = "shop-${count.index}"`))
	r.Terraform(t, "apply", "-auto-approve")
	w.ForgetRequests(t)
	r.Terraform(t, "destroy", "-auto-approve")
	if sent := w.Requests(t); sent.Total != 5*projects {
		t.Errorf("the destruction of %d projects took %d requests: %v", projects, sent.Total, sent.ByRoute)
	}
}

// What the configuration doesn't have of the default branch is somebody else's: a change of the project undoes nothing
// that they have done since the plan looked at it.
func TestAccTerraform_projectUndoesNothing(t *testing.T) {
	w := newWorld(t)
	r := acctest.NewRun(t, w.World, w.config(`name = "shop"`))
	r.Terraform(t, "apply", "-auto-approve")
	found, err := client.All(w.api.ListProjects(t.Context(), client.ProjectQuery{OrgID: w.OrgID, Search: "shop"}))
	if err != nil {
		t.Fatal(err)
	}
	project := found[0]
	branch, err := w.api.GetDefaultBranch(t.Context(), project.ID)
	if err != nil {
		t.Fatal(err)
	}
	ref := client.BranchRef{ProjectID: project.ID, ID: branch.ID}
	endpoints, err := client.All(w.api.ListEndpoints(t.Context(), ref))
	if err != nil {
		t.Fatal(err)
	}
	name, units := "trunk", 4.0
	changed, err := client.OperationsOf(w.api.UpdateBranch(t.Context(), ref, client.BranchUpdate{Name: &name}))
	if err == nil {
		err = w.api.WaitForOperations(t.Context(), project.ID, changed)
	}
	var update client.EndpointUpdate
	update.AutoscalingLimitMaxCU = &units
	if err == nil {
		_, err = w.api.UpdateEndpoint(t.Context(), client.EndpointRef{ProjectID: project.ID, ID: endpoints[0].ID}, update)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Configure(t, w.config(`name = "store"`))
	r.Terraform(t, "apply", "-auto-approve", "-refresh=false")
	if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
		t.Error(said)
	}
	api := w.Client(t) // One that hasn't read anything.
	branch, err = api.GetBranch(t.Context(), ref)
	endpoint, endpointErr := api.GetEndpoint(t.Context(), client.EndpointRef{ProjectID: project.ID, ID: endpoints[0].ID})
	if err != nil || endpointErr != nil || branch.Name != name || endpoint.AutoscalingLimitMaxCU != units {
		t.Errorf("the branch is named %v, its endpoint has %v: %v, %v", branch, endpoint, err, endpointErr)
	}
}

// A run that is killed before it has the project's id leaves one that only its name shows.
func TestAccTerraform_projectNamesakes(t *testing.T) {
	w := newWorld(t)
	config := w.config(`name = "shop"`)
	left := ""
	for _, run := range []string{"first", "second"} {
		said := acctest.NewRun(t, w.World, config).Terraform(t, "apply", "-auto-approve")
		if warned := strings.Contains(said, "Another project of the same name"); warned != (run == "second") ||
			!strings.Contains(said, left) {
			t.Errorf("the %s run, where %q was left, says %s", run, left, said)
		}
		for project, err := range w.Client(t).ListProjects(t.Context(), client.ProjectQuery{OrgID: w.OrgID, Search: "shop"}) {
			if err != nil {
				t.Fatal(err)
			}
			left = project.ID
		}
	}
}

// What a run has created, it doesn't look up for what belongs to it, and several creations share a list of namesakes.
func TestAccTerraform_requestsOfAProjectsCreation(t *testing.T) {
	w := newWorld(t)
	r := acctest.NewRun(t, w.World, `
resource "neon_project" "p" {
  count = 2
  name  = "shop-${count.index}"
}

resource "neon_branch" "b" {
  count      = 2
  project_id = neon_project.p[count.index].id
  name       = "b"
}
`)
	r.Terraform(t, "apply", "-auto-approve")
	// The list has a third page where the other project comes between the first two; two lists would have four.
	if sent := w.Requests(t).ByRoute; sent["GET /api/v2/projects/{project_id}"] > 0 || sent["GET /api/v2/projects"] > 3 {
		t.Errorf("the creation sends %v, want no read of a project, and one list", sent)
	}
}

// Where the projects can't be listed, the project is created all the same.
func TestAccTerraform_projectsUnlisted(t *testing.T) {
	w := newWorld(t)
	w.Control(t, http.MethodPost, "/_emulator/faults", map[string]any{"route": "GET /api/v2/projects", "kind": "status",
		"status": http.StatusForbidden}, nil)
	said := acctest.InOneLine(acctest.NewRun(t, w.World, w.config(`name = "shop"`)).Terraform(t, "apply", "-auto-approve"))
	if want := acctest.InOrder("Perhaps not the only project of its name", `"shop" could not be found out`,
		"Look with the data source neon_projects"); !want.MatchString(said) {
		t.Errorf("the creation should say %s, and says %s", want, said)
	}
}
