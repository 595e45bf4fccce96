package client

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// filteredBranches and filteredEndpoints are a project's by Neon's clock of the last day of June 2026.
const (
	filteredBranches = `{"id":"broken","name":"preview-broken","created_at":7},` +
		`{"id":"young","name":"preview-young","created_at":"2026-06-29T00:00:00Z","parent_id":"main"},` +
		`{"id":"reset","name":"preview-reset","created_at":"2026-06-01T00:00:00Z","parent_id":"main","last_reset_at":"2026-06-28T00:00:00Z"},` +
		`{"id":"used","name":"preview-used","created_at":"2026-06-01T00:00:00Z","parent_id":"main"},` +
		`{"id":"running","name":"preview-running","created_at":"2026-06-01T00:00:00Z","parent_id":"main"},` +
		`{"id":"new compute","name":"preview-new","created_at":"2026-06-01T00:00:00Z","parent_id":"main"},` +
		`{"id":"mother","name":"preview-mother","created_at":"2026-06-01T00:00:00Z","parent_id":"main"},` +
		`{"id":"child","name":"Preview","created_at":"2026-06-02T00:00:00Z","parent_id":"mother"},` +
		`{"id":"main","name":"main","created_at":"2026-01-01T00:00:00Z"}`
	filteredEndpoints = `{"id":"1","branch_id":"used","current_state":"idle","created_at":"2026-06-01T00:00:00Z","last_active":"2026-06-28T00:00:00Z"},` +
		`{"id":"2","branch_id":"running","current_state":"active","created_at":"2026-06-01T00:00:00Z"},` +
		`{"id":"3","branch_id":"new compute","current_state":"idle","created_at":"2026-06-28T00:00:00Z"},` +
		`{"id":"4","branch_id":"main","current_state":"idle","created_at":"2026-01-01T00:00:00Z","last_active":"2026-06-20T00:00:00Z"}`
)

// A filter passes what it says by Neon's clock, and asks for no more than it goes by. What can't be decoded is an error
// of its own.
func TestFilteredBranches(t *testing.T) {
	const day = 24 * time.Hour
	for name, test := range map[string]struct {
		query  BranchQuery
		filter BranchFilter
		want   string
		// lists are those that it takes: b of branches, s of those that a search finds, e of endpoints.
		lists string
	}{
		"any":                   {want: "broken! young reset used running new compute mother child main", lists: "b"},
		"by name":               {filter: BranchFilter{NamePrefix: "preview-"}, want: "broken! young reset used running new compute mother", lists: "b"},
		"by age":                {filter: BranchFilter{OlderThan: 29 * day}, want: "broken! reset used running new compute mother main", lists: "b"},
		"idle":                  {filter: BranchFilter{IdleFor: 2*day + 1}, want: "broken! mother child main", lists: "be"},
		"idle for so long":      {filter: BranchFilter{IdleFor: 2 * day}, want: "broken! reset used new compute mother child main", lists: "be"},
		"idle for longer":       {filter: BranchFilter{IdleFor: 11 * day}, want: "broken! mother child", lists: "be"},
		"without children":      {filter: BranchFilter{WithoutChildren: true}, want: "!", lists: "b"},
		"found, with no child":  {query: BranchQuery{Search: "x"}, filter: BranchFilter{WithoutChildren: true}, want: "!", lists: "b"},
		"found":                 {query: BranchQuery{Search: "x"}, want: "mother child", lists: "s"},
		"old, and of that name": {filter: BranchFilter{NamePrefix: "preview-", OlderThan: 29 * day, IdleFor: 11 * day}, want: "broken! mother", lists: "be"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // Ours is in the year 2000.
				got, lists := filtered(t, filteredBranches, test.query, test.filter)
				equal(t, "branches", strings.Join(names(got), " "), test.want)
				equal(t, "lists", lists, test.lists)
			})
		})
	}
	_, readable, _ := strings.Cut(filteredBranches, ",{")
	for name, test := range map[string]struct {
		query  BranchQuery
		filter BranchFilter
		want   string
		lists  string
	}{
		"without children":      {filter: BranchFilter{WithoutChildren: true}, want: "young reset used running new compute child", lists: "b"},
		"found, with no child":  {query: BranchQuery{Search: "x"}, filter: BranchFilter{WithoutChildren: true}, want: "child", lists: "bs"},
		"found, with their use": {query: BranchQuery{Search: "x"}, filter: BranchFilter{WithUse: true}, want: "mother child", lists: "bes"},
	} {
		t.Run("readable, "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, lists := filtered(t, "{"+readable, test.query, test.filter)
				equal(t, "branches", strings.Join(names(got), " "), test.want)
				equal(t, "lists", lists, test.lists)
			})
		})
	}
}

// What is asked for with its use has its endpoints and one of its children.
func TestFilteredBranches_use(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, readable, _ := strings.Cut(filteredBranches, ",{")
		got, _ := filtered(t, "{"+readable, BranchQuery{}, BranchFilter{WithUse: true})
		endpoints, children := map[string]string{}, map[string]string{}
		for _, found := range got {
			if len(found.Endpoints) > 0 {
				endpoints[found.ID] = found.Endpoints[0].ID
			}
			if found.Child != nil {
				children[found.ID] = found.Child.ID
			}
		}
		equal(t, "endpoints", len(endpoints), 4)
		equal(t, "an endpoint", endpoints["running"], "2")
		equal(t, "parents", len(children), 2)
		equal(t, "a child", children["mother"], "child")
	})
}

// Where the endpoints can't be listed, no branch passes.
func TestFilteredBranches_unread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if strings.HasSuffix(request.URL.Path, "/endpoints") {
				return respond(request, 403, `{"message":"no"}`), nil
			}
			return respond(request, 200, `{"branches":[{"id":"b"}]}`), nil
		}))
		var errs []error
		for branch, err := range api.ListFilteredBranches(t.Context(), "p", BranchQuery{}, BranchFilter{IdleFor: time.Hour}) {
			equal(t, "a branch", branch.ID, "")
			errs = append(errs, err)
		}
		if len(errs) != 1 || !HasStatus(errs[0], 403) {
			t.Errorf("got %v", errs)
		}
	})
}

// names are the ids, with a mark where the branch came with an error.
func names(found []FilteredBranch) (ids []string) {
	for _, branch := range found {
		ids = append(ids, branch.ID)
	}
	return ids
}

func filtered(
	t *testing.T, branches string, query BranchQuery, filter BranchFilter,
) (got []FilteredBranch, lists string) {
	t.Helper()
	var asked []string
	api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
		body := `{"branches":[` + branches + `]}`
		switch {
		case strings.HasSuffix(request.URL.Path, "/endpoints"):
			asked, body = append(asked, "e"), `{"endpoints":[`+filteredEndpoints+`]}`
		case request.URL.Query().Get("search") != "":
			_, found, _ := strings.Cut(branches, `{"id":"mother"`)
			found, _, _ = strings.Cut(found, `,{"id":"main"`)
			asked, body = append(asked, "s"), `{"branches":[{"id":"mother"`+found+`]}`
		default:
			asked = append(asked, "b")
		}
		return respond(request, 200, body, "Date", "Tue, 30 Jun 2026 00:00:00 GMT"), nil
	}))
	for branch, err := range api.ListFilteredBranches(t.Context(), "p", query, filter) {
		if err != nil {
			branch.ID += "!"
		}
		got = append(got, branch)
	}
	slices.Sort(asked)
	return got, strings.Join(asked, "")
}
