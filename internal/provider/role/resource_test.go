package role_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const address = "neon_role.test"

func block(branch client.BranchRef, name string, lines ...string) string {
	return fmt.Sprintf("resource \"neon_role\" \"test\" {\n project_id = %q\n branch_id = %q\n name = %q\n %s\n}\n",
		branch.ProjectID, branch.ID, name, strings.Join(lines, "\n "))
}

func is(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), check)
}

func password(t *testing.T, w *acctest.BranchWorld, branchID, name string) string {
	t.Helper()
	text, err := w.API.GetRolePassword(t.Context(), w.Ref(branchID), name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAccRole_life(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	const name = `app/r "ü"`
	config := func(lines ...string) string { return w.ProviderConfig() + block(w.Ref(branchID), name, lines...) }
	id := w.ProjectID + "/" + branchID + "/" + name
	var passwords []string
	remember := func() { passwords = append(passwords, password(t, w, branchID, name)) }
	acctest.RunSteps(t, w.World,
		resource.TestStep{
			Config:           config(),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{
				is("id", knownvalue.StringExact(id)), is("no_login", knownvalue.Bool(false)),
				is("protected", knownvalue.Bool(false)),
				is("authentication_method", knownvalue.StringExact("password")), is("created_at", knownvalue.NotNull()),
			},
		},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateId: id},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID,
			ImportStateId: id},
		// The first triggers record the password that there is, the next ones change it.
		resource.TestStep{
			PreConfig:        remember,
			Config:           config(`password_rotation_triggers = { quarter = "1", none = null }`),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
		},
		resource.TestStep{
			PreConfig:        remember,
			Config:           config(`password_rotation_triggers = { quarter = "2" }`),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
		},
		resource.TestStep{
			PreConfig:        remember,
			Config:           config(),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
		},
		// Deleted outside: created again.
		resource.TestStep{
			PreConfig: func() {
				remember()
				operations, err := w.API.DeleteRole(t.Context(), w.Ref(branchID), name)
				w.Settle(t, operations, err)
			},
			Config:           config(),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
		resource.TestStep{
			Config:           config("no_login = true"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace),
			ConfigStateChecks: []statecheck.StateCheck{
				is("no_login", knownvalue.Bool(true)), is("authentication_method", knownvalue.StringExact("no_login")),
			},
		},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateId: id},
	)
	if len(passwords) != 4 || passwords[0] != passwords[1] || passwords[1] == passwords[2] ||
		passwords[2] != passwords[3] {
		t.Errorf("the passwords were %d, and changed at the wrong steps", len(passwords))
	}
	if _, err := w.API.GetSharedRole(t.Context(), w.Ref(branchID), name); !client.IsAbsent(err) {
		t.Errorf("after the destruction: %v; want that it is gone", err)
	}
}

// Neon's description lets a role's authentication method be left out, which is no reason to replace the role.
func TestAccRole_withoutMethod(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	group := fmt.Sprintf(`{"branch_id":%q,"name":"group","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}`, branchID)
	answer := fmt.Sprintf(`{"role":%[1]s,"roles":[%[1]s],"operations":[]}`, group)
	const route = "/api/v2/projects/{project_id}/branches/{branch_id}/roles"
	config := w.ProviderConfig() + block(w.Ref(branchID), "group", "no_login = true")
	w.AddFault(t, acctest.Fault{Route: "POST " + route, Kind: "status_after", Status: http.StatusCreated, Body: answer,
		Count: 1})
	told := []statecheck.StateCheck{is("no_login", knownvalue.Bool(true))}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config, ConfigStateChecks: told},
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "GET " + route + "/{role_name}", Kind: "status", Status: http.StatusOK,
					Body: answer, Count: 2})
			},
			Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop),
			ConfigStateChecks: append(told, is("authentication_method", knownvalue.StringExact("no_login"))),
		},
	)
	// An import that isn't told it takes it from the configuration.
	_, err := w.API.CreateRole(t.Context(), w.Ref(branchID), client.RoleCreate{Name: "group", NoLogin: true})
	w.Settle(t, nil, err)
	for _, read := range []string{"GET " + route + "/{role_name}", "GET " + route} {
		w.AddFault(t, acctest.Fault{Route: read, Kind: "status", Status: http.StatusOK, Body: answer})
	}
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config:           config + fmt.Sprintf("import {\n to = %s\n id = \"%s/%s/group\"\n}\n", address, w.ProjectID, branchID),
		ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate), ConfigStateChecks: told,
	})
}

