package project_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Each attribute changes in place: configured, changed, and removed again, after which it
// has Neon's neutral value, or is kept where there is none.
func TestAccProject_changesInPlace(t *testing.T) {
	t.Parallel()
	least := acctest.StartEmulator(t, emulator.Config{}).DefaultUnits(t)
	for name, test := range map[string]struct {
		first, second string
		// removed is what the attribute is in the end; nil for the second value.
		path    []string
		removed knownvalue.Check
		isKept  func(client.Project) bool
	}{
		"name":              {`name = "a"`, `name = "b"`, []string{"name"}, text("b"), func(p client.Project) bool { return p.Name == "b" }},
		"history retention": {`history_retention_seconds = 3600`, `history_retention_seconds = 0`, []string{"history_retention_seconds"}, number(0), func(p client.Project) bool { return *p.HistoryRetentionSeconds == 0 }},
		"endpoint defaults": {
			`default_endpoint_settings = { autoscaling_limit_max_cu = 1, pg_settings = { a = "1", b = "2" } }`,
			`default_endpoint_settings = { autoscaling_limit_max_cu = 2, pg_settings = { b = "3" } }`,
			[]string{"default_endpoint_settings", "pg_settings"},
			knownvalue.MapExact(map[string]knownvalue.Check{"b": text("3")}),
			func(p client.Project) bool {
				d := p.DefaultEndpointSettings
				return *d.AutoscalingLimitMinCU == least && *d.AutoscalingLimitMaxCU == 2 && len(*d.PgSettings) == 1 &&
					(*d.PgSettings)["b"] == "3"
			},
		},
		"quota": {
			`quota = { active_time_seconds = 5, written_data_bytes = 6 }`,
			`quota = { active_time_seconds = 0, written_data_bytes = 7 }`,
			[]string{"quota"}, null, func(p client.Project) bool { return *p.Settings.Quota == client.ProjectQuota{} },
		},
		"allowed addresses": {
			`allowed_ips = ["10.0.0.1"]`, `allowed_ips = ["10.0.0.2", "10.0.0.1"]`,
			[]string{"allowed_ips"}, null, func(p client.Project) bool { return len(p.Settings.AllowedIPs.IPs) == 0 },
		},
		"protected branches only": {
			"allowed_ips = [\"10.0.0.1\"]\nallowed_ips_protected_branches_only = true",
			"allowed_ips = [\"10.0.0.1\"]\nallowed_ips_protected_branches_only = false",
			[]string{"allowed_ips_protected_branches_only"}, null,
			func(p client.Project) bool { return !p.Settings.AllowedIPs.ProtectedBranchesOnly },
		},
		"public connections": {`block_public_connections = false`, `block_public_connections = true`, []string{"block_public_connections"}, null, func(p client.Project) bool { return !*p.Settings.BlockPublicConnections }},
		"vpc connections":    {`block_vpc_connections = false`, `block_vpc_connections = true`, []string{"block_vpc_connections"}, null, func(p client.Project) bool { return !*p.Settings.BlockVPCConnections }},
		"audit log":          {`audit_log_level = "base"`, `audit_log_level = "full"`, []string{"audit_log_level"}, text("full"), func(p client.Project) bool { return p.Settings.AuditLogLevel == "full" }},
		"maintenance window": {
			`maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "02:00" }`,
			`maintenance_window = { weekdays = [2, 1], start_time = "03:00", end_time = "04:00" }`,
			[]string{"maintenance_window", "start_time"}, text("03:00"),
			func(p client.Project) bool { return p.Settings.MaintenanceWindow.StartTime == "03:00" },
		},
		"libraries": {
			`preload_libraries = { use_defaults = true, enabled_libraries = [] }`,
			`preload_libraries = { use_defaults = false, enabled_libraries = ["pg_cron"] }`,
			[]string{"preload_libraries"}, null, func(p client.Project) bool {
				return p.Settings.PreloadLibraries.UseDefaults && len(p.Settings.PreloadLibraries.EnabledLibraries) == 0
			},
		},
		"deletion protection": {`deletion_protection = false`, `deletion_protection = true`, []string{"deletion_protection"}, no, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldOf(t, emulator.Config{Readings: map[string]string{"default-pg-settings": "replaced"}})
			same := staysTheSame()
			removed := w.step(w.config(), plancheck.ResourceActionUpdate, is(test.removed, test.path[0], test.path[1:]...),
				same())
			if test.removed != null && name != "deletion protection" {
				removed = w.step(w.config(), plancheck.ResourceActionNoop, is(test.removed, test.path[0], test.path[1:]...), same())
			}
			w.run(t,
				w.step(w.config(test.first), plancheck.ResourceActionCreate, same()),
				w.step(w.config(test.second), plancheck.ResourceActionUpdate, same()),
				removed,
				resource.TestStep{Config: w.config(), PlanOnly: true, PreConfig: func() {
					if test.isKept != nil && !test.isKept(w.now(t)) {
						t.Errorf("the project is %+v", w.now(t))
					}
				}},
			)
		})
	}
}

