package endpoint_test

import (
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
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	address   = "neon_endpoint.test"
	endpoints = "/api/v2/projects/{project_id}/endpoints"
)

func block(branch client.BranchRef, kind string, lines ...string) string {
	return fmt.Sprintf("resource \"neon_endpoint\" \"test\" {\n project_id = %q\n branch_id = %q\n type = %q\n %s\n}\n",
		branch.ProjectID, branch.ID, kind, strings.Join(lines, "\n "))
}

func is(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), check)
}

func importID(state *terraform.State) (string, error) {
	attributes := state.RootModule().Resources[address].Primary.Attributes
	return attributes["project_id"] + "/" + attributes["id"], nil
}

// settingsOf returns what Neon has of the only endpoint of a branch.
func settingsOf(t *testing.T, w *acctest.BranchWorld, branchID string) client.PostgresSettings {
	t.Helper()
	present := w.Endpoints(t, branchID)
	if len(present) != 1 {
		t.Fatalf("the branch has %d endpoints, want one", len(present))
	}
	return present[0].Settings
}

func TestAccEndpoint_life(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MakeBranch(t, "b").ID
	config := func(kind string, lines ...string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), kind, lines...)
	}
	settings := []string{
		`name = "app"`, "autoscaling_limit_min_cu = 0.5", "autoscaling_limit_max_cu = 2", "suspend_timeout_seconds = 300",
		"disabled = true",
		`pg_settings = { log_min_duration_statement = "500" }`,
		`preload_libraries = { use_defaults = false, enabled_libraries = ["anon"] }`,
	}
	var id string
	remember := acctest.IDOf(address, &id)
	same := acctest.After(func(state acctest.State) error {
		if now := state.Texts(address)["id"]; now != id {
			return fmt.Errorf("endpoint %s took the place of %s", now, id)
		}
		return nil
	})
	acctest.RunSteps(t, w.World,
		resource.TestStep{
			Config:           config("read_write"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{
				is("id", acctest.Matches("^ep-")), is("host", acctest.Matches(`^ep-[^.]+\.`)),
				is("pooler_host", acctest.Matches(`^ep-[^.]+-pooler\.`)),
				is("region_id", knownvalue.StringExact("aws-us-east-2")), is("created_at", knownvalue.NotNull()),
				is("name", knownvalue.Null()),
				is("disabled", knownvalue.Bool(false)), is("autoscaling_limit_max_cu", knownvalue.Float64Exact(w.DefaultUnits(t))),
				is("pg_settings", knownvalue.Null()), is("preload_libraries", knownvalue.Null()),
				remember,
			},
		},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: importID},
		// Everything that changes in place.
		resource.TestStep{
			Config:           config("read_write", settings...),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				is("name", knownvalue.StringExact("app")), is("disabled", knownvalue.Bool(true)),
				is("autoscaling_limit_min_cu", knownvalue.Float64Exact(0.5)),
				is("autoscaling_limit_max_cu", knownvalue.Float64Exact(2)),
				is("suspend_timeout_seconds", knownvalue.Int64Exact(300)),
				same,
			},
		},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: importID},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID,
			ImportStateIdFunc: importID},
		// One of the settings goes, and the other stays as it is.
		resource.TestStep{
			Config:           config("read_write", append(settings[:5:5], settings[6])...),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(acctest.State) error {
				if got := settingsOf(t, w, branchID); len(got.PgSettings) > 0 || got.PreloadLibraries.UseDefaults ||
					len(got.PreloadLibraries.EnabledLibraries) != 1 {
					return fmt.Errorf("settings are %v, with the libraries %v", got, got.PreloadLibraries)
				}
				return nil
			})},
		},
		// The rest is removed too: libraries go back to Neon's own, and what Neon can't take back stays.
		resource.TestStep{
			Config:           config("read_write"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				is("name", knownvalue.StringExact("app")), is("autoscaling_limit_max_cu", knownvalue.Float64Exact(2)),
				same, acctest.After(func(acctest.State) error {
					if got := settingsOf(t, w, branchID); !got.PreloadLibraries.UseDefaults ||
						len(got.PreloadLibraries.EnabledLibraries) > 0 {
						return fmt.Errorf("the libraries are %v", got.PreloadLibraries)
					}
					return nil
				}),
			},
		},
		// Deleted outside: created again.
		resource.TestStep{
			PreConfig:        func() { w.DeleteEndpoint(t, id) },
			Config:           config("read_write", settings...),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
		resource.TestStep{
			Config:           config("read_only"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace),
			ConfigStateChecks: []statecheck.StateCheck{is("type", knownvalue.StringExact("read_only")),
				is("name", knownvalue.Null())},
		},
	)
	if left := w.Endpoints(t, branchID); len(left) > 0 {
		t.Errorf("after the destruction there is %v", left)
	}
}

