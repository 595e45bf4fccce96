package provider

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-testing/compare"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const claimableAddress = "neon_claimable_database.test"

func claimableBlock(lines ...string) string {
	return "resource \"neon_claimable_database\" \"test\" {\n" + strings.Join(lines, "\n") + "\n}\n"
}

func claimableIs(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(claimableAddress, tfjsonpath.New(attribute), check)
}

func matches(pattern string) knownvalue.Check {
	return knownvalue.StringRegexp(regexp.MustCompile(pattern))
}

func unclaimedChecks(ref string, replication bool) []statecheck.StateCheck {
	const moment = `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`
	return []statecheck.StateCheck{
		claimableIs("ref", knownvalue.StringExact(ref)),
		claimableIs("enable_logical_replication", knownvalue.Bool(replication)),
		claimableIs("id", matches(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]+$`)),
		claimableIs("status", knownvalue.StringExact("UNCLAIMED")),
		claimableIs("project_id", knownvalue.StringRegexp(idPattern)),
		claimableIs("connection_string", matches(`^postgres(ql)?://[^@]+@[^./]+-pooler\..*sslmode=require`)),
		claimableIs("direct_connection_string", matches(`^postgres(ql)?://[^@]+@ep(-[a-z0-9]+){3}\..*sslmode=require`)),
		claimableIs("claim_url", matches(`^https?://`)),
		claimableIs("expires_at", matches(moment)),
		claimableIs("created_at", matches(moment)),
		claimableIs("updated_at", matches(moment)),
	}
}

// keylessConfig is a provider block without an API key.
func (w *world) keylessConfig() string { return w.providerConfigWith("") }

func TestAccClaimableDatabase_life(t *testing.T) {
	t.Parallel()
	w := startAny(t)
	changes := statecheck.CompareValue(compare.ValuesDiffer())
	step := func(action plancheck.ResourceActionType, ref string, replication bool, lines ...string) acceptance.TestStep {
		return acceptance.TestStep{
			Config:           w.keylessConfig() + claimableBlock(append(lines, fmt.Sprintf("ref = %q", ref))...),
			ConfigPlanChecks: expectAction(claimableAddress, action),
			ConfigStateChecks: append(unclaimedChecks(ref, replication),
				changes.AddStateValue(claimableAddress, tfjsonpath.New("id"))),
		}
	}
	again := step(plancheck.ResourceActionNoop, "one", false, "enable_logical_replication = false")
	again.ConfigStateChecks = unclaimedChecks("one", false)
	runSteps(t, w,
		step(plancheck.ResourceActionCreate, "one", false),
		again,
		step(plancheck.ResourceActionReplace, "two", false),
		step(plancheck.ResourceActionReplace, "two", true, "enable_logical_replication = true"),
	)
}

func TestAccClaimableDatabase_errors(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	w.maxRetries = 1
	notThere := "provider \"neon\" {\n  max_retries = 0\n  claim_base_url = \"http://localhost:1\"\n}\n"
	for name, test := range map[string]struct {
		config string
		want   *regexp.Regexp
	}{
		"no ref":    {w.keylessConfig() + claimableBlock(), inWords(`The argument "ref" is required`)},
		"empty ref": {w.keylessConfig() + claimableBlock(`ref = ""`), inWords("ref string length must be at least 1")},
		"no platform there": {
			notThere + claimableBlock(`ref = "x"`), inOrder("Unable to create claimable database", "could not be sent", "claim_base_url"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runSteps(t, w, acceptance.TestStep{Config: test.config, ExpectError: test.want})
		})
	}
	t.Run("lost answer", func(t *testing.T) {
		t.Parallel()
		w := startEmulator(t, emulator.Config{})
		w.addFault(t, fault{Route: "POST /api/v1/database", Kind: "lost_after", Count: 1})
		runSteps(t, w, acceptance.TestStep{
			Config: w.keylessConfig() + claimableBlock(`ref = "x"`), ExpectError: inOrder("answer was lost", "it expires by itself"),
		})
	})
	t.Run("an answer that isn't JSON", func(t *testing.T) {
		t.Parallel()
		w := startEmulator(t, emulator.Config{})
		w.addFault(t, fault{Route: "POST /api/v1/database", Kind: "status", Status: 200, Body: "<html>", Count: 1})
		runSteps(t, w, acceptance.TestStep{
			Config: w.keylessConfig() + claimableBlock(`ref = "x"`), ExpectError: inOrder("answer was lost", "claim_base_url"),
		})
	})
}

// idOf remembers the id in state.
func idOf(address string, id *string) acceptance.TestCheckFunc {
	return func(state *terraform.State) error {
		*id = state.RootModule().Resources[address].Primary.ID
		return nil
	}
}

func TestAccClaimableDatabase_expires(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	config := w.keylessConfig() + claimableBlock(`ref = "x"`)
	runSteps(t, w,
		acceptance.TestStep{Config: config},
		acceptance.TestStep{
			PreConfig:        func() { w.advance(t, 71*time.Hour) },
			Config:           config,
			ConfigPlanChecks: expectAction(claimableAddress, plancheck.ResourceActionNoop),
		},
		acceptance.TestStep{
			PreConfig:        func() { w.advance(t, 2*time.Hour) },
			Config:           config,
			ConfigPlanChecks: expectAction(claimableAddress, plancheck.ResourceActionCreate),
		},
	)
}

func TestAccClaimableDatabase_claimed(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	config := w.keylessConfig() + claimableBlock(`ref = "x"`)
	var id string
	runSteps(t, w,
		acceptance.TestStep{Config: config, Check: idOf(claimableAddress, &id)},
		acceptance.TestStep{
			PreConfig: func() {
				w.control(t, http.MethodPost, "/_emulator/claimable_databases/"+id+"/claim", map[string]any{}, nil)
			},
			Config:           config,
			ConfigPlanChecks: expectAction(claimableAddress, plancheck.ResourceActionNoop),
			ConfigStateChecks: []statecheck.StateCheck{
				claimableIs("status", knownvalue.StringExact("CLAIMED")),
				claimableIs("connection_string", knownvalue.Null()),
				claimableIs("direct_connection_string", knownvalue.Null()),
				claimableIs("expires_at", knownvalue.NotNull()),
			},
		},
		acceptance.TestStep{
			PreConfig:        func() { w.advance(t, 1000*time.Hour) },
			Config:           config,
			ConfigPlanChecks: expectAction(claimableAddress, plancheck.ResourceActionNoop),
		},
	)
}

// TestClaimableDatabaseDelete sees what a person is told, since the platform
// deletes nothing on request.
func TestClaimableDatabaseDelete(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		database claimableDatabaseModel
		want     string
	}{
		"unclaimed": {claimableDatabaseModel{Status: optionalString("UNCLAIMED"), ExpiresAt: optionalTime(new(time.Unix(0, 0)))},
			"expires by itself at 1970-01-01T00:00:00Z"},
		"unclaimed without expiry": {claimableDatabaseModel{Status: optionalString("UNCLAIMED")}, "within 72 hours"},
		"claimed":                  {claimableDatabaseModel{Status: optionalString("CLAIMED"), ProjectID: optionalString("p-1")}, "delete project p-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var schema resource.SchemaResponse
			database := &claimableDatabaseResource{}
			database.Schema(t.Context(), resource.SchemaRequest{}, &schema)
			state := tfsdk.State{Schema: schema.Schema}
			if diags := state.Set(t.Context(), &test.database); diags.HasError() {
				t.Fatal(diags)
			}
			var resp resource.DeleteResponse
			database.Delete(t.Context(), resource.DeleteRequest{State: state}, &resp)
			wantWarning(t, resp.Diagnostics, test.want)
		})
	}
}

func TestClaimableDatabaseWarnings(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]string{
		"UNCLAIMED": "", "CLAIMING": "being taken|taking the database", "CLAIMED": "terraform state rm", "SOMETHING_NEW": "",
	} {
		var diags diag.Diagnostics
		(&claimableDatabaseModel{Status: optionalString(status), ID: optionalString("d-1")}).warn(&diags)
		if want == "" && len(diags) == 0 {
			continue
		}
		wantWarning(t, diags, want)
	}
}

func wantWarning(t *testing.T, diags diag.Diagnostics, want string) {
	t.Helper()
	if len(diags) != 1 || diags[0].Severity() != diag.SeverityWarning || !regexp.MustCompile(want).MatchString(diags[0].Detail()) {
		t.Errorf("diagnostics %v, want a warning that says %q", diags, want)
	}
}
