package vpcendpoint_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

const (
	restricted      = "neon_vpc_endpoint_restriction.test"
	restrictedRoute = "/api/v2/projects/{project_id}/vpc_endpoints"
)

func restriction(projectID, id string, lines ...string) string {
	return fmt.Sprintf("resource \"neon_vpc_endpoint_restriction\" \"test\" {\n project_id = %q\n vpc_endpoint_id = %q\n %s\n}\n",
		projectID, id, strings.Join(lines, "\n "))
}

// newAssigned is a world whose organization has two endpoints.
func newAssigned(t *testing.T) *acctest.BranchWorld {
	t.Helper()
	w := acctest.NewBranchWorld(t)
	w.AssignVPCEndpoints(t, "vpce-0a1", "vpce-0b2")
	return w
}

func restrictions(t *testing.T, w *acctest.BranchWorld) []client.VPCEndpoint {
	t.Helper()
	all, err := client.All(w.API.ListVPCEndpointRestrictions(t.Context(), w.ProjectID))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func restrictionLife(t *testing.T, w *acctest.BranchWorld) []resource.TestStep {
	t.Helper()
	config := func(id string, lines ...string) string {
		return w.ProviderConfig() + restriction(w.ProjectID, id, lines...)
	}
	importID := w.ProjectID + "/vpce-0a1"
	return []resource.TestStep{
		{
			Config: config("vpce-0a1", `label = "payroll"`),
			ConfigStateChecks: []statecheck.StateCheck{
				is(restricted, "id", knownvalue.StringExact(importID)), is(restricted, "label", knownvalue.StringExact("payroll")),
			},
		},
		{ResourceName: restricted, ImportState: true, ImportStateVerify: true, ImportStateId: importID},
		// As another provider has it.
		{ResourceName: restricted, ImportState: true, ImportStateVerify: true, ImportStateId: "vpce-0a1/" + w.ProjectID},
		{ResourceName: restricted, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateId: importID},
		{
			Config: config("vpce-0a1"), ConfigPlanChecks: acctest.ExpectAction(restricted, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{is(restricted, "label", knownvalue.Null())},
		},
		// Lifted and labelled outside.
		{
			PreConfig: func() {
				if err := w.API.DeleteVPCEndpointRestriction(t.Context(),
					client.Ref[client.VPCEndpoint]{ProjectID: w.ProjectID, ID: "vpce-0a1"}); err != nil {
					t.Error(err)
				}
			},
			Config: config("vpce-0a1"), ConfigPlanChecks: acctest.ExpectAction(restricted, plancheck.ResourceActionCreate),
		},
		{
			PreConfig: func() {
				if err := w.API.UpdateVPCEndpointRestriction(t.Context(),
					client.Ref[client.VPCEndpoint]{ProjectID: w.ProjectID, ID: "vpce-0a1"}, "theirs"); err != nil {
					t.Error(err)
				}
			},
			Config: config("vpce-0a1"), ConfigPlanChecks: acctest.ExpectAction(restricted, plancheck.ResourceActionUpdate),
		},
		{Config: config("vpce-0b2"), ConfigPlanChecks: acctest.ExpectAction(restricted, plancheck.ResourceActionReplace)},
	}
}

func TestAccVPCEndpointRestriction_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := newAssigned(t)
	acctest.RunSteps(t, w.World, restrictionLife(t, w)...)
	if left := restrictions(t, w); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
}

func TestAccTerraform_vpcEndpointRestrictionLife(t *testing.T) {
	w := newAssigned(t)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(), Steps: acctest.FirstSteps(5, restrictionLife(t, w)),
	})
}

