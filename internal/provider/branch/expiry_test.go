package branch_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// expires_in counts from the creation, also when it is changed later, and is never a difference
// by itself.
func TestAccBranch_expiresIn(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	after := func(want time.Duration) statecheck.StateCheck {
		return acctest.After(func(acctest.State) error {
			branch := w.BranchNamed(t, "b")
			if branch.ExpiresAt == nil && want != 0 || branch.ExpiresAt != nil &&
				branch.ExpiresAt.Sub(branch.CreatedAt).Round(time.Minute) != want {
				return fmt.Errorf("created at %s, it expires at %v, want %s later", branch.CreatedAt, branch.ExpiresAt, want)
			}
			return nil
		})
	}
	step := func(lines string, action plancheck.ResourceActionType, want time.Duration) resource.TestStep {
		step := acctest.Planned(w.BranchConfig("name = \"b\"\n"+lines), action)
		step.ConfigStateChecks = append(step.ConfigStateChecks, after(want))
		return step
	}
	drifted := step(`expires_in = "72h"`, plancheck.ResourceActionUpdate, 72*time.Hour)
	drifted.PreConfig = func() {
		tomorrow := time.Now().Add(24 * time.Hour)
		operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(w.BranchNamed(t, "b").ID),
			client.BranchUpdate{ExpiresAt: &tomorrow}))
		w.Settle(t, operations, err)
	}
	later := step(`expires_in = "72h"`, plancheck.ResourceActionNoop, 72*time.Hour)
	later.PreConfig = func() { w.Advance(t, 6*time.Hour) }
	same := newStaysTheSame("id")
	for _, s := range []*resource.TestStep{&drifted, &later} {
		s.ConfigStateChecks = append(s.ConfigStateChecks, same.check())
	}
	acctest.RunSteps(t, w.World,
		step(`expires_in = "72h"`, plancheck.ResourceActionCreate, 72*time.Hour),
		later,
		drifted,
		step(`expires_in = "3d"`, plancheck.ResourceActionNoop, 72*time.Hour),
		step(`expires_in = "96h"`, plancheck.ResourceActionUpdate, 96*time.Hour),
		step(``, plancheck.ResourceActionUpdate, 0),
		step(`expires_in = "48h"`, plancheck.ResourceActionUpdate, 48*time.Hour),
	)
}

// Where the clocks differ, Neon's counts, also if by ours the branch would have expired before its creation.
func TestAccBranch_expiresInByNeonsClock(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{time.Hour, 48 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			w.Advance(t, ahead)
			config := w.BranchConfig("name = \"b\"\n expires_in = \"2h\"")
			acctest.RunSteps(t, w.World,
				acctest.Planned(config, plancheck.ResourceActionCreate, branchIs(knownvalue.Null(), "expires_at")),
				acctest.Planned(config, plancheck.ResourceActionNoop, branchIs(knownvalue.StringExact("2h"), "expires_in")),
			)
		})
	}
}

func TestAccBranch_expiresInRefused(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	for lines, want := range map[string]string{
		`expires_in = "3 days"`: "expires_in must be a duration", `expires_in = "721h"`: "at most 30d",
		`expires_in = "31d"`: "at most 30d",
		`expires_in = "-1h"`: "above zero",
		"expires_in = \"1h\"\n expires_at = \"" + acctest.InDays(3) + "\"": "cannot be specified when",
		"expires_in = \"1h\"\n protected = true":                           "Protected branches can't expire",
	} {
		w.Refuses(t, acctest.Refusal{Config: w.BranchConfig("name = \"b\"\n " + lines), Command: acctest.Plan,
			Want: acctest.InWords(want)})
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.BranchConfig("name = \"b\"\n expires_in = \"72h\"")},
		resource.TestStep{Config: w.BranchConfig("name = \"b\"\n expires_in = \"1ms\""),
			ExpectError: acctest.InOrder("Expiry in the past", "counts from the creation")},
	)
}

// A new branch is never the default one, and the plan knows.
func TestAccBranch_defaultIsPlanned(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	step := acctest.Planned(w.BranchConfig(`name = "b"`), plancheck.ResourceActionCreate)
	step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply,
		plancheck.ExpectKnownValue("neon_branch.test", branchPath("default"), knownvalue.Bool(false)))
	acctest.RunSteps(t, w.World, step)
}