// The default branch and its endpoint change in place, and keep what is removed.
func TestAccProject_defaultBranchChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	same := staysTheSame()
	ended := func() []statecheck.StateCheck {
		return []statecheck.StateCheck{
			same(), is(text("prod"), "default_branch", "name"), is(no, "default_branch", "protected"),
			is(knownvalue.Float64Exact(2), "default_branch", "endpoint", "autoscaling_limit_max_cu"),
			is(number(300), "default_branch", "endpoint", "suspend_timeout_seconds"),
			is(text("one"), "default_branch", "endpoint", "name"), is(yes, "default_branch", "endpoint", "disabled"),
		}
	}
	w.run(t,
		w.step(w.config(`default_branch = { protected = true }`), plancheck.ResourceActionCreate, same(),
			is(yes, "default_branch", "protected")),
		w.imports(),
		w.step(w.config(`default_branch = {
			name = "prod"
			protected = false
			endpoint = { autoscaling_limit_min_cu = 1, autoscaling_limit_max_cu = 2, suspend_timeout_seconds = 300,
				name = "one", disabled = true }
		}`), plancheck.ResourceActionUpdate, ended()...),
		w.imports(),
		w.step(w.config(), plancheck.ResourceActionNoop, ended()...),
	)
}

// Each of these replaces the project, and the plan warns that data goes with it.
func TestAccProject_replaces(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][2]string{
		"region":      {`region_id = "aws-us-east-2"`, `region_id = "aws-us-west-2"`},
		"version":     {``, `pg_version = 16`},
		"provisioner": {`compute_provisioner = "k8s-neonvm"`, `compute_provisioner = "k8s-pod"`},
		"passwords":   {``, `store_passwords = false`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.run(t,
				w.step(w.config(lines[0]), plancheck.ResourceActionCreate),
				// The default branch is another one, which may have another role.
				w.step(w.config(lines[1], `default_branch = { role_name = "other" }`), plancheck.ResourceActionReplace,
					is(text("other"), "default_branch", "role_name")),
			)
		})
	}
}

// Where Neon keeps settings that are left out, that is said.
func TestAccProject_keptSettings(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, emulator.Config{Readings: map[string]string{"default-pg-settings": "merged"}})
	config := func(settings string) string {
		return w.config("default_endpoint_settings = { pg_settings = { " + settings + " } }")
	}
	w.run(t,
		w.step(config(`a = "1", b = "2"`), plancheck.ResourceActionCreate),
		resource.TestStep{Config: config(`b = "3"`), ExpectError: acctest.InOrder("still has a in", "Neon keeps",
			"values that they are to have")},
		w.step(config(`a = "1", b = "3"`), plancheck.ResourceActionNoop),
	)
}