func TestAccRole_errors(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "role-names", roleErrors)
	acctest.EachReading(t, "taken-role", roleErrors)
}

func roleErrors(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.BranchWorldOf(t, played)
	branchID := w.MainBranch(t).ID
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"taken": {
			Config: block(w.Ref(branchID), "neondb_owner"),
			Want: acctest.InOrder("Unable to create role", "role already exists", "another resource of this configuration",
				"to = neon_role.NAME", w.ProjectID+"/"+branchID+"/neondb_owner"),
		},
		"no such branch": {
			Config: block(w.Ref("br-none-such-12345678"), "app"),
			Want:   acctest.InOrder("No such branch", "branch_id", "branch not found"),
		},
		"no such project": {
			Config: block(client.BranchRef{ProjectID: "none-such-12345678", ID: branchID}, "app"),
			Want:   acctest.InOrder("Unable to read project", "project_id", "404"),
		},
		"not an id":    {Config: block(client.BranchRef{ProjectID: "A b", ID: branchID}, "app"), Command: acctest.Plan, Want: acctest.InWords("must be the id")},
		"empty name":   {Config: block(w.Ref(branchID), ""), Command: acctest.Plan, Want: acctest.InWords("must be 1 to 63 bytes long, got: \"\", which has 0")},
		"long name":    {Config: block(w.Ref(branchID), strings.Repeat("ü", 32)), Command: acctest.Plan, Want: acctest.InOrder("must be 1 to 63 bytes long", "which has 64")},
		"dots":         {Config: block(w.Ref(branchID), ".."), Command: acctest.Plan, Want: acctest.InOrder("Invalid name of a role", "no path leads to")},
		"reserved":     {Config: block(w.Ref(branchID), "pg_app"), Want: acctest.InOrder("Reserved name of a role", "pg_app", "Choose another name")},
		"import id":    {Config: block(w.Ref(branchID), "app"), Command: []string{"import", address, "app"}, Want: acctest.InWords("project_id/branch_id/name, such as")},
		"import: gone": {Config: block(w.Ref(branchID), "app"), Command: []string{"import", address, w.ProjectID + "/" + branchID + "/none"}, Want: acctest.InWords("No such")},
		"no such role": {
			Config: acctest.DataBlock("role", fmt.Sprintf("project_id = %q\nbranch_id = %q\nname = \"none\"", w.ProjectID,
				branchID)),
			Want: acctest.InOrder("No such role", "name", "404", "role not found"),
		},
	})
}

// A role that owns databases stays, and the error names them; so does one whose deletion is
// refused for another reason.
func TestAccRole_ownerStays(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "names-and-owners", ownerStays)
}

func ownerStays(t *testing.T, played emulator.Config) {
	t.Helper()
	t.Parallel()
	w := acctest.BranchWorldOf(t, played)
	branchID := w.MainBranch(t).ID
	config := w.ProviderConfig() + block(w.Ref(branchID), "neondb_owner")
	imported := fmt.Sprintf("import {\n to = %s\n id = \"%s/%s/neondb_owner\"\n}\n", address, w.ProjectID, branchID)
	route := "DELETE /api/v2/projects/{project_id}/branches/{branch_id}/roles/{role_name}"
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config + imported},
		resource.TestStep{
			Config: config, Destroy: true,
			ExpectError: acctest.InOrder("Unable to delete role", "cannot delete role that owns databases",
				"The role owns these databases: neondb", "owner_name", "create_before_destroy = true"),
		},
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: route, Kind: "status", Status: http.StatusUnprocessableEntity, Count: 1})
				w.AddFault(t, acctest.Fault{Route: "GET /api/v2/projects/{project_id}/branches/{branch_id}/databases",
					Kind: "status", Status: http.StatusForbidden, Count: 1})
			},
			Config: config, Destroy: true,
			ExpectError: acctest.InOrder("Unable to delete role", "422", "removed {", "destroy = false"),
		},
		// The framework destroys what is left at the end.
		resource.TestStep{Config: w.ProviderConfig() + "removed {\n from = " + address +
			"\n lifecycle {\n destroy = false\n }\n}\n"},
	)
	if _, err := w.API.GetSharedRole(t.Context(), w.Ref(branchID), "neondb_owner"); err != nil {
		t.Error(err)
	}
}