func TestAccEndpoint_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	main := w.MainBranch(t).ID
	present := w.Endpoints(t, main)[0].ID
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"taken": {
			Config: block(w.Ref(main), "read_write"),
			Want: acctest.InOrder("Unable to create endpoint", "409", "read_write endpoint already exists",
				"has the read_write endpoint "+present,
				"neon_branch", "apply that first", "to = neon_endpoint.NAME", w.ProjectID+"/"+present),
		},
		"limits": {
			Config:  block(w.Ref(main), "read_only", "autoscaling_limit_min_cu = 2", "autoscaling_limit_max_cu = 1"),
			Command: acctest.Plan, Want: acctest.InOrder("Autoscaling minimum above the maximum", "(2)", "(1)"),
		},
		"limits of Neon": {
			Config: block(w.Ref(main), "read_only", "autoscaling_limit_min_cu = 2"),
			Want:   acctest.InOrder("Unable to create endpoint", "400", "autoscaling_limit_min_cu"),
		},
		"no such branch": {
			Config: block(w.Ref("br-none-such-12345678"), "read_only"),
			Want:   acctest.InOrder("No such branch", "branch_id", "branch not found"),
		},
		"type":         {Config: block(w.Ref(main), "reader"), Command: acctest.Plan, Want: acctest.InWords("must be one of")},
		"no value":     {Config: block(w.Ref(main), "read_only", "pg_settings = { a = null }"), Command: acctest.Plan, Want: acctest.InWords("null")},
		"import id":    {Config: block(w.Ref(main), "read_only"), Command: []string{"import", address, "ep-1"}, Want: acctest.InWords("project_id/endpoint_id, such as")},
		"import: gone": {Config: block(w.Ref(main), "read_only"), Command: []string{"import", address, w.ProjectID + "/ep-none"}, Want: acctest.InWords("No such")},
	})
}

// An endpoint whose deletion Neon refuses stays in the state.
func TestAccEndpoint_protectedBranch(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "delete-protected", protectedBranch)
}

func protectedBranch(t *testing.T, played emulator.Config) {
	t.Helper()
	t.Parallel()
	w := acctest.BranchWorldOf(t, played)
	branchID := w.MakeBranch(t, "b").ID
	protect := func(protected bool) func() {
		return func() {
			operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(branchID),
				client.BranchUpdate{Protected: &protected}))
			w.Settle(t, operations, err)
		}
	}
	config := w.ProviderConfig() + block(w.Ref(branchID), "read_only")
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: protect(true), Config: config, Destroy: true,
			ExpectError: acctest.InOrder("Unable to delete endpoint", played.Readings["delete-protected"], "protected branch",
				"protected = false", "removed {"),
		},
		resource.TestStep{PreConfig: protect(false), Config: config,
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
	)
}

// Whatever becomes of the answers, there is one endpoint, and it is in the state.
func TestAccEndpoint_lostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MakeBranch(t, "b").ID
	for _, kind := range []string{"lost_after", "lost_before", "cut_body"} {
		w.AddFault(t, acctest.Fault{Route: "POST " + endpoints, Kind: kind, Count: 1})
		w.AddFault(t, acctest.Fault{Route: "PATCH " + endpoints + "/{endpoint_id}", Kind: kind, Count: 1})
		w.AddFault(t, acctest.Fault{Route: "DELETE " + endpoints + "/{endpoint_id}", Kind: kind, Count: 1})
	}
	counted := acctest.After(func(acctest.State) error {
		if present := w.Endpoints(t, branchID); len(present) != 1 {
			return fmt.Errorf("there are %d endpoints: %v", len(present), present)
		}
		return nil
	})
	config := func(lines ...string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), "read_only", lines...)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(), ConfigStateChecks: []statecheck.StateCheck{counted}},
		resource.TestStep{Config: config(`name = "x"`, `pg_settings = { a = "b" }`),
			ConfigStateChecks: []statecheck.StateCheck{counted}},
		resource.TestStep{Config: w.ProviderConfig()},
	)
	if left := w.Endpoints(t, branchID); len(left) > 0 {
		t.Errorf("after the destruction there is %v", left)
	}
}

