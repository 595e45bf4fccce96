package credential_test

import (
	"fmt"
	"net/http"
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

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	address = "neon_service_credential.test"
	route   = "/api/v2/projects/{project_id}/branches/{branch_id}/credentials"
	token   = route + "/{token_id}"
)

func block(kind string, branch client.BranchRef, lines ...string) string {
	return fmt.Sprintf("%s \"neon_service_credential\" \"test\" {\n project_id = %q\n branch_id = %q\n %s\n}\n", kind,
		branch.ProjectID, branch.ID, strings.Join(lines, "\n "))
}

// secretsOf are those of the only credential.
func secretsOf(t *testing.T, w *acctest.BranchWorld) client.CredentialSecrets {
	t.Helper()
	all := w.Objects(t).Credentials
	if len(all) != 1 {
		t.Fatalf("there are %d credentials, want one", len(all))
	}
	secrets, err := w.API.RevealCredential(t.Context(), w.Ref(fmt.Sprint(all[0]["branch_id"])), fmt.Sprint(all[0]["id"]))
	w.Settle(t, nil, err)
	return *secrets
}

func life(t *testing.T, w *acctest.BranchWorld) []resource.TestStep {
	t.Helper()
	branchID := w.MainBranch(t).ID
	config := func(lines ...string) string {
		return w.ProviderConfig() + block("resource", w.Ref(branchID), lines...)
	}
	var first client.CredentialSecrets
	hasNoSecret := acctest.After(func(state acctest.State) error {
		secrets := secretsOf(t, w)
		if text := state.String(); strings.Contains(text, secrets.APIToken) ||
			strings.Contains(text, secrets.S3SecretAccessKey) {
			return fmt.Errorf("the state has a secret")
		}
		return nil
	})
	version := rising(t)
	return []resource.TestStep{
		{
			Config: config(`name = "app"`, `scopes = ["storage:write", "ai_gateway:invoke"]`, `rotation_triggers = { a = "1" }`),
			ConfigStateChecks: []statecheck.StateCheck{version, statecheck.ExpectKnownValue(address, tfjsonpath.New("token_id"),
				knownvalue.NotNull()), hasNoSecret, acctest.After(func(acctest.State) error {
				first = secretsOf(t, w)
				return nil
			})},
		},
		{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"rotation_triggers"}},
		{
			Config: config(`name = "app"`, `scopes = ["storage:write", "ai_gateway:invoke"]`, `rotation_triggers = { a = "2" }`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("secret_version"), knownvalue.NotNull()),
			}},
			ConfigStateChecks: []statecheck.StateCheck{hasNoSecret, version, acctest.After(func(acctest.State) error {
				if secretsOf(t, w) == first {
					return fmt.Errorf("the secrets are the same")
				}
				return nil
			})},
		},
		{
			Config:            config(`name = "app"`, `scopes = ["storage:read"]`),
			ConfigPlanChecks:  acctest.ExpectAction(address, plancheck.ResourceActionReplace),
			ConfigStateChecks: []statecheck.StateCheck{hasNoSecret},
		},
		// Revoked outside, though Neon's list remembers it: another one.
		{
			PreConfig: func() {
				w.Settle(t, nil, w.API.RevokeCredential(t.Context(), w.Ref(branchID),
					fmt.Sprint(w.Objects(t).Credentials[0]["id"])))
			},
			Config:            config(`name = "app"`, `scopes = ["storage:read"]`),
			ConfigPlanChecks:  acctest.ExpectAction(address, plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{hasNoSecret},
		},
	}
}

func TestAccServiceCredential_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World, life(t, w)...)
	if left := w.Objects(t).Credentials; len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestAccTerraform_serviceCredential(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(), Steps: acctest.FirstSteps(3, life(t, w)),
	})
}

