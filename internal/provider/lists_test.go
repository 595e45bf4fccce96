package provider_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// notListed are the resources that Neon has no list of.
var notListed = []string{"neon_claimable_database"}

// Every resource that can be listed is: with its identity, its name, and with the same
// state as an import and a read of it give.
func TestLists(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	p := acctest.NewProtocol(t, w.World)
	inProject := map[string]string{"project_id": w.ProjectID}
	w.MakeBranch(t, "b")
	tests := map[string]struct {
		config map[string]string
		// names are the display names, in the order of the list.
		names []string
	}{
		"neon_branch": {inProject, []string{"b", "main"}},
	}
	for resourceType, test := range tests {
		t.Run(resourceType, func(t *testing.T) {
			t.Parallel()
			bare := p.List(t, resourceType, acctest.Query{Config: acctest.Texts(test.config)})
			full := p.List(t, resourceType, acctest.Query{Config: acctest.Texts(test.config), IncludeResource: true})
			if first := p.List(t, resourceType, acctest.Query{Config: acctest.Texts(test.config), Limit: 1}); len(first) != 1 {
				t.Errorf("a list of at most 1 has %d", len(first))
			}
			if len(bare) != len(test.names) || len(full) != len(test.names) {
				t.Fatalf("listed are %v, and with resources %v; want %q", bare, full, test.names)
			}
			for i, name := range test.names {
				if bare[i].DisplayName != name || full[i].DisplayName != name || bare[i].State != nil || !maps.Equal(bare[i].Identity, full[i].Identity) {
					t.Errorf("listed is %v, with its resource %v; want %q", bare[i], full[i], name)
				}
				checkListed(t, p, resourceType, full[i])
			}
		})
	}
	lists := slices.Sorted(maps.Keys(p.Schema.ListResourceSchemas))
	if tried := slices.Sorted(maps.Keys(tests)); !slices.Equal(tried, lists) {
		t.Errorf("tried out are the lists of %q, served %q", tried, lists)
	}
}

// checkListed compares a listed state with that of an import.
func checkListed(t *testing.T, p acctest.Protocol, resourceType string, listed acctest.ListedResource) {
	t.Helper()
	kind := p.Schema.ResourceSchemas[resourceType].ValueType()
	imported, err := p.Imported(t, resourceType, listed.Identity).NewState.Unmarshal(kind)
	if err != nil {
		t.Fatal(err)
	}
	state, err := listed.State.Unmarshal(kind)
	if err != nil {
		t.Fatal(err)
	}
	differences, err := state.Diff(imported)
	if err != nil || len(differences) > 0 || listed.Problem != "" {
		t.Errorf("listed with another state than imported: %v %v %s", differences, err, listed.Problem)
	}
}

// A thousand branches take ten pages, and one list of their endpoints once many are read.
func TestLists_requests(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	var made struct {
		ProjectIDs []string `json:"project_ids"`
	}
	w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": "large", "branches": 999}, &made)
	p := acctest.NewProtocol(t, w)
	list := func(query acctest.Query) (listed, requests int) {
		query.Config = acctest.Texts(map[string]string{"project_id": made.ProjectIDs[0]})
		w.ForgetRequests(t)
		all := p.List(t, "neon_branch", query)
		for _, one := range all {
			if one.Problem != "" || query.IncludeResource != (one.State != nil) {
				t.Fatalf("listed is %v", one)
			}
		}
		return len(all), w.Requests(t).Total
	}
	for name, test := range map[string]struct {
		query            acctest.Query
		listed, requests int
	}{
		"all":                {acctest.Query{}, 1000, 10},
		"all with resources": {acctest.Query{IncludeResource: true}, 1000, 14},
		"one page":           {acctest.Query{Limit: 100}, 100, 1},
		"two pages":          {acctest.Query{Limit: 101}, 101, 2},
	} {
		if listed, requests := list(test.query); listed != test.listed || requests > test.requests {
			t.Errorf("%s: listed are %d by %d requests, want %d by %d", name, listed, requests, test.listed, test.requests)
		}
	}
}

// What is wrong with one object is said of that one, and hides no other; what is wrong with
// a page ends the list.
func TestLists_problems(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{BranchPage: 2})
	const branches, endpoints = "GET /api/v2/projects/{project_id}/branches", "GET /api/v2/projects/{project_id}/branches/{branch_id}/endpoints"
	good := w.MakeBranch(t, "good")
	odd := `{"branches": [{"id": "br-odd", "name": 7}, {"id": "` + good.ID + `", "name": "good"}]}`
	inProject := acctest.Texts(map[string]string{"project_id": w.ProjectID})
	for name, test := range map[string]struct {
		fault acctest.Fault
		want  []string
	}{
		"odd":       {acctest.Fault{Route: branches, Kind: "status", Status: http.StatusOK, Body: odd}, []string{"Unable to read neon_branch " + w.ProjectID + "/br-odd", ""}},
		"endpoints": {acctest.Fault{Route: endpoints, Kind: "status", Status: http.StatusForbidden}, []string{"Unable to read neon_branch " + w.ProjectID + "/" + good.ID, ""}},
		"deleted":   {acctest.Fault{Route: endpoints, Kind: "status", Status: http.StatusNotFound, Body: `{"message": "branch not found"}`}, []string{""}},
		"page":      {acctest.Fault{Route: branches, Kind: "status", Status: http.StatusForbidden}, []string{"Unable to list neon_branch"}},
	} {
		test.fault.Count = 1
		w.AddFault(t, test.fault)
		p := acctest.NewProtocol(t, w.World) // It has read nothing yet.
		var said []string
		for _, one := range p.List(t, "neon_branch", acctest.Query{Config: inProject, IncludeResource: true}) {
			summary, _, _ := strings.Cut(one.Problem, "\n")
			said = append(said, summary)
		}
		if !slices.Equal(said, test.want) {
			t.Errorf("%s: said is %q, want %q", name, said, test.want)
		}
	}
}
