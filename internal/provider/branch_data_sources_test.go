package provider

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// dataIs checks an attribute of the data source that dataBlock declares.
func dataIs(kind string, check knownvalue.Check, first string, path ...any) statecheck.StateCheck {
	at := tfjsonpath.New(first)
	for _, step := range path {
		switch step := step.(type) {
		case int:
			at = at.AtSliceIndex(step)
		case string:
			at = at.AtMapKey(step)
		}
	}
	return statecheck.ExpectKnownValue("data.neon_"+kind+".test", at, check)
}

func TestAccBranchData(t *testing.T) {
	t.Parallel()
	w := newBranchWorld(t)
	branch := w.makeBranch(t, "b/1")
	w.makeBranch(t, "b/10")
	readWrite := w.makeEndpoint(t, branch.ID, client.EndpointReadWrite)
	readOnly := w.makeEndpoint(t, branch.ID, client.EndpointReadOnly)
	exactly := knownvalue.StringExact
	for name, by := range map[string]string{"id": fmt.Sprintf("id = %q", branch.ID), "name": `name = "b/1"`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			is := func(check knownvalue.Check, first string, path ...any) statecheck.StateCheck {
				return dataIs("branch", check, first, path...)
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
					"created_at":               matches(`Z$`),
				})
			}
			listed := w.endpoints(t, branch.ID)
			runSteps(t, w.world, resource.TestStep{
				Config: w.providerConfig() + dataBlock("branch", fmt.Sprintf("project_id = %q\n%s", w.projectID, by)),
				ConfigStateChecks: []statecheck.StateCheck{
					is(exactly(branch.ID), "id"), is(exactly("b/1"), "name"), is(exactly(w.projectID), "project_id"),
					is(exactly(w.mainBranch(t).ID), "parent_id"), is(knownvalue.NotNull(), "parent_lsn"), is(exactly("parent-data"), "init_source"),
					is(exactly("ready"), "current_state"), is(knownvalue.Bool(false), "default"), is(knownvalue.Bool(false), "protected"),
					is(knownvalue.Null(), "expires_at"), is(matches(`Z$`), "created_at"), is(matches(`Z$`), "updated_at"),
					is(exactly(readWrite.Host), "host"), is(exactly(readWrite.PoolerHost()), "pooler_host"),
					is(knownvalue.ListExact([]knownvalue.Check{endpoint[listed[0].ID], endpoint[listed[1].ID]}), "endpoints"),
				},
			})
		})
	}
	t.Run("without endpoints", func(t *testing.T) {
		t.Parallel()
		runSteps(t, w.world, resource.TestStep{
			Config: w.providerConfig() + dataBlock("branch", fmt.Sprintf("project_id = %q\nname = \"b/10\"", w.projectID)),
			ConfigStateChecks: []statecheck.StateCheck{
				dataIs("branch", knownvalue.Null(), "host"), dataIs("branch", knownvalue.ListSizeExact(0), "endpoints"),
			},
		})
	})
}

// Branches that are looked up together take one list, by name as by id.
func TestAccBranchData_many(t *testing.T) {
	t.Parallel()
	w := newBranchWorld(t)
	byName, byID := w.providerConfig(), w.providerConfig()
	for i := range 8 {
		branch := w.makeBranch(t, fmt.Sprintf("b/%d", i))
		block := func(by string) string {
			return fmt.Sprintf("data \"neon_branch\" \"b%d\" {\n  project_id = %q\n  %s\n}\n", i, w.projectID, by)
		}
		byName += block(fmt.Sprintf("name = %q", branch.Name))
		byID += block(fmt.Sprintf("id = %q", branch.ID))
	}
	for name, config := range map[string]string{"name": byName, "id": byID} {
		w.forgetRequests(t)
		runSteps(t, w.world, resource.TestStep{Config: config, PlanOnly: true})
		// The step plans twice, each time with a provider of its own.
		if requests := w.requests(t); requests.Total > 4 {
			t.Errorf("by %s, the requests were %v", name, requests.ByRoute)
		}
	}
}

