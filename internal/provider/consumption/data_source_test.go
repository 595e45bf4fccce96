package consumption_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// block asks for the time from some days ago to the end of today.
func block(w *acctest.World, granularity string, from time.Time, lines ...string) string {
	now := time.Now().UTC()
	return acctest.DataBlock("consumption", fmt.Sprintf("org_id = %q\ngranularity = %q\nfrom = %q\nto = %q\n%s\n", w.OrgID,
		granularity,
		from.Format(time.RFC3339), now.AddDate(0, 0, 1).Format(time.RFC3339), strings.Join(lines, "\n")))
}

func in(w *acctest.World) string { return fmt.Sprintf("project_ids = [%q]", w.ProjectID) }

func daysAgo(days int) time.Time { return time.Now().UTC().AddDate(0, 0, -days) }

func TestAccConsumptionData(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.MakeProjects(t, "more", 120)
	w.Advance(t, 24*time.Hour)
	today := time.Now().UTC().Truncate(24 * time.Hour)
	day := func(metrics map[string]knownvalue.Check, branch knownvalue.Check) knownvalue.Check {
		return knownvalue.ObjectPartial(map[string]knownvalue.Check{
			"project_id": knownvalue.StringExact(w.ProjectID), "branch_id": branch,
			"start":   knownvalue.StringExact(today.Format(time.RFC3339)),
			"end":     knownvalue.StringExact(today.AddDate(0, 0, 1).Format(time.RFC3339)),
			"metrics": knownvalue.MapPartial(metrics), "period_id": knownvalue.NotNull(),
			"period_plan":  acctest.Matches("^scale"),
			"period_start": knownvalue.NotNull(),
		})
	}
	whole := knownvalue.NotNull()
	acctest.RunSteps(t, w,
		resource.TestStep{
			Config: w.ProviderConfig() + block(w, "daily", today, in(w),
				`metrics = ["compute_unit_seconds", "extra_branches_month"]`),
			ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("consumption",
				knownvalue.ListPartial(map[int]knownvalue.Check{
					0: day(map[string]knownvalue.Check{"compute_unit_seconds": whole, "extra_branches_month": whole},
						knownvalue.Null()),
				}), "consumption")},
		},
		// All metrics, of a branch.
		resource.TestStep{
			Config: w.ProviderConfig() + block(w, "daily", today, in(w), "by_branch = true"),
			ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("consumption",
				knownvalue.ListPartial(map[int]knownvalue.Check{
					0: day(map[string]knownvalue.Check{
						"compute_unit_seconds": whole, "root_branch_bytes_month": whole, "child_branch_bytes_month": whole,
						"instant_restore_bytes_month":   whole,
						"public_network_transfer_bytes": whole,
					}, acctest.Matches("^br-")),
				}), "consumption")},
		},
		// Of all projects, on two pages.
		resource.TestStep{
			PreConfig: func() { w.ForgetRequests(t) },
			Config:    w.ProviderConfig() + block(w, "daily", today, `metrics = ["compute_unit_seconds"]`),
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.DataIs("consumption", knownvalue.ListPartial(map[int]knownvalue.Check{120: knownvalue.NotNull()}),
					"consumption"),
			},
		},
	)
}

// Values and periods are Neon's. A metric that it leaves out wasn't used.
func TestAccConsumptionData_values(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddFault(t, acctest.Fault{
		Route: "GET /api/v2/consumption_history/v2/projects", Kind: "status", Status: http.StatusOK,
		Body: `{"projects":[{"project_id":"one-two-12345678","periods":[{"period_id":"019c-1","period_plan":"launch","period_start":"2026-02-02T18:04:52Z",
			"consumption":[{"timeframe_start":"2026-02-03T00:00:00Z","timeframe_end":"2026-02-04T00:00:00Z",
				"metrics":[{"metric_name":"compute_unit_seconds","value":27}]}]}]}]}`,
	})
	acctest.RunSteps(t, w, resource.TestStep{
		Config: w.ProviderConfig() + block(w, "daily", daysAgo(1),
			`metrics = ["compute_unit_seconds", "extra_branches_month"]`),
		ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("consumption", knownvalue.ListExact([]knownvalue.Check{
			knownvalue.ObjectExact(map[string]knownvalue.Check{
				"project_id": knownvalue.StringExact("one-two-12345678"), "branch_id": knownvalue.Null(),
				"start":     knownvalue.StringExact("2026-02-03T00:00:00Z"),
				"end":       knownvalue.StringExact("2026-02-04T00:00:00Z"),
				"metrics":   knownvalue.MapExact(map[string]knownvalue.Check{"compute_unit_seconds": knownvalue.Int64Exact(27)}),
				"period_id": knownvalue.StringExact("019c-1"), "period_plan": knownvalue.StringExact("launch"),
				"period_start": knownvalue.StringExact("2026-02-02T18:04:52Z"), "period_end": knownvalue.Null(),
			}),
		}), "consumption")},
	})
}

