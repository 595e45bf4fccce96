package dataapi_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

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

const (
	address = "neon_data_api.test"
	route   = "/api/v2/projects/{project_id}/branches/{branch_id}/data-api/{database_name}"
	outside = `auth_provider = "external"
 jwks_url = "https://example.com/jwks.json"
 provider_name = "Example"
 jwt_audience = "shop"
 add_default_grants = true
 `
)

func block(w *acctest.BranchWorld, branchID string, lines ...string) string {
	return w.ProviderConfig() + fmt.Sprintf(
		"resource \"neon_data_api\" \"test\" {\n project_id = %q\n branch_id = %q\n database_name = \"neondb\"\n %s\n}\n",
		w.ProjectID, branchID, strings.Join(lines, "\n "))
}

func is(check knownvalue.Check, first string, more ...string) statecheck.StateCheck {
	at := tfjsonpath.New(first)
	for _, name := range more {
		at = at.AtMapKey(name)
	}
	return statecheck.ExpectKnownValue(address, at, check)
}

// change sets settings past Terraform.
func change(t *testing.T, w *acctest.BranchWorld, settings client.DataAPISettings) func() {
	t.Helper()
	return func() {
		w.Settle(t, nil, w.API.UpdateDataAPI(t.Context(), w.Ref(w.MainBranch(t).ID), "neondb", settings,
			client.DataAPISettings{}))
	}
}

// What somebody sets between a plan and its apply is no error of the apply, and the next plan sees it.
func TestAccDataAPI_changedMeanwhile(t *testing.T) {
	t.Parallel()
	w, rows := acctest.NewBranchWorld(t), int64(5)
	branchID := w.MainBranch(t).ID
	config := block(w, branchID, `settings = { openapi_mode = "disabled" }`)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: block(w, branchID, `settings = { openapi_mode = "ignore-privileges" }`)},
		resource.TestStep{Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply: []plancheck.PlanCheck{acctest.Meanwhile(change(t, w, client.DataAPISettings{MaxRows: &rows}))},
		}},
		resource.TestStep{Config: config, ConfigStateChecks: []statecheck.StateCheck{
			is(knownvalue.Int64Exact(rows), "settings", "db_max_rows"),
		}},
	)
}

// settingsOf are those that Neon has now.
func settingsOf(t *testing.T, w *acctest.BranchWorld) client.DataAPISettings {
	t.Helper()
	api, err := w.API.GetDataAPI(context.WithoutCancel(t.Context()), w.Ref(w.MainBranch(t).ID), "neondb")
	if err != nil {
		t.Fatal(err)
	}
	return *api.Settings
}

