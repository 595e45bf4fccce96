package operation_test

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

func TestAccOperations_all(t *testing.T) {
	t.Parallel()
	const wanted = 2500
	w := acctest.StartEmulator(t, emulator.Config{})
	w.StaysAwake()
	listed := w.OperationIDs(t)
	w.Control(t, http.MethodPost, "/_emulator/operations/bulk",
		map[string]any{"project_id": w.ProjectID, "count": wanted - len(listed)}, nil)
	listed = w.OperationIDs(t)
	if len(listed) != wanted {
		t.Fatalf("there are %d operations", len(listed))
	}
	read := acctest.NewProtocol(t, w).ReadIDs(t, "neon_operations", "operations",
		map[string]tftypes.Value{"project_id": acctest.Text(w.ProjectID)})
	if !slices.Equal(read, listed) {
		t.Errorf("the data source has %d operations, want %d, in order", len(read), len(listed))
	}
	acctest.RunSteps(t, w, resource.TestStep{
		Config: w.ProviderConfig() + acctest.DataBlock("operations",
			fmt.Sprintf("project_id = %q\nmax_results = 3", w.ProjectID)),
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
	w.StaysAwake()
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
	endpoint := endpoints[slices.IndexFunc(endpoints,
		func(e client.Endpoint) bool { return e.Type == client.EndpointReadWrite })]
	ofBranch := func(o client.Operation) bool { return o.BranchID == endpoint.BranchID }
	ofEndpoint := func(o client.Operation) bool { return o.EndpointID == endpoint.ID }
	creates := func(o client.Operation) bool { return o.Action == "create_branch" }
	list := func(filter string, want []string) acctest.WantedList {
		return acctest.WantedList{Kind: "operations", Lines: fmt.Sprintf("project_id = %q\n%s", w.ProjectID, filter),
			Want: want}
	}
	acctest.RunLists(t, w, "operations", []acctest.WantedList{
		list("", w.OperationIDs(t)),
		list(fmt.Sprintf("branch_id = %q", endpoint.BranchID), w.OperationIDs(t, ofBranch)),
		list(fmt.Sprintf("endpoint_id = %q", endpoint.ID), w.OperationIDs(t, ofEndpoint)),
		list(`actions = ["create_branch"]`, w.OperationIDs(t, creates)),
		list(fmt.Sprintf("branch_id = %q\nactions = [\"create_branch\"]", endpoint.BranchID),
			w.OperationIDs(t, ofBranch, creates)),
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
			Config: w.ProviderConfig() + acctest.DataBlock("operations",
				fmt.Sprintf("project_id = %q\nactions = [\"create_branch\"]", w.ProjectID)),
			ConfigStateChecks: []statecheck.StateCheck{
				is("id", acctest.Matches(`^[0-9a-f-]{36}$`)), is("project_id", knownvalue.StringExact(w.ProjectID)),
				is("branch_id", acctest.Matches(`^br-`)),
				is("endpoint_id", knownvalue.Null()), is("action", knownvalue.StringExact("create_branch")),
				is("status", knownvalue.StringExact("finished")), is("failures_count", knownvalue.Int64Exact(0)),
				is("error", knownvalue.Null()), is("created_at", acctest.Matches(`Z$`)), is("updated_at", acctest.Matches(`Z$`)),
				is("total_duration_ms", knownvalue.NotNull()),
			},
		})
	})
}

func TestAccOperations_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.MaxRetries = 1
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"project that isn't":  {Config: acctest.DataBlock("operations", `project_id = "My Project"`), Want: acctest.InWords("project_id must be the id")},
		"branch that isn't":   {Config: acctest.DataBlock("operations", "project_id = \"p\"\nbranch_id = \"main branch\""), Want: acctest.InWords("branch_id must be the id")},
		"endpoint that isn't": {Config: acctest.DataBlock("operations", "project_id = \"p\"\nendpoint_id = \"\""), Want: acctest.InWords("endpoint_id must be the id")},
		"no results":          {Config: acctest.DataBlock("operations", "project_id = \"p\"\nmax_results = 0"), Want: acctest.InWords("max_results value must be at least 1")},
		"no actions":          {Config: acctest.DataBlock("operations", "project_id = \"p\"\nactions = []"), Want: acctest.InWords("actions set must contain at least 1")},
		"no such project":     {Config: acctest.DataBlock("operations", `project_id = "no-such-project"`), Want: acctest.InOrder("Unable to list operations", "project_id", "404", "Check the id of the project")},
	})
}