// What Neon keeps no longer, and what doesn't go together, is refused before anything is asked
// for; at the edge Neon agrees.
func TestAccConsumptionData_validation(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	now := time.Now().UTC()
	refuses := func(config, said string) acctest.Refusal {
		return acctest.Refusal{Config: config, Command: acctest.Plan, Want: acctest.InWords(said)}
	}
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"hourly":          refuses(block(w, "hourly", now.Add(-169*time.Hour)), "consumption of the last 168 hours"),
		"daily":           refuses(block(w, "daily", daysAgo(61)), "consumption of the last 60 days"),
		"monthly":         refuses(block(w, "monthly", now.AddDate(-1, -1, 0)), "consumption of the last year"),
		"granularity":     refuses(block(w, "yearly", now), "yearly"),
		"backwards":       refuses(block(w, "hourly", now.AddDate(0, 0, 2)), "isn't after from"),
		"branches of all": refuses(block(w, "hourly", now, "by_branch = true"), "by_branch = true needs project_ids"),
		"branch of whole": refuses(block(w, "hourly", now, `branch_ids = ["br-a"]`), "set by_branch = true"),
		"metric": refuses(block(w, "hourly", now, in(w), "by_branch = true", `metrics = ["extra_branches_month"]`),
			"for whole projects only"),
		"no moment": refuses(strings.Replace(block(w, "hourly", now), now.Format(time.RFC3339), "yesterday", 1),
			"moment in RFC 3339"),
	})
	if sent := w.Requests(t).Total; sent != 0 {
		t.Errorf("%d requests were sent", sent)
	}
	acctest.RunSteps(t, w,
		resource.TestStep{Config: w.ProviderConfig() + block(w, "hourly", now.Add(-168*time.Hour))},
		resource.TestStep{Config: w.ProviderConfig() + block(w, "daily", daysAgo(60))},
		resource.TestStep{Config: w.ProviderConfig() + block(w, "monthly", now.AddDate(-1, 0, 0))},
	)
}

func TestAccConsumptionData_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{Plan: emulator.PlanFree})
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfig() + block(w, "daily", daysAgo(1)), Command: acctest.Plan,
		Want: acctest.InOrder("Unable to read consumption", "403"),
	})
	w.AddFault(t, acctest.Fault{
		Route: "GET /api/v2/consumption_history/v2/projects", Kind: "status", Status: http.StatusNotAcceptable,
		Body: `{"code":"","message":"no such range"}`, Count: 1,
	})
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfig() + block(w, "daily", daysAgo(1)), Command: acctest.Plan,
		Want: acctest.InOrder("Unable to read consumption", "406", "no such range"),
	})
}

// A time that is known only after apply is read then, and what is known is checked before.
func TestAccTerraform_consumptionOfAnUnknownTime(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	later := func(granularity string) string {
		return strings.Replace(block(w, granularity, daysAgo(1)), fmt.Sprintf("from = %q", daysAgo(1).Format(time.RFC3339)),
			`from = timeadd(terraform_data.now.output, "-48h")`, 1) +
			"resource \"terraform_data\" \"now\" {\n input = timestamp()\n}\n"
	}
	r := acctest.NewRun(t, w, later("daily"))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, later("weekly"))
	if said := r.Fails(t, "plan"); !strings.Contains(acctest.InOneLine(said), `"weekly"`) {
		t.Errorf("said is %s", said)
	}
}

// Before 1.10, Terraform validates plantimestamp() as the beginning of year 1, and plans the real moment.
func TestConsumptionData_validatesAnyPlantimestamp(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for from, isRefused := range map[string]bool{
		"0001-01-01T00:00:00Z": false, "0000-12-25T00:00:00Z": false, "2020-01-01T00:00:00Z": true,
	} {
		kind := p.Schema.DataSourceSchemas["neon_consumption"].ValueType()
		config := acctest.Dynamic(t, kind, acctest.Object(kind, acctest.Texts(map[string]string{
			"granularity": "daily", "from": from, "to": time.Now().UTC().Format(time.RFC3339),
		})))
		said, err := p.ValidateDataResourceConfig(t.Context(),
			&tfprotov6.ValidateDataResourceConfigRequest{TypeName: "neon_consumption", Config: config})
		if err != nil || (len(said.Diagnostics) > 0) != isRefused {
			t.Errorf("%s: %v %v, refused should be %t", from, said.Diagnostics, err, isRefused)
		}
	}
}
