package endpoint_test

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// A neon_branch without endpoints leaves those of neon_endpoint alone, whether Terraform
// created it, or imported it with all its endpoints.
func TestAccEndpoint_besideBranch(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	imported := w.MakeBranch(t, "imported")
	writer := w.MakeEndpoint(t, imported.ID, client.EndpointReadWrite)
	config := w.ProviderConfig()
	for _, name := range []string{"created", "imported"} {
		config += fmt.Sprintf("resource \"neon_branch\" %[1]q {\n project_id = %[2]q\n name = %[1]q\n}\n"+
			"resource \"neon_endpoint\" %[1]q {\n project_id = %[2]q\n branch_id = neon_branch.%[1]s.id\n type = \"read_write\"\n}\n", name, w.ProjectID)
	}
	imports := fmt.Sprintf("import {\n to = neon_branch.imported\n id = \"%s/%s\"\n}\nimport {\n to = neon_endpoint.imported\n id = \"%s/%s\"\n}\n",
		w.ProjectID, imported.ID, w.ProjectID, writer.ID)
	acctest.RunSteps(t, w.World,
		// The plan after this one is empty.
		resource.TestStep{
			Config:           config + imports,
			ConfigPlanChecks: acctest.ExpectAction("neon_endpoint.imported", plancheck.ResourceActionNoop),
		},
		resource.TestStep{
			Config:           config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
		resource.TestStep{
			Config: w.ProviderConfig() + "removed {\n from = neon_endpoint.imported\n lifecycle {\n destroy = false\n }\n}\n" +
				"removed {\n from = neon_branch.imported\n lifecycle {\n destroy = false\n }\n}\n",
		},
	)
	if left := w.Endpoints(t, imported.ID); len(left) != 1 || left[0].ID != writer.ID {
		t.Errorf("the imported branch has %v, want %s", left, writer.ID)
	}
}

// The plan of a new read_write endpoint names the one that its branch has already, unless the state has that, which may
// go.
func TestEndpoint_tellsOfTheBranchsOwn(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	with, without := w.MakeBranch(t, "with"), w.MakeBranch(t, "without")
	writer := w.MakeEndpoint(t, with.ID, client.EndpointReadWrite)
	f, err := inprocess.NewForesight(t.Context(), w.Factories()["neon"], w.ProviderConfig())
	if err != nil {
		t.Fatal(err)
	}
	managed := w.ProviderConfig() + strings.Replace(block(w.Ref(without.ID), "read_write"), `"test"`, `"managed"`, 1)
	if err := f.Apply(t.Context(), managed); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		branchID, kind string
		want           bool
	}{
		"of a branch that has one":         {with.ID, "read_write", true},
		"a reader of it":                   {with.ID, "read_only", false},
		"where one goes with its resource": {without.ID, "read_write", false},
	} {
		planned, err := f.Plan(t.Context(), w.ProviderConfig()+block(w.Ref(test.branchID), test.kind), address)
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(planned.Warnings, "\n")
		if isTold := acctest.InOrder(writer.ID, "can have only one", "import {").MatchString(said); isTold != test.want {
			t.Errorf("%s: the plan warns: %s", name, said)
		}
	}
}

// A neon_branch that was imported with an endpoint of a neon_endpoint doesn't delete it, though its endpoints don't
// name it, and there is a way to have both as configured.
func TestAccEndpoint_notDeletedByItsBranch(t *testing.T) {
	t.Parallel()
	for name, branchID := range map[string]string{"after the branch": "neon_branch.b.id", "beside it": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			branch := w.MakeBranch(t, "b")
			w.MakeEndpoint(t, branch.ID, client.EndpointReadWrite)
			reader := w.MakeEndpoint(t, branch.ID, client.EndpointReadOnly)
			config := func(endpoints string) string {
				return w.ProviderConfig() + fmt.Sprintf("resource \"neon_branch\" \"b\" {\n project_id = %q\n name = \"b\"\n%s\n}\n"+
					"resource \"neon_endpoint\" \"reader\" {\n project_id = %q\n branch_id = %s\n type = \"read_only\"\n}\n",
					w.ProjectID, endpoints, w.ProjectID, cmp.Or(branchID, strconv.Quote(branch.ID)))
			}
			imports := fmt.Sprintf("import {\n to = neon_branch.b\n id = \"%[1]s/%[2]s\"\n}\nimport {\n to = neon_endpoint.reader\n id = \"%[1]s/%[3]s\"\n}\n",
				w.ProjectID, branch.ID, reader.ID)
			const writer = `endpoints = { app = { type = "read_write" } }`
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: config(writer) + imports,
					ExpectError: acctest.InOrder("Two resources for one endpoint", reader.ID, "Remove endpoints")},
				resource.TestStep{Config: config("") + imports},
				resource.TestStep{Config: config(writer)},
			)
		})
	}
}

// The read_write endpoint of an anonymized branch goes with its branch alone, which a plan that would delete it says.
func TestAccEndpoint_ofAnonymizedBranch(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	made, err := w.API.CreateAnonymizedBranch(t.Context(), w.ProjectID, client.BranchCreate{Name: "preview"},
		[]client.MaskingRule{})
	w.Settle(t, made.Operations, err)
	writer := w.Endpoints(t, made.Object.ID)[0]
	config := func(branchID string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), "read_write",
			`preload_libraries = { use_defaults = false, enabled_libraries = ["anon"] }`)
	}
	imports := fmt.Sprintf("import {\n to = %s\n id = \"%s/%s\"\n}\n", address, w.ProjectID, writer.ID)
	refused := acctest.InOrder("Unable to delete endpoint "+writer.ID, "Cannot delete read-write endpoints", "removed {")
	reasons := knownvalue.MapExact(map[string]knownvalue.Check{"restore": knownvalue.NotNull(),
		"delete-rw-endpoint": acctest.Matches("^cannot delete")})
	acctest.RunSteps(t, w.World,
		resource.TestStep{
			Config: config(made.Object.ID) + imports +
				acctest.DataBlock("branch", fmt.Sprintf("project_id = %q\nname = \"preview\"", w.ProjectID)),
			ConfigPlanChecks:  acctest.ExpectAction(address, plancheck.ResourceActionNoop),
			ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("branch", reasons, "restricted_actions")},
		},
		resource.TestStep{Config: w.ProviderConfig(), ExpectError: refused},
		resource.TestStep{Config: config(w.MakeBranch(t, "other").ID), ExpectError: refused},
		resource.TestStep{Config: strings.Replace(config(made.Object.ID), "read_write", "read_only", 1),
			ExpectError: refused},
		resource.TestStep{Config: w.ProviderConfig() + "removed {\n from = " + address +
			"\n lifecycle {\n destroy = false\n }\n}\n"},
	)
}
