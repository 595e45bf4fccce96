package project_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What other providers for Neon got wrong about projects.

// A role and a database that come later aren't taken for those of the project, and nothing
// is replaced because of them.
func TestAccProject_laterRolesAndDatabases(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	same := staysTheSame()
	config := w.config(`default_branch = { role_name = "zoe", database_name = "zoo" }`)
	again := w.step(config, plancheck.ResourceActionNoop, same())
	again.PreConfig = func() {
		branch := w.defaultBranch(t)
		operations, err := client.OperationsOf(w.api.CreateRole(t.Context(), client.BranchRef{ProjectID: w.id, ID: branch.ID},
			client.RoleCreate{Name: "adam"}))
		w.settle(t, operations, err)
		operations, err = client.OperationsOf(w.api.CreateDatabase(t.Context(),
			client.BranchRef{ProjectID: w.id, ID: branch.ID}, client.DatabaseCreate{Name: "animals", OwnerName: "adam"}))
		w.settle(t, operations, err)
	}
	w.run(t, w.step(config, plancheck.ResourceActionCreate, same()), again, w.imports())
}

func (w *projectWorld) defaultBranch(t *testing.T) client.Branch {
	t.Helper()
	branch, err := w.api.GetDefaultBranch(t.Context(), w.id)
	if err != nil {
		t.Fatal(err)
	}
	return *branch
}

// A change of compute settings recreates nothing.
func TestAccProject_computeSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	same := staysTheSame()
	w.run(t,
		w.step(w.config(), plancheck.ResourceActionCreate, same()),
		w.step(w.config(`default_branch = { endpoint = { autoscaling_limit_max_cu = 2 } }`), plancheck.ResourceActionUpdate,
			same()),
		w.step(w.config(`default_endpoint_settings = { autoscaling_limit_max_cu = 2 }`), plancheck.ResourceActionUpdate,
			same()),
	)
}

// An organization that Neon infers isn't a difference.
func TestAccProject_inferredOrganization(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, err := client.ObjectOf(w.api.CreateAPIKey(t.Context(), client.APIKeyScope{OrgID: w.OrgID}, "inferred"))
	if err != nil {
		t.Fatal(err)
	}
	config := w.ProviderConfigWith(key.Key) + projectBlock()
	w.run(t,
		w.step(config, plancheck.ResourceActionCreate, is(text(w.OrgID), "org_id")),
		w.step(config, plancheck.ResourceActionNoop),
	)
}

func TestAccProject_logicalReplication(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	same := staysTheSame()
	w.run(t,
		w.step(w.config(`enable_logical_replication = false`), plancheck.ResourceActionCreate, same()),
		w.step(w.config(`enable_logical_replication = true`), plancheck.ResourceActionUpdate, same(),
			is(yes, "enable_logical_replication")),
		w.step(w.config(), plancheck.ResourceActionNoop, same(), is(yes, "enable_logical_replication")),
		resource.TestStep{Config: w.config(`enable_logical_replication = false`),
			ExpectError: acctest.InWords("Can't be switched off again")},
	)
}

// The history's length is the plan's own, and one above the plan's most is Neon's refusal.
func TestAccProject_historyOnFree(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, emulator.Config{Plan: "free"})
	w.run(t,
		w.step(w.config(), plancheck.ResourceActionCreate, is(number(21600), "history_retention_seconds")),
		w.step(w.config(`name = "renamed"`), plancheck.ResourceActionUpdate),
		resource.TestStep{
			Config:      w.config(`history_retention_seconds = 86400`),
			ExpectError: acctest.InOrder("Unable to update project", "400", "exceeds allowed maximum"),
		},
	)
}

// Addresses can be changed and removed, and no other change empties them.
func TestAccProject_allowedAddresses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	has := func(want string) func() {
		return func() {
			if got := strings.Join(w.now(t).Settings.AllowedIPs.IPs, " "); got != want {
				t.Errorf("allowed are %q, want %q", got, want)
			}
		}
	}
	after := func(want string, step resource.TestStep) resource.TestStep {
		step.PreConfig = has(want)
		return step
	}
	w.run(t,
		w.step(w.config(`allowed_ips = ["10.0.0.1"]`), plancheck.ResourceActionCreate),
		after("10.0.0.1", w.step(w.config(`allowed_ips = ["10.0.0.1"]`, `name = "renamed"`), plancheck.ResourceActionUpdate)),
		after("10.0.0.1", w.step(w.config(`allowed_ips = ["10.0.0.1"]`, `name = "renamed"`,
			`allowed_ips_protected_branches_only = true`), plancheck.ResourceActionUpdate)),
		after("10.0.0.1", w.step(w.config(`allowed_ips = ["10.0.0.2"]`, `name = "renamed"`), plancheck.ResourceActionUpdate)),
		after("10.0.0.2", w.step(w.config(`name = "renamed"`), plancheck.ResourceActionUpdate)),
		after("", w.step(w.config(`name = "renamed"`, `allowed_ips = []`), plancheck.ResourceActionUpdate)),
	)
}