func life(t *testing.T, w *acctest.BranchWorld) []resource.TestStep {
	t.Helper()
	branchID := w.MainBranch(t).ID
	rows, origins := int64(7), "https://example.com"
	importID := w.ProjectID + "/" + branchID + "/neondb"
	unimported := []string{"auth_provider", "jwks_url", "provider_name", "jwt_audience", "add_default_grants"}
	role, allowed, drift := knownvalue.Check(knownvalue.StringExact("anonymous")),
		knownvalue.Check(knownvalue.StringExact(origins)), plancheck.ResourceActionUpdate
	unset := knownvalue.Null() // without a limit
	schemas := knownvalue.Check(knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("public")}))
	if w.Plays(t, "data-api-settings", "none") {
		unimported = append(unimported, "settings")
		schemas = knownvalue.Null()
		role, allowed, drift = knownvalue.Null(), knownvalue.Null(), plancheck.ResourceActionNoop
	}
	return []resource.TestStep{
		{
			Config:           block(w, branchID, outside, `settings = { db_max_rows = 100, db_schemas = ["public", "api"] }`),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{
				is(knownvalue.StringRegexp(regexp.MustCompile(`^http://.*\.neon\.localhost:\d+/neondb/rest/v1$`)), "url"),
				is(knownvalue.StringExact(importID), "id"),
				is(knownvalue.Int64Exact(100), "settings", "db_max_rows"), is(role, "settings", "db_anon_role"),
			},
		},
		// An import has the settings that Neon returns, and whose tokens count is recorded from the configuration.
		{
			ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateId: importID,
			ImportStateVerifyIgnore: unimported,
		},
		{
			Config:           block(w, branchID, outside, `settings = { db_max_rows = 200 }`),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				is(knownvalue.Int64Exact(200), "settings", "db_max_rows"),
				is(schemas, "settings", "db_schemas"),
			},
		},
		// What nobody configured is left as it is in the web console, and what is configured set back,
		// where Neon returns them.
		{
			PreConfig:        change(t, w, client.DataAPISettings{CORSAllowedOrigins: &origins, MaxRows: &rows}),
			Config:           block(w, branchID, outside, `settings = { db_max_rows = 200 }`),
			ConfigPlanChecks: acctest.ExpectAction(address, drift),
			ConfigStateChecks: []statecheck.StateCheck{
				is(knownvalue.Int64Exact(200), "settings", "db_max_rows"), is(allowed, "settings", "server_cors_allowed_origins"),
			},
		},
		// What isn't configured any more has Neon's default, where Neon returns it.
		{
			Config:           block(w, branchID, outside),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{is(unset, "settings", "db_max_rows"),
				is(allowed, "settings", "server_cors_allowed_origins")},
		},
		{Config: block(w, branchID, outside), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		// Removing, adding or changing what Neon doesn't return replaces.
		{Config: block(w, branchID), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace)},
		{Config: block(w, branchID, `add_default_grants = false`)},
		{Config: block(w, branchID, `auth_provider = "neon_auth"`), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace)},
		{
			Config:           block(w, branchID, strings.Replace(outside, " jwt_", " # jwt_", 1)),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace),
		},
		// Deleted outside: created again.
		{
			PreConfig: func() {
				w.Settle(t, nil, w.API.DeleteDataAPI(t.Context(), w.Ref(branchID), "neondb"))
			},
			Config:           block(w, branchID),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
	}
}

func TestAccDataAPI_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World, life(t, w)...)
	if _, err := w.API.GetDataAPI(context.WithoutCancel(t.Context()), w.Ref(w.MainBranch(t).ID),
		"neondb"); !client.IsAbsent(err) {
		t.Errorf("after the destruction: %v", err)
	}
}

func TestAccTerraform_dataAPILife(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	resource.ParallelTest(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: life(t, w)})
}

// A database that -replace creates anew has its Data API again after the same apply.
func TestAccTerraform_replacedDatabase(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+fmt.Sprintf(`
locals {
  place = { project_id = %q, branch_id = %q }
}
resource "neon_database" "shop" {
  project_id = local.place.project_id
  branch_id  = local.place.branch_id
  name       = "shop"
  owner_name = "neondb_owner"
}
resource "neon_data_api" "shop" {
  project_id    = local.place.project_id
  branch_id     = local.place.branch_id
  database_name = neon_database.shop.name
}
`, w.ProjectID, w.MainBranch(t).ID))
	r.Terraform(t, "apply", "-auto-approve")
	said := r.Terraform(t, "apply", "-auto-approve", "-replace=neon_database.shop")
	if !strings.Contains(said, "2 added, 0 changed, 2 destroyed") {
		t.Error(said)
	}
	r.Terraform(t, "plan", "-detailed-exitcode")
}

// Where Neon doesn't return the settings, those that are known and still configured are sent with each change: Neon
// sets back what it isn't sent.
func TestAccDataAPI_settingsUnread(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"data-api-settings": "none"}})
	branchID := w.MainBranch(t).ID
	acctest.RunSteps(t, w.World,
		resource.TestStep{
			Config:            block(w, branchID, `settings = { db_max_rows = 100, openapi_mode = "ignore-privileges" }`),
			ConfigStateChecks: []statecheck.StateCheck{is(knownvalue.Null(), "settings", "db_anon_role")},
		},
		resource.TestStep{
			Config:            block(w, branchID, `settings = { db_max_rows = 50 }`),
			ConfigPlanChecks:  acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{is(knownvalue.Null(), "settings", "openapi_mode")},
		},
		resource.TestStep{PreConfig: func() {
			w.Play(t, "data-api-settings", "all")
			if now := settingsOf(t, w); *now.MaxRows != 50 || *now.OpenAPIMode != "disabled" {
				t.Errorf("Neon has %+v", now)
			}
		}, Config: block(w, branchID, `settings = { db_max_rows = 50 }`)},
	)
}

