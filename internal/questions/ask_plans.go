package questions

import (
	"net/http"
	"slices"
	"strings"
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
		Key: "plan-names", Asks: "plan of the organization, and subscription_type of a project's owner", Decided: "free, launch or scale, and the same with _v3",
		ask: func(a *asker) string {
			subscription := a.must(http.MethodGet, "/projects/{p}", nil).text("project", "owner", "subscription_type")
			if slices.Contains([]string{free, launch, scale}, a.plan) && subscription == a.plan+"_v3" {
				return "free, launch or scale, and the same with _v3"
			}
			return a.plan + ", and " + subscription
		},
	},
	{
		Key: "protected-limit", Asks: "PATCH of a branch on Free, to be protected", Decided: "422 BRANCHES_PROTECTED_LIMIT_EXCEEDED", Plans: onFree,
		ask: func(a *asker) string {
			return a.coded(http.MethodPatch, a.onNewBranch(object{}), object{"branch": object{"protected": true}})
		},
	},
	{
		Key: "limit-by-the-way", Asks: "a restore that keeps a backup, in a project that has all the branches of its plan", Plans: onFree,
		Decided: "422 BRANCHES_LIMIT_EXCEEDED",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{})
			for range 9 {
				if r := a.send(http.MethodPost, "/projects/{p}/branches", object{"branch": object{"name": a.newName()}}); r.status >= 300 {
					return a.coded(http.MethodPost, path+"/restore", a.from(a.branch, object{"preserve_under_name": a.newName()}))
				}
			}
			return "10 branches and more"
		},
	},
	{
		Key: "free-suspend-timeout", Asks: "PATCH of a compute on Free with a suspend timeout of 0, and of 300", Decided: "412, 412", Plans: onFree,
		ask: func(a *asker) string {
			return a.statuses(request{http.MethodPatch, "/projects/{p}/endpoints/{e}", suspendAfter(0)},
				request{http.MethodPatch, "/projects/{p}/endpoints/{e}", suspendAfter(300)})
		},
	},
	{
		Key: "launch-suspend-timeout", Asks: "PATCH of a compute on Launch with a suspend timeout of 600", Decided: "412", Plans: []string{launch},
		ask: func(a *asker) string {
			return a.status(http.MethodPatch, "/projects/{p}/endpoints/{e}", suspendAfter(600))
		},
	},
	{
		Key: "compute-too-large", Asks: "PATCH of a compute on Free to 4 compute units", Decided: "412", Plans: onFree, Seconds: 5,
		ask: func(a *asker) string {
			return a.onOwnCompute(request{http.MethodPatch, "", scalesBetween(4, 4)})
		},
	},
	{
		Key: "compute-sizes", Asks: "PATCH of a compute to 0.75, and to from 0.25 to 10 compute units", Decided: "400, 400", Plans: onPaid, Computes: 1, Seconds: 10,
		ask: func(a *asker) string {
			return a.onOwnCompute(request{http.MethodPatch, "", scalesBetween(0.75, 0.75)}, request{http.MethodPatch, "", scalesBetween(0.25, 10)})
		},
	},
	{
		Key: "compute-sizes-by-default", Asks: "compute units of a new project's compute", Decided: "0.25 to 0.25", Plans: onPaid, Computes: 1, Seconds: 5,
		ask: func(a *asker) string {
			made := a.newProject(object{})
			return made.text("endpoints", 0, "autoscaling_limit_min_cu") + " to " + made.text("endpoints", 0, "autoscaling_limit_max_cu")
		},
	},
	{
		Key: "free-maintenance", Asks: "PATCH of a project on Free with a maintenance window", Decided: "400", Plans: onFree,
		ask: func(a *asker) string {
			return a.status(http.MethodPatch, "/projects/{p}",
				settings(object{"maintenance_window": object{"weekdays": []int{1}, "start_time": "01:00", "end_time": "02:00"}}))
		},
	},
	{
		Key: "plan-hipaa", Asks: "POST of a project with HIPAA on Free or Launch", Decided: "400", Plans: []string{free, launch}, Computes: 1, Seconds: 5,
		ask: func(a *asker) string {
			return a.status(http.MethodPost, "/projects", project(object{"name": a.newName(), "org_id": a.org, "settings": object{"hipaa": true}}))
		},
	},
	{
		Key: "plan-network-settings", Asks: "PATCH of a project on Free or Launch with allowed_ips, block_public_connections, block_vpc_connections, audit_log_level",
		Decided: "400, 400, 400, 400", Plans: []string{free, launch}, Computes: 1, Seconds: 20,
		ask: func(a *asker) string {
			path := "/projects/" + a.newProject(object{}).text("project", "id")
			return a.statuses(request{http.MethodPatch, path, settings(object{"allowed_ips": object{"ips": []string{"192.0.2.1"}}})},
				request{http.MethodPatch, path, settings(object{"block_public_connections": true})},
				request{http.MethodPatch, path, settings(object{"block_vpc_connections": true})},
				request{http.MethodPatch, path, settings(object{"audit_log_level": "base"})})
		},
	},
	{
		Key: "quota", Asks: "settings.quota of a project, after a PATCH", Decided: "kept",
		ask: func(a *asker) string {
			a.must(http.MethodPatch, "/projects/{p}", settings(object{"quota": object{"active_time_seconds": 100000}}))
			kept := a.must(http.MethodGet, "/projects/{p}", nil).text("project", "settings", "quota", "active_time_seconds")
			a.must(http.MethodPatch, "/projects/{p}", settings(object{"quota": object{"active_time_seconds": 0}}))
			return strings.Replace("active_time_seconds "+kept, "active_time_seconds 100000", "kept", 1)
		},
	},
	{
		Key: "first-branch-is-root", Asks: "the third schema-only branch of a project on Free", Decided: "422 ROOT_BRANCHES_LIMIT_EXCEEDED", Plans: onFree,
		ask: func(a *asker) string {
			for range 2 {
				a.newBranch(object{"init_source": "schema-only"})
			}
			return a.coded(http.MethodPost, "/projects/{p}/branches", object{"branch": object{"init_source": "schema-only", "name": a.newName()}})
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
