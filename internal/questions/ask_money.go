package questions

import (
	"net/http"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

var moneyQuestions = []Question{
	{
		Doubt: doubts.SpendingPlans, Asks: "GET of the spending limit on Free", Decided: "403", Plans: onFree,
		NoProject: true,
		ask: func(a *asker) string {
			return a.status(http.MethodGet, "/organizations/{o}/billing/spending_limit", nil)
		},
	},
	{
		Doubt: doubts.PreloadLibraries, Asks: "the libraries that a project of the default version can load at the start",
		Decided: "anon, lakebase_text, lakebase_vector, pg_cron, pg_mooncake, pg_partman_bgw, pgx_ulid, " +
			"rag_bge_small_en_v15,rag_jina_reranker_v1_tiny_en, timescaledb",
		ask: func(a *asker) string {
			names := a.get("/projects/{p}/available_preload_libraries").texts("libraries", "library_name")
			slices.Sort(names)
			return listed(names...)
		},
	},
}

var operationQuestions = []Question{
	{
		Doubt: doubts.Conflicts, Asks: "POST of a role on a branch, while one is made on another", Decided: "423",
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
		Doubt: doubts.BranchCursor, Asks: "the second page of branches by name, after the first one's last branch was " +
			"deleted, and one before it was added", Decided: "c, d",
		ask: func(a *asker) string {
			add := func(name string) reply { return a.newBranch(object{"name": NamePrefix + "page-" + name}) }
			add("a")
			last := add("b")
			add("c")
			add("d")
			path := branches + "?sort_by=name&sort_order=asc&search=" + NamePrefix + "page-&limit="
			page := a.get(path + "2")
			a.must(http.MethodDelete, branches+"/"+last.text("branch", "id"), nil)
			add("aa")
			next := a.get(path+"10&cursor="+page.text("pagination", "next")).texts("branches", "name")
			return strings.ReplaceAll(listed(next...), NamePrefix+"page-", "")
		},
	},
}
