package permission_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	address = "neon_project_permission.test"
	route   = "/api/v2/projects/{project_id}/permissions"
)

func block(projectID, email string) string {
	return fmt.Sprintf("resource \"neon_project_permission\" \"test\" {\n project_id = %q\n email = %q\n}\n",
		projectID, email)
}

func is(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), check)
}

// permissions are those of the world's project that hold.
func permissions(t *testing.T, w *acctest.BranchWorld) []client.ProjectPermission {
	t.Helper()
	all, err := client.All(w.API.ListProjectPermissions(t.Context(), w.ProjectID))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func life(w *acctest.BranchWorld, t *testing.T) []resource.TestStep {
	t.Helper()
	config := func(email string) string { return w.ProviderConfig() + block(w.ProjectID, email) }
	importID := func(s *terraform.State) (string, error) {
		return w.ProjectID + "/" + s.RootModule().Resources[address].Primary.ID, nil
	}
	return []resource.TestStep{
		{
			Config: config("Anna@example.com"),
			ConfigStateChecks: []statecheck.StateCheck{
				is("email", knownvalue.StringExact("Anna@example.com")), is("id", knownvalue.NotNull()),
				is("granted_at", knownvalue.NotNull()),
			},
		},
		{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: importID},
		{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateIdFunc: importID},
		// The same address, written differently.
		{
			Config:            config("anna@EXAMPLE.com"),
			ConfigPlanChecks:  acctest.ExpectAction(address, plancheck.ResourceActionNoop),
			ConfigStateChecks: []statecheck.StateCheck{is("email", knownvalue.StringExact("Anna@example.com"))},
		},
		// Revoked outside: granted again. The revoked one stays in Neon's list.
		{
			PreConfig: func() {
				if err := w.API.RevokeProjectPermission(t.Context(), client.Ref[client.ProjectPermission]{ProjectID: w.ProjectID,
					ID: permissions(t, w)[0].ID}); err != nil {
					t.Error(err)
				}
			},
			Config:           config("anna@example.com"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
		{
			Config:            config("ben@example.com"),
			ConfigPlanChecks:  acctest.ExpectAction(address, plancheck.ResourceActionReplace),
			ConfigStateChecks: []statecheck.StateCheck{is("email", knownvalue.StringExact("ben@example.com"))},
		},
	}
}

func TestAccProjectPermission_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World, life(w, t)...)
	if left := permissions(t, w); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
}

// The same in terraform itself, which decides whether a plan may keep the state's spelling.
func TestAccTerraform_projectPermissionLife(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(), Steps: acctest.FirstSteps(5, life(w, t)),
	})
}

func TestAccProjectPermission_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	granted, err := w.API.GrantProjectPermission(t.Context(), w.ProjectID, "taken@example.com")
	if err != nil {
		t.Fatal(err)
	}
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"taken": {
			Config: block(w.ProjectID, "TAKEN@example.com"),
			Want: acctest.InOrder("Unable to create project permission", "email = \"TAKEN@example.com\"",
				"is shared with that address already", "another resource of this configuration",
				"to = neon_project_permission.NAME", w.ProjectID+"/"+granted.ID),
		},
		"no such project": {
			Config: block("none-such-12345678", "a@example.com"),
			Want:   acctest.InOrder("Unable to read project", "project_id", "404"),
		},
		"no address":   {Config: block(w.ProjectID, "anna"), Command: acctest.Plan, Want: acctest.InWords("must be an email address")},
		"import id":    {Config: block(w.ProjectID, "a@example.com"), Command: []string{"import", address, granted.ID}, Want: acctest.InWords("project_id/id, such as")},
		"import: gone": {Config: block(w.ProjectID, "a@example.com"), Command: []string{"import", address, w.ProjectID + "/none"}, Want: acctest.InWords("No such")},
	})
}