// Whatever answer is lost or refused, there is one credential, and it was given new secrets once.
func TestAccServiceCredential_faults(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]acctest.Fault{
		"creation lost":              {Route: "POST " + route, Kind: "lost_after", Count: 1},
		"creation late":              {Route: "POST " + route, Kind: "late", Delay: "1s", Status: 504, Count: 1},
		"creation locked":            {Route: "POST " + route, Kind: "status", Status: http.StatusLocked, Count: 2},
		"rotation lost":              {Route: "POST " + token + "/rotate", Kind: "lost_after", Count: 1},
		"rotation late":              {Route: "POST " + token + "/rotate", Kind: "late", Delay: "1s", Status: 504, Count: 1},
		"its secrets lost":           {Route: "POST " + token + "/reveal", Kind: "lost_after", Count: 2},
		"revocation lost":            {Route: "DELETE " + token, Kind: "lost_after", Count: 1},
		"revocation refused a while": {Route: "DELETE " + token, Kind: "status", Status: 503, Count: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			branchID := w.MainBranch(t).ID
			// Another of the same name and scopes was there before.
			_, err := client.ObjectOf(w.API.CreateCredential(t.Context(), w.Ref(branchID),
				client.CredentialCreate{Name: "app", Scopes: []string{"storage:read"}}))
			w.Settle(t, nil, err)
			w.AddFault(t, fault)
			config := func(trigger string) string {
				return w.ProviderConfig() + block("resource", w.Ref(branchID), `name = "app"`, `scopes = ["storage:read"]`,
					`rotation_triggers = { a = "`+trigger+`" }`)
			}
			acctest.RunSteps(t, w.World, resource.TestStep{Config: config("1")}, resource.TestStep{
				Config: config("2"),
				ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(acctest.State) error {
					all := w.Objects(t).Credentials
					if len(all) != 2 || all[0]["rotations"] != 0.0 || all[1]["rotations"] != 1.0 {
						return fmt.Errorf("there are %v", all)
					}
					return nil
				})},
			})
			if left := len(w.Objects(t).Credentials); left != 1 {
				t.Errorf("%d are left, want the other one", left)
			}
			if w.FaultsLeft(t) > 0 {
				t.Error("nothing met the fault")
			}
		})
	}
}

// What a killed run may have left is named: it has the name, but is in no state.
func TestAccServiceCredential_namesakes(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.ProviderConfig() + block("resource", w.Ref(w.MainBranch(t).ID), `name = "app"`,
		`scopes = ["storage:read"]`)
	first := ""
	for _, state := range []string{"first", "second"} {
		said := acctest.NewRun(t, w.World, config).Terraform(t, "apply", "-auto-approve")
		if warned := strings.Contains(said, "Other service credentials of the same name"); warned != (state == "second") ||
			!strings.Contains(said, first) {
			t.Errorf("the %s run says %s", state, said)
		}
		first = w.Objects(t).Credentials[0]["id"].(string)
	}
}

// A rotation without effect, whose answer was lost, isn't sent again by itself.
func TestAccServiceCredential_rotationUnknown(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(trigger string) string {
		return w.ProviderConfig() + block("resource", w.Ref(w.MainBranch(t).ID), `scopes = ["storage:read"]`,
			`rotation_triggers = { a = "`+trigger+`" }`)
	}
	acctest.RunSteps(t, w.World, resource.TestStep{Config: config("1")}, resource.TestStep{
		PreConfig: func() {
			w.AddFault(t, acctest.Fault{Route: "POST " + token + "/rotate", Kind: "lost_before", Count: 1})
		},
		Config:      config("2"),
		ExpectError: acctest.InOrder("Unable to update service credential", "no effect so far", "Apply again"),
	}, resource.TestStep{Config: config("2")})
	if sent := w.Requests(t).ByRoute["POST "+token+"/rotate"]; sent != 2 {
		t.Errorf("%d rotations were sent, want one by each apply", sent)
	}
}

