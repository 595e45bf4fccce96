package walks_test

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// Every resource that can be listed is, where it is and nowhere else: with its identity, its name, and with the same
// state as an import and a read of it give.
func TestLists(t *testing.T) {
	t.Parallel()
	for resourceType := range acctest.NewProtocol(t, acctest.StartEmulator(t,
		emulator.Config{})).Schema.ListResourceSchemas {
		t.Run(resourceType, func(t *testing.T) {
			t.Parallel()
			for name, lines := range map[string]nouns.Lines{"with what it needs": nil,
				"whole": acctest.NounResource(t, resourceType).Whole} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					listsOne(t, resourceType, lines)
				})
			}
		})
	}
}

// listsOne creates a resource with such lines and lists it: where it is, where that isn't said, and elsewhere.
func listsOne(t *testing.T, resourceType string, lines nouns.Lines) {
	t.Helper()
	w := newChangeWorld(t, startQuick)
	p := acctest.NewProtocol(t, w.World)
	state, identity := p.Create(t, resourceType, w.given(t, p, resourceType, lines))
	places, name := placesOf(p, resourceType, state), listedAs(acctest.NounResource(t, resourceType), state)
	checkList(t, p, resourceType, places, name, identity)
	for _, elsewhere := range w.elsewhere(places) {
		for _, one := range p.List(t, resourceType, acctest.Query{Config: acctest.Texts(elsewhere)}) {
			if maps.Equal(one.Identity, identity) {
				t.Errorf("%v has %v, which is in %v", elsewhere, identity, places)
			}
		}
	}
	checkList(t, p, resourceType, w.undefaulted(places), name, identity)
}

// placesOf are where an object is, as a list of its kind can be asked for.
func placesOf(p acctest.Protocol, resourceType string, state map[string]string) map[string]string {
	places := map[string]string{}
	for _, attribute := range p.Schema.ListResourceSchemas[resourceType].Block.Attributes {
		if value := state[attribute.Name]; value != "" {
			places[attribute.Name] = value
		}
	}
	return places
}

// undefaulted takes those places out that are meant where nothing is said.
func (w changeWorld) undefaulted(places map[string]string) map[string]string {
	maps.DeleteFunc(places, func(name, value string) bool {
		return name != "project_id" && value == w.texts.Replace("$org") || value == w.texts.Replace("$main")
	})
	return places
}

// elsewhere are the same places but for one.
func (w changeWorld) elsewhere(places map[string]string) (all []map[string]string) {
	for name, other := range map[string]string{"org_id": "$other_org", "branch_id": "$other_main",
		"project_id": "$other_project"} {
		if places[name] == "" {
			continue
		}
		elsewhere := maps.Clone(places)
		if elsewhere[name] = w.texts.Replace(other); name != "org_id" {
			delete(elsewhere, "branch_id")
		}
		if name == "branch_id" {
			elsewhere["project_id"], elsewhere["branch_id"] = w.texts.Replace("$other_project"), w.texts.Replace(other)
		}
		all = append(all, elsewhere)
	}
	return all
}

// listedAs is the name that a list shows.
func listedAs(noun nouns.Resource, state map[string]string) string {
	return inBraces.ReplaceAllStringFunc(cmp.Or(noun.ListedAs, "{name}"), func(names string) string {
		for name := range strings.SplitSeq(strings.Trim(names, "{}"), "|") {
			if state[name] != "" {
				return state[name]
			}
		}
		return ""
	})
}

// checkList checks all that is listed in a place, among which is one object of that name.
func checkList(
	t *testing.T, p acctest.Protocol, resourceType string, places map[string]string, name string,
	identity map[string]string,
) {
	t.Helper()
	config := acctest.Texts(places)
	bare := p.List(t, resourceType, acctest.Query{Config: config})
	full := p.List(t, resourceType, acctest.Query{Config: config, IncludeResource: true})
	var names []string
	for i, one := range full {
		if bare[i].DisplayName != one.DisplayName || bare[i].State != nil || !maps.Equal(bare[i].Identity, one.Identity) {
			t.Errorf("listed is %v, with its resource %v", bare[i], one)
		}
		checkListed(t, p, resourceType, one)
		if maps.Equal(one.Identity, identity) {
			names = append(names, one.DisplayName)
		}
	}
	if len(names) != 1 || names[0] != name && name != "" || names[0] == "" {
		t.Errorf("%v is listed as %q in %v, want once as %q", identity, names, places, name)
	}
	if first := p.List(t, resourceType, acctest.Query{Config: config, Limit: 1}); len(first) != 1 {
		t.Errorf("a list of at most 1 has %d", len(first))
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
	config := generated(t, p.Schema.ResourceSchemas[resourceType], state)
	validated, err := p.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: resourceType, Config: acctest.Dynamic(t, kind, config),
	})
	acctest.NoProblem(t, err, validated.Diagnostics)
}