// Whatever becomes of the answers, the address has one permission, and it is in the state.
// A refusal to list permissions, or to take one back, is no proof of anything.
func TestAccProjectPermission_lostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	for _, kind := range []string{"lost_before", "lost_after"} {
		w.AddFault(t, acctest.Fault{Route: "POST " + route, Kind: kind, Count: 1})
		w.AddFault(t, acctest.Fault{Route: "DELETE " + route + "/{permission_id}", Kind: kind, Count: 1})
	}
	config := w.ProviderConfig() + block(w.ProjectID, "anna@example.com")
	refuse := func(method string, status int) func() {
		return func() { w.AddFault(t, acctest.Fault{Route: method, Kind: "status", Status: status, Count: 1}) }
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: refuse("GET "+route, http.StatusNotFound), Config: config,
			ExpectError: acctest.InOrder("Unable to read project permission", "404"),
		},
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		resource.TestStep{Config: w.ProviderConfig()},
	)
	if left := permissions(t, w); len(left) != 0 || w.FaultsLeft(t) != 0 {
		t.Errorf("left are %v, and %d faults", left, w.FaultsLeft(t))
	}
}

// A permission that another run has just granted isn't taken over when our answer is lost.
func TestAccProjectPermission_lostAnswerAboutAnothers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	granted, err := w.API.GrantProjectPermission(t.Context(), w.ProjectID, "anna@example.com")
	if err != nil {
		t.Fatal(err)
	}
	w.AddFault(t, acctest.Fault{Route: "POST " + route, Kind: "lost_before", Count: 1})
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{"another's": {
		Config: block(w.ProjectID, "anna@example.com"),
		Want:   acctest.InOrder("Unable to create project permission", w.ProjectID+"/"+granted.ID),
	}})
}

func TestAccProjectPermissionsData(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	for _, email := range []string{"revoked@example.com", "anna@example.com"} {
		if _, err := w.API.GrantProjectPermission(t.Context(), w.ProjectID, email); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.API.RevokeProjectPermission(t.Context(), client.Ref[client.ProjectPermission]{ProjectID: w.ProjectID,
		ID: permissions(t, w)[0].ID}); err != nil {
		t.Fatal(err)
	}
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + acctest.DataBlock("project_permissions", fmt.Sprintf("project_id = %q\n", w.ProjectID)),
		ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("project_permissions",
			knownvalue.ListExact([]knownvalue.Check{
				knownvalue.ObjectExact(map[string]knownvalue.Check{
					"id": knownvalue.NotNull(), "email": knownvalue.StringExact("anna@example.com"),
					"granted_at": knownvalue.NotNull(),
				}),
			}), "permissions")},
	})
}

// Each provider's state has the id in its own form.
func TestProjectPermission_moves(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	granted, err := w.API.GrantProjectPermission(t.Context(), w.ProjectID, "anna@example.com")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		from acctest.MovedSource
		old  map[string]any
	}{
		"kislerdm":             {acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_project_permission", Version: 1}, map[string]any{"id": granted.ID, "grantee": "anna@example.com"}},
		"kislerdm before 0.13": {acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_project_permission"}, map[string]any{"id": w.ProjectID + "/" + granted.ID, "grantee": "anna@example.com"}},
		"neondatabase":         {acctest.MovedSource{Provider: "neondatabase/neon", TypeName: "neon_project_permission", Version: 9}, map[string]any{"id": granted.ID}},
		"kenchan0130":          {acctest.MovedSource{Provider: "kenchan0130/neon", TypeName: "neon_project_access"}, map[string]any{"permission_id": granted.ID, "granted_to_email": "anna@example.com"}},
	} {
		t.Run(name, func(t *testing.T) {
			test.old["project_id"] = w.ProjectID
			state, identity, problem := p.Move(t, "neon_project_permission", test.from, test.old)
			if problem != "" || state["id"] != granted.ID || state["email"] != "anna@example.com" ||
				identity["id"] != granted.ID {
				t.Errorf("moved to %v, %v: %s", state, identity, problem)
			}
		})
	}
}