// What is configured and changes outside is seen, and set again; what was never configured is left
// alone, such as a lock-down in the console.
func TestAccProject_drift(t *testing.T) {
	t.Parallel()
	on, level, seconds, name := true, "full", int64(7200), "elsewhere"
	two := 2.0
	settings := func(s client.ProjectSettings) client.ProjectUpdate { return client.ProjectUpdate{Settings: &s} }
	for which, test := range map[string]struct {
		config  string
		outside client.ProjectUpdate
		isSeen  bool
	}{
		"name":                        {`name = "here"`, client.ProjectUpdate{Name: &name}, true},
		"name that isn't configured":  {``, client.ProjectUpdate{Name: &name}, false},
		"history":                     {`history_retention_seconds = 3600`, client.ProjectUpdate{HistoryRetentionSeconds: &seconds}, true},
		"history, not configured":     {``, client.ProjectUpdate{HistoryRetentionSeconds: &seconds}, false},
		"endpoint defaults":           {`default_endpoint_settings = { autoscaling_limit_max_cu = 1 }`, client.ProjectUpdate{DefaultEndpointSettings: &client.EndpointDefaults{EndpointSettings: client.EndpointSettings{AutoscalingLimitMaxCU: &two}}}, true},
		"endpoint defaults, not set":  {``, client.ProjectUpdate{DefaultEndpointSettings: &client.EndpointDefaults{EndpointSettings: client.EndpointSettings{AutoscalingLimitMaxCU: &two}}}, false},
		"quota":                       {``, settings(client.ProjectSettings{Quota: &client.ProjectQuota{WrittenDataBytes: 5}}), false},
		"allowed addresses":           {``, settings(client.ProjectSettings{AllowedIPs: &client.AllowedIPs{IPs: []string{"10.0.0.1"}}}), false},
		"allowed addresses, set":      {`allowed_ips = ["10.0.0.2"]`, settings(client.ProjectSettings{AllowedIPs: &client.AllowedIPs{IPs: []string{}}}), true},
		"protected only":              {``, settings(client.ProjectSettings{AllowedIPs: &client.AllowedIPs{IPs: []string{}, ProtectedBranchesOnly: true}}), false},
		"public connections":          {``, settings(client.ProjectSettings{BlockPublicConnections: &on}), false},
		"vpc connections":             {``, settings(client.ProjectSettings{BlockVPCConnections: &on}), false},
		"quota, none":                 {`quota = {}`, settings(client.ProjectSettings{Quota: &client.ProjectQuota{WrittenDataBytes: 5}}), true},
		"all addresses":               {`allowed_ips = []`, settings(client.ProjectSettings{AllowedIPs: &client.AllowedIPs{IPs: []string{"10.0.0.1"}}}), true},
		"public connections, allowed": {`block_public_connections = false`, settings(client.ProjectSettings{BlockPublicConnections: &on}), true},
		"vpc connections, allowed":    {`block_vpc_connections = false`, settings(client.ProjectSettings{BlockVPCConnections: &on}), true},
		"audit log":                   {`audit_log_level = "extended"`, settings(client.ProjectSettings{AuditLogLevel: level}), true},
		"audit log, not set":          {``, settings(client.ProjectSettings{AuditLogLevel: level}), false},
		"maintenance window":          {`maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "02:00" }`, settings(client.ProjectSettings{MaintenanceWindow: &client.MaintenanceWindow{Weekdays: []int64{3}, StartTime: "01:00", EndTime: "02:00"}}), true},
		"maintenance window, not set": {``, settings(client.ProjectSettings{MaintenanceWindow: &client.MaintenanceWindow{Weekdays: []int64{3}, StartTime: "01:00", EndTime: "02:00"}}), false},
		"libraries":                   {`preload_libraries = { use_defaults = true, enabled_libraries = [] }`, settings(client.ProjectSettings{PreloadLibraries: &client.PreloadLibraries{EnabledLibraries: []string{"a"}}}), true},
		"libraries that aren't set":   {``, settings(client.ProjectSettings{PreloadLibraries: &client.PreloadLibraries{EnabledLibraries: []string{"a"}}}), false},
	} {
		t.Run(which, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			action := plancheck.ResourceActionNoop
			if test.isSeen {
				action = plancheck.ResourceActionUpdate
			}
			again := w.step(w.config(test.config), action)
			again.PreConfig = func() { w.change(t, test.outside)() }
			w.run(t, w.step(w.config(test.config), plancheck.ResourceActionCreate), again)
		})
	}
}

// The identity is the id, and an import by it reads all.
func TestProject_importedByIdentity(t *testing.T) {
	w := newWorld(t)
	p := acctest.NewProtocol(t, w.World)
	state, identity := p.ImportAndRead(t, "neon_project", map[string]string{"id": w.ProjectID})
	if state["id"] != w.ProjectID || identity["id"] != w.ProjectID || state["org_id"] != w.OrgID || state["name"] == "" {
		t.Errorf("imported %v, %v", state, identity)
	}
}

// staysTheSame is a check that the project in each step is that of the first.
func staysTheSame() func() statecheck.StateCheck {
	compared := statecheck.CompareValue(compare.ValuesSame())
	return func() statecheck.StateCheck { return compared.AddStateValue(address, tfjsonpath.New("id")) }
}

// A default branch of which nothing is known yet keeps its id: nobody who refers to it is planned to change.
func TestAccProject_branchKnownLater(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := func(value string) string {
		return w.ProviderConfig() + fmt.Sprintf(`resource "terraform_data" "later" {
			input = %q
		}
		resource "neon_project" "p" {
			name           = "p"
			org_id         = %q
			default_branch = terraform_data.later.output == "yes" ? { name = "trunk" } : { name = "main" }
		}
		resource "neon_role" "r" {
			project_id = neon_project.p.id
			branch_id  = neon_project.p.default_branch.id
			name       = "r"
		}
		`, value, w.OrgID)
	}
	acctest.RunSteps(t, w, resource.TestStep{Config: config("no")}, resource.TestStep{
		Config: config("yes"), ConfigPlanChecks: acctest.ExpectAction("neon_role.r", plancheck.ResourceActionNoop),
		ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue("neon_project.p",
			tfjsonpath.New("default_branch").AtMapKey("name"), text("trunk"))},
	})
}
