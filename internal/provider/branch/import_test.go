package branch_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
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
		ResourceName: acctest.BranchAddress, ImportState: true, ImportStateKind: kind,
		ImportStateIdFunc: func(state *terraform.State) (string, error) {
			attributes := state.RootModule().Resources[acctest.BranchAddress].Primary.Attributes
			return attributes["project_id"] + "/" + attributes["id"], nil
		},
	}
	if kind == resource.ImportCommandWithID {
		step.ImportStateVerify = true
		// An import can't know what was asked for.
		step.ImportStateVerifyIgnore = []string{"parent_lsn", "parent_timestamp"}
	}
	return step
}

func TestAccBranch_import(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(branchWithEndpoints), plancheck.ResourceActionCreate),
			importStep(resource.ImportCommandWithID),
			importStep(resource.ImportBlockWithID),
			acctest.Planned(w.BranchConfig("name = \"b\"\nendpoints = {}"), plancheck.ResourceActionUpdate),
			acctest.Planned(w.BranchConfig(`name = "b"`), plancheck.ResourceActionUpdate),
			importStep(resource.ImportCommandWithID),
			importStep(resource.ImportBlockWithID),
		},
	})
}

func TestAccBranch_importByCommandThenPlan(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	branch := w.MakeBranch(t, "b")
	config := w.BranchConfig(`name = "b"
		endpoints = { primary = { type = "read_write" } }`)
	w.MakeEndpoint(t, branch.ID, client.EndpointReadWrite)
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			{
				Config: config, ResourceName: acctest.BranchAddress, ImportState: true, ImportStatePersist: true,
				ImportStateId: w.ProjectID + "/" + branch.ID,
			},
			acctest.Planned(config, plancheck.ResourceActionNoop, branchIs(knownvalue.StringExact(branch.ID), "id")),
			// An endpoint that comes later is somebody else's.
			{
				PreConfig: func() { w.MakeEndpoint(t, branch.ID, client.EndpointReadOnly) },
				Config:    config,
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
		},
	})
}

func TestAccBranch_importByBlock(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	branch := w.MakeBranch(t, "b")
	first := w.MakeEndpoint(t, branch.ID, client.EndpointReadOnly)
	w.MakeEndpoint(t, branch.ID, client.EndpointReadOnly)
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(fmt.Sprintf(`
				name      = "b"
				parent_id = %q
				endpoints = { replica = { type = "read_only" }, replica-2 = { type = "read_only", suspend_timeout_seconds = %d } }`,
				branch.ParentID, first.SuspendTimeoutSeconds))+acctest.ImportBlock(w.Ref(branch.ID)),
				plancheck.ResourceActionNoop, branchIs(knownvalue.MapSizeExact(2), "endpoints")),
		},
	})
}

func TestAccBranch_importOfTheDefaultBranch(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	main := w.MainBranch(t)
	endpoint := w.Endpoints(t, main.ID)[0]
	config := w.BranchConfig(fmt.Sprintf(`name = %q
		endpoints = { primary = { type = %q } }`, main.Name, endpoint.Type))
	forgotten := w.ProviderConfig() + fmt.Sprintf(`
		removed {
			from = %s
			lifecycle { destroy = false }
		}`, acctest.BranchAddress)
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config+acctest.ImportBlock(w.Ref(main.ID)), plancheck.ResourceActionNoop,
				branchIs(knownvalue.Bool(true), "default"), branchIs(knownvalue.Null(), "parent_id"),
				branchIs(knownvalue.StringExact(endpoint.ID), "endpoints", "primary", "id")),
			// It can't be deleted, and stays in state.
			{Config: config, Destroy: true, ExpectError: regexp.MustCompile(`(?s)default\s+branch.*terraform\s+state\s+rm`)},
			acctest.Planned(config, plancheck.ResourceActionNoop, branchIs(knownvalue.StringExact(main.ID), "id")),
			{Config: forgotten},
		},
	})
	w.CheckOnly(t, "main")
}

func TestAccBranch_importIDs(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.BranchConfig(`name = "b"`)
	wrong := regexp.MustCompile(`(?s)Invalid import id.*project_id/branch_id`)
	for id, want := range map[string]*regexp.Regexp{
		"br-a-b-c":                             wrong,
		"/br-a-b-c":                            wrong,
		w.ProjectID + "/":                      wrong,
		w.ProjectID + "/br-a/b":                wrong,
		w.ProjectID + "/Branch One":            wrong,
		w.ProjectID + "/br-not-there-12345678": regexp.MustCompile(`No such branch`),
		"not-there-12345678/br-not-there-12345678": acctest.InWords(
			"Project not-there-12345678 can't be seen with this API key"),
	} {
		w.Refuses(t, acctest.Refusal{Config: config, Command: []string{"import", acctest.BranchAddress, id}, Want: want})
	}
}

func TestAccBranch_deletedOutside(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "reads-during-deletion", deletedOutside)
}

func deletedOutside(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.BranchWorldOf(t, played)
	config := w.BranchConfig(branchWithEndpoints)
	branch, app := newStaysTheSame("id"), newStaysTheSame("endpoints", "my app", "id")
	lost := func(lose func(), action plancheck.ResourceActionType, checks ...statecheck.StateCheck) resource.TestStep {
		step := acctest.Planned(config, action, checks...)
		step.PreConfig = lose
		return step
	}
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config, plancheck.ResourceActionCreate, branch.check(), app.check()),
			lost(func() {
				for _, endpoint := range w.Endpoints(t, w.BranchNamed(t, "b").ID) {
					if endpoint.Type == client.EndpointReadOnly {
						w.DeleteEndpoint(t, endpoint.ID)
					}
				}
			}, plancheck.ResourceActionUpdate, branch.check(), app.check(), branchIs(knownvalue.MapSizeExact(2), "endpoints")),
			lost(func() { w.DeleteBranch(t, w.BranchNamed(t, "b").ID) }, plancheck.ResourceActionCreate),
			// A name that was changed outside is changed back.
			lost(func() { renameBranch(t, w, w.BranchNamed(t, "b").ID, "other") }, plancheck.ResourceActionUpdate,
				branchIs(knownvalue.StringExact("b"), "name")),
		},
	})
	w.CheckOnly(t, "main")
}

func TestAccBranch_destroyOfWhatIsGone(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "reads-during-deletion", destroyOfWhatIsGone)
}

func destroyOfWhatIsGone(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.BranchWorldOf(t, played)
	config := w.BranchConfig(branchWithEndpoints)
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config, plancheck.ResourceActionCreate),
			{PreConfig: func() { w.DeleteBranch(t, w.BranchNamed(t, "b").ID) }, Config: config, Destroy: true},
		},
	})
}
