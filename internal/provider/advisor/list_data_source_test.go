package advisor_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

func block(w *acctest.World, lines string) string {
	return acctest.DataBlock("advisor_issues", fmt.Sprintf("project_id = %q\n%s", w.ProjectID, lines))
}

// Each setting narrows down what is found, and a key of the project is enough.
func TestAccAdvisorIssuesData(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	key, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(),
		client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "ci"))
	if err != nil {
		t.Fatal(err)
	}
	hasPage := knownvalue.ObjectPartial(map[string]knownvalue.Check{
		"remediation": knownvalue.StringRegexp(regexp.MustCompile("^https://")),
	})
	for name, test := range map[string]struct {
		lines string
		found int
	}{
		"all":                  {"", 2},
		"of a category":        {`category = "PERFORMANCE"`, 1},
		"of a level":           {`min_severity = "WARN"`, 1},
		"of both":              {"category = \"PERFORMANCE\"\nmin_severity = \"ERROR\"", 0},
		"of a named database":  {`database_name = "neondb"`, 2},
		"of the branch itself": {fmt.Sprintf("branch_id = %q", w.Emulator.FirstWorld().BranchID), 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunSteps(t, w, resource.TestStep{
				Config: w.ProviderConfigWith(key.Key) + block(w, test.lines),
				ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("advisor_issues", knownvalue.ListExact(
					slices.Repeat([]knownvalue.Check{hasPage}, test.found)), "issues")},
			})
		})
	}
}

// Each attribute is Neon's; what isn't said is null.
func TestAccAdvisorIssuesData_attributes(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddFault(t, acctest.Fault{
		Route: "GET /api/v2/projects/{project_id}/advisors", Kind: "status", Status: http.StatusOK,
		Body: `{"issues":[{"name":"n","title":"t","level":"WARN","facing":"EXTERNAL","categories":["SECURITY","PERFORMANCE"],"description":"d",
			"detail":"e","remediation":"https://neon.com/docs","metadata":{"schema":"public"},"cache_key":"k"},
			{"name":"m","title":"u","level":"INFO","categories":[],"cache_key":"l"}]}`,
	})
	text := knownvalue.StringExact
	acctest.RunSteps(t, w, resource.TestStep{
		Config: w.ProviderConfig() + block(w, ""),
		ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("advisor_issues", knownvalue.ListExact([]knownvalue.Check{
			knownvalue.ObjectExact(map[string]knownvalue.Check{
				"name": text("n"), "title": text("t"), "level": text("WARN"), "facing": text("EXTERNAL"),
				"categories":  knownvalue.ListExact([]knownvalue.Check{text("SECURITY"), text("PERFORMANCE")}),
				"description": text("d"), "detail": text("e"), "remediation": text("https://neon.com/docs"),
				"metadata": text(`{"schema":"public"}`), "cache_key": text("k"),
			}),
			knownvalue.ObjectPartial(map[string]knownvalue.Check{
				"facing": knownvalue.Null(), "categories": knownvalue.ListSizeExact(0), "detail": knownvalue.Null(),
				"metadata": knownvalue.Null(),
			}),
		}), "issues")},
	})
}

func TestAccAdvisorIssuesData_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"no such project": {
			Config: acctest.DataBlock("advisor_issues", `project_id = "none-such-12345678"`), Command: acctest.Plan,
			Want: acctest.InOrder("Unable to list the advisors' issues", "404"),
		},
		"no such database": {
			Config: block(w, `database_name = "none"`), Command: acctest.Plan,
			Want: acctest.InOrder("Unable to list the advisors' issues", "database not found"),
		},
		"another category": {Config: block(w, `category = "STYLE"`), Command: acctest.Plan, Want: acctest.InWords("SECURITY")},
		"another level":    {Config: block(w, `min_severity = "FATAL"`), Command: acctest.Plan, Want: acctest.InWords("WARN")},
	})
}