// A setting that is unset outside, which Neon then doesn't return, is set again.
func TestAccDataAPI_unsetOutside(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := block(w, w.MainBranch(t).ID, `settings = { db_max_rows = 100 }`)
	acctest.RunSteps(t, w.World, resource.TestStep{Config: config}, resource.TestStep{
		PreConfig: func() {
			w.Settle(t, nil, w.API.UpdateDataAPI(t.Context(), w.Ref(w.MainBranch(t).ID), "neondb", client.DataAPISettings{},
				client.DataAPISettings{}, "db_max_rows"))
		},
		Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
	}, resource.TestStep{PreConfig: func() {
		if now := settingsOf(t, w); now.MaxRows == nil || *now.MaxRows != 100 {
			t.Errorf("Neon has %+v", now)
		}
	}, Config: config})
}

// A setting that Neon takes and never returns is no difference, and stays when another changes.
func TestAccDataAPI_settingUnsaid(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	behind := *w
	behind.World = w.Behind(t, func(neon *httputil.ReverseProxy) http.Handler {
		neon.ModifyResponse = func(answer *http.Response) error {
			text, err := io.ReadAll(answer.Body)
			text = bytes.Replace(text, []byte(`"jwt_cache_max_lifetime":60,`), nil, 1)
			answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
			answer.Header.Set("Content-Length", strconv.Itoa(len(text)))
			return err
		}
		return neon
	})
	config := func(rows int) string {
		return block(&behind, branchID, fmt.Sprintf("settings = { db_max_rows = %d, jwt_cache_max_lifetime = 60 }", rows))
	}
	acctest.RunSteps(t, behind.World,
		resource.TestStep{Config: config(100)},
		resource.TestStep{Config: config(50), ConfigStateChecks: []statecheck.StateCheck{
			acctest.After(func(acctest.State) error {
				if now := settingsOf(t, w); now.CacheMaxLifetime == nil || *now.CacheMaxLifetime != 60 || *now.MaxRows != 50 {
					return fmt.Errorf("Neon has %+v", now)
				}
				return nil
			}),
		}},
	)
}

func TestAccDataAPI_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	_, err := w.API.CreateDataAPI(t.Context(), w.Ref(branchID), "neondb", client.DataAPICreate{})
	w.Settle(t, nil, err)
	rights := func() {
		w.AddFault(t, acctest.Fault{
			Route: "POST " + route, Kind: "status", Status: http.StatusBadRequest,
			Body: `{"code":"","message":"permission denied to create extension pg_session_jwt"}`, Count: 1,
		})
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: block(w, branchID, `auth_provider = "external"`),
			ExpectError: acctest.InWords("set jwks_url to the address")},
		resource.TestStep{Config: block(w, branchID, "auth_provider = \"neon_auth\"\n jwks_url = \"https://example.com/k\""),
			ExpectError: acctest.InWords(`jwks_url is for auth_provider = "external" alone`)},
		resource.TestStep{Config: block(w, branchID, "auth_provider = \"external\"\n jwks_url = \"http://example.com/k\""),
			PlanOnly: true, ExpectError: acctest.InWords("must be an address that begins with https://")},
		resource.TestStep{Config: block(w, branchID, "auth_provider = \"external\"\n jwks_url = \"keys\""), PlanOnly: true,
			ExpectError: acctest.InWords("must be an address that begins with https://")},
		resource.TestStep{Config: block(w, branchID, `settings = { db_max_rows = -1 }`), PlanOnly: true,
			ExpectError: acctest.InWords("must be at least 0")},
		resource.TestStep{Config: block(w, branchID, `settings = { jwt_cache_max_lifetime = -1 }`), PlanOnly: true,
			ExpectError: acctest.InWords("must be at least 0")},
		resource.TestStep{Config: block(w, branchID, `settings = { db_schemas = [""] }`), PlanOnly: true,
			ExpectError: acctest.InWords("string length must be at least 1")},
		resource.TestStep{Config: block(w, branchID, `auth_provider = "other"`), ExpectError: acctest.InWords(`"neon_auth"`)},
		resource.TestStep{Config: block(w, branchID), ExpectError: acctest.InOrder("409", "import {",
			w.ProjectID+"/"+branchID+"/neondb")},
		resource.TestStep{
			Config:      strings.Replace(block(w, branchID), "neondb", "none", 1),
			ExpectError: acctest.InOrder(`Neon finds no database_name = "none"`),
		},
		resource.TestStep{PreConfig: rights, Config: block(w, branchID),
			ExpectError: acctest.InWords("create it with neon_database")},
	)
}