// The settings of later endpoints don't reach that of the default branch, which has its own.
func TestAccProject_defaultCompute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, two := knownvalue.Float64Exact(1), knownvalue.Float64Exact(2)
	config := `default_branch = { endpoint = { autoscaling_limit_max_cu = 1 } }`
	w.run(t,
		w.step(w.config(config), plancheck.ResourceActionCreate,
			is(one, "default_branch", "endpoint", "autoscaling_limit_max_cu")),
		w.step(w.config(config, `default_endpoint_settings = { autoscaling_limit_max_cu = 2 }`),
			plancheck.ResourceActionUpdate,
			is(one, "default_branch", "endpoint", "autoscaling_limit_max_cu"),
			is(two, "default_endpoint_settings", "autoscaling_limit_max_cu")),
	)
}

// On a plan that refuses the maintenance window that Neon itself has set, it is never sent
// back; nothing changes by itself, and settings can be removed.
func TestAccProject_settingsRemoved(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, emulator.Config{Plan: "free"})
	w.run(t,
		w.step(w.config(`quota = { active_time_seconds = 5 }`), plancheck.ResourceActionCreate),
		w.step(w.config(), plancheck.ResourceActionUpdate, is(null, "quota")),
		w.step(w.config(), plancheck.ResourceActionNoop),
	)
}

// A window that is configured is changed in place, and stays when it is removed. One that Neon
// chose is no difference.
func TestAccProject_maintenanceWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	window := func(day string) string {
		return w.config(`maintenance_window = { weekdays = [` + day + `], start_time = "01:00", end_time = "02:00" }`)
	}
	w.run(t,
		w.step(w.config(), plancheck.ResourceActionCreate, is(some, "maintenance_window", "start_time")),
		w.step(window("1"), plancheck.ResourceActionUpdate),
		w.step(window("2"), plancheck.ResourceActionUpdate),
		w.step(w.config(), plancheck.ResourceActionNoop, is(text("01:00"), "maintenance_window", "start_time")),
		w.imports(),
	)
}

// What Neon creates with the project is named and found here, without a second creation.
func TestAccProject_defaultObjects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, w.step(w.config(`default_branch = { name = "trunk", role_name = "owner", database_name = "store" }`),
		plancheck.ResourceActionCreate,
		is(text("trunk"), "default_branch", "name"), is(text("owner"), "default_branch", "role_name"),
		is(text("store"), "default_branch", "database_name")))
}

// Without its database, its role and its endpoint the default branch is planned and
// imported all the same.
func TestAccProject_defaultObjectsDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.config(`name = "bare"`)
	gone := w.step(config, plancheck.ResourceActionNoop, is(null, "default_branch", "endpoint"))
	gone.PreConfig = func() {
		branch := w.defaultBranch(t)
		operations, err := w.api.DeleteDatabase(t.Context(), client.BranchRef{ProjectID: w.id, ID: branch.ID}, "neondb")
		w.settle(t, operations, err)
		operations, err = w.api.DeleteRole(t.Context(), client.BranchRef{ProjectID: w.id, ID: branch.ID}, "neondb_owner")
		w.settle(t, operations, err)
		endpoints, err := client.All(w.api.ListEndpoints(t.Context(), client.BranchRef{ProjectID: w.id, ID: branch.ID}))
		if err != nil {
			t.Fatal(err)
		}
		operations, err = w.api.DeleteEndpoint(t.Context(), client.EndpointRef{ProjectID: w.id, ID: endpoints[0].ID})
		w.settle(t, operations, err)
	}
	w.run(t,
		w.step(config, plancheck.ResourceActionCreate),
		gone,
		w.imports("default_branch.role_name", "default_branch.database_name"),
		w.step(w.config(`name = "barer"`), plancheck.ResourceActionUpdate),
		w.step(w.config(`name = "barer"`, `default_branch = { endpoint = { autoscaling_limit_max_cu = 1 } }`),
			plancheck.ResourceActionUpdate,
			is(some, "default_branch", "endpoint", "host")),
	)
}