// What a killed run may have left is named: it has the name, or was created just now without one, but is in no state.
func TestAccEndpoint_namesakes(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	for _, line := range []string{`name = "reader"`, ""} {
		branchID := w.MakeBranch(t, "b "+line).ID
		config := block(w.Ref(branchID), "read_only", line)
		for _, state := range []string{"first", "second"} {
			said := acctest.NewRun(t, w.World, w.ProviderConfig()+config).Terraform(t, "apply", "-auto-approve")
			if strings.Contains(said, "Other endpoints of the same name") != (state == "second") ||
				strings.Contains(said, "DELETE") {
				t.Errorf("the %s run says %s", state, said)
			}
			if first := w.Endpoints(t, branchID)[0].ID; state == "second" && !strings.Contains(said, first) {
				t.Errorf("the second run doesn't name %s", first)
			}
		}
	}
	branchID := w.MakeBranch(t, "old").ID
	w.MakeEndpoint(t, branchID, "read_only")
	w.Advance(t, 2*time.Hour)
	if said := acctest.NewRun(t, w.World, w.ProviderConfig()+block(w.Ref(branchID), "read_only")).Terraform(t, "apply",
		"-auto-approve"); strings.Contains(said, "Other endpoints") {
		t.Errorf("an old one without a name is named: %s", said)
	}
}

// However many endpoints a project has, a plan takes the same few requests.
func TestAccEndpoint_many(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: time.Millisecond})
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+fmt.Sprintf(
		"resource \"neon_endpoint\" \"test\" {\n count = 200\n project_id = %q\n branch_id = %q\n type = \"read_only\"\n}\n",
		w.ProjectID, w.MainBranch(t).ID))
	r.Terraform(t, "apply", "-auto-approve", "-parallelism=50")
	w.ForgetRequests(t)
	r.Terraform(t, "plan", "-detailed-exitcode")
	if sent := w.Requests(t); sent.Total > 6 {
		t.Errorf("a plan over 200 endpoints took %d requests, want at most 6: %v", sent.Total, sent.ByRoute)
	}
}

// Each provider's state has the ids under the same names, and its settings in its own form.
func TestEndpoint_moves(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p, endpoint := acctest.NewProtocol(t, w.World), w.Endpoints(t, w.MainBranch(t).ID)[0]
	old := map[string]any{
		"id": endpoint.ID, "project_id": w.ProjectID, "branch_id": endpoint.BranchID, "type": "read_write", "host": "old",
		"pooler_enabled": "yes",
		"max_cu":         1, "suspend_timeout": 0,
	}
	for version, provider := range map[int64]string{
		8: "kislerdm/neon", 9: "neondatabase/neon", 0: "kenchan0130/neon", 1: "terraform-community-providers/neon",
	} {
		state, identity, problem := p.Move(t, "neon_endpoint",
			acctest.MovedSource{Provider: provider, TypeName: "neon_endpoint", Version: version}, old)
		if problem != "" || state["id"] != endpoint.ID || state["host"] != endpoint.Host ||
			identity["project_id"] != w.ProjectID {
			t.Errorf("%s: moved to %v, %v: %s", provider, state, identity, problem)
		}
	}
	delete(old, "id")
	_, _, problem := p.Move(t, "neon_endpoint", acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_endpoint",
		Version: 8}, old)
	if !acctest.InOrder("removed {", "to = neon_endpoint.NAME", "project_id/id").MatchString(problem) {
		t.Errorf("without an id: %s", problem)
	}
}

