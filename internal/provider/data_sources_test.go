package provider_test

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
	read := acctest.NewProtocol(t, w).ReadIDs(t, "neon_projects", "projects", map[string]tftypes.Value{"org_id": acctest.Text(w.OrgID)})
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
				statecheck.ExpectKnownValue(address, project("provisioner"), knownvalue.NotNull()),
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
		Config: w.ProviderConfig() + acctest.DataBlock("projects", fmt.Sprintf("org_id = %q\nsearch = \"no-such-project-xyz\"", w.OrgID)),
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue(address, tfjsonpath.New("projects"), knownvalue.ListSizeExact(0)),
		},
	})
	byDefault := acctest.DataBlock("projects", fmt.Sprintf("search = %q", w.ProjectID))
	acctest.RunSteps(t, w, step(w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID))+byDefault, w.ProjectID))
}

func TestAccProjects_organizationKey(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	key, err := w.Client(t).CreateAPIKey(t.Context(), client.APIKeyScope{OrgID: w.OrgID}, "org")
	if err != nil {
		t.Fatal(err)
	}
	acctest.RunSteps(t, w, resource.TestStep{
		Config:            w.ProviderConfigWith(key.Key) + acctest.DataBlock("projects", ""),
		ConfigStateChecks: []statecheck.StateCheck{acctest.ListIs("data.neon_projects.test", "projects", []string{w.ProjectID})},
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

func TestAccOperations_all(t *testing.T) {
	t.Parallel()
	const wanted = 2500
	w := acctest.StartEmulator(t, emulator.Config{})
	acctest.StaysAwake(t)
	listed := w.OperationIDs(t)
	w.Control(t, http.MethodPost, "/_emulator/operations/bulk",
		map[string]any{"project_id": w.ProjectID, "count": wanted - len(listed)}, nil)
	listed = w.OperationIDs(t)
	if len(listed) != wanted {
		t.Fatalf("there are %d operations", len(listed))
	}
	read := acctest.NewProtocol(t, w).ReadIDs(t, "neon_operations", "operations", map[string]tftypes.Value{"project_id": acctest.Text(w.ProjectID)})
	if !slices.Equal(read, listed) {
		t.Errorf("the data source has %d operations, want %d, in order", len(read), len(listed))
	}
	acctest.RunSteps(t, w, resource.TestStep{
		Config:            w.ProviderConfig() + acctest.DataBlock("operations", fmt.Sprintf("project_id = %q\nmax_results = 3", w.ProjectID)),
		ConfigStateChecks: []statecheck.StateCheck{acctest.ListIs("data.neon_operations.test", "operations", listed[:3])},
	})
	// Terraform reads a data source several times, and each takes one page.
	const route = "GET /api/v2/projects/{project_id}/operations"
	w.ForgetRequests(t)
	var first []client.Operation
	for operation, err := range w.Client(t).ListOperations(t.Context(), w.ProjectID) {
		if first = append(first, operation); err != nil || len(first) == 3 {
			break
		}
	}
	if pages := w.Requests(t).ByRoute[route]; pages != 1 {
		t.Errorf("%d pages were read for 3 operations", pages)
	}
}

func TestAccOperations_filters(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	acctest.StaysAwake(t)
	api := w.Client(t)
	for _, name := range []string{"one", "two"} {
		made, err := api.CreateBranch(t.Context(), w.ProjectID, client.BranchCreate{
			Name: name, Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}},
		})
		if err == nil {
			err = api.WaitForOperations(t.Context(), w.ProjectID, made.Operations)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	endpoints, err := client.All(api.ListEndpoints(t.Context(), w.Ref("")))
	if err != nil {
		t.Fatal(err)
	}
	endpoint := endpoints[slices.IndexFunc(endpoints, func(e client.Endpoint) bool { return e.Type == client.EndpointReadWrite })]
	ofBranch := func(o client.Operation) bool { return o.BranchID == endpoint.BranchID }
	ofEndpoint := func(o client.Operation) bool { return o.EndpointID == endpoint.ID }
	creates := func(o client.Operation) bool { return o.Action == "create_branch" }
	list := func(filter string, want []string) acctest.WantedList {
		return acctest.WantedList{Kind: "operations", Lines: fmt.Sprintf("project_id = %q\n%s", w.ProjectID, filter), Want: want}
	}
	acctest.RunLists(t, w, "operations", []acctest.WantedList{
		list("", w.OperationIDs(t)),
		list(fmt.Sprintf("branch_id = %q", endpoint.BranchID), w.OperationIDs(t, ofBranch)),
		list(fmt.Sprintf("endpoint_id = %q", endpoint.ID), w.OperationIDs(t, ofEndpoint)),
		list(`actions = ["create_branch"]`, w.OperationIDs(t, creates)),
		list(fmt.Sprintf("branch_id = %q\nactions = [\"create_branch\"]", endpoint.BranchID), w.OperationIDs(t, ofBranch, creates)),
		list(`statuses = ["failed", "error"]`, nil),
		list("actions = [\"create_branch\"]\nmax_results = 1", w.OperationIDs(t, creates)[:1]),
	})
	t.Run("every attribute", func(t *testing.T) {
		t.Parallel()
		is := func(attribute string, check knownvalue.Check) statecheck.StateCheck {
			return statecheck.ExpectKnownValue("data.neon_operations.test",
				tfjsonpath.New("operations").AtSliceIndex(0).AtMapKey(attribute), check)
		}
		acctest.RunSteps(t, w, resource.TestStep{
			Config: w.ProviderConfig() + acctest.DataBlock("operations", fmt.Sprintf("project_id = %q\nactions = [\"create_branch\"]", w.ProjectID)),
			ConfigStateChecks: []statecheck.StateCheck{
				is("id", acctest.Matches(`^[0-9a-f-]{36}$`)), is("project_id", knownvalue.StringExact(w.ProjectID)), is("branch_id", acctest.Matches(`^br-`)),
				is("endpoint_id", knownvalue.Null()), is("action", knownvalue.StringExact("create_branch")),
				is("status", knownvalue.StringExact("finished")), is("failures_count", knownvalue.Int64Exact(0)),
				is("error", knownvalue.Null()), is("created_at", acctest.Matches(`Z$`)), is("updated_at", acctest.Matches(`Z$`)),
				is("total_duration_ms", knownvalue.NotNull()),
			},
		})
	})
}

func TestAccDataSources_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.MaxRetries = 1
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"organization that isn't": {Config: acctest.DataBlock("projects", `org_id = "My Org"`), Want: acctest.InWords("org_id must be the id")},
		"empty search":            {Config: acctest.DataBlock("projects", `search = ""`), Want: acctest.InWords("search string length must be at least 1")},
		"no organization":         {Config: acctest.DataBlock("projects", ""), Want: acctest.InOrder("Unable to list projects", "400", "NEON_ORG_ID")},
		"project that isn't":      {Config: acctest.DataBlock("operations", `project_id = "My Project"`), Want: acctest.InWords("project_id must be the id")},
		"branch that isn't":       {Config: acctest.DataBlock("operations", "project_id = \"p\"\nbranch_id = \"main branch\""), Want: acctest.InWords("branch_id must be the id")},
		"endpoint that isn't":     {Config: acctest.DataBlock("operations", "project_id = \"p\"\nendpoint_id = \"\""), Want: acctest.InWords("endpoint_id must be the id")},
		"no results":              {Config: acctest.DataBlock("operations", "project_id = \"p\"\nmax_results = 0"), Want: acctest.InWords("max_results value must be at least 1")},
		"no actions":              {Config: acctest.DataBlock("operations", "project_id = \"p\"\nactions = []"), Want: acctest.InWords("actions set must contain at least 1")},
		"no such project":         {Config: acctest.DataBlock("operations", `project_id = "no-such-project"`), Want: acctest.InOrder("Unable to list operations", "project_id", "404", "Check the id of the project")},
	})
	t.Run("no API key", func(t *testing.T) {
		t.Parallel()
		w.Refuses(t, acctest.Refusal{Config: w.KeylessConfig() + acctest.DataBlock("projects", ""), Want: acctest.InOrder("No API key", "NEON_API_KEY")})
	})
}
