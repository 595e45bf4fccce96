package branch_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

func TestAccBranchData(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := w.MakeBranch(t, "b/1")
	w.MakeBranch(t, "b/10")
	readWrite := w.MakeEndpoint(t, branch.ID, client.EndpointReadWrite)
	readOnly := w.MakeEndpoint(t, branch.ID, client.EndpointReadOnly)
	exactly := knownvalue.StringExact
	for name, by := range map[string]string{"id": fmt.Sprintf("id = %q", branch.ID), "name": `name = "b/1"`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			is := func(check knownvalue.Check, first string, path ...any) statecheck.StateCheck {
				return acctest.DataIs("branch", check, first, path...)
			}
			endpoint := map[string]knownvalue.Check{}
			for _, made := range []client.Endpoint{readWrite, readOnly} {
				endpoint[made.ID] = knownvalue.ObjectExact(map[string]knownvalue.Check{
					"id": exactly(made.ID), "type": exactly(made.Type), "name": knownvalue.Null(),
					"host": exactly(made.Host), "pooler_host": exactly(made.PoolerHost()),
					"current_state": knownvalue.NotNull(), "disabled": knownvalue.Bool(false),
					"autoscaling_limit_min_cu": knownvalue.Float64Exact(made.AutoscalingLimitMinCU),
					"autoscaling_limit_max_cu": knownvalue.Float64Exact(made.AutoscalingLimitMaxCU),
					"suspend_timeout_seconds":  knownvalue.Int64Exact(made.SuspendTimeoutSeconds),
					"created_at":               acctest.Matches(`Z$`),
				})
			}
			listed := w.Endpoints(t, branch.ID)
			acctest.RunSteps(t, w.World, resource.TestStep{
				Config: w.ProviderConfig() + acctest.DataBlock("branch", fmt.Sprintf("project_id = %q\n%s", w.ProjectID, by)),
				ConfigStateChecks: []statecheck.StateCheck{
					is(exactly(branch.ID), "id"), is(exactly("b/1"), "name"), is(exactly(w.ProjectID), "project_id"),
					is(exactly(w.MainBranch(t).ID), "parent_id"), is(knownvalue.NotNull(), "parent_lsn"),
					is(exactly("parent-data"), "init_source"),
					is(exactly("ready"), "current_state"), is(knownvalue.Bool(false), "default"),
					is(knownvalue.Bool(false), "protected"),
					is(knownvalue.Null(), "expires_at"), is(acctest.Matches(`Z$`), "created_at"),
					is(acctest.Matches(`Z$`), "updated_at"),
					is(knownvalue.MapSizeExact(0), "restricted_actions"),
					is(exactly(readWrite.Host), "host"), is(exactly(readWrite.PoolerHost()), "pooler_host"),
					is(knownvalue.ListExact([]knownvalue.Check{endpoint[listed[0].ID], endpoint[listed[1].ID]}), "endpoints"),
				},
			})
		})
	}
	t.Run("without endpoints", func(t *testing.T) {
		t.Parallel()
		acctest.RunSteps(t, w.World, resource.TestStep{
			Config: w.ProviderConfig() + acctest.DataBlock("branch",
				fmt.Sprintf("project_id = %q\nname = \"b/10\"", w.ProjectID)),
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.DataIs("branch", knownvalue.Null(), "host"), acctest.DataIs("branch", knownvalue.ListSizeExact(0),
					"endpoints"),
			},
		})
	})
}

// Branches that are looked up together share their lists, by name as by id. How few
// requests the first of them send alone is for the client's tests, which have a time of
// their own: here, a machine that is busy may start them apart.
func TestAccBranchData_many(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	const many = 30
	byName, byID := w.ProviderConfig(), w.ProviderConfig()
	for i := range many {
		branch := w.MakeBranch(t, fmt.Sprintf("b/%d", i))
		block := func(by string) string {
			return fmt.Sprintf("data \"neon_branch\" \"b%d\" {\n  project_id = %q\n  %s\n}\n", i, w.ProjectID, by)
		}
		byName += block(fmt.Sprintf("name = %q", branch.Name))
		byID += block(fmt.Sprintf("id = %q", branch.ID))
	}
	for name, config := range map[string]string{"name": byName, "id": byID} {
		w.ForgetRequests(t)
		acctest.RunSteps(t, w.World, resource.TestStep{Config: config, PlanOnly: true})
		// The step plans twice, each time with a provider of its own, which lists branches
		// and endpoints. Three of each kind may be read alone before the list begins.
		if requests := w.Requests(t); requests.Total > 2*2*(3+1) {
			t.Errorf("by %s, %d branches take the requests %v", name, many, requests.ByRoute)
		}
	}
}