// An import lists no projects, so that a key of the project is enough, and
// leaves nothing empty. A read_only endpoint is one, and its pooled host another.
func TestEndpoint_import(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	reader := w.MakeEndpoint(t, branchID, client.EndpointReadOnly)
	scoped, err := client.ObjectOf(w.API.CreateAPIKey(t.Context(),
		client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "scoped"))
	if err != nil {
		t.Fatal(err)
	}
	narrow := *w.World
	narrow.APIKey = scoped.Key
	state, identity := acctest.NewProtocol(t, &narrow).ImportAndRead(t, "neon_endpoint",
		map[string]string{"project_id": w.ProjectID, "id": reader.ID})
	for name, want := range map[string]string{
		"id": reader.ID, "project_id": w.ProjectID, "branch_id": branchID, "type": "read_only", "host": reader.Host,
		"pooler_host": reader.PoolerHost(), "region_id": reader.RegionID,
		"created_at": reader.CreatedAt.UTC().Format(time.RFC3339),
	} {
		if state[name] != want || want == "" {
			t.Errorf("%s is %q, want %q", name, state[name], want)
		}
	}
	if identity["id"] != reader.ID || reader.PoolerHost() == reader.Host {
		t.Errorf("identity %v, pooled host %s", identity, reader.PoolerHost())
	}
}

// A project in which other work is running has the creation wait for its turn, and
// then for its own operations.
func TestEndpoint_busyProject(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p, branchID := acctest.NewProtocol(t, w.World), w.MainBranch(t).ID
	w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects/{project_id}/endpoints", Kind: "status",
		Status: http.StatusLocked, Count: 2})
	state, _ := p.Create(t, "neon_endpoint", map[string]tftypes.Value{
		"project_id": acctest.Text(w.ProjectID), "branch_id": acctest.Text(branchID), "type": acctest.Text("read_only"),
	})
	want := "active"
	if w.Plays(t, "new-replica", "idle") {
		want = "idle"
	}
	endpoint, err := w.API.GetEndpoint(t.Context(), client.EndpointRef{ProjectID: w.ProjectID, ID: state["id"]})
	if err != nil || endpoint.CurrentState != want {
		t.Errorf("created %v, %v; want one that is %s", endpoint, err, want)
	}
	if sent := w.Requests(t); sent.ByStatus["423"] == 0 {
		t.Error("the project wasn't busy")
	}
}

// A minimum above the maximum, or too far below it, is found by the plan. Nothing else is, which Neon
// allows or refuses by the account's plan.
func TestEndpoint_limits(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p, branchID := acctest.NewProtocol(t, w.World), w.MainBranch(t).ID
	kind := p.Schema.ResourceSchemas["neon_endpoint"].ValueType()
	for sizes, want := range map[[2]int]string{
		{2, 1}: "Autoscaling minimum above the maximum", {2, 56}: "Autoscaling limits too far apart", {56, 56}: "",
		{1000, 1000}: "",
	} {
		config := acctest.Dynamic(t, kind, acctest.Object(kind, map[string]tftypes.Value{
			"project_id": acctest.Text(w.ProjectID), "branch_id": acctest.Text(branchID), "type": acctest.Text("read_only"),
			"autoscaling_limit_min_cu": acctest.Number(sizes[0]), "autoscaling_limit_max_cu": acctest.Number(sizes[1]),
		}))
		planned, err := p.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: "neon_endpoint", PriorState: acctest.Dynamic(t, kind, tftypes.NewValue(kind, nil)),
			ProposedNewState: config, Config: config,
		})
		said := ""
		for _, diagnostic := range planned.Diagnostics {
			said += diagnostic.Summary
		}
		if err != nil || said != want {
			t.Errorf("%v: %q, %v; want %q", sizes, said, err, want)
		}
	}
}

// What was created is in the state, whatever fails after that, and stays where only its start can't be read.
func TestAccEndpoint_failedStart(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"new-replica": "started"}})
	branchID := w.MakeBranch(t, "b").ID
	config := w.ProviderConfig() + block(w.Ref(branchID), "read_only", `timeouts = { create = "10s" }`)
	for _, route := range []string{"/operations", "/operations/{operation_id}"} {
		w.AddFault(t, acctest.Fault{Route: "GET /api/v2/projects/{project_id}" + route, Kind: "status",
			Status: http.StatusForbidden, Count: 1})
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		// Whether it has started isn't known, so it isn't tainted.
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
	)
	if left := w.Endpoints(t, branchID); len(left) > 0 {
		t.Errorf("after the destruction there is %v", left)
	}
}

