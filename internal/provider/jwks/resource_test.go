package jwks_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	address = "neon_jwks_url.test"
	route   = "/api/v2/projects/{project_id}/jwks"
	keys    = "https://auth.example.com/.well-known/jwks.json"
)

func block(projectID, url, lines string) string {
	return fmt.Sprintf("resource \"neon_jwks_url\" \"test\" {\n project_id = %q\n jwks_url = %q\n provider_name = \"Example\"\n %s\n}\n", projectID, url, lines)
}

func is(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), check)
}

func present(t *testing.T, w *acctest.BranchWorld) []client.JWKS {
	t.Helper()
	all, err := client.All(w.API.ListJWKS(t.Context(), w.ProjectID))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func life(w *acctest.BranchWorld, t *testing.T) []resource.TestStep {
	t.Helper()
	branchID := w.MainBranch(t).ID
	config := func(lines string) string { return w.ProviderConfig() + block(w.ProjectID, keys, lines) }
	whole := fmt.Sprintf("branch_id = %q\n jwt_audience = \"shop\"\n role_names = [\"anna\", \"ben\"]", branchID)
	importID := func(s *terraform.State) (string, error) {
		return w.ProjectID + "/" + s.RootModule().Resources[address].Primary.ID, nil
	}
	return []resource.TestStep{
		{
			Config: config(""),
			ConfigStateChecks: []statecheck.StateCheck{
				is("id", knownvalue.NotNull()), is("jwks_url", knownvalue.StringExact(keys)),
				is("provider_name", knownvalue.StringExact("Example")),
				is("branch_id", knownvalue.Null()), is("jwt_audience", knownvalue.Null()), is("role_names", knownvalue.NotNull()),
				is("created_at", knownvalue.NotNull()),
			},
		},
		{
			Config: config(whole), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace),
			ConfigStateChecks: []statecheck.StateCheck{
				is("branch_id", knownvalue.StringExact(branchID)), is("jwt_audience", knownvalue.StringExact("shop")),
				is("role_names", knownvalue.SetSizeExact(2)),
			},
		},
		{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: importID},
		{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateIdFunc: importID},
		// The order of the roles is of no matter.
		{
			Config: config(fmt.Sprintf("branch_id = %q\n jwt_audience = \"shop\"\n role_names = [\"ben\", \"anna\"]",
				branchID)),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop),
		},
		// Deleted outside: added again.
		{
			PreConfig: func() {
				if err := w.API.DeleteJWKS(t.Context(), client.Ref[client.JWKS]{ProjectID: w.ProjectID,
					ID: present(t, w)[0].ID}); err != nil {
					t.Error(err)
				}
			},
			Config: config(whole), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
		// Only what is configured is compared.
		{Config: config(fmt.Sprintf("branch_id = %q\n jwt_audience = \"shop\"", branchID)), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
	}
}

func TestAccJWKSURL_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World, life(w, t)...)
	if left := present(t, w); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
}

func TestAccTerraform_jwksURLLife(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(), Steps: acctest.FirstSteps(6, life(w, t)),
	})
}

// Whatever Neon says of the roles where none were chosen, nothing is planned.
func TestAccJWKSURL_noRoleNames(t *testing.T) {
	t.Parallel()
	for _, played := range []string{"empty", "defaults", "absent"} {
		for _, lines := range []string{"", "role_names = []"} {
			t.Run(played+lines, func(t *testing.T) {
				t.Parallel()
				w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"jwks-role-names": played}})
				config := w.ProviderConfig() + block(w.ProjectID, keys, lines)
				acctest.RunSteps(t, w.World, resource.TestStep{Config: config},
					resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)})
			})
		}
	}
}