// generated returns the configuration that terraform generates for a state: all but what is
// only computed.
func generated(t *testing.T, schema *tfprotov6.Schema, state tftypes.Value) tftypes.Value {
	t.Helper()
	config, err := tftypes.Transform(state, func(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		attributes, isComputed := schema.Block.Attributes, false
		for _, step := range at.Steps() {
			i := slices.IndexFunc(attributes, func(a *tfprotov6.SchemaAttribute) bool {
				return tftypes.AttributeName(a.Name) == step
			})
			if i < 0 {
				continue // An element.
			}
			if isComputed = attributes[i].Computed && !attributes[i].Optional; attributes[i].NestedType != nil {
				attributes = attributes[i].NestedType.Attributes
			}
		}
		if isComputed {
			return tftypes.NewValue(value.Type(), nil), nil
		}
		return value, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// A thousand branches take ten pages, and one list of their endpoints.
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
		"all with resources": {acctest.Query{IncludeResource: true}, 1000, 11},
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
	const project = "GET /api/v2/projects/{project_id}"
	good := w.MakeBranch(t, "good")
	odd := `{"branches": [{"id": "br-odd", "name": 7}, {"id": "` + good.ID + `", "name": "good"}]}`
	inProject := acctest.Texts(map[string]string{"project_id": w.ProjectID})
	unreadable := acctest.Fault{Route: project + "/endpoints", Status: http.StatusOK,
		Body: `{"endpoints": [{"branch_id": "` + good.ID + `", "id": 7}]}`}
	const ofBranch = project + "/branches/{branch_id}/endpoints"
	for name, test := range map[string]struct {
		faults []acctest.Fault
		want   []string
	}{
		"a branch": {
			[]acctest.Fault{{Route: project + "/branches", Status: http.StatusOK, Body: odd}},
			[]string{"Unable to read neon_branch " + w.ProjectID + "/br-odd", ""},
		},
		"an endpoint": {
			[]acctest.Fault{unreadable, {Route: ofBranch, Status: http.StatusForbidden}},
			[]string{"Unable to read neon_branch " + w.ProjectID + "/" + good.ID, ""},
		},
		"a branch that is deleted meanwhile": {
			[]acctest.Fault{unreadable, {Route: ofBranch, Status: http.StatusNotFound, Body: `{"message": "branch not found"}`}},
			[]string{""},
		},
		"all branches":  {[]acctest.Fault{{Route: project + "/branches", Status: http.StatusForbidden}}, []string{"Unable to list neon_branch"}},
		"all endpoints": {[]acctest.Fault{{Route: project + "/endpoints", Status: http.StatusForbidden}}, []string{"Unable to list neon_branch"}},
	} {
		for _, fault := range test.faults {
			fault.Kind, fault.Count = "status", 1
			w.AddFault(t, fault)
		}
		p := acctest.NewProtocol(t, w.World)
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

// What keeps a list from beginning is one error that says what to do.
func TestLists_refusals(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	noOrg, noKey := *w, *w
	noOrg.OrgID, noKey.APIKey = "", ""
	nowhere := map[string]string{"project_id": "no-such-project-12345678"}
	deleted := w.MakeProject(t)
	if err := w.Client(t).DeleteProject(t.Context(), deleted); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		world        *acctest.World
		resourceType string
		config       map[string]string
		want         []string
	}{
		"no key":                      {&noKey, "neon_api_key", nil, []string{"No API key", "NEON_API_KEY"}},
		"keys of no organization":     {&noOrg, "neon_org_api_key", nil, []string{"No organization", "NEON_ORG_ID"}},
		"projects of no organization": {&noOrg, "neon_project", nil, []string{"Unable to list neon_project", "400", "NEON_ORG_ID"}},
		"no such project":             {w, "neon_role", nowhere, []string{"Unable to read the default branch", "404", "Check the id of the project"}},
		"a deleted project's branches": {
			w, "neon_branch_backup_schedule", map[string]string{"project_id": deleted},
			[]string{"Unable to list neon_branch_backup_schedule", deleted},
		},
		"a deleted project": {w, "neon_branch", map[string]string{"project_id": deleted}, []string{"Unable to list neon_branch", deleted}},
		"no permissions":    {w, "neon_project_permission", nowhere, []string{"Unable to list neon_project_permission", "404"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listed := acctest.NewProtocol(t, test.world).List(t, test.resourceType,
				acctest.Query{Config: acctest.Texts(test.config)})
			if len(listed) != 1 || !acctest.InOrder(test.want...).MatchString(listed[0].Problem) {
				t.Errorf("listed is %v, want %q", listed, test.want)
			}
		})
	}
}
