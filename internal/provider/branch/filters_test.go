package branch_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What was used last and the endpoints of the result are told by one list of the endpoints.
func TestBranchFilters_endpointsOnce(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := w.MakeBranch(t, "preview/old")
	endpoint := w.MakeEndpoint(t, branch.ID, client.EndpointReadWrite)
	w.Advance(t, 48*time.Hour)
	const route = "GET /api/v2/projects/{project_id}/endpoints"
	p := acctest.NewProtocol(t, w.World)
	before := w.Requests(t).ByRoute[route]
	given := acctest.Texts(map[string]string{"project_id": w.ProjectID, "idle_for": "1d", "name_prefix": "preview/"})
	listed := p.List(t, "neon_branch", acctest.Query{Config: given, Limit: 100, IncludeResource: true})
	if len(listed) != 1 || listed[0].Problem != "" || !strings.Contains(string(listed[0].State.MsgPack), endpoint.ID) {
		t.Errorf("listed: %v", listed)
	}
	if sent := w.Requests(t).ByRoute[route] - before; sent != 1 {
		t.Errorf("%d lists of endpoints were sent", sent)
	}
}

// Each filter of terraform query and of the data source lists what it says, by Neon's clock, which is far ahead of ours
// here.
func TestBranchFilters(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	w.MakeChild(t, "preview/child", w.MakeBranch(t, "preview/parent").ID)
	used := w.MakeBranch(t, "preview/used")
	endpoint := w.MakeEndpoint(t, used.ID, client.EndpointReadWrite)
	w.Advance(t, 10*24*time.Hour)
	operations, err := client.OperationsOf(w.API.StartEndpoint(t.Context(),
		client.EndpointRef{ProjectID: w.ProjectID, ID: endpoint.ID}))
	w.Settle(t, operations, err)
	w.MakeBranch(t, "preview/new")
	w.Advance(t, 36*time.Hour)
	for name, test := range map[string]struct {
		filter map[string]tftypes.Value
		want   []string
	}{
		"none":             {nil, []string{"main", "preview/parent", "preview/child", "preview/used", "preview/new"}},
		"older_than":       {acctest.Texts(map[string]string{"older_than": "11d"}), []string{"main", "preview/parent", "preview/child", "preview/used"}},
		"older_than, less": {acctest.Texts(map[string]string{"older_than": "36h"}), []string{"main", "preview/parent", "preview/child", "preview/used", "preview/new"}},
		"older_than, none": {acctest.Texts(map[string]string{"older_than": "12d"}), nil},
		"idle_for":         {acctest.Texts(map[string]string{"idle_for": "2d", "name_prefix": "preview/"}), []string{"preview/parent", "preview/child"}},
		"idle_for, less":   {acctest.Texts(map[string]string{"idle_for": "60m", "name_prefix": "preview/u"}), []string{"preview/used"}},
		"name_prefix":      {acctest.Texts(map[string]string{"name_prefix": "preview/p"}), []string{"preview/parent"}},
		"without_children": {
			map[string]tftypes.Value{"without_children": tftypes.NewValue(tftypes.Bool, true)},
			[]string{"preview/child", "preview/used", "preview/new"},
		},
		"without_children, searched for": {
			map[string]tftypes.Value{"without_children": tftypes.NewValue(tftypes.Bool, true),
				"search": acctest.Text("parent")}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given := map[string]tftypes.Value{"project_id": acctest.Text(w.ProjectID)}
			maps.Copy(given, test.filter)
			p := acctest.NewProtocol(t, w.World)
			var names, ids []string
			for _, listed := range p.List(t, "neon_branch", acctest.Query{Config: given, Limit: 100}) {
				names, ids = append(names, listed.DisplayName), append(ids, listed.Identity["id"])
			}
			slices.Sort(names)
			slices.Sort(test.want)
			if !slices.Equal(names, test.want) {
				t.Errorf("terraform query lists %v, want %v", names, test.want)
			}
			read := p.ReadIDs(t, "neon_branches", "branches", given)
			slices.Sort(ids)
			slices.Sort(read)
			if !slices.Equal(read, ids) {
				t.Errorf("the data source lists %v, and the query %v", read, ids)
			}
		})
	}
}

// However many branches there are, filters take one list of each kind.
func TestBranchFilters_ofAThousand(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{BranchPage: 10_000})
	var made struct {
		Project struct {
			ID string `json:"id"`
		} `json:"project"`
	}
	w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": "many", "branches": 1000,
		"endpoints_per_branch": 1}, &made)
	w.Advance(t, 40*24*time.Hour)
	w.ForgetRequests(t)
	given := acctest.Texts(map[string]string{"project_id": made.Project.ID, "older_than": "30d", "idle_for": "7d"})
	given["without_children"] = tftypes.NewValue(tftypes.Bool, true)
	began := time.Now()
	read := acctest.NewProtocol(t, w).ReadIDs(t, "neon_branches", "branches", given)
	if requests := w.Requests(t); len(read) < 999 || requests.Total > 3 {
		t.Errorf("%d branches take the requests %v", len(read), requests.ByRoute)
	}
	t.Logf("%d branches, %d requests, %s", len(read), w.Requests(t).Total, time.Since(began))
}
