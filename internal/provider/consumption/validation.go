package consumption

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// granularity is how finely Neon sums up consumption, and how long it keeps the sums (description of from and to in GET
// /consumption_history/v2/projects).
type granularity struct {
	kept  string
	start func(time.Time) time.Time // Start of the hour, day or month.
	// oldest returns the earliest start that Neon accepts, before rounding down.
	oldest func(now time.Time) time.Time
}

var granularities = map[string]granularity{
	"hourly": {
		"168 hours",
		func(at time.Time) time.Time { return at.Truncate(time.Hour) },
		func(now time.Time) time.Time { return now.Add(-168 * time.Hour) },
	},
	"daily": {
		"60 days",
		func(at time.Time) time.Time { return at.Truncate(24 * time.Hour) },
		func(now time.Time) time.Time { return now.AddDate(0, 0, -60) },
	},
	"monthly": {
		"year",
		func(at time.Time) time.Time { return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC) },
		func(now time.Time) time.Time { return now.AddDate(-1, 0, 0) },
	},
}

// validate refuses known values that Neon would refuse.
func validate(m model, diags *diag.Diagnostics) {
	from, to := kit.Instant(m.From), kit.Instant(m.To)
	kept, isKnown := granularities[m.Granularity.ValueString()]
	if from != nil && isKnown {
		kept.checkAge(*from, time.Now().UTC(), m.Granularity.ValueString(), diags)
	}
	if from != nil && to != nil && !to.After(*from) {
		diags.AddAttributeError(path.Root("to"), "Empty time range", fmt.Sprintf(
			"to is %s, which isn't after from, %s. Set a later to or an earlier from.", m.To.ValueString(),
			m.From.ValueString()))
	}
	byBranch := m.ByBranch.ValueBool()
	if byBranch && m.ProjectIDs.IsNull() {
		diags.AddAttributeError(path.Root("project_ids"), "Missing project_ids", "by_branch = true needs project_ids, the "+
			"projects of the branches.")
	}
	if !byBranch && !m.ByBranch.IsUnknown() && !m.BranchIDs.IsNull() {
		diags.AddAttributeError(path.Root("branch_ids"), "branch_ids without by_branch", "branch_ids selects among "+
			"branches: set by_branch = true, or remove branch_ids.")
	}
	checkMetrics(m, diags)
}

// checkAge refuses a start that is older than what Neon keeps.
func (g granularity) checkAge(from, now time.Time, name string, diags *diag.Diagnostics) {
	oldest := g.start(g.oldest(now))
	// Before 1.10, Terraform validates plantimestamp() as year 1: https://github.com/hashicorp/terraform/issues/35902.
	if from.Year() > 1 && g.start(from).Before(oldest) {
		diags.AddAttributeError(path.Root("from"), "from is too long ago", fmt.Sprintf(
			"from is %s. Neon keeps %s consumption of the last %s, which begins at %s. Choose a later from, or another "+
				"granularity.",
			from.Format(time.RFC3339), name, g.kept, oldest.Format(time.RFC3339)))
	}
}

// checkMetrics refuses metrics that Neon counts only for whole projects.
func checkMetrics(m model, diags *diag.Diagnostics) {
	if !m.ByBranch.ValueBool() {
		return
	}
	for _, metric := range kit.Texts(m.Metrics.Elements()) {
		if slices.Contains(ofProjectsAlone, metric) {
			diags.AddAttributeError(path.Root("metrics"), "Not a metric of branches", "Neon counts "+metric+
				" for whole projects only: remove it from metrics, or remove by_branch.")
		}
	}
}