// No password and no connection string is in the state.
func TestProject_noSecrets(t *testing.T) {
	w := newWorld(t)
	p := acctest.NewProtocol(t, w.World)
	state, _ := p.Create(t, "neon_project", nil)
	branch, err := w.api.GetDefaultBranch(t.Context(), state["id"])
	if err != nil {
		t.Fatal(err)
	}
	password, err := w.api.GetRolePassword(t.Context(), client.BranchRef{ProjectID: state["id"], ID: branch.ID},
		"neondb_owner")
	if err != nil {
		t.Fatal(err)
	}
	schema := p.Schema.ResourceSchemas["neon_project"]
	for _, attribute := range schema.Block.Attributes {
		if attribute.Sensitive || strings.Contains(attribute.Name, "uri") || attribute.Name == "password" {
			t.Errorf("the schema has %s", attribute.Name)
		}
	}
	for name, value := range state {
		if strings.Contains(value, password) || strings.Contains(value, "postgresql://") {
			t.Errorf("the state has a secret in %s", name)
		}
	}
}

// The next change begins when the project's operations have ended.
func TestAccProject_waits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, w.step(w.config()+"resource \"neon_role\" \"test\" {\n project_id = neon_project.test.id\n branch_id = neon_project.test.default_branch.id\n name = \"app\"\n}\n",
		plancheck.ResourceActionCreate))
	if locked := w.Requests(t).ByStatus["423"]; locked != 0 {
		t.Errorf("%d requests were refused over running operations", locked)
	}
}

// An import takes the project's own key, and no list of projects.
func TestAccProject_importWithProjectKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, err := client.ObjectOf(w.api.CreateAPIKey(t.Context(), client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID},
		"scoped"))
	if err != nil {
		t.Fatal(err)
	}
	scoped := *w.World
	scoped.APIKey = key.Key
	w.ForgetRequests(t)
	state, _ := acctest.NewProtocol(t, &scoped).ImportAndRead(t, "neon_project", map[string]string{"id": w.ProjectID})
	if sent := w.Requests(t).ByRoute; state["id"] != w.ProjectID || sent["GET /api/v2/projects"] != 0 {
		t.Errorf("imported %v by %v", state, sent)
	}
}

// After an import by id alone the plan is empty where the configuration says what is there.
func TestAccProject_importedWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.config(strings.Replace(everything, "timeouts = { create = \"5m\" }", "", 1))
	w.run(t, w.step(config, plancheck.ResourceActionCreate),
		w.imports("maintenance_window", "quota.logical_size_bytes", "quota.%"))
}

// No project can have a version before the first that Neon has had, so no plan promises one.
func TestAccProject_firstVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"one before": {Config: projectBlock(`org_id = "`+w.OrgID+`"`, `pg_version = 13`), Command: acctest.Plan,
			Want: acctest.InOrder("pg_version", "at least 14", "13")},
	})
}

// What Neon allows, by plan or by now, is for Neon to say.
func TestAccProject_noLimitsOfOurs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	org := `org_id = "` + w.OrgID + `"`
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"version": {Config: projectBlock(org, `pg_version = 99`), Want: acctest.InOrder("Unable to create project", "400", "pg_version")},
		"region":  {Config: projectBlock(org, `region_id = "gcp-moon-1"`), Want: acctest.InOrder("Unable to create project", "400", "gcp-moon-1")},
		"history": {Config: projectBlock(org, `history_retention_seconds = 2592001`), Want: acctest.InOrder("Unable to create project", "400")},
	})
}

func TestAccProject_protectedDefaultBranch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t,
		w.step(w.config(`default_branch = { protected = true }`), plancheck.ResourceActionCreate,
			is(yes, "default_branch", "protected")),
		w.imports(),
	)
	if left := w.Objects(t).Projects; len(left) != 1 {
		t.Errorf("%d projects are left after the destruction; want the first alone", len(left))
	}
}

// What is deleted outside is planned anew, as with any resource; deletion_protection keeps
// Terraform itself from deleting it.
func TestAccProject_deletedOutside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	again := w.step(w.config(), plancheck.ResourceActionCreate)
	again.PreConfig = w.deleteOutside(t)
	w.run(t, w.step(w.config(`deletion_protection = true`), plancheck.ResourceActionCreate), again)
}
