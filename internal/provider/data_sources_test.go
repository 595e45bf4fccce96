package provider

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// listIs checks the ids of a list in state, one by one.
func listIs(address, list string, want []string) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		attributes := state.RootModule().Resources[address].Primary.Attributes
		var got []string
		for i := 0; ; i++ {
			id, ok := attributes[fmt.Sprintf("%s.%d.id", list, i)]
			if !ok {
				break
			}
			got = append(got, id)
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("%d ids, want %d, in order: got %.200q, want %.200q", len(got), len(want), got, want)
		}
		return nil
	}
}

func dataBlock(kind, lines string) string {
	return fmt.Sprintf("data \"neon_%s\" \"test\" {\n  %s\n}\n", kind, lines)
}

func TestAccProjects_all(t *testing.T) {
	t.Parallel()
	const wanted = 1001
	w := startEmulator(t, emulator.Config{})
	w.control(t, http.MethodPost, "/_emulator/projects", map[string]any{"count": wanted - 1}, nil)
	var ids []string
	for _, project := range w.objects(t).Projects {
		ids = append(ids, fmt.Sprint(project["id"]))
	}
	var listed []string
	for project, err := range w.client(t).Projects(t.Context(), client.ProjectQuery{OrgID: w.orgID}) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, project.ID)
	}
	sortedIDs, sortedListed := slices.Sorted(slices.Values(ids)), slices.Sorted(slices.Values(listed))
	if len(ids) != wanted || !slices.Equal(sortedIDs, sortedListed) {
		t.Fatalf("%d projects exist, want %d; the list has %d", len(ids), wanted, len(listed))
	}
	runSteps(t, w, resource.TestStep{
		Config: w.providerConfig() + dataBlock("projects", fmt.Sprintf("org_id = %q", w.orgID)),
		Check:  listIs("data.neon_projects.test", "projects", listed),
	})
}