// A setting that is removed goes back to its default: disabled to false, the time of suspension to
// the project's. One that was never configured stays, as after an import.
func TestAccEndpoint_removedSettings(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, hour := w.MakeBranch(t, "b").ID, int64(3600)
	operations, err := client.OperationsOf(w.API.UpdateProject(t.Context(), w.ProjectID, client.ProjectUpdate{
		DefaultEndpointSettings: &client.EndpointDefaults{
			EndpointSettings: client.EndpointSettings{SuspendTimeoutSeconds: &hour},
		},
	}))
	w.Settle(t, operations, err)
	config := func(lines ...string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), "read_write", lines...)
	}
	step := func(config string, action plancheck.ResourceActionType, timeout int64, disabled bool) resource.TestStep {
		return resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, action),
			ConfigStateChecks: []statecheck.StateCheck{
				is("suspend_timeout_seconds", knownvalue.Int64Exact(timeout)), is("disabled", knownvalue.Bool(disabled)),
			}}
	}
	elsewhere := step(config(), plancheck.ResourceActionNoop, 60, false)
	elsewhere.PreConfig = func() {
		minute := int64(60)
		id := w.Endpoints(t, branchID)[0].ID
		operations, err := client.OperationsOf(w.API.UpdateEndpoint(t.Context(),
			client.EndpointRef{ProjectID: w.ProjectID, ID: id},
			client.EndpointUpdate{EndpointSettings: client.EndpointSettings{SuspendTimeoutSeconds: &minute}}))
		w.Settle(t, operations, err)
	}
	acctest.RunSteps(t, w.World,
		step(config("disabled = true", "suspend_timeout_seconds = -1"), plancheck.ResourceActionCreate, -1, true),
		step(config("disabled = true"), plancheck.ResourceActionUpdate, 3600, true),
		step(config(), plancheck.ResourceActionUpdate, 3600, false),
		elsewhere,
		step(config("suspend_timeout_seconds = 120"), plancheck.ResourceActionUpdate, 120, false),
		step(config("suspend_timeout_seconds = 120"), plancheck.ResourceActionNoop, 120, false),
		step(config(), plancheck.ResourceActionUpdate, 3600, false),
		step(config(), plancheck.ResourceActionNoop, 3600, false),
	)
}

// Neon takes settings as a whole: those that can't be configured here stay with each change.
func TestAccEndpoint_settingsKept(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	main := w.MainBranch(t)
	present := w.Endpoints(t, main.ID)[0]
	changed, err := w.API.UpdateEndpoint(t.Context(), client.EndpointRef{ProjectID: w.ProjectID, ID: present.ID},
		client.EndpointUpdate{EndpointSettings: client.EndpointSettings{Postgres: &client.PostgresSettings{
			PgSettings: map[string]string{}, PgBouncerSettings: map[string]string{"default_pool_size": "10"},
		}}})
	w.Settle(t, changed.Operations, err)
	imported := fmt.Sprintf("import {\n to = %s\n id = \"%s/%s\"\n}\n", address, w.ProjectID, present.ID)
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + imported + block(w.Ref(main.ID), "read_write", `pg_settings = { work_mem = "8MB" }`),
		ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(acctest.State) error {
			if got := settingsOf(t, w, main.ID); got.PgBouncerSettings["default_pool_size"] != "10" {
				return fmt.Errorf("settings are %v", got)
			}
			return nil
		})},
	})
}

// Whether there are settings may be known only later.
func TestAccEndpoint_settingsLater(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := w.Ref(w.MakeBranch(t, "b").ID)
	step := func(value string, libraries int) resource.TestStep {
		return resource.TestStep{
			Config: w.ProviderConfig() + fmt.Sprintf("resource \"terraform_data\" \"later\" {\n input = %q\n}\n", value) +
				block(branch, "read_write",
					`preload_libraries = terraform_data.later.output == "yes" ? { use_defaults = false, enabled_libraries = ["anon"] } : null`,
					`pg_settings = terraform_data.later.output == "yes" ? { log_min_duration_statement = "500" } : null`),
			ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(acctest.State) error {
				got := settingsOf(t, w, branch.ID)
				if present := got.PreloadLibraries; len(got.PgSettings) != libraries ||
					present != nil && len(present.EnabledLibraries) != libraries || present == nil && libraries > 0 {
					return fmt.Errorf("settings are %v, with the libraries %v", got, present)
				}
				return nil
			})},
		}
	}
	acctest.RunSteps(t, w.World, step("no", 0), step("yes", 1), step("none", 0))
}