// The branch is deleted outside, and the role with it.
func TestAccRole_branchIsGone(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := w.MakeBranch(t, "b")
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(branch.ID), "app")},
		resource.TestStep{PreConfig: func() { w.DeleteBranch(t, branch.ID) }, Config: w.ProviderConfig()},
	)
}

// Whatever becomes of the answer, there is one role, and it is in the state.
func TestAccRole_lostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	const roles = "/api/v2/projects/{project_id}/branches/{branch_id}/roles"
	for _, kind := range []string{"lost_before", "lost_after", "cut_body"} {
		w.AddFault(t, acctest.Fault{Route: "POST " + roles, Kind: kind, Count: 1})
		w.AddFault(t, acctest.Fault{Route: "DELETE " + roles + "/{role_name}", Kind: kind, Count: 1})
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(branchID), "app")},
		resource.TestStep{Config: w.ProviderConfig()},
	)
	if _, err := w.API.GetSharedRole(t.Context(), w.Ref(branchID), "app"); !client.IsAbsent(err) {
		t.Errorf("after the destruction: %v; want that it is gone", err)
	}
}

// A role that another run has just created isn't taken over when our answer is lost.
func TestAccRole_lostAnswerAboutAnothers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	operations, err := client.OperationsOf(w.API.CreateRole(t.Context(), w.Ref(branchID), client.RoleCreate{Name: "app"}))
	if err == nil {
		err = w.API.WaitForOperations(t.Context(), w.ProjectID, operations)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects/{project_id}/branches/{branch_id}/roles",
		Kind: "lost_before", Count: 1})
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{"another's": {
		Config: block(w.Ref(branchID), "app"),
		Want:   acctest.InOrder("Unable to create role", "409", "to = neon_role.NAME"),
	}})
}

// Two resources exchange their names, as after a change of a list that count reads: so must their addresses.
func TestAccRole_namesExchanged(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(one, other string) string {
		branch := w.Ref(w.MainBranch(t).ID)
		return w.ProviderConfig() + block(branch, one) + strings.Replace(block(branch, other), "test", "other", 1)
	}
	var heard acctest.Heard
	acctest.HearSteps(t, w.World, &heard,
		resource.TestStep{Config: config("a", "b")},
		resource.TestStep{Config: config("b", "a"),
			ExpectError: acctest.InOrder("Unable to replace role", "is there already", "terraform state mv")},
		resource.TestStep{Config: config("a", "b"), PlanOnly: true, PreConfig: func() {
			if said := heard.Take(); strings.Contains(said, "A password will be lost") {
				t.Errorf("what is refused is warned of: %s", said)
			}
		}},
	)
}

// A destruction goes on as the refusal says.
func TestAccTerraform_destroysRolesThatExchangeNames(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := w.Ref(w.MainBranch(t).ID)
	config := func(one, other string) string {
		return w.ProviderConfig() + block(branch, one) + strings.Replace(block(branch, other), "test", "other", 1)
	}
	r := acctest.NewRun(t, w.World, config("a", "b"))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, config("b", "a"))
	said := acctest.InOneLine(r.Fails(t, "destroy", "-auto-approve"))
	if !strings.Contains(said, "run terraform destroy -refresh=false") {
		t.Errorf("the refusal doesn't say how to destroy:\n%s", said)
	}
	r.Terraform(t, "destroy", "-refresh=false", "-auto-approve")
}