func TestAccProjects_filters(t *testing.T) {
	t.Parallel()
	w := startAny(t)
	const address = "data.neon_projects.test"
	project := func(attribute string) tfjsonpath.Path {
		return tfjsonpath.New("projects").AtSliceIndex(0).AtMapKey(attribute)
	}
	step := func(config, search string) resource.TestStep {
		return resource.TestStep{
			Config: config,
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("org_id"), knownvalue.StringExact(w.orgID)),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("search"), knownvalue.StringExact(search)),
				statecheck.ExpectKnownValue(address, project("id"), knownvalue.StringExact(w.projectID)),
				statecheck.ExpectKnownValue(address, project("name"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("org_id"), knownvalue.StringExact(w.orgID)),
				statecheck.ExpectKnownValue(address, project("platform_id"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("region_id"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("provisioner"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("pg_version"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("proxy_host"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("branch_logical_size_limit"), knownvalue.NotNull()),
				statecheck.ExpectKnownValue(address, project("created_at"), matches(`Z$`)),
				statecheck.ExpectKnownValue(address, project("updated_at"), matches(`Z$`)),
			},
		}
	}
	byConfiguration := dataBlock("projects", fmt.Sprintf("org_id = %q\nsearch = %q", w.orgID, w.projectID))
	runSteps(t, w, step(w.providerConfig()+byConfiguration, w.projectID), resource.TestStep{
		Config: w.providerConfig() + dataBlock("projects", fmt.Sprintf("org_id = %q\nsearch = \"no-such-project-xyz\"", w.orgID)),
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue(address, tfjsonpath.New("projects"), knownvalue.ListSizeExact(0)),
		},
	})
	byDefault := dataBlock("projects", fmt.Sprintf("search = %q", w.projectID))
	runSteps(t, w, step(w.providerConfigWith(w.apiKey, fmt.Sprintf("org_id = %q", w.orgID))+byDefault, w.projectID))
}

func TestAccProjects_organizationKey(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	key, err := w.client(t).CreateAPIKey(t.Context(), client.APIKeyScope{OrgID: w.orgID}, "org")
	if err != nil {
		t.Fatal(err)
	}
	runSteps(t, w, resource.TestStep{
		Config: w.providerConfigWith(key.Key) + dataBlock("projects", ""),
		Check:  listIs("data.neon_projects.test", "projects", []string{w.projectID}),
	})
}

func TestAccProjects_incomplete(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	w.control(t, http.MethodPost, "/_emulator/projects", map[string]any{"count": 500}, nil)
	lost := w.makeProject(t)
	w.control(t, http.MethodPost, "/_emulator/projects_unavailable", map[string]any{"ids": []string{lost}}, nil)
	runSteps(t, w, resource.TestStep{
		Config:      w.providerConfig() + dataBlock("projects", fmt.Sprintf("org_id = %q", w.orgID)),
		ExpectError: inOrder("Unable to list projects", "incomplete", lost, "gaps"),
	})
}

func TestAccOperations_all(t *testing.T) {
	t.Parallel()
	const wanted = 2500
	w := startEmulator(t, emulator.Config{})
	listed := w.operationIDs(t)
	w.control(t, http.MethodPost, "/_emulator/operations/bulk",
		map[string]any{"project_id": w.projectID, "count": wanted - len(listed)}, nil)
	listed = w.operationIDs(t)
	if len(listed) != wanted {
		t.Fatalf("there are %d operations", len(listed))
	}
	runSteps(t, w, resource.TestStep{
		Config: w.providerConfig() + dataBlock("operations", fmt.Sprintf("project_id = %q", w.projectID)),
		Check:  listIs("data.neon_operations.test", "operations", listed),
	})
	w.forgetRequests(t)
	runSteps(t, w, resource.TestStep{
		Config: w.providerConfig() + dataBlock("operations", fmt.Sprintf("project_id = %q\nmax_results = 3", w.projectID)),
		Check:  listIs("data.neon_operations.test", "operations", listed[:3]),
	})
	// Terraform reads a data source several times, and each takes one page.
	const route = "GET /api/v2/projects/{project_id}/operations"
	w.forgetRequests(t)
	var first []client.Operation
	for operation, err := range w.client(t).Operations(t.Context(), w.projectID) {
		if first = append(first, operation); err != nil || len(first) == 3 {
			break
		}
	}
	if pages := w.requests(t).ByRoute[route]; pages != 1 {
		t.Errorf("%d pages were read for 3 operations", pages)
	}
}

func (w *world) operationIDs(t *testing.T, wants ...func(client.Operation) bool) []string {
	t.Helper()
	ids := []string{}
	for operation, err := range w.client(t).Operations(t.Context(), w.projectID) {
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(wants, func(want func(client.Operation) bool) bool { return !want(operation) }) {
			ids = append(ids, operation.ID)
		}
	}
	return ids
}

func TestAccOperations_filters(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	api := w.client(t)
	for _, name := range []string{"one", "two"} {
		made, err := api.CreateBranch(t.Context(), w.projectID, client.BranchCreate{
			Name: name, Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}},
		})
		if err == nil {
			err = api.WaitForOperations(t.Context(), w.projectID, made.Operations)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	endpoints, err := api.ProjectEndpoints(t.Context(), w.projectID)
	if err != nil {
		t.Fatal(err)
	}
	endpoint := endpoints[slices.IndexFunc(endpoints, func(e client.Endpoint) bool { return e.Type == client.EndpointReadWrite })]
	ofBranch := func(o client.Operation) bool { return o.BranchID == endpoint.BranchID }
	ofEndpoint := func(o client.Operation) bool { return o.EndpointID == endpoint.ID }
	creates := func(o client.Operation) bool { return o.Action == "create_branch" }
	for name, test := range map[string]struct {
		filter string
		want   []string
	}{
		"none":     {"", w.operationIDs(t)},
		"branch":   {fmt.Sprintf("branch_id = %q", endpoint.BranchID), w.operationIDs(t, ofBranch)},
		"endpoint": {fmt.Sprintf("endpoint_id = %q", endpoint.ID), w.operationIDs(t, ofEndpoint)},
		"action":   {`actions = ["create_branch"]`, w.operationIDs(t, creates)},
		"several":  {fmt.Sprintf("branch_id = %q\nactions = [\"create_branch\"]", endpoint.BranchID), w.operationIDs(t, ofBranch, creates)},
		"statuses": {`statuses = ["failed", "error"]`, nil},
		"counted":  {"actions = [\"create_branch\"]\nmax_results = 1", w.operationIDs(t, creates)[:1]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runSteps(t, w, resource.TestStep{
				Config: w.providerConfig() + dataBlock("operations", fmt.Sprintf("project_id = %q\n%s", w.projectID, test.filter)),
				Check:  listIs("data.neon_operations.test", "operations", test.want),
			})
		})
	}
	t.Run("every attribute", func(t *testing.T) {
		t.Parallel()
		is := func(attribute string, check knownvalue.Check) statecheck.StateCheck {
			return statecheck.ExpectKnownValue("data.neon_operations.test",
				tfjsonpath.New("operations").AtSliceIndex(0).AtMapKey(attribute), check)
		}
		runSteps(t, w, resource.TestStep{
			Config: w.providerConfig() + dataBlock("operations", fmt.Sprintf("project_id = %q\nactions = [\"create_branch\"]", w.projectID)),
			ConfigStateChecks: []statecheck.StateCheck{
				is("id", matches(`^[0-9a-f-]{36}$`)), is("project_id", knownvalue.StringExact(w.projectID)), is("branch_id", matches(`^br-`)),
				is("endpoint_id", knownvalue.Null()), is("action", knownvalue.StringExact("create_branch")),
				is("status", knownvalue.StringExact("finished")), is("failures_count", knownvalue.Int64Exact(0)),
				is("error", knownvalue.Null()), is("created_at", matches(`Z$`)), is("updated_at", matches(`Z$`)),
				is("total_duration_ms", knownvalue.NotNull()),
			},
		})
	})
}

// failingConfig is what follows a provider block, and what Terraform says of it.
type failingConfig struct {
	config string
	want   *regexp.Regexp
}

func runErrors(t *testing.T, w *world, tests map[string]failingConfig) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runSteps(t, w, resource.TestStep{Config: w.providerConfig() + test.config, ExpectError: test.want})
		})
	}
}