func TestAccBranches(t *testing.T) {
	t.Parallel()
	w := newBranchWorld(t)
	parent := w.makeBranch(t, "preview/1")
	child := w.makeChild(t, "preview/1/child", parent.ID)
	protected, yes := w.makeBranch(t, "keep/preview"), true
	_, operations, err := w.api.UpdateBranch(t.Context(), w.projectID, protected.ID, client.BranchUpdate{Protected: &yes})
	w.settle(t, operations, err)
	ids := func(wants func(client.Branch) bool) []string {
		var ids []string
		for _, branch := range w.branches(t) {
			if wants(branch) {
				ids = append(ids, branch.ID)
			}
		}
		return ids
	}
	for name, test := range map[string]struct {
		filter string
		want   []string
	}{
		"all":         {"", ids(func(client.Branch) bool { return true })},
		"prefix":      {`name_prefix = "preview/"`, ids(func(b client.Branch) bool { return b.ID == parent.ID || b.ID == child.ID })},
		"search":      {`search = "preview"`, ids(func(b client.Branch) bool { return b.Name != "main" })},
		"parent":      {fmt.Sprintf("parent_id = %q", parent.ID), []string{child.ID}},
		"protected":   {"protected = true", []string{protected.ID}},
		"unprotected": {"protected = false\nsearch = \"keep\"", nil},
		"state":       {"current_state = \"ready\"\nname_prefix = \"keep\"", []string{protected.ID}},
		"no state":    {`current_state = "archived"`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runSteps(t, w.world, resource.TestStep{
				Config: w.providerConfig() + dataBlock("branches", fmt.Sprintf("project_id = %q\n%s", w.projectID, test.filter)),
				Check:  listIs("data.neon_branches.test", "branches", test.want),
			})
		})
	}
	t.Run("every attribute", func(t *testing.T) {
		t.Parallel()
		exactly := knownvalue.StringExact
		runSteps(t, w.world, resource.TestStep{
			Config: w.providerConfig() + dataBlock("branches", fmt.Sprintf("project_id = %q\nparent_id = %q", w.projectID, parent.ID)),
			ConfigStateChecks: []statecheck.StateCheck{dataIs("branches", knownvalue.ListExact([]knownvalue.Check{
				knownvalue.ObjectExact(map[string]knownvalue.Check{
					"id": exactly(child.ID), "project_id": exactly(w.projectID), "name": exactly("preview/1/child"),
					"parent_id": exactly(parent.ID), "parent_lsn": knownvalue.NotNull(), "parent_timestamp": knownvalue.Null(),
					"init_source": exactly("parent-data"), "current_state": exactly("ready"), "default": knownvalue.Bool(false),
					"protected": knownvalue.Bool(false), "expires_at": knownvalue.Null(), "created_at": matches(`Z$`), "updated_at": matches(`Z$`),
				}),
			}), "branches")},
		})
	})
}

func TestAccBranchData_errors(t *testing.T) {
	t.Parallel()
	w := newBranchWorld(t)
	w.maxRetries = 1
	in := fmt.Sprintf("project_id = %q\n", w.projectID)
	runErrors(t, w.world, map[string]failingConfig{
		"neither id nor name": {dataBlock("branch", in), inWords("No attribute specified when one (and only one) of [id,name] is required")},
		"both":                {dataBlock("branch", in+"id = \"br-x\"\nname = \"x\""), inWords("2 attributes specified when one (and only one)")},
		"no such id":          {dataBlock("branch", in+`id = "br-none-12345678"`), inOrder("No such branch", "404")},
		"no such name":        {dataBlock("branch", in+`name = "mai"`), inOrder("No such branch", `named "mai"`, "neon_branches")},
		"id that isn't":       {dataBlock("branch", in+`id = "my branch"`), inWords("id must be an id")},
		"no such project":     {dataBlock("branch", "project_id = \"none\"\nname = \"main\""), inOrder("Unable to read branch", "404")},
		"list, no project":    {dataBlock("branches", `project_id = "none"`), inOrder("Unable to list branches", "404")},
		"empty prefix":        {dataBlock("branches", in+`name_prefix = ""`), inWords("name_prefix string length must be at least 1")},
	})
	t.Run("endpoints can't be read", func(t *testing.T) {
		w.addFault(t, fault{Route: "GET /api/v2/projects/{project_id}/endpoints", Kind: "status", Status: http.StatusInternalServerError})
		w.addFault(t, fault{
			Route: "GET /api/v2/projects/{project_id}/branches/{branch_id}/endpoints", Kind: "status", Status: http.StatusInternalServerError,
		})
		runErrors(t, w.world, map[string]failingConfig{
			"endpoints": {dataBlock("branch", in+`name = "main"`), inOrder("Unable to read the branch's endpoints", "500")},
		})
	})
}
