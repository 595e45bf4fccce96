package project_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestAccProjects_all(t *testing.T) {
	t.Parallel()
	const wanted = 1001
	w := acctest.StartEmulator(t, emulator.Config{})
	w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"count": wanted - 1}, nil)
	var ids []string
	for _, project := range w.Objects(t).Projects {
		ids = append(ids, fmt.Sprint(project["id"]))
	}
	var listed []string
	for project, err := range w.Client(t).ListProjects(t.Context(), client.ProjectQuery{OrgID: w.OrgID}) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, project.ID)
	}
	sortedIDs, sortedListed := slices.Sorted(slices.Values(ids)), slices.Sorted(slices.Values(listed))
	if len(ids) != wanted || !slices.Equal(sortedIDs, sortedListed) {
		t.Fatalf("%d projects exist, want %d; the list has %d", len(ids), wanted, len(listed))
	}
	read := acctest.NewProtocol(t, w).ReadIDs(t, "neon_projects", "projects",
		map[string]tftypes.Value{"org_id": acctest.Text(w.OrgID)})
	if !slices.Equal(read, listed) {
		t.Errorf("the data source has %d projects, want %d, in order", len(read), len(listed))
	}
}

func TestAccProjects_filters(t *testing.T) {
	t.Parallel()
	w := acctest.StartAny(t)
	const address = "data.neon_projects.test"
	project := func(attribute string) tfjsonpath.Path {
		return tfjsonpath.New("projects").AtSliceIndex(0).AtMapKey(attribute)
	}
	step := func(config, search string) resource.TestStep {
		return resource.TestStep{
			Config: config,
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("org_id"), knownvalue.StringExact(w.OrgID)),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("search"), knownvalue.StringExact(search)),
				statecheck.ExpectKnownValue(address, project("id"), knownvalue.StringExact(w.ProjectID)),
				statecheck.ExpectKnownValue(address, project("name"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("org_id"), knownvalue.StringExact(w.OrgID)),
				statecheck.ExpectKnownValue(address, project("platform_id"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("region_id"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("compute_provisioner"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("pg_version"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("proxy_host"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("branch_logical_size_limit"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("created_at"), acctest.Matches(`Z$`)),
				statecheck.ExpectKnownValue(address, project("updated_at"), acctest.Matches(`Z$`)),
			},
		}
	}
	byConfiguration := acctest.DataBlock("projects", fmt.Sprintf("org_id = %q\nsearch = %q", w.OrgID, w.ProjectID))
	acctest.RunSteps(t, w, step(w.ProviderConfig()+byConfiguration, w.ProjectID), resource.TestStep{
		Config: w.ProviderConfig() + acctest.DataBlock("projects",
			fmt.Sprintf("org_id = %q\nsearch = \"no-such-project-xyz\"", w.OrgID)),
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue(address, tfjsonpath.New("projects"), knownvalue.ListSizeExact(0)),
		},
	})
	byDefault := acctest.DataBlock("projects", fmt.Sprintf("search = %q", w.ProjectID))
	acctest.RunSteps(t, w, step(w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID))+byDefault,
		w.ProjectID))
}

// terraform query finds what the data source finds.
func TestProjects_query(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	for search, found := range map[string]int{w.ProjectID: 1, "no-such-project-xyz": 0} {
		listed := acctest.NewProtocol(t, w).List(t, "neon_project",
			acctest.Query{Config: acctest.Texts(map[string]string{"search": search})})
		if len(listed) != found {
			t.Errorf("a search for %s lists %v", search, listed)
		}
	}
}

func TestAccProjects_organizationKey(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	key, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(), client.APIKeyScope{OrgID: w.OrgID}, "org"))
	if err != nil {
		t.Fatal(err)
	}
	acctest.RunSteps(t, w, resource.TestStep{
		Config: w.ProviderConfigWith(key.Key) + acctest.DataBlock("projects", ""),
		ConfigStateChecks: []statecheck.StateCheck{acctest.ListIs("data.neon_projects.test", "projects",
			[]string{w.ProjectID})},
	})
}

func TestAccProjects_incomplete(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"count": 500}, nil)
	lost := w.MakeProject(t)
	w.Control(t, http.MethodPost, "/_emulator/projects_unavailable", map[string]any{"ids": []string{lost}}, nil)
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfig() + acctest.DataBlock("projects", fmt.Sprintf("org_id = %q", w.OrgID)),
		Want:   acctest.InOrder("Unable to list projects", "incomplete", lost, "gaps"),
	})
}

func TestAccProjects_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.MaxRetries = 1
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"organization that isn't": {Config: acctest.DataBlock("projects", `org_id = "My Org"`), Want: acctest.InWords("org_id must be the id")},
		"empty search":            {Config: acctest.DataBlock("projects", `search = ""`), Want: acctest.InWords("search string length must be at least 1")},
		"no organization":         {Config: acctest.DataBlock("projects", ""), Want: acctest.InOrder("Unable to list projects", "400", "NEON_ORG_ID")},
	})
	t.Run("no API key", func(t *testing.T) {
		t.Parallel()
		w.Refuses(t, acctest.Refusal{Config: w.KeylessConfig() + acctest.DataBlock("projects", ""),
			Want: acctest.InOrder("No API key", "NEON_API_KEY")})
	})
}