// An empty list of roles is what Neon chooses, also where an import has read that; other roles that are there are
// replaced.
func TestAccJWKSURL_noRoleNamesImported(t *testing.T) {
	t.Parallel()
	for roles, action := range map[string]plancheck.ResourceActionType{
		"": plancheck.ResourceActionNoop, "web_user": plancheck.ResourceActionReplace,
	} {
		t.Run(roles, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"jwks-role-names": "defaults"}})
			added := client.JWKSAdd{URL: keys, ProviderName: "Example", RoleNames: strings.Fields(roles)}
			made, err := w.API.CreateJWKS(t.Context(), w.ProjectID, added)
			w.Settle(t, made.Operations, err)
			acctest.RunSteps(t, w.World, resource.TestStep{
				Config: w.ProviderConfig() + block(w.ProjectID, keys, "role_names = []") +
					fmt.Sprintf("import {\n to = %s\n id = \"%s/%s\"\n}\n", address, w.ProjectID, made.Object.ID),
				ConfigPlanChecks: acctest.ExpectAction(address, action),
			})
		})
	}
}

// The keys of a branch go with it, without an error.
func TestAccJWKSURL_branchDeletedOutside(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := w.MakeBranch(t, "b")
	config := w.ProviderConfig() + block(w.ProjectID, keys, fmt.Sprintf("branch_id = %q", branch.ID))
	acctest.RunSteps(t, w.World, resource.TestStep{Config: config}, resource.TestStep{
		PreConfig: func() {
			operations, err := w.API.DeleteBranch(t.Context(), w.Ref(branch.ID))
			w.Settle(t, operations, err)
		},
		Config: w.ProviderConfig(),
	})
}

func TestAccJWKSURL_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"no such project": {
			Config: block("none-such-12345678", keys, ""), Want: acctest.InOrder("Unable to read project", "project_id", "404"),
		},
		"no such branch": {
			Config: block(w.ProjectID, keys, `branch_id = "br-none-none-12345678"`),
			Want:   acctest.InOrder("No such branch", "branch_id", "404"),
		},
		"not https":      {Config: block(w.ProjectID, "http://auth.example.com", ""), Command: acctest.Plan, Want: acctest.InWords("must be an address that begins with https://")},
		"too many roles": {Config: block(w.ProjectID, keys, `role_names = ["a","b","c","d","e","f","g","h","i","j","k"]`), Command: acctest.Plan, Want: acctest.InWords("at most 10")},
		"import id":      {Config: block(w.ProjectID, keys, ""), Command: []string{"import", address, "none"}, Want: acctest.InWords("project_id/id, such as")},
		"import: gone":   {Config: block(w.ProjectID, keys, ""), Command: []string{"import", address, w.ProjectID + "/none"}, Want: acctest.InWords("No such")},
	})
}

// Neon reads the keys when the address is added, and says what is wrong with them.
func TestAccJWKSURL_refused(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	w.AddFault(t, acctest.Fault{Route: "POST " + route, Kind: "status", Status: http.StatusBadRequest,
		Body: `{"code":"","message":"unable to fetch JWKS"}`, Count: 1})
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfig() + block(w.ProjectID, keys, ""),
		Want: acctest.InOrder("Unable to create JWKS URL", "400", "unable to fetch JWKS",
			"check the values in the configuration"),
	})
}

// An address without keys is refused, and one that is there already where Neon takes no second.
func TestAccJWKSURL_unusable(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"jwks-unreadable": "refused",
		"jwks-second": "refused"}})
	theirs, err := w.API.CreateJWKS(t.Context(), w.ProjectID, client.JWKSAdd{URL: keys, ProviderName: "Example"})
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(t, theirs.Operations, nil)
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"no host": {
			Config: block(w.ProjectID, "https://auth.invalid/jwks.json", ""),
			Want:   acctest.InOrder("Unable to create JWKS URL", "auth.invalid", "a JSON Web Key Set must be there"),
		},
		"another": {
			Config: block(w.ProjectID, keys, ""), Want: acctest.InOrder("Unable to create JWKS URL", "import it",
				"to = neon_jwks_url.", w.ProjectID+"/"+theirs.Object.ID),
		},
	})
}