// Triggers of which the plan doesn't know yet whether they rotate don't say either which secrets there will be.
func TestAccServiceCredential_unknownTriggers(t *testing.T) {
	t.Parallel()
	for name, triggers := range map[string]string{"an element": "{ a = terraform_data.t.output.a }",
		"all": "terraform_data.t.output"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			config := func(trigger, run string) string {
				return w.ProviderConfig() + fmt.Sprintf(
					"resource \"terraform_data\" \"t\" {\n input = { a = %q }\n triggers_replace = %q\n}\n", trigger, run) +
					block("resource", w.Ref(w.MainBranch(t).ID), `scopes = ["storage:read"]`, "rotation_triggers = "+triggers)
			}
			unknown := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectUnknownValue(address,
				tfjsonpath.New("secret_version"))}}
			version := rising(t)
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: config("1", "first"), ConfigStateChecks: []statecheck.StateCheck{version}},
				resource.TestStep{Config: config("1", "second"), ConfigPlanChecks: unknown},
				resource.TestStep{Config: config("2", "third"), ConfigPlanChecks: unknown,
					ConfigStateChecks: []statecheck.StateCheck{version}})
			if sent := w.Requests(t).ByRoute["POST "+token+"/rotate"]; sent != 1 {
				t.Errorf("%d rotations were sent, want one", sent)
			}
		})
	}
}

// A credential for one run is revoked with it, also where answers are lost.
func TestAccEphemeralServiceCredential_faults(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]acctest.Fault{
		"none":             {Route: "GET /none", Kind: "slow", Delay: "1ms"},
		"creation lost":    {Route: "POST " + route, Kind: "lost_after", Count: 1},
		"creation locked":  {Route: "POST " + route, Kind: "status", Status: http.StatusLocked, Count: 1},
		"revocation lost":  {Route: "DELETE " + token, Kind: "lost_after", Count: 1},
		"revocation fails": {Route: "DELETE " + token, Kind: "status", Status: 500, Count: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			if name != "none" {
				w.AddFault(t, fault)
			}
			config := w.ProviderConfig() + block("ephemeral", w.Ref(w.MainBranch(t).ID), `scopes = ["functions:invoke"]`,
				`name = "deploy"`)
			acctest.RunEphemeral(t, w.World, resource.TestStep{
				Config: config + acctest.Echoed("ephemeral."+address),
				ConfigStateChecks: []statecheck.StateCheck{
					acctest.Echoes("api_token", knownvalue.NotNull()), acctest.Echoes("s3_secret_access_key", knownvalue.NotNull()),
					acctest.After(func(acctest.State) error {
						if left := w.Objects(t).Credentials; len(left) > 0 {
							return fmt.Errorf("left: %v", left)
						}
						return nil
					}),
				},
			})
			if w.Requests(t).ByRoute["POST "+route] == 0 {
				t.Error("none was opened")
			}
		})
	}
}

func TestAccServiceCredential_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	secret := func(token string) string {
		return w.ProviderConfig() + fmt.Sprintf(
			"ephemeral \"neon_service_credential_secret\" \"test\" {\n project_id = %q\n branch_id = %q\n token_id = %q\n}\n",
			w.ProjectID, branchID, token)
	}
	for name, test := range map[string]struct {
		config string
		wants  []string
	}{
		"an unknown scope": {w.ProviderConfig() + block("resource", w.Ref(branchID), `scopes = ["storage:delete"]`), []string{"storage:read"}},
		"no scope":         {w.ProviderConfig() + block("resource", w.Ref(branchID), `scopes = []`), []string{"at least 1"}},
		"no such branch":   {w.ProviderConfig() + block("resource", w.Ref("br-none"), `scopes = ["storage:read"]`), []string{"br-none"}},
		"an unknown token": {secret("nak_live_none"), []string{"Unable to reveal service credential", "was revoked or has expired"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{Config: test.config, Want: acctest.InOrder(test.wants...)})
		})
	}
	t.Run("not offered", func(t *testing.T) {
		t.Parallel()
		w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"backend-offered": "nobody"}})
		w.Refuses(t, acctest.Refusal{
			Config: w.ProviderConfig() + block("resource", w.Ref(w.MainBranch(t).ID), `scopes = ["storage:read"]`),
			Want:   acctest.InOrder("platform credentials not available", "some regions only", "region_id of neon_project"),
		})
	})
}

