package claimable_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func claimableIs(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(acctest.ClaimableAddress, tfjsonpath.New(attribute), check)
}

func unclaimedChecks(ref string, replication bool) []statecheck.StateCheck {
	const moment = `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`
	return []statecheck.StateCheck{
		claimableIs("ref", knownvalue.StringExact(ref)),
		claimableIs("enable_logical_replication", knownvalue.Bool(replication)),
		claimableIs("id", acctest.Matches(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]+$`)),
		claimableIs("status", knownvalue.StringExact("UNCLAIMED")),
		claimableIs("project_id", knownvalue.StringRegexp(regexp.MustCompile(`^[a-z0-9-]+-[0-9]{8}$`))),
		claimableIs("connection_string", acctest.Matches(`^postgres(ql)?://[^@]+@[^./]+-pooler\..*sslmode=require`)),
		claimableIs("direct_connection_string", acctest.Matches(
			`^postgres(ql)?://[^@]+@ep(-[a-z0-9]+){3}\..*sslmode=require`)),
		claimableIs("claim_url", acctest.Matches(`^https?://`)),
		claimableIs("expires_at", acctest.Matches(moment)),
		claimableIs("created_at", acctest.Matches(moment)),
		claimableIs("updated_at", acctest.Matches(moment)),
	}
}

func TestAccClaimableDatabase_life(t *testing.T) {
	t.Parallel()
	w := acctest.StartAny(t)
	changes := statecheck.CompareValue(compare.ValuesDiffer())
	step := func(action plancheck.ResourceActionType, ref string, replication bool, lines ...string) acceptance.TestStep {
		return acceptance.TestStep{
			Config:           w.KeylessConfig() + acctest.ClaimableBlock(append(lines, fmt.Sprintf("ref = %q", ref))...),
			ConfigPlanChecks: acctest.ExpectAction(acctest.ClaimableAddress, action),
			ConfigStateChecks: append(unclaimedChecks(ref, replication),
				changes.AddStateValue(acctest.ClaimableAddress, tfjsonpath.New("id"))),
		}
	}
	again := step(plancheck.ResourceActionNoop, "one", false, "enable_logical_replication = false")
	again.ConfigStateChecks = unclaimedChecks("one", false)
	acctest.RunSteps(t, w,
		step(plancheck.ResourceActionCreate, "one", false),
		again,
		step(plancheck.ResourceActionReplace, "two", false),
		step(plancheck.ResourceActionReplace, "two", true, "enable_logical_replication = true"),
	)
}

func TestAccClaimableDatabase_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.MaxRetries = 1
	notThere := "provider \"neon\" {\n  max_retries = 0\n  claim_base_url = \"http://localhost:1\"\n}\n"
	for name, test := range map[string]struct {
		config string
		want   *regexp.Regexp
	}{
		"no ref":    {w.KeylessConfig() + acctest.ClaimableBlock(), acctest.InWords(`The argument "ref" is required`)},
		"empty ref": {w.KeylessConfig() + acctest.ClaimableBlock(`ref = ""`), acctest.InWords("ref string length must be at least 1")},
		"no platform there": {
			notThere + acctest.ClaimableBlock(`ref = "x"`), acctest.InOrder("Unable to create claimable database",
				"could not be sent", "claim_base_url"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{Config: test.config, Want: test.want})
		})
	}
	t.Run("lost answer", func(t *testing.T) {
		t.Parallel()
		w := acctest.StartEmulator(t, emulator.Config{})
		w.AddFault(t, acctest.Fault{Route: "POST /api/v1/database", Kind: "lost_after", Count: 1})
		w.Refuses(t, acctest.Refusal{
			Config: w.KeylessConfig() + acctest.ClaimableBlock(`ref = "x"`),
			Want:   acctest.InOrder("answer was lost", "it expires by itself"),
		})
	})
	t.Run("an answer that isn't JSON", func(t *testing.T) {
		t.Parallel()
		w := acctest.StartEmulator(t, emulator.Config{})
		w.AddFault(t, acctest.Fault{Route: "POST /api/v1/database", Kind: "status", Status: 200, Body: "<html>", Count: 1})
		w.Refuses(t, acctest.Refusal{
			Config: w.KeylessConfig() + acctest.ClaimableBlock(`ref = "x"`),
			Want:   acctest.InOrder("answer was lost", "claim_base_url"),
		})
	})
}

func TestAccClaimableDatabase_expires(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "claimable-expired", claimableExpires)
}

func claimableExpires(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.StartEmulator(t, played)
	config := w.KeylessConfig() + acctest.ClaimableBlock(`ref = "x"`)
	acctest.RunSteps(t, w,
		acceptance.TestStep{Config: config},
		acceptance.TestStep{
			PreConfig:        func() { w.Advance(t, 71*time.Hour) },
			Config:           config,
			ConfigPlanChecks: acctest.ExpectAction(acctest.ClaimableAddress, plancheck.ResourceActionNoop),
		},
		acceptance.TestStep{
			PreConfig:        func() { w.Advance(t, 2*time.Hour) },
			Config:           config,
			ConfigPlanChecks: acctest.ExpectAction(acctest.ClaimableAddress, plancheck.ResourceActionCreate),
		},
	)
}

func TestAccClaimableDatabase_claimed(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "claimable-expires-at", claimableClaimed)
}

func claimableClaimed(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.StartEmulator(t, played)
	config := w.KeylessConfig() + acctest.ClaimableBlock(`ref = "x"`)
	var id string
	acctest.RunSteps(t, w,
		acceptance.TestStep{Config: config, ConfigStateChecks: []statecheck.StateCheck{acctest.IDOf(acctest.ClaimableAddress,
			&id)}},
		acceptance.TestStep{
			PreConfig: func() {
				w.Control(t, http.MethodPost, "/_emulator/claimable_databases/"+id+"/claim", map[string]any{}, nil)
			},
			Config:           config,
			ConfigPlanChecks: acctest.ExpectAction(acctest.ClaimableAddress, plancheck.ResourceActionNoop),
			ConfigStateChecks: []statecheck.StateCheck{
				claimableIs("status", knownvalue.StringExact("CLAIMED")),
				claimableIs("connection_string", knownvalue.Null()),
				claimableIs("direct_connection_string", knownvalue.Null()),
				claimableIs("expires_at", knownvalue.Null()),
			},
		},
		acceptance.TestStep{
			PreConfig:        func() { w.Advance(t, 1000*time.Hour) },
			Config:           config,
			ConfigPlanChecks: acctest.ExpectAction(acctest.ClaimableAddress, plancheck.ResourceActionNoop),
		},
	)
}