func TestAccDataSources_errors(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	w.maxRetries = 1
	runErrors(t, w, map[string]failingConfig{
		"organization that isn't": {dataBlock("projects", `org_id = "My Org"`), inWords("org_id must be an id")},
		"empty search":            {dataBlock("projects", `search = ""`), inWords("search string length must be at least 1")},
		"no organization":         {dataBlock("projects", ""), inOrder("Unable to list projects", "400", "NEON_ORG_ID")},
		"project that isn't":      {dataBlock("operations", `project_id = "My Project"`), inWords("project_id must be an id")},
		"branch that isn't":       {dataBlock("operations", "project_id = \"p\"\nbranch_id = \"main branch\""), inWords("branch_id must be an id")},
		"endpoint that isn't":     {dataBlock("operations", "project_id = \"p\"\nendpoint_id = \"\""), inWords("endpoint_id must be an id")},
		"no results":              {dataBlock("operations", "project_id = \"p\"\nmax_results = 0"), inWords("max_results value must be at least 1")},
		"no actions":              {dataBlock("operations", "project_id = \"p\"\nactions = []"), inWords("actions set must contain at least 1")},
		"no such project":         {dataBlock("operations", `project_id = "no-such-project"`), inOrder("Unable to list operations", "404", "Check the ids")},
	})
	t.Run("no API key", func(t *testing.T) {
		t.Parallel()
		runSteps(t, w, resource.TestStep{
			Config: w.keylessConfig() + dataBlock("projects", ""), ExpectError: inOrder("No API key", "NEON_API_KEY"),
		})
	})
}

func TestProjectsHints(t *testing.T) {
	t.Parallel()
	if hints := projectsHints(errors.New("another"), client.ProjectQuery{}); hints != nil {
		t.Errorf("hints: %q", hints)
	}
}
