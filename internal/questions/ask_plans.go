package questions

import (
	"net/http"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

// suspendAfter is the body that sets a compute's suspend timeout.
func suspendAfter(seconds int) object {
	return object{"endpoint": object{"suspend_timeout_seconds": seconds}}
}

// scalesBetween is the body that sets the limits of a compute.
func scalesBetween(least, most float64) object {
	return object{"endpoint": object{"autoscaling_limit_min_cu": least, "autoscaling_limit_max_cu": most}}
}

var planQuestions = []Question{
	{
		Doubt: doubts.ComputeSizes, Asks: "PATCH of a compute to 0.75, and to from 0.25 to 10 compute units",
		Decided: "400, 400", Plans: onPaid, Computes: 1, Seconds: 10,
		ask: func(a *asker) string {
			return a.onOwnCompute(request{http.MethodPatch, "", scalesBetween(0.75, 0.75)},
				request{http.MethodPatch, "", scalesBetween(0.25, 10)})
		},
	},
	{
		Doubt: doubts.ComputeSizesByDefault, Asks: "compute units of a new project's compute", Decided: "0.25 to 0.25",
		Plans: onPaid, Computes: 1, Seconds: 5,
		ask: func(a *asker) string {
			made := a.newProject(object{})
			return made.text("endpoints", 0, "autoscaling_limit_min_cu") + " to " +
				made.text("endpoints", 0, "autoscaling_limit_max_cu")
		},
	},
}

// onOwnCompute sends requests about a compute of a new branch.
func (a *asker) onOwnCompute(requests ...request) string {
	made := a.newBranch(object{}, object{"type": "read_write"})
	for i := range requests {
		requests[i].path = "/projects/{p}/endpoints/" + made.text("endpoints", 0, "id") + requests[i].path
	}
	return a.statuses(requests...)
}

// from is the body of a restore from a branch.
func (a *asker) from(branch string, more object) object {
	more["source_branch_id"] = branch
	return more
}