// A database that isn't there is told by the plan, and refused where it would take the place of another one; keys
// without an external provider are warned of, since Neon keeps the provider that is set up.
func TestAccDataAPI_told(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	p := acctest.NewProtocol(t, w.World)
	given := func(more map[string]string) map[string]tftypes.Value {
		all := map[string]string{"project_id": w.ProjectID, "branch_id": branchID, "database_name": "neondb"}
		maps.Copy(all, more)
		return acctest.Texts(all)
	}
	if said := p.PlanCreation(t, "neon_data_api", given(map[string]string{"database_name": "none"})); !acctest.InOrder(
		"No such database", "neon_database.NAME.name", "the creation fails").MatchString(said) {
		t.Errorf("the plan says %q", said)
	}
	shop := given(map[string]string{"database_name": "shop"})
	p.PlanCreation(t, "neon_database", acctest.Texts(map[string]string{"project_id": w.ProjectID,
		"branch_id": branchID, "name": "shop", "owner_name": "neondb_owner"}))
	if said := p.PlanCreation(t, "neon_data_api", shop); said != "" {
		t.Errorf("where the same run creates the database, the plan says %q", said)
	}
	kind := p.Schema.ResourceSchemas["neon_data_api"].ValueType()
	validated, err := p.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: "neon_data_api", Config: acctest.Dynamic(t, kind,
			acctest.Object(kind, given(map[string]string{"jwks_url": "https://example.com/k"}))),
	})
	if err != nil || len(validated.Diagnostics) != 1 ||
		validated.Diagnostics[0].Severity != tfprotov6.DiagnosticSeverityWarning {
		t.Errorf("keys alone: %v, %v", validated.Diagnostics, err)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: block(w, branchID, `jwks_url = "https://example.com/k"`)},
		resource.TestStep{Config: strings.Replace(block(w, branchID), "neondb", "none", 1), PlanOnly: true,
			ExpectError: acctest.InOrder("No such database")},
	)
}

// databaseAndAPI are a database of a name that an expression says, and its Data API.
func databaseAndAPI(w *acctest.BranchWorld, branchID, name string, lines ...string) string {
	return strings.Replace(block(w, branchID, lines...), `"neondb"`, "neon_database.shop.name", 1) + fmt.Sprintf(
		"resource \"neon_database\" \"shop\" {\n project_id = %q\n branch_id = %q\n name = %s\n "+
			"owner_name = \"neondb_owner\"\n}\n", w.ProjectID, branchID, name)
}

// A database that has a Data API can be renamed, by a plan that knows that it will have the new name.
func TestAccDataAPI_databaseRenamed(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: databaseAndAPI(w, branchID, `"shop"`)},
		resource.TestStep{Config: databaseAndAPI(w, branchID, `"orders"`),
			ConfigPlanChecks:  acctest.ExpectAction("neon_database.shop", plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{is(knownvalue.StringExact("orders"), "database_name")}},
	)
}