// An endpoint whose time of suspension is removed gets the one that its project gets in the same run, also where that
// is known only in the apply.
func TestAccEndpoint_suspensionOfProject(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	const later = "terraform_data.later.output"
	const known = "{ suspend_timeout_seconds = terraform_data.later.input.suspend_timeout_seconds }"
	step := func(settings string, seconds int, wanted int64, own, label string) resource.TestStep {
		at := fmt.Sprintf(`resource "terraform_data" "later" {
			input = { suspend_timeout_seconds = %d }
		}
		resource "neon_project" "p" {
			name = "p"
			org_id = %q
			default_endpoint_settings = %s
		}
		resource "neon_branch" "b" {
			project_id = neon_project.p.id
			name = "b"
			endpoints = { replica = { type = "read_only" %s } }
		}
		resource "neon_endpoint" "test" {
			project_id = neon_project.p.id
			branch_id = neon_branch.b.id
			type = "read_write"
			%s
		}
		`, seconds, w.OrgID, settings, label, own)
		return resource.TestStep{Config: w.ProviderConfig() + at, ConfigStateChecks: []statecheck.StateCheck{
			is("suspend_timeout_seconds", knownvalue.Int64Exact(wanted)),
			statecheck.ExpectKnownValue("neon_branch.b", tfjsonpath.New("endpoints").AtMapKey("replica").AtMapKey(
				"suspend_timeout_seconds"), knownvalue.Int64Exact(wanted)),
		}}
	}
	const own = "suspend_timeout_seconds = 120"
	for _, settings := range []string{known, later} {
		acctest.RunSteps(t, w.World, step(known, 300, 120, own, ", "+own), step(settings, 600, 600, "", ""))
	}
}

// A time of suspension that was removed goes back to the project's, also where the change failed at first.
func TestAccEndpoint_removedSuspensionFails(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MakeBranch(t, "b").ID
	config := func(lines ...string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), "read_write", lines...)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("suspend_timeout_seconds = -1")},
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "PATCH /api/v2/projects/{project_id}/endpoints/{endpoint_id}", Kind: "status",
					Status: http.StatusBadRequest, Count: 1})
			},
			Config: config(), ExpectError: acctest.InOrder("Unable to update endpoint", "400"),
		},
		resource.TestStep{
			Config: config(), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{is("suspend_timeout_seconds", knownvalue.Int64Exact(0))},
		},
		// What somebody else sets from then on stays.
		resource.TestStep{
			PreConfig: func() {
				seconds := int64(600)
				changed, err := w.API.UpdateEndpoint(t.Context(), client.EndpointRef{ProjectID: w.ProjectID,
					ID: w.Endpoints(t, branchID)[0].ID},
					client.EndpointUpdate{EndpointSettings: client.EndpointSettings{SuspendTimeoutSeconds: &seconds}})
				if err != nil {
					t.Fatal(err)
				}
				w.Settle(t, changed.Operations, err)
			},
			Config: config(), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop),
		},
	)
}

// An endpoint moves in one plan to a branch that it refers to, and which drops the one that it has. A branch that keeps
// its own is no place for it.
func TestAccEndpoint_movesToWhereOneIsDropped(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(dropped, branchID string) string {
		return w.ProviderConfig() + fmt.Sprintf("resource \"neon_branch\" \"b\" {\n project_id = %q\n name = \"b\"\n "+
			"endpoints = {\n %s\n }\n}\n", w.ProjectID, dropped) +
			strings.Replace(block(w.Ref("BRANCH"), "read_write"), `"BRANCH"`, branchID, 1)
	}
	const kept = "main = { type = \"read_write\" }"
	before := config(kept, fmt.Sprintf("%q", w.MakeBranch(t, "other").ID))
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: before},
		resource.TestStep{Config: config(kept, "neon_branch.b.id"),
			ExpectError: acctest.InWords("Unable to replace endpoint")},
		resource.TestStep{Config: config("", "neon_branch.b.id"), ConfigPlanChecks: acctest.ExpectAction(address,
			plancheck.ResourceActionReplace)},
	)
}
