package project_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const address = "neon_project.test"

// projectWorld is an emulated Neon and the project that a test's configuration creates in
// it.
type projectWorld struct {
	*acctest.World
	api *client.Client
	id  string
}

func newWorld(t *testing.T) *projectWorld {
	t.Helper()
	return newWorldOf(t, emulator.Config{})
}

func newWorldOf(t *testing.T, config emulator.Config) *projectWorld {
	t.Helper()
	w := acctest.StartEmulator(t, config)
	return &projectWorld{World: w, api: w.Client(t)}
}

// config is a provider with a default organization, and the project.
func (w *projectWorld) config(lines ...string) string {
	return w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID)) +
		"resource \"neon_project\" \"test\" {\n  " + strings.Join(lines, "\n  ") + "\n}\n"
}

// step applies a configuration, expects an action, and remembers the project.
func (w *projectWorld) step(
	config string, action plancheck.ResourceActionType, checks ...statecheck.StateCheck,
) resource.TestStep {
	return resource.TestStep{
		Config: config, ConfigPlanChecks: acctest.ExpectAction(address, action),
		ConfigStateChecks: append(checks, acctest.IDOf(address, &w.id)),
	}
}

// imports imports the project again, and compares all but what an import can't know.
func (w *projectWorld) imports(ignored ...string) resource.TestStep {
	return resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true,
		ImportStateVerifyIgnore: ignored}
}

func (w *projectWorld) run(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	acctest.RunSteps(t, w.World, steps...)
}

// now is the project as it is.
func (w *projectWorld) now(t *testing.T) client.Project {
	t.Helper()
	project, err := w.api.GetProject(t.Context(), w.id)
	if err != nil {
		t.Fatal(err)
	}
	return *project
}

// change changes the project past Terraform.
func (w *projectWorld) change(t *testing.T, update client.ProjectUpdate) func() {
	return func() {
		t.Helper()
		operations, err := client.OperationsOf(w.api.UpdateProject(t.Context(), w.id, update))
		w.settle(t, operations, err)
	}
}

// deleteOutside deletes the project past Terraform.
func (w *projectWorld) deleteOutside(t *testing.T) func() {
	return func() {
		t.Helper()
		if err := w.api.DeleteProject(t.Context(), w.id); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *projectWorld) settle(t *testing.T, operations []client.Operation, err error) {
	t.Helper()
	if err == nil {
		err = w.api.WaitForOperations(t.Context(), w.id, operations)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func is(check knownvalue.Check, first string, rest ...string) statecheck.StateCheck {
	at := tfjsonpath.New(first)
	for _, name := range rest {
		at = at.AtMapKey(name)
	}
	return statecheck.ExpectKnownValue(address, at, check)
}

var (
	text   = knownvalue.StringExact
	number = knownvalue.Int64Exact
	yes    = knownvalue.Bool(true)
	no     = knownvalue.Bool(false)
	null   = knownvalue.Null()
	some   = knownvalue.NotNull()
)

func TestAccProject_plain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t,
		w.step(w.config(), plancheck.ResourceActionCreate,
			is(some, "id"), is(some, "name"), is(text(w.OrgID), "org_id"), is(text("aws-us-east-1"), "region_id"),
			is(number(18), "pg_version"),
			is(some, "compute_provisioner"), is(yes, "store_passwords"), is(some, "history_retention_seconds"),
			is(some, "created_at"),
			is(some, "proxy_host"), is(text("aws"), "platform_id"), is(no, "deletion_protection"),
			is(null, "quota"), is(null, "allowed_ips"), is(null, "allowed_ips_protected_branches_only"),
			is(null, "block_public_connections"),
			is(null, "block_vpc_connections"), is(no, "enable_logical_replication"), is(no, "hipaa"),
			is(null, "audit_log_level"),
			is(some, "maintenance_window", "start_time"), is(null, "preload_libraries"),
			is(knownvalue.Float64Exact(w.DefaultUnits(t)), "default_endpoint_settings", "autoscaling_limit_min_cu"),
			is(some, "default_branch", "id"), is(text("main"), "default_branch", "name"), is(no, "default_branch", "protected"),
			is(text("neondb_owner"), "default_branch", "role_name"), is(text("neondb"), "default_branch", "database_name"),
			is(some, "default_branch", "endpoint", "id"), is(some, "default_branch", "endpoint", "host"),
			is(acctest.Matches(`-pooler\.`), "default_branch", "endpoint", "pooler_host"),
			is(no, "default_branch", "endpoint", "disabled"),
		),
		w.imports(),
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID},
	)
	if _, err := w.api.GetProject(context.Background(), w.id); !client.IsAbsent(err) {
		t.Errorf("after the destruction: %v; want that it is gone", err)
	}
}

// everything has all that can be configured and doesn't depend on an organization.
const everything = `name = "shop"
  region_id = "aws-us-west-2"
  pg_version = 16
  compute_provisioner = "k8s-neonvm"
  store_passwords = true
  history_retention_seconds = 3600
  default_endpoint_settings = {
    autoscaling_limit_min_cu = 0.5
    autoscaling_limit_max_cu = 2
    suspend_timeout_seconds = 120
    pg_settings = { work_mem = "8MB" }
  }
  default_branch = {
    name = "production"
    protected = true
    role_name = "app"
    database_name = "shop"
    endpoint = { autoscaling_limit_min_cu = 1, autoscaling_limit_max_cu = 4, suspend_timeout_seconds = 600,
      name = "primary" }
  }
  quota = { active_time_seconds = 1000, logical_size_bytes = 0 }
  allowed_ips = ["10.0.0.0/8", "192.0.2.1"]
  allowed_ips_protected_branches_only = true
  block_public_connections = true
  block_vpc_connections = true
  enable_logical_replication = true
  hipaa = true
  audit_log_level = "extended"
  maintenance_window = { weekdays = [6, 7], start_time = "01:00", end_time = "02:00" }
  preload_libraries = { use_defaults = true, enabled_libraries = ["pg_cron"] }
  timeouts = { create = "5m" }`

func TestAccProject_everything(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t,
		w.step(w.config(everything), plancheck.ResourceActionCreate),
		w.imports("timeouts", "quota.logical_size_bytes"),
		resource.TestStep{PreConfig: func() {
			project := w.now(t)
			if s := project.Settings; s.Quota.ActiveTimeSeconds != 1000 || len(s.AllowedIPs.IPs) != 2 ||
				!s.AllowedIPs.ProtectedBranchesOnly ||
				!*s.BlockPublicConnections || !*s.BlockVPCConnections || !*s.EnableLogicalReplication || !*s.HIPAA ||
				s.AuditLogLevel != "extended" ||
				s.MaintenanceWindow.StartTime != "01:00" || s.PreloadLibraries.EnabledLibraries[0] != "pg_cron" {
				t.Errorf("the settings are %+v", s)
			}
		}, Config: w.config(everything), PlanOnly: true},
	)
}
