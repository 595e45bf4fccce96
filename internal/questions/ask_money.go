package questions

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// consumption is the path of what the shared project has used in the hours since a moment.
func (a *asker) consumption(since time.Time, metric string) string {
	return fmt.Sprintf("/consumption_history/v2/projects?org_id=%s&project_ids=%s&from=%s&to=%s&granularity=hourly&metrics=%s",
		a.org, a.fill("{p}"), since.UTC().Format(time.RFC3339), a.ago(-time.Hour), metric)
}

// today is the path of what it has used in the last hours.
func (a *asker) today() string { return a.consumption(a.config.Now().Add(-2*time.Hour), usedMetric) }

const usedMetric = "compute_unit_seconds"

var moneyQuestions = []Question{
	{
		Key: "spending-plans", Asks: "GET of the spending limit on Free", Decided: "403", Plans: onFree, NoProject: true,
		ask: func(a *asker) string {
			return a.status(http.MethodGet, "/organizations/{o}/billing/spending_limit", nil)
		},
	},
	{
		Key: "consumption-periods", Asks: "plan and start of the period of a project's consumption", Decided: "the plan's name, from a moment", Plans: onPaid,
		ask: func(a *asker) string {
			period := reply{body: a.must(http.MethodGet, a.today(), nil).at("projects", 0, "periods", 0)}
			name, start := period.text("period_plan"), period.text("period_start")
			if _, err := time.Parse(time.RFC3339, start); err == nil && name == a.plan && !strings.HasSuffix(start, "-01T00:00:00Z") {
				return "the plan's name, from a moment"
			}
			return name + ", from " + start
		},
	},
	{
		Key: "consumption-window", Asks: "hourly consumption from the start of the hour 168 hours ago, and from two hours before it", Decided: "200, 406", Plans: onPaid,
		ask: func(a *asker) string {
			oldest := a.config.Now().Add(-168 * time.Hour).Truncate(time.Hour)
			return a.statuses(request{method: http.MethodGet, path: a.consumption(oldest, usedMetric)},
				request{method: http.MethodGet, path: a.consumption(oldest.Add(-2*time.Hour), usedMetric)})
		},
	},
	{
		Key: "consumption-parameters", Asks: "consumption of a metric that isn't there, and without an organization", Decided: "400, 400", Plans: onPaid,
		ask: func(a *asker) string {
			return a.statuses(request{method: http.MethodGet, path: a.consumption(a.config.Now(), "ask")},
				request{method: http.MethodGet, path: strings.Replace(a.today(), "org_id="+a.org+"&", "", 1)})
		},
	},
	{
		Key: "consumption-project-keys", Asks: "consumption with a key for the project", Decided: "404", Plans: onPaid,
		ask: func(a *asker) string { return a.newKey("{p}").status(http.MethodGet, a.today(), nil) },
	},
	{
		Key: "preload-libraries", Asks: "the libraries that a project of the default version can load at the start",
		Decided: "anon, lakebase_text, lakebase_vector, pg_cron, pg_mooncake, pg_partman_bgw, pgx_ulid, rag_bge_small_en_v15,rag_jina_reranker_v1_tiny_en, timescaledb",
		ask: func(a *asker) string {
			names := a.must(http.MethodGet, "/projects/{p}/available_preload_libraries", nil).texts("libraries", "library_name")
			slices.Sort(names)
			return listed(names...)
		},
	},
}

var operationQuestions = []Question{
	{
		Key: "conflicts", Asks: "POST of a role on a branch, while one is made on another", Decided: "423",
		ask: func(a *asker) string {
			first, second := a.onNewBranch(object{}), a.onNewBranch(object{})
			busy := a.now(http.MethodPost, first+"/roles", role("a_role"))
			other := a.now(http.MethodPost, second+"/roles", role("a_role"))
			a.settle(busy)
			a.settle(other)
			return other.verdict()
		},
	},
	{
		Key: "deleted-compute-operations", Asks: "operations in the answer to the DELETE of a branch with two computes, by their states",
		Decided: "suspend_compute running, suspend_compute running, delete_timeline scheduling", Computes: 2, Seconds: 20,
		ask: func(a *asker) string {
			path := a.onNewBranch(object{}, object{"type": readWrite}, object{"type": "read_only"})
			deleted := a.must(http.MethodDelete, path, nil)
			states := deleted.texts("operations", "status")
			for i, action := range deleted.texts("operations", "action") {
				states[i] = action + " " + states[i]
			}
			return listed(states...)
		},
	},
	{
		Key: "branch-cursor", Asks: "the second page of branches by name, after the first one's last branch was deleted, and one before it was added", Decided: "c, d",
		ask: func(a *asker) string {
			add := func(name string) reply { return a.newBranch(object{"name": NamePrefix + "page-" + name}) }
			add("a")
			last := add("b")
			add("c")
			add("d")
			path := branches + "?sort_by=name&sort_order=asc&search=" + NamePrefix + "page-&limit="
			page := a.must(http.MethodGet, path+"2", nil)
			a.must(http.MethodDelete, branches+"/"+last.text("branch", "id"), nil)
			add("aa")
			next := a.must(http.MethodGet, path+"10&cursor="+page.text("pagination", "next"), nil).texts("branches", "name")
			return strings.ReplaceAll(listed(next...), NamePrefix+"page-", "")
		},
	},
}

// newUUID is the id of a claimable database.
func newUUID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // It never fails.
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

var claimableQuestions = []Question{
	{
		Key: "claimable-taken", Asks: "POST of a claimable database with an id that is taken; what was made expires in 72 hours", Decided: "409", NoProject: true,
		ask: func(a *asker) string {
			path := claimRoot + "/database/" + newUUID() + "?referrer=" + NamePrefix
			a.must(http.MethodPost, path, object{})
			return a.status(http.MethodPost, path, object{})
		},
	},
	{
		Key: "claimable-null-ref", Asks: "POST of a claimable database with ref null", Decided: "400", NoProject: true,
		ask: func(a *asker) string { return a.status(http.MethodPost, claimRoot+"/database", object{"ref": nil}) },
	},
	{
		Key: "claimable-project", Asks: "GET of a claimable database's project; what was made expires in 72 hours", Decided: "404", NoProject: true,
		ask: func(a *asker) string {
			made := a.must(http.MethodPost, claimRoot+"/database", object{"ref": NamePrefix})
			return a.status(http.MethodGet, "/projects/"+made.text("neon_project_id"), nil)
		},
	},
}
