package project_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What can't be undone and isn't configured is left alone by whoever it was switched on, also
// after an import.
func TestAccProject_switchedOnElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	on := true
	again := w.step(w.config(), plancheck.ResourceActionNoop, is(yes, "enable_logical_replication"), is(yes, "hipaa"))
	again.PreConfig = func() {
		w.change(t, client.ProjectUpdate{Settings: &client.ProjectSettings{EnableLogicalReplication: &on, HIPAA: &on}})()
	}
	w.run(t,
		w.step(w.config(), plancheck.ResourceActionCreate, is(no, "enable_logical_replication"), is(no, "hipaa")),
		again,
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID},
		w.step(w.config(`name = "renamed"`), plancheck.ResourceActionUpdate, is(yes, "enable_logical_replication"),
			is(yes, "hipaa")),
		resource.TestStep{Config: w.config(`hipaa = false`), ExpectError: acctest.InWords("Can't be switched off again")},
	)
}

// The plan says what stays on though its line was removed, since Neon doesn't switch it off: not what was never on.
func TestAccProject_staysOnWithoutItsLine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before string
		want   []string
	}{
		"was on":          {`enable_logical_replication = true`, []string{"logical replication"}},
		"both were on":    {"enable_logical_replication = true\n hipaa = true", []string{"HIPAA", "logical replication"}},
		"was off":         {`enable_logical_replication = false`, nil},
		"was never there": {`name = "shop"`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			f, err := inprocess.NewForesight(t.Context(), w.Factories()["neon"], w.config())
			if err == nil {
				err = f.Apply(t.Context(), w.config(test.before))
			}
			planned, planErr := f.Plan(t.Context(), w.config(), address)
			if err != nil || planErr != nil {
				t.Fatal(err, planErr)
			}
			said := strings.Join(planned.Warnings, "\n")
			if len(planned.Warnings) != len(test.want) {
				t.Errorf("the plan warns: %s", said)
			}
			for _, what := range test.want {
				if !acctest.InOrder(what, "stays on", "= true").MatchString(said) {
					t.Errorf("%q isn't told in: %s", what, said)
				}
			}
		})
	}
}

// What is configured as Neon has it is imported without a change.
func TestAccProject_importsAsConfigured(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t,
		w.step(w.config(strings.NewReplacer(", logical_size_bytes = 0", "", `timeouts = { create = "5m" }`,
			"").Replace(everything)), plancheck.ResourceActionCreate),
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID},
	)
}

// Empty objects and collections are nothing that Neon keeps, and yet no difference.
func TestAccProject_emptySettles(t *testing.T) {
	t.Parallel()
	for lines, full := range map[string]string{
		`default_endpoint_settings = { pg_settings = {} }`: `default_endpoint_settings = { pg_settings = { work_mem = "8MB" } }`,
		`default_endpoint_settings = {}`:                   `default_endpoint_settings = { suspend_timeout_seconds = 60 }`,
		`default_branch = {}`:                              `default_branch = { name = "b" }`,
		`default_branch = { endpoint = {} }`:               `default_branch = { endpoint = { name = "b" } }`,
		`quota = {}`:                                       `quota = { written_data_bytes = 5 }`,
		`allowed_ips = []`:                                 `allowed_ips = ["10.0.0.1"]`,
	} {
		t.Run(lines, func(t *testing.T) {
			t.Parallel()
			w := newWorldOf(t, emulator.Config{Readings: map[string]string{"default-pg-settings": "replaced"}})
			w.run(t,
				w.step(w.config(lines), plancheck.ResourceActionCreate),
				w.step(w.config(full), plancheck.ResourceActionUpdate),
				resource.TestStep{Config: w.config(lines)},
				w.step(w.config(lines), plancheck.ResourceActionNoop),
				resource.TestStep{Config: w.config()},
				w.step(w.config(), plancheck.ResourceActionNoop),
			)
		})
	}
}

// A change of something else leaves nothing unknown that Neon doesn't change, even where it is null or
// empty.
func TestAccProject_plansShowWhatStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	renamed := w.step(w.config(`name = "renamed"`), plancheck.ResourceActionUpdate)
	renamed.ConfigPlanChecks.PreApply = append(renamed.ConfigPlanChecks.PreApply,
		plancheck.ExpectKnownValue(address, tfjsonpath.New("default_branch").AtMapKey("endpoint").AtMapKey("name"),
			knownvalue.Null()),
		plancheck.ExpectKnownValue(address, tfjsonpath.New("default_endpoint_settings").AtMapKey("pg_settings"),
			knownvalue.MapSizeExact(0)))
	w.run(t, w.step(w.config(), plancheck.ResourceActionCreate), renamed)
}