func TestAccVPCEndpointRestriction_errors(t *testing.T) {
	t.Parallel()
	w := newAssigned(t)
	if err := w.API.CreateVPCEndpointRestriction(t.Context(),
		client.Ref[client.VPCEndpoint]{ProjectID: w.ProjectID, ID: "vpce-0b2"}, ""); err != nil {
		t.Fatal(err)
	}
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"restricted already": {
			Config: restriction(w.ProjectID, "vpce-0b2"),
			Want: acctest.InOrder("Unable to create VPC endpoint restriction", "already",
				"another resource of this configuration",
				"to = neon_vpc_endpoint_restriction.NAME", w.ProjectID+"/vpce-0b2"),
		},
		"not assigned": {
			Config: restriction(w.ProjectID, "vpce-0none"),
			Want: acctest.InOrder("Unable to create VPC endpoint restriction",
				"neon_vpc_endpoint_assignment.NAME.vpc_endpoint_id"),
		},
		"no such project": {
			Config: restriction("none-such-12345678", "vpce-0a1"),
			Want:   acctest.InOrder("Unable to read project", "project_id", "404"),
		},
		"import id":    {Config: restriction(w.ProjectID, "vpce-0a1"), Command: []string{"import", restricted, "vpce-0a1"}, Want: acctest.InWords("project_id/vpc_endpoint_id, such as")},
		"import: gone": {Config: restriction(w.ProjectID, "vpce-0a1"), Command: []string{"import", restricted, w.ProjectID + "/vpce-0a1"}, Want: acctest.InWords("No such")},
	})
}

// An endpoint of another region than the project's is told by the plan of a restriction to it. What isn't assigned yet
// may be by then.
func TestVPCEndpointRestriction_ofAnotherRegion(t *testing.T) {
	t.Parallel()
	w := newAssigned(t)
	project, err := w.API.GetProject(t.Context(), w.ProjectID)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := client.VPCEndpointRef{OrgID: w.OrgID, RegionID: "aws-eu-central-1", ID: "vpce-0e1"}
	if err := w.API.AssignVPCEndpoint(t.Context(), elsewhere, ""); err != nil || project.RegionID == elsewhere.RegionID {
		t.Fatal(err)
	}
	p := acctest.NewProtocol(t, w.World)
	for id, want := range map[string]*regexp.Regexp{
		"vpce-0a1": regexp.MustCompile("^$"), "vpce-0none": regexp.MustCompile("^$"),
		"vpce-0e1": acctest.InOrder("An endpoint of another region", elsewhere.RegionID, project.RegionID,
			"vpc_endpoint_id"),
	} {
		said := p.PlanCreation(t, "neon_vpc_endpoint_restriction",
			acctest.Texts(map[string]string{"project_id": w.ProjectID, "vpc_endpoint_id": id}))
		if !want.MatchString(said) {
			t.Errorf("%s says %q", id, said)
		}
	}
}

// Whatever becomes of the answers, the project is restricted once, and freed. An error after
// the effect isn't answered with a second request.
func TestAccVPCEndpointRestriction_lostAnswers(t *testing.T) {
	t.Parallel()
	w := newAssigned(t)
	for _, kind := range []string{"lost_before", "lost_after"} {
		w.AddFault(t, acctest.Fault{Route: "POST " + restrictedRoute + "/{vpc_endpoint_id}", Kind: kind, Count: 1})
		w.AddFault(t, acctest.Fault{Route: "DELETE " + restrictedRoute + "/{vpc_endpoint_id}", Kind: kind, Count: 1})
	}
	w.AddFault(t, acctest.Fault{Route: "POST " + restrictedRoute + "/{vpc_endpoint_id}", Kind: "status_after",
		Status: http.StatusInternalServerError, Count: 1})
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + restriction(w.ProjectID, "vpce-0a1")},
		resource.TestStep{Config: w.ProviderConfig() + restriction(w.ProjectID, "vpce-0a1", `label = "b"`)},
		resource.TestStep{Config: w.ProviderConfig()},
	)
	if left := restrictions(t, w); len(left) != 0 || w.FaultsLeft(t) != 0 {
		t.Errorf("left are %v, and %d faults", left, w.FaultsLeft(t))
	}
}

// A refusal after a lost answer doesn't hide what may exist, and a page of a proxy explains
// nothing.
func TestAccVPCEndpointRestriction_refusedAfterALostAnswer(t *testing.T) {
	t.Parallel()
	w := newAssigned(t)
	const route = "POST " + restrictedRoute + "/{vpc_endpoint_id}"
	w.AddFault(t, acctest.Fault{Route: route, Kind: "lost_before", Count: 1})
	w.AddFault(t, acctest.Fault{Route: route, Kind: "status", Status: http.StatusNotFound, Body: "<html>", Count: 1})
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfig() + restriction(w.ProjectID, "vpce-0a1"),
		Want:   acctest.InOrder("404", "may have taken effect", "Apply again: if it exists"),
	})
	w.AddFault(t, acctest.Fault{Route: route, Kind: "status", Status: http.StatusNotFound, Body: "<html>", Count: 1})
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfig() + restriction(w.ProjectID, "vpce-0a1"),
		Want:   acctest.InOrder("404", "Something other than Neon may have answered"),
	})
}