// Whatever becomes of the answers, there is one, and it is in the state; one of the same
// address that was there before is left alone.
func TestAccJWKSURL_lostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"jwks-second": "added"}})
	theirs, err := w.API.CreateJWKS(t.Context(), w.ProjectID, client.JWKSAdd{URL: keys, ProviderName: "Example"})
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(t, theirs.Operations, nil)
	for _, kind := range []string{"lost_before", "lost_after"} {
		w.AddFault(t, acctest.Fault{Route: "POST " + route, Kind: kind, Count: 1})
		w.AddFault(t, acctest.Fault{Route: "DELETE " + route + "/{jwks_id}", Kind: kind, Count: 1})
	}
	config := w.ProviderConfig() + block(w.ProjectID, keys, "")
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config, ExpectError: acctest.InWords("may still have one")},
		resource.TestStep{Config: config},
		resource.TestStep{Config: w.ProviderConfig()},
	)
	if left := present(t, w); len(left) != 1 || left[0].ID != theirs.Object.ID || w.FaultsLeft(t) != 0 {
		t.Errorf("left are %v, and %d faults", left, w.FaultsLeft(t))
	}
}

// What a killed run may have left is named: it is the same, but is in no state.
func TestAccJWKSURL_namesakes(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"jwks-second": "added"}})
	if _, err := w.API.CreateJWKS(t.Context(), w.ProjectID, client.JWKSAdd{URL: keys, ProviderName: "Other"}); err != nil {
		t.Fatal(err)
	}
	first := ""
	for _, state := range []string{"first", "second"} {
		said := acctest.NewRun(t, w.World, w.ProviderConfig()+block(w.ProjectID, keys, "")).Terraform(t, "apply",
			"-auto-approve")
		if warned := strings.Contains(said, "Another of the same JWKS URL"); warned != (state == "second") ||
			!strings.Contains(said, first) {
			t.Errorf("the %s run says %s", state, said)
		}
		first = w.ProjectID + "/" + present(t, w)[1].ID
	}
}

func TestAccJWKSURLsData(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	added, err := w.API.CreateJWKS(t.Context(), w.ProjectID,
		client.JWKSAdd{URL: keys, ProviderName: "Example", RoleNames: []string{"anna"}})
	if err != nil {
		t.Fatal(err)
	}
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + acctest.DataBlock("jwks_urls", fmt.Sprintf("project_id = %q\n", w.ProjectID)),
		ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("jwks_urls", knownvalue.ListExact([]knownvalue.Check{
			knownvalue.ObjectExact(map[string]knownvalue.Check{
				"id": knownvalue.StringExact(added.Object.ID), "jwks_url": knownvalue.StringExact(keys),
				"provider_name": knownvalue.StringExact("Example"),
				"branch_id":     knownvalue.Null(), "jwt_audience": knownvalue.Null(), "created_at": knownvalue.NotNull(),
				"role_names": knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("anna")}),
			}),
		}), "jwks_urls")},
	})
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"no such project": {Config: acctest.DataBlock("jwks_urls", `project_id = "none-such-12345678"`), Want: acctest.InOrder("Unable to list JWKS URLs", "404")},
	})
}

// Other providers keep the same ids, one of them by another name of the resource.
func TestJWKSURL_moves(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	added, err := w.API.CreateJWKS(t.Context(), w.ProjectID, client.JWKSAdd{URL: keys, ProviderName: "Example"})
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []acctest.MovedSource{
		{Provider: "kislerdm/neon", TypeName: "neon_jwks_url"},
		{Provider: "neondatabase/neon", TypeName: "neon_jwks_url", Version: 9},
		{Provider: "kenchan0130/neon", TypeName: "neon_project_jwks"},
	} {
		state, identity, problem := p.Move(t, "neon_jwks_url", from,
			map[string]any{"id": added.Object.ID, "project_id": w.ProjectID, "role_names": []string{"anna"}})
		if problem != "" || state["jwks_url"] != keys || identity["id"] != added.Object.ID {
			t.Errorf("moved from %v to %v, %v: %s", from, state, identity, problem)
		}
	}
}