// A database that somebody renames gets its name back, and its Data API with it.
func TestAccDataAPI_databaseRenamedOutside(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := databaseAndAPI(w, branchID, `"shop"`)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				orders := "orders"
				database, err := w.API.GetDatabase(t.Context(), w.Ref(branchID), "shop", 0)
				if err != nil {
					t.Fatal(err)
				}
				updated, err := w.API.UpdateDatabase(t.Context(), w.Ref(branchID), "shop", database.ID,
					client.DatabaseUpdate{Name: &orders})
				if err != nil {
					t.Fatal(err)
				}
				w.Settle(t, updated.Operations, nil)
			},
			Config:            config,
			ConfigStateChecks: []statecheck.StateCheck{is(knownvalue.StringExact("shop"), "database_name")},
		},
	)
}

// A database's new name that isn't known when it is planned loses no Data API. Where its keys are others too, the next
// plan replaces it.
func TestAccTerraform_databaseRenamedUnknown(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, keys string) (r acctest.Run) {
		t.Helper()
		w := acctest.NewBranchWorld(t)
		config := func(name string) string {
			return databaseAndAPI(w, w.MainBranch(t).ID, "terraform_data.name.output", `auth_provider = "external"`,
				"jwks_url = "+keys) + fmt.Sprintf("resource \"terraform_data\" \"name\" {\n input = %q\n}\n", name)
		}
		r = acctest.NewRun(t, w.World, config("shop"))
		r.Terraform(t, "apply", "-auto-approve")
		r.Configure(t, config("orders"))
		return r
	}
	t.Run("alone", func(t *testing.T) {
		t.Parallel()
		r := run(t, `"https://example.com/keys"`)
		r.Terraform(t, "apply", "-auto-approve")
		r.Terraform(t, "plan", "-detailed-exitcode")
	})
	t.Run("with other keys", func(t *testing.T) {
		t.Parallel()
		r := run(t, `"https://example.com/${terraform_data.name.output}"`)
		if said := r.Fails(t, "apply", "-auto-approve"); !strings.Contains(said, "Plan again") {
			t.Error(said)
		}
		r.Terraform(t, "apply", "-auto-approve")
		r.Terraform(t, "plan", "-detailed-exitcode")
	})
}

// Whatever becomes of the answers, there is one Data API, and it is in the state.
func TestAccDataAPI_lostAnswers(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"lost_before", "lost_after"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			branchID := w.MainBranch(t).ID
			for _, method := range []string{"POST ", "PATCH ", "DELETE "} {
				w.AddFault(t, acctest.Fault{Route: method + route, Kind: kind, Count: 1})
			}
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: block(w, branchID, `settings = { db_max_rows = 1 }`)},
				resource.TestStep{
					Config:            block(w, branchID, `settings = { db_max_rows = 2 }`),
					ConfigStateChecks: []statecheck.StateCheck{is(knownvalue.Int64Exact(2), "settings", "db_max_rows")},
				},
			)
			if left := w.FaultsLeft(t); left != 0 {
				t.Errorf("%d faults are left", left)
			}
		})
	}
}

// A new Data API whose settings can't be read is kept as it is: another one would have another address.
func TestAccDataAPI_unreadAfterCreation(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	var isCreated atomic.Bool
	behind := *w
	behind.World = w.Behind(t, func(neon *httputil.ReverseProxy) http.Handler {
		return http.HandlerFunc(func(answer http.ResponseWriter, asked *http.Request) {
			isDataAPI := strings.Contains(asked.URL.Path, "/data-api/")
			if isDataAPI && asked.Method == http.MethodGet && isCreated.CompareAndSwap(true, false) {
				answer.WriteHeader(http.StatusForbidden)
				_, _ = io.WriteString(answer, `{"code":"","message":"not now"}`)
				return
			}
			neon.ServeHTTP(answer, asked)
			if isDataAPI && asked.Method == http.MethodPost {
				isCreated.Store(true)
			}
		})
	})
	config := block(&behind, w.MainBranch(t).ID, "settings = { db_max_rows = 7 }")
	var heard acctest.Heard
	acctest.HearSteps(t, behind.World, &heard,
		resource.TestStep{Config: config},
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
	)
	if said := heard.Take(); !acctest.InOrder("not now", "exists and is kept in the state").MatchString(said) {
		t.Errorf("said is %s", said)
	}
}