func TestAccVPCEndpointData(t *testing.T) {
	t.Parallel()
	w := newAssigned(t)
	if err := w.API.CreateVPCEndpointRestriction(t.Context(),
		client.Ref[client.VPCEndpoint]{ProjectID: w.ProjectID, ID: "vpce-0b2"}, "payroll"); err != nil {
		t.Fatal(err)
	}
	if err := w.API.AssignVPCEndpoint(t.Context(), client.VPCEndpointRef{OrgID: w.OrgID, RegionID: "aws-eu-central-1",
		ID: "vpce-0c3"}, "office"); err != nil {
		t.Fatal(err)
	}
	w.Advance(t, 25*time.Hour)
	endpoint := func(region, id string, label knownvalue.Check) knownvalue.Check {
		return knownvalue.ObjectExact(map[string]knownvalue.Check{
			"region_id": knownvalue.StringExact(region), "vpc_endpoint_id": knownvalue.StringExact(id), "label": label,
		})
	}
	inOrg := fmt.Sprintf("org_id = %q\n", w.OrgID)
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + acctest.DataBlock("vpc_endpoints", inOrg) +
			acctest.DataBlock("vpc_endpoint", inOrg+fmt.Sprintf("region_id = %q\n vpc_endpoint_id = \"vpce-0b2\"\n", region)) +
			acctest.DataBlock("vpc_endpoint_restrictions", fmt.Sprintf("project_id = %q\n", w.ProjectID)),
		ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("vpc_endpoints", knownvalue.ListExact([]knownvalue.Check{
				endpoint(region, "vpce-0a1", knownvalue.Null()), endpoint(region, "vpce-0b2", knownvalue.Null()),
				endpoint("aws-eu-central-1", "vpce-0c3", knownvalue.StringExact("office")),
			}), "vpc_endpoints"),
			acctest.DataIs("vpc_endpoint", knownvalue.StringExact("accepted"), "state"),
			acctest.DataIs("vpc_endpoint", knownvalue.Int64Exact(1), "restricted_project_count"),
			acctest.DataIs("vpc_endpoint", knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact(w.ProjectID)}),
				"example_restricted_projects"),
			acctest.DataIs("vpc_endpoint_restrictions", knownvalue.ListExact(
				[]knownvalue.Check{knownvalue.ObjectExact(map[string]knownvalue.Check{
					"vpc_endpoint_id": knownvalue.StringExact("vpce-0b2"), "label": knownvalue.StringExact("payroll"),
				})}), "restrictions"),
		},
	})
}

func TestAccVPCEndpointData_errors(t *testing.T) {
	t.Parallel()
	w := newAssigned(t)
	inOrg := fmt.Sprintf("org_id = %q\n", w.OrgID)
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"not assigned": {
			Config: acctest.DataBlock("vpc_endpoint", inOrg+fmt.Sprintf("region_id = %q\n vpc_endpoint_id = \"vpce-0none\"\n",
				region)),
			Command: acctest.Plan, Want: acctest.InOrder("No such VPC endpoint", "vpc_endpoint_id", "404"),
		},
		"no organization": {Config: acctest.DataBlock("vpc_endpoints", ""), Command: acctest.Plan, Want: acctest.InOrder("No organization", "org_id")},
		"another organization": {
			Config: acctest.DataBlock("vpc_endpoints", "org_id = \"org-none-12345678\"\n"), Command: acctest.Plan,
			Want: acctest.InOrder("Unable to list VPC endpoints", "404"),
		},
		"another project": {
			Config:  acctest.DataBlock("vpc_endpoint_restrictions", "project_id = \"none-such-12345678\"\n"),
			Command: acctest.Plan,
			Want:    acctest.InOrder("Unable to list VPC endpoint restrictions", "404"),
		},
	})
}