// However many roles a branch has, a plan takes the same few requests.
func TestAccRole_many(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone})
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+fmt.Sprintf(
		"resource \"neon_role\" \"test\" {\n count = 200\n project_id = %q\n branch_id = %q\n name = \"r${count.index}\"\n}\n", w.ProjectID, w.MainBranch(t).ID))
	r.Terraform(t, "apply", "-auto-approve", "-parallelism=50")
	w.ForgetRequests(t)
	r.Terraform(t, "plan", "-detailed-exitcode")
	if sent := w.Requests(t); sent.Total > 6 {
		t.Errorf("a plan over 200 roles took %d requests, want at most 6: %v", sent.Total, sent.ByRoute)
	}
}

func TestAccRolesData(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := fmt.Sprintf("project_id = %q\nbranch_id = %q\n", w.ProjectID, w.MainBranch(t).ID)
	owner := knownvalue.ObjectExact(map[string]knownvalue.Check{
		"name": knownvalue.StringExact("neondb_owner"), "protected": knownvalue.Bool(false),
		"no_login":              knownvalue.Bool(false),
		"authentication_method": knownvalue.StringExact("password"), "created_at": knownvalue.NotNull(),
		"updated_at": knownvalue.NotNull(),
	})
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + acctest.DataBlock("roles", branch) +
			acctest.DataBlock("role", branch+`name = "neondb_owner"`),
		ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("roles", knownvalue.ListSizeExact(1), "roles"),
			acctest.DataIs("roles", owner, "roles", 0),
			acctest.DataIs("role", knownvalue.StringExact("password"), "authentication_method"),
		},
	})
}

func TestAccRolePassword(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := func(role string) string {
		return w.ProviderConfig() + fmt.Sprintf(
			"ephemeral \"neon_role_password\" \"test\" {\n project_id = %q\n branch_id = %q\n role_name = %q\n}\n",
			w.ProjectID, branchID, role) + acctest.Echoed("ephemeral.neon_role_password.test")
	}
	acctest.RunEphemeral(t, w.World,
		resource.TestStep{
			Config: config("neondb_owner"),
			ConfigStateChecks: []statecheck.StateCheck{acctest.Echoes("password",
				knownvalue.StringExact(password(t, w, branchID, "neondb_owner")))},
		},
		resource.TestStep{
			Config: strings.Replace(config("neondb_owner"), fmt.Sprintf("branch_id = %q", branchID), "", 1),
			ConfigStateChecks: []statecheck.StateCheck{acctest.Echoes("password",
				knownvalue.StringExact(password(t, w, branchID, "neondb_owner")))},
		},
		resource.TestStep{Config: config("none"), ExpectError: acctest.InOrder("Unable to read the role's password", "404",
			"role not found")},
		resource.TestStep{
			PreConfig: func() {
				operations, err := client.OperationsOf(w.API.CreateRole(t.Context(), w.Ref(branchID),
					client.RoleCreate{Name: "group", NoLogin: true}))
				w.Settle(t, operations, err)
			},
			Config: config("group"), ExpectError: acctest.InOrder("Unable to read the role's password",
				"that the role can log in: one that was created with no_login = true has no password"),
		},
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{
					Route: "GET /api/v2/projects/{project_id}/branches/{branch_id}/roles/{role_name}/reveal_password",
					Kind:  "status", Status: http.StatusPreconditionFailed, Count: 1,
				})
			},
			Config: config("neondb_owner"), ExpectError: acctest.InOrder("412", "store_passwords = false"),
		},
	)
}