// The list has what is valid, and no secret.
func TestAccServiceCredentials(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	revoked, err := client.ObjectOf(w.API.CreateCredential(t.Context(), w.Ref(branchID),
		client.CredentialCreate{Name: "old", Scopes: []string{"storage:read"}}))
	w.Settle(t, nil, err)
	w.Settle(t, nil, w.API.RevokeCredential(t.Context(), w.Ref(branchID), revoked.TokenID))
	made, err := client.ObjectOf(w.API.CreateCredential(t.Context(), w.Ref(branchID),
		client.CredentialCreate{Name: "app", Scopes: []string{"storage:write", "functions:invoke"}}))
	w.Settle(t, nil, err)
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + acctest.DataBlock("service_credentials",
			fmt.Sprintf("project_id = %q\nbranch_id = %q", w.ProjectID, branchID)),
		ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("service_credentials",
			knownvalue.ListExact([]knownvalue.Check{
				knownvalue.ObjectExact(map[string]knownvalue.Check{
					"token_id": knownvalue.StringExact(made.TokenID), "name": knownvalue.StringExact("app"),
					"principal_type": knownvalue.StringExact("user"),
					"scopes": knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("functions:invoke"),
						knownvalue.StringExact("storage:write")}),
					"created_at": acctest.Matches(`Z$`), "last_used_at": knownvalue.Null(), "expires_at": knownvalue.Null(),
				}),
			}), "service_credentials"),
			acctest.After(func(state acctest.State) error {
				if text := state.String(); strings.Contains(text, made.APIToken) || strings.Contains(text, made.S3SecretAccessKey) {
					return fmt.Errorf("the state has a secret")
				}
				return nil
			}),
		},
	})
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"no such branch": {
			Config: acctest.DataBlock("service_credentials", fmt.Sprintf("project_id = %q\nbranch_id = \"br-none\"",
				w.ProjectID)),
			Want: acctest.InOrder("No such branch", "br-none"),
		},
	})
}

// A scope that Neon gave and gives to no new credential is kept after an import, and refused otherwise.
func TestAccCredential_importedScope(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	made, err := client.ObjectOf(w.API.CreateCredential(t.Context(), w.Ref(branchID),
		client.CredentialCreate{Name: "app", Scopes: []string{"storage:read"}}))
	w.Settle(t, nil, err)
	config := w.ProviderConfig() + block("resource", w.Ref(branchID), `name = "app"`, `scopes = ["telemetry:write"]`)
	taking := fmt.Sprintf("import {\n to = neon_service_credential.test\n id = \"%s/%s/%s\"\n}\n", w.ProjectID, branchID,
		made.TokenID)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config, PlanOnly: true, ExpectError: acctest.InOrder("Unknown scope", "telemetry:write",
			"storage:read, storage:write")},
		resource.TestStep{
			PreConfig: func() {
				list := fmt.Sprintf(`{"credentials":[{"token_id":%q,"name":"app","branch_id":%q,"principal_type":"user","scopes":["telemetry:write"],"created_at":"2026-11-01T00:00:00Z"}]}`, made.TokenID, branchID)
				w.AddFault(t, acctest.Fault{Route: "GET /api/v2/projects/{project_id}/branches/{branch_id}/credentials",
					Kind: "status", Status: http.StatusOK, Body: list, Count: 100})
			},
			Config: config + taking, ConfigPlanChecks: acctest.ExpectAction("neon_service_credential.test",
				plancheck.ResourceActionNoop),
		},
	)
}

// rising is a check that finds a higher version of the secrets each time.
func rising(t *testing.T) statecheck.StateCheck {
	t.Helper()
	var last int64
	return statecheck.ExpectKnownValue(address, tfjsonpath.New("secret_version"),
		knownvalue.Int64Func(func(version int64) error {
			if version <= last {
				return fmt.Errorf("the version is %d after %d", version, last)
			}
			last = version
			return nil
		}))
}