func TestAccBranches(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	parent := w.MakeBranch(t, "preview/1")
	child := w.MakeChild(t, "preview/1/child", parent.ID)
	protected, yes := w.MakeBranch(t, "keep/preview"), true
	operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(protected.ID),
		client.BranchUpdate{Protected: &yes}))
	w.Settle(t, operations, err)
	ids := func(wants func(client.Branch) bool) []string {
		var ids []string
		for _, branch := range w.Branches(t) {
			if wants(branch) {
				ids = append(ids, branch.ID)
			}
		}
		return ids
	}
	list := func(filter string, want []string) acctest.WantedList {
		return acctest.WantedList{Kind: "branches", Lines: fmt.Sprintf("project_id = %q\n%s", w.ProjectID, filter),
			Want: want}
	}
	acctest.RunLists(t, w.World, "branches", []acctest.WantedList{
		list("", ids(func(client.Branch) bool { return true })),
		list(`name_prefix = "preview/"`, ids(func(b client.Branch) bool { return b.ID == parent.ID || b.ID == child.ID })),
		list(`search = "preview"`, ids(func(b client.Branch) bool { return b.Name != "main" })),
		list(fmt.Sprintf("parent_id = %q", parent.ID), []string{child.ID}),
		list("protected = true", []string{protected.ID}),
		list("protected = false\nsearch = \"keep\"", nil),
		list("current_state = \"ready\"\nname_prefix = \"keep\"", []string{protected.ID}),
		list(`current_state = "archived"`, nil),
	})
	t.Run("every attribute", func(t *testing.T) {
		t.Parallel()
		exactly := knownvalue.StringExact
		var moment knownvalue.Check = knownvalue.Null()
		if at := w.BranchNamed(t, child.Name).ParentTimestamp; at != nil {
			moment = exactly(at.UTC().Format(time.RFC3339))
		}
		acctest.RunSteps(t, w.World, resource.TestStep{
			Config: w.ProviderConfig() + acctest.DataBlock("branches",
				fmt.Sprintf("project_id = %q\nparent_id = %q", w.ProjectID, parent.ID)),
			ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("branches", knownvalue.ListExact([]knownvalue.Check{
				knownvalue.ObjectExact(map[string]knownvalue.Check{
					"id": exactly(child.ID), "project_id": exactly(w.ProjectID), "name": exactly("preview/1/child"),
					"parent_id": exactly(parent.ID), "parent_lsn": knownvalue.NotNull(), "parent_timestamp": moment,
					"init_source": exactly("parent-data"), "current_state": exactly("ready"), "default": knownvalue.Bool(false),
					"protected": knownvalue.Bool(false), "expires_at": knownvalue.Null(), "created_at": acctest.Matches(`Z$`),
					"updated_at":         acctest.Matches(`Z$`),
					"restricted_actions": knownvalue.MapSizeExact(0), "logical_size": knownvalue.Null(),
				}),
			}), "branches")},
		})
	})
}

func TestAccBranchData_size(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	w.AddFault(t, acctest.Fault{
		Route: "GET /api/v2/projects/{project_id}/branches", Kind: "status", Status: http.StatusOK,
		Body: `{"branches":[{"id":"` + w.MainBranch(t).ID + `","project_id":"` + w.ProjectID +
			`","name":"sized","current_state":"ready","created_at":"2026-01-02T03:04:05Z",` +
			`"updated_at":"2026-01-02T03:04:05Z","logical_size":30785536}],"pagination":{}}`,
	})
	in := fmt.Sprintf("project_id = %q\n", w.ProjectID)
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + acctest.DataBlock("branches", in) + acctest.DataBlock("branch", in+`name = "sized"`),
		ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("branches", knownvalue.Int64Exact(30785536), "branches", 0, "logical_size"),
			acctest.DataIs("branch", knownvalue.Int64Exact(30785536), "logical_size"),
		},
	})
}

func TestAccBranchData_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	w.MaxRetries = 1
	in := fmt.Sprintf("project_id = %q\n", w.ProjectID)
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"neither id nor name": {Config: acctest.DataBlock("branch", in), Want: acctest.InWords("No attribute specified when one (and only one) of [id,name] is required")},
		"both":                {Config: acctest.DataBlock("branch", in+"id = \"br-x\"\nname = \"x\""), Want: acctest.InWords("2 attributes specified when one (and only one)")},
		"no such id":          {Config: acctest.DataBlock("branch", in+`id = "br-none-12345678"`), Want: acctest.InOrder("No such branch", "404")},
		"no such name":        {Config: acctest.DataBlock("branch", in+`name = "mai"`), Want: acctest.InOrder("No such branch", `named "mai"`, "neon_branches")},
		"id that isn't":       {Config: acctest.DataBlock("branch", in+`id = "my branch"`), Want: acctest.InWords("id must be an id")},
		"no such project":     {Config: acctest.DataBlock("branch", "project_id = \"none\"\nname = \"main\""), Want: acctest.InOrder("Unable to read branch", "404")},
		"list, no project":    {Config: acctest.DataBlock("branches", `project_id = "none"`), Want: acctest.InOrder("Unable to list branches", "404")},
		"empty prefix":        {Config: acctest.DataBlock("branches", in+`name_prefix = ""`), Want: acctest.InWords("name_prefix string length must be at least 1")},
	})
	t.Run("endpoints can't be read", func(t *testing.T) {
		t.Parallel()
		w := acctest.NewBranchWorld(t)
		w.MaxRetries = 1
		in := fmt.Sprintf("project_id = %q\n", w.ProjectID)
		w.AddFault(t, acctest.Fault{Route: "GET /api/v2/projects/{project_id}/endpoints", Kind: "status",
			Status: http.StatusInternalServerError})
		w.AddFault(t, acctest.Fault{
			Route: "GET /api/v2/projects/{project_id}/branches/{branch_id}/endpoints", Kind: "status",
			Status: http.StatusInternalServerError,
		})
		acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
			"endpoints": {Config: acctest.DataBlock("branch", in+`name = "main"`), Want: acctest.InOrder("Unable to read the branch's endpoints", "500")},
		})
	})
}