// An endpoint of the default branch that was deleted is created again, where something of it is
// configured.
func TestAccProject_endpointIsCreatedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.config(`default_branch = { endpoint = { autoscaling_limit_max_cu = 1, name = "app", disabled = true } }`)
	again := w.step(config, plancheck.ResourceActionUpdate, is(some, "default_branch", "endpoint", "host"),
		is(text("app"), "default_branch", "endpoint", "name"),
		is(knownvalue.Float64Exact(1), "default_branch", "endpoint", "autoscaling_limit_max_cu"),
		is(yes, "default_branch", "endpoint", "disabled"))
	again.PreConfig = func() { w.deleteEndpoint(t) }
	w.run(t,
		w.step(config, plancheck.ResourceActionCreate),
		again,
		w.step(config, plancheck.ResourceActionNoop),
	)
}

func (w *projectWorld) deleteEndpoint(t *testing.T) {
	t.Helper()
	endpoints, err := client.All(w.api.ListEndpoints(t.Context(),
		client.BranchRef{ProjectID: w.id, ID: w.defaultBranch(t).ID}))
	if err != nil {
		t.Fatal(err)
	}
	operations, err := w.api.DeleteEndpoint(t.Context(), client.EndpointRef{ProjectID: w.id, ID: endpoints[0].ID})
	w.settle(t, operations, err)
}

// A lock-down that was never configured stays through an import and any apply, until it is lifted on purpose. One that
// was configured goes with its line, of which the plan warns.
func TestAccTerraform_projectOpensNoNetworkSilently(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.MakeProject(t)
	on := true
	operations, err := client.OperationsOf(w.api.UpdateProject(t.Context(), id,
		client.ProjectUpdate{Settings: &client.ProjectSettings{
			AllowedIPs: &client.AllowedIPs{IPs: []string{"10.0.0.1", "203.0.113.0/24"}}, BlockPublicConnections: &on,
			Quota:            &client.ProjectQuota{WrittenDataBytes: 5},
			PreloadLibraries: &client.PreloadLibraries{EnabledLibraries: []string{"pg_cron"}},
		}}))
	w.id = id
	w.settle(t, operations, err)
	has := func(addresses int, limit int64) {
		t.Helper()
		now := w.now(t).Settings
		if len(now.AllowedIPs.IPs) != addresses || *now.BlockPublicConnections != (addresses > 0) ||
			now.Quota.WrittenDataBytes != limit || len(now.PreloadLibraries.EnabledLibraries) != 1 {
			t.Errorf("the project has %+v", now)
		}
	}
	imports := "import {\n to = neon_project.test\n id = \"" + id + "\"\n}\n"
	r := acctest.NewRun(t, w.World, w.config()+imports)
	if said := r.Terraform(t, "apply", "-auto-approve"); !strings.Contains(said, "1 imported, 0 added, 0 changed") {
		t.Error(said)
	}
	has(2, 5)
	r.Configure(t, w.config(`name = "renamed"`))
	r.Terraform(t, "apply", "-auto-approve")
	has(2, 5)
	r.Configure(t, w.config(`name = "renamed"`, `allowed_ips = []`, `block_public_connections = false`, `quota = {}`))
	if said := r.Terraform(t, "apply", "-auto-approve"); strings.Contains(said, "A restriction of the network") {
		t.Error(said)
	}
	has(0, 0)
	r.Configure(t, w.config(`name = "renamed"`, `allowed_ips = ["10.0.0.1"]`, `block_public_connections = true`))
	r.Terraform(t, "apply", "-auto-approve")
	has(1, 0)
	r.Configure(t, w.config(`name = "renamed"`))
	said := acctest.InOneLine(r.Terraform(t, "apply", "-auto-approve"))
	for _, part := range []string{
		"A restriction of the network would go (" + id + ", allowed_ips)", "10.0.0.1", `allowed_ips = ["10.0.0.1"]`,
		"allowed_ips = []",
		"A restriction of the network would go (" + id + ", block_public_connections)", "block_public_connections = true",
	} {
		if !strings.Contains(said, part) {
			t.Errorf("%q isn't in %s", part, said)
		}
	}
	has(0, 0)
	w.change(t, client.ProjectUpdate{Settings: &client.ProjectSettings{BlockPublicConnections: &on,
		AllowedIPs: &client.AllowedIPs{IPs: []string{"10.0.0.9"}}}})()
	r.Terraform(t, "plan", "-detailed-exitcode")
}