// A page that isn't Neon's, or another refusal, doesn't take it out of the state.
func TestAccDataAPI_absence(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := block(w, branchID)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "GET " + route, Kind: "status", Status: http.StatusNotFound,
					Body: "<html></html>", Count: 1})
			},
			Config: config, ExpectError: acctest.InWords("Unable to read Data API"),
		},
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
	)
}

// Whatever becomes of a Data API with a reset of its branch, the next apply has it as configured.
func TestAccDataAPI_reset(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "data-api-after-restore", func(t *testing.T, played emulator.Config) {
		t.Helper()
		t.Parallel()
		w := acctest.BranchWorldOf(t, played)
		branchID := w.MakeBranch(t, "child").ID
		config := block(w, branchID, "settings = { db_max_rows = 7 }")
		acctest.RunSteps(t, w.World,
			resource.TestStep{Config: config},
			resource.TestStep{
				PreConfig: func() { w.ResetBranch(t, branchID) },
				Config:    config, ConfigStateChecks: []statecheck.StateCheck{is(knownvalue.Int64Exact(7), "settings",
					"db_max_rows")},
			},
		)
	})
}

// A branch that has its parent's Data API isn't given another: that is imported.
func TestAccDataAPI_ofChild(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "data-api-of-child", func(t *testing.T, played emulator.Config) {
		t.Helper()
		t.Parallel()
		w := acctest.BranchWorldOf(t, played)
		_, err := w.API.CreateDataAPI(t.Context(), w.Ref(w.MainBranch(t).ID), "neondb", client.DataAPICreate{})
		w.Settle(t, nil, err)
		id := w.MakeBranch(t, "child").ID
		if w.Plays(t, "data-api-of-child", "none") {
			acctest.RunSteps(t, w.World, resource.TestStep{Config: block(w, id)})
			return
		}
		imported := block(w, id) + fmt.Sprintf("import {\n to = %s\n id = \"%s/%s/neondb\"\n}\n", address, w.ProjectID, id)
		acctest.RunSteps(t, w.World,
			resource.TestStep{Config: block(w, id), ExpectError: acctest.InOrder("409", "import {", id+"/neondb")},
			resource.TestStep{Config: imported, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		)
	})
}

func TestAccDataAPIData(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	settings := statecheck.ExpectKnownValue("data."+address, tfjsonpath.New("settings").AtMapKey("openapi_mode"),
		knownvalue.StringExact("disabled"))
	if w.Plays(t, "data-api-settings", "none") {
		settings = statecheck.ExpectKnownValue("data."+address, tfjsonpath.New("settings"), knownvalue.Null())
	}
	read := strings.Replace(block(w, branchID), "resource \"neon_data_api\"", "data \"neon_data_api\"", 1)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: read, ExpectError: acctest.InOrder("No such Data API", `Database "neondb" of branch`)},
		resource.TestStep{
			PreConfig: func() {
				_, err := w.API.CreateDataAPI(t.Context(), w.Ref(branchID), "neondb", client.DataAPICreate{})
				w.Settle(t, nil, err)
			},
			Config: read,
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("data."+address, tfjsonpath.New("status"), knownvalue.StringExact("active")),
				settings,
			},
		},
	)
}

// After an import nobody knows how tokens are verified: what is configured is recorded, and replaces nothing.
func TestAccDataAPI_imported(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	_, err := w.API.CreateDataAPI(t.Context(), w.Ref(branchID), "neondb", client.DataAPICreate{})
	w.Settle(t, nil, err)
	imported := fmt.Sprintf("import {\n to = %s\n id = %q\n}\n", address, w.ProjectID+"/"+branchID+"/neondb")
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: imported + block(w, branchID, outside),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate)},
		resource.TestStep{Config: block(w, branchID, outside),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		resource.TestStep{Config: block(w, branchID), ConfigPlanChecks: acctest.ExpectAction(address,
			plancheck.ResourceActionReplace)},
	)
}