func TestRole_reservedNames(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	kind := p.Schema.ResourceSchemas["neon_role"].ValueType()
	for name, reserved := range map[string]bool{"pgbouncer": true, "public": true, "app": false, "my_pg": false} {
		given := map[string]tftypes.Value{
			"project_id": acctest.Text(w.ProjectID), "branch_id": acctest.Text("br-main-12345678"), "name": acctest.Text(name),
		}
		checked, err := p.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
			TypeName: "neon_role", Config: acctest.Dynamic(t, kind, acctest.Object(kind, given)),
		})
		if err != nil || len(checked.Diagnostics) > 0 != reserved {
			t.Errorf("%s: %v, %v; want a warning: %t", name, checked.Diagnostics, err, reserved)
		}
	}
}

// Each provider's state has the ids in its own form.
func TestRole_moves(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p, branchID := acctest.NewProtocol(t, w.World), w.MainBranch(t).ID
	whole := w.ProjectID + "/" + branchID + "/neondb_owner"
	for _, provider := range []string{"kislerdm/neon", "neondatabase/neon", "kenchan0130/neon",
		"terraform-community-providers/neon"} {
		t.Run(provider, func(t *testing.T) {
			old := map[string]any{
				"id": whole, "project_id": w.ProjectID, "branch_id": branchID, "name": "neondb_owner", "password": "npg_secret",
				"protected": false,
			}
			if provider == "kenchan0130/neon" {
				delete(old, "id")
			}
			state, identity, problem := p.Move(t, "neon_role", acctest.MovedSource{Provider: provider, TypeName: "neon_role",
				Version: 7}, old)
			if problem != "" || state["id"] != whole || identity["name"] != "neondb_owner" ||
				strings.Contains(fmt.Sprint(state), "npg_secret") {
				t.Errorf("moved to %v, %v: %s", state, identity, problem)
			}
		})
	}
}

// A role's password is neither in the state nor asked for, and so a project that doesn't
// store passwords can have roles.
func TestAccRole_noPassword(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.ProviderConfig() + block(w.Ref(w.MainBranch(t).ID), "app", `password_rotation_triggers = { n = "%s" }`)
	noPassword := acctest.After(func(s acctest.State) error {
		if text := fmt.Sprint(s.Texts(address)); strings.Contains(text, "npg_") || strings.Contains(text, "password:") {
			return errors.New("the state has a password")
		}
		return nil
	})
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: fmt.Sprintf(config, "1"), ConfigStateChecks: []statecheck.StateCheck{noPassword}},
		resource.TestStep{Config: fmt.Sprintf(config, "2"), ConfigStateChecks: []statecheck.StateCheck{noPassword}},
	)
	for route := range w.Requests(t).ByRoute {
		if strings.HasSuffix(route, "/reveal_password") {
			t.Errorf("%s was sent", route)
		}
	}
}

// A password that Neon gave up to change is changed by the next apply.
func TestAccRole_rotationFails(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.ProviderConfig() + block(w.Ref(w.MainBranch(t).ID), "app", `password_rotation_triggers = { n = "%s" }`)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: fmt.Sprintf(config, "1")},
		resource.TestStep{
			PreConfig: func() { w.EndOperations(t, "apply_config", "cancelled", "") }, Config: fmt.Sprintf(config, "2"),
			ExpectError: acctest.InWords("was cancelled"),
		},
		resource.TestStep{Config: fmt.Sprintf(config, "2"), ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)},
		}},
	)
}

// A role that can't log in has no password to rotate: other triggers are only recorded.
func TestAccRole_noLoginWithTriggers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.ProviderConfig() + block(w.Ref(w.MainBranch(t).ID), "group", "no_login = true",
		`password_rotation_triggers = { n = "%s" }`)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: fmt.Sprintf(config, "1")},
		resource.TestStep{Config: fmt.Sprintf(config, "2")},
	)
}

// The id of a role that is to be created is unknown to the plan, so that what takes it waits for the role.
func TestAccRole_idWaits(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + block(w.Ref(branchID), "app"),
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectUnknownValue(address, tfjsonpath.New("id")),
		}},
		ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue(address, tfjsonpath.New("id"),
			knownvalue.StringExact(w.ProjectID+"/"+branchID+"/app"))},
	})
}