// What is removed of an endpoint goes back to its default: disabled to false, the time of
// suspension to the project's.
func TestAccBranch_removedEndpointSettings(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	step := func(label, settings string, action plancheck.ResourceActionType, timeout int64,
		disabled bool) resource.TestStep {
		config := w.BranchConfig("name = \"b\"\n endpoints = { " + label + " = { type = \"read_write\"" + settings + " } }")
		return acctest.Planned(config, action, branchIs(knownvalue.Int64Exact(timeout), "endpoints", label,
			"suspend_timeout_seconds"),
			branchIs(knownvalue.Bool(disabled), "endpoints", label, "disabled"))
	}
	acctest.RunSteps(t, w.World,
		step("a", ", disabled = true, suspend_timeout_seconds = -1", plancheck.ResourceActionCreate, -1, true),
		step("a", ", disabled = true", plancheck.ResourceActionUpdate, 0, true),
		step("a", "", plancheck.ResourceActionUpdate, 0, false),
		step("a", ", suspend_timeout_seconds = 60", plancheck.ResourceActionUpdate, 60, false),
		step("b", "", plancheck.ResourceActionUpdate, 0, false),
		step("b", "", plancheck.ResourceActionNoop, 0, false),
	)
}

// A plan that deletes endpoints while the branch stays names them and their host names. One that
// gives the read_write endpoint another label deletes none.
func TestAccBranch_deletedEndpointsAreSaid(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(endpoints string) string {
		return w.BranchConfig("name = \"b\"\n endpoints = { " + endpoints + " }")
	}
	const warning = "Endpoints will be deleted"
	var heard acctest.Heard
	planned := func(config string, check func(said string)) resource.TestStep {
		return resource.TestStep{
			PreConfig: func() { heard.Take() }, Config: config, PlanOnly: true, ExpectNonEmptyPlan: true,
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{acctest.Meanwhile(func() {
				check(heard.Take())
			})}},
		}
	}
	steps := []resource.TestStep{{Config: config(`app = { type = "read_write" }, reports = { type = "read_only" }`)}}
	for _, endpoints := range []string{
		`app = { type = "read_write" }, analytics = { type = "read_only" }`,
		`app = { type = "read_only" }, reports = { type = "read_write" }`, `app = { type = "read_write" }`,
	} {
		steps = append(steps, planned(config(endpoints), func(said string) {
			replica := w.Replicas(t)[0]
			for _, part := range []string{warning, "reports (" + replica.ID + ")", replica.Host} {
				if !strings.Contains(said, part) {
					t.Errorf("%s: %q isn't in %s", endpoints, part, said)
				}
			}
		}))
	}
	later := "resource \"terraform_data\" \"type\" {\n input = \"read_write\"\n}\n" +
		config(`app = { type = terraform_data.type.output }, reports = { type = "read_only" }`)
	steps = append(steps,
		planned(later, func(said string) {
			if strings.Contains(said, warning) || !strings.Contains(said, "Endpoints may be deleted") {
				t.Errorf("of a type that isn't known it says: %s", said)
			}
		}),
		resource.TestStep{PreConfig: func() { w.ForgetRequests(t) }, Config: later},
		resource.TestStep{PreConfig: func() {
			if sent := writes(t, w); len(sent) > 0 {
				t.Errorf("a type that turns out to be the same sends %v", sent)
			}
		}, Config: later},
		planned(config(`main = { type = "read_write", disabled = true }, reports = { type = "read_only" }`),
			func(said string) {
				if strings.Contains(said, warning) {
					t.Error(said)
				}
			}))
	acctest.HearSteps(t, w.World, &heard, steps...)
}

// A time of suspension that was removed goes back to the project's, also where the change failed at first.
func TestAccBranch_removedSuspensionFails(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(line string) string {
		return w.BranchConfig(fmt.Sprintf("name = \"b\"\nendpoints = { app = { type = \"read_write\"%s } }", line))
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(", suspend_timeout_seconds = -1")},
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "PATCH /api/v2/projects/{project_id}/endpoints/{endpoint_id}", Kind: "status",
					Status: http.StatusBadRequest, Count: 1})
			},
			Config: config(""), ExpectError: acctest.InOrder("Unable to update branch", "400"),
		},
		acctest.Planned(config(""), plancheck.ResourceActionUpdate,
			branchIs(knownvalue.Int64Exact(0), "endpoints", "app", "suspend_timeout_seconds")),
	)
}
