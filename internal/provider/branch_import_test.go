package provider

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

const branchWithEndpoints = `
	name = "b"
	endpoints = {
		"my app" = { type = "read_write", autoscaling_limit_min_cu = 1, autoscaling_limit_max_cu = 2 }
		reports  = { type = "read_only", disabled = true, name = "r" }
	}`

// importStep imports what is in state once more, and compares.
func importStep(kind resource.ImportStateKind) resource.TestStep {
	step := resource.TestStep{
		ResourceName: branchAddress, ImportState: true, ImportStateKind: kind,
		ImportStateIdFunc: func(state *terraform.State) (string, error) {
			attributes := state.RootModule().Resources[branchAddress].Primary.Attributes
			return attributes["project_id"] + "/" + attributes["id"], nil
		},
	}
	if kind == resource.ImportCommandWithID {
		step.ImportStateVerify = true
	}
	return step
}

func TestAccBranch_import(t *testing.T) {
	w := newBranchWorld(t)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			planned(w.branchConfig(branchWithEndpoints), plancheck.ResourceActionCreate),
			importStep(resource.ImportCommandWithID),
			importStep(resource.ImportBlockWithID),
			planned(w.branchConfig(`name = "b"`), plancheck.ResourceActionUpdate),
			importStep(resource.ImportCommandWithID),
			importStep(resource.ImportBlockWithID),
		},
	})
}

func TestAccBranch_importByCommandThenPlan(t *testing.T) {
	w := newBranchWorld(t)
	branch := w.makeBranch(t, "b")
	config := w.branchConfig(`name = "b"
		endpoints = { primary = { type = "read_write" } }`)
	w.makeEndpoint(t, branch.ID, client.EndpointReadWrite)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			{
				Config: config, ResourceName: branchAddress, ImportState: true, ImportStatePersist: true,
				ImportStateId: w.projectID + "/" + branch.ID,
			},
			planned(config, plancheck.ResourceActionNoop, branchIs(knownvalue.StringExact(branch.ID), "id")),
			// An endpoint that comes later is somebody else's.
			{
				PreConfig: func() { w.makeEndpoint(t, branch.ID, client.EndpointReadOnly) },
				Config:    config,
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
		},
	})
}

func TestAccBranch_importByBlock(t *testing.T) {
	w := newBranchWorld(t)
	branch := w.makeBranch(t, "b")
	first := w.makeEndpoint(t, branch.ID, client.EndpointReadOnly)
	w.makeEndpoint(t, branch.ID, client.EndpointReadOnly)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			planned(w.branchConfig(fmt.Sprintf(`
				name      = "b"
				parent_id = %q
				endpoints = { replica = { type = "read_only" }, replica-2 = { type = "read_only", suspend_timeout_seconds = %d } }`,
				branch.ParentID, first.SuspendTimeoutSeconds))+importBlock(w.projectID, branch.ID),
				plancheck.ResourceActionNoop, branchIs(knownvalue.MapSizeExact(2), "endpoints")),
		},
	})
}

func importBlock(projectID, branchID string) string {
	return fmt.Sprintf("\nimport {\n to = %s\n id = \"%s/%s\"\n}\n", branchAddress, projectID, branchID)
}

func TestAccBranch_importOfTheDefaultBranch(t *testing.T) {
	w := newBranchWorld(t)
	main := w.mainBranch(t)
	endpoint := w.endpoints(t, main.ID)[0]
	config := w.branchConfig(fmt.Sprintf(`name = %q
		endpoints = { primary = { type = %q } }`, main.Name, endpoint.Type))
	forgotten := w.providerConfig() + fmt.Sprintf(`
		removed {
			from = %s
			lifecycle { destroy = false }
		}`, branchAddress)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			planned(config+importBlock(w.projectID, main.ID), plancheck.ResourceActionNoop,
				branchIs(knownvalue.Bool(true), "default"), branchIs(knownvalue.Null(), "parent_id"),
				branchIs(knownvalue.StringExact(endpoint.ID), "endpoints", "primary", "id")),
			// It can't be deleted, and stays in state.
			{Config: config, Destroy: true, ExpectError: regexp.MustCompile(`(?s)default\s+branch.*terraform\s+state\s+rm`)},
			planned(config, plancheck.ResourceActionNoop, branchIs(knownvalue.StringExact(main.ID), "id")),
			{Config: forgotten},
		},
	})
	w.checkOnly(t, "main")
}

func TestAccBranch_importIDs(t *testing.T) {
	w := newBranchWorld(t)
	config := w.branchConfig(`name = "b"`)
	wrong := regexp.MustCompile(`(?s)Invalid import id.*project_id/branch_id`)
	step := func(id string, want *regexp.Regexp) resource.TestStep {
		return resource.TestStep{
			Config: config, ResourceName: branchAddress, ImportState: true, ImportStateId: id, ExpectError: want,
		}
	}
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			step("br-a-b-c", wrong),
			step("/br-a-b-c", wrong),
			step(w.projectID+"/", wrong),
			step(w.projectID+"/br-a/b", wrong),
			step(w.projectID+"/Branch One", wrong),
			step(w.projectID+"/br-not-there-12345678", regexp.MustCompile(`(?i)non-existent`)),
			step("not-there-12345678/br-not-there-12345678", inWords("Project not-there-12345678 can't be seen with this API key")),
		},
	})
}

func TestAccBranch_deletedOutside(t *testing.T) {
	w := newBranchWorld(t)
	config := w.branchConfig(branchWithEndpoints)
	branch, app := newStaysTheSame("id"), newStaysTheSame("endpoints", "my app", "id")
	lost := func(lose func(), action plancheck.ResourceActionType, checks ...statecheck.StateCheck) resource.TestStep {
		step := planned(config, action, checks...)
		step.PreConfig = lose
		return step
	}
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			planned(config, plancheck.ResourceActionCreate, branch.check(), app.check()),
			lost(func() {
				for _, endpoint := range w.endpoints(t, w.branchNamed(t, "b").ID) {
					if endpoint.Type == client.EndpointReadOnly {
						w.deleteEndpoint(t, endpoint.ID)
					}
				}
			}, plancheck.ResourceActionUpdate, branch.check(), app.check(), branchIs(knownvalue.MapSizeExact(2), "endpoints")),
			lost(func() { w.deleteBranch(t, w.branchNamed(t, "b").ID) }, plancheck.ResourceActionCreate),
			// A name that was changed outside is changed back.
			lost(func() { w.renameBranch(t, w.branchNamed(t, "b").ID, "other") }, plancheck.ResourceActionUpdate,
				branchIs(knownvalue.StringExact("b"), "name")),
		},
	})
	w.checkOnly(t, "main")
}

func TestAccBranch_destroyOfWhatIsGone(t *testing.T) {
	w := newBranchWorld(t)
	config := w.branchConfig(branchWithEndpoints)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			planned(config, plancheck.ResourceActionCreate),
			{PreConfig: func() { w.deleteBranch(t, w.branchNamed(t, "b").ID) }, Config: config, Destroy: true},
		},
	})
}