// A role that owns a database gets another name as the error says that refuses it.
func TestAccTerraform_ownerIsRenamed(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := func(name string, lines ...string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), name, lines...) + fmt.Sprintf(
			"resource \"neon_database\" \"test\" {\n project_id = %q\n branch_id = %q\n name = \"app\"\n owner_name = neon_role.test.name\n}\n", w.ProjectID, branchID)
	}
	r := acctest.NewRun(t, w.World, config("before"))
	r.Terraform(t, "apply", "-auto-approve")
	if said := acctest.InOneLine(r.Fails(t, "apply", "-auto-approve", "-replace=neon_role.test")); !strings.Contains(said,
		"change password_rotation_triggers") {
		t.Error(said)
	}
	r.Configure(t, config("after"))
	if said := acctest.InOneLine(r.Terraform(t, "plan")); !strings.Contains(said,
		`Neon refuses to delete role "before" while it owns databases: app`) {
		t.Error(said)
	}
	if said := acctest.InOneLine(r.Fails(t, "apply", "-auto-approve")); !strings.Contains(said,
		"The role owns these databases: app") || !strings.Contains(said, "create_before_destroy = true") {
		t.Error(said)
	}
	r.Configure(t, config("after", "lifecycle {\n create_before_destroy = true\n }"))
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-detailed-exitcode")
	// An import doesn't help against the role's own name.
	r.Terraform(t, "taint", "neon_role.test")
	if said := acctest.InOneLine(r.Fails(t, "apply", "-auto-approve")); !strings.Contains(said, "run terraform untaint") {
		t.Error(said)
	}
	r.Terraform(t, "untaint", "neon_role.test")
	r.Terraform(t, "plan", "-detailed-exitcode")
	database, err := w.API.GetSharedDatabase(t.Context(), w.Ref(branchID), "app", 0)
	if err != nil || database.OwnerName != "after" {
		t.Errorf("the database is %+v, %v", database, err)
	}
}

// A role that owns a database can't log in any more once the database has had another owner, as the plan says that
// would be refused: a new role of the same name can't be there before the old one goes.
func TestAccTerraform_ownerWithoutLogin(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := func(owner string, lines ...string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), "app", lines...) + fmt.Sprintf("resource \"neon_database\" "+
			"\"test\" {\n project_id = %q\n branch_id = %q\n name = \"app\"\n owner_name = %s\n}\n", w.ProjectID, branchID,
			owner)
	}
	const noLogin, own = "no_login = true", "neon_role.test.name"
	r := acctest.NewRun(t, w.World, config(own))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, config(own, noLogin))
	told := acctest.InOrder("The role owns databases", "no_login = true", "has the same name", "another owner")
	if said := acctest.InOneLine(r.Terraform(t, "plan")); !told.MatchString(said) ||
		strings.Contains(said, "create_before_destroy") {
		t.Error(said)
	}
	if said := acctest.InOneLine(r.Fails(t, "apply", "-auto-approve")); !strings.Contains(said, "for another no_login") {
		t.Error(said)
	}
	r.Configure(t, config(`"neondb_owner"`))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, config(own, noLogin))
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-detailed-exitcode")
}

// A role whose block is removed in the change that takes its database away goes as the error says that refuses it.
func TestAccTerraform_ownerIsRemoved(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := func(role, owner string) string {
		return w.ProviderConfig() + role + fmt.Sprintf(
			"resource \"neon_database\" \"test\" {\n project_id = %q\n branch_id = %q\n name = \"app\"\n owner_name = %s\n}\n",
			w.ProjectID, branchID, owner)
	}
	r := acctest.NewRun(t, w.World, config(block(w.Ref(branchID), "before"), "neon_role.test.name"))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, config("", `"neondb_owner"`))
	if said := acctest.InOneLine(r.Fails(t, "apply", "-auto-approve")); !strings.Contains(said, "apply -target") {
		t.Error(said)
	}
	r.Terraform(t, "apply", "-auto-approve", "-target=neon_database.test")
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-detailed-exitcode")
}
