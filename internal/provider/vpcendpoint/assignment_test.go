package vpcendpoint_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	assigned   = "neon_vpc_endpoint_assignment.test"
	region     = "aws-us-east-2"
	assignedAt = "/api/v2/organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}"
	protected  = "deletion_protection = true"
	free       = "deletion_protection = false"
)

func assignment(orgID, id string, lines ...string) string {
	return fmt.Sprintf("resource \"neon_vpc_endpoint_assignment\" \"test\" {\n org_id = %q\n region_id = %q\n vpc_endpoint_id = %q\n %s\n}\n",
		orgID, region, id, strings.Join(lines, "\n "))
}

func is(address, attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), check)
}

// endpoints are those of the world's organization.
func endpoints(t *testing.T, w *acctest.BranchWorld) []client.VPCEndpoint {
	t.Helper()
	all, err := client.All(w.API.ListVPCEndpoints(t.Context(), w.OrgID))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func removed(t *testing.T, w *acctest.BranchWorld, id string) func() {
	t.Helper()
	return func() {
		if err := w.API.DeleteVPCEndpoint(t.Context(), client.VPCEndpointRef{OrgID: w.OrgID, RegionID: region,
			ID: id}); err != nil {
			t.Error(err)
		}
	}
}

func assignmentLife(t *testing.T, w *acctest.BranchWorld) []resource.TestStep {
	t.Helper()
	config := func(id string, lines ...string) string { return w.ProviderConfig() + assignment(w.OrgID, id, lines...) }
	importID := w.OrgID + "/" + region + "/vpce-0a1"
	return []resource.TestStep{
		{
			Config: config("vpce-0a1"),
			ConfigStateChecks: []statecheck.StateCheck{
				is(assigned, "id", knownvalue.StringExact(importID)), is(assigned, "label", knownvalue.Null()),
				is(assigned, "deletion_protection", knownvalue.Bool(true)),
			},
		},
		{ResourceName: assigned, ImportState: true, ImportStateVerify: true, ImportStateId: importID},
		{ResourceName: assigned, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateId: importID},
		{
			Config: config("vpce-0a1", `label = "office"`), ConfigPlanChecks: acctest.ExpectAction(assigned,
				plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{is(assigned, "label", knownvalue.StringExact("office"))},
		},
		// No label and an empty one are the same.
		{Config: config("vpce-0a1", `label = ""`), ConfigPlanChecks: acctest.ExpectAction(assigned, plancheck.ResourceActionUpdate)},
		// By default nothing destroys it, nor replaces it.
		{Config: w.ProviderConfig(), ExpectError: acctest.InOrder("The VPC endpoint assignment is protected", "for good", free)},
		{Config: config("vpce-0b2"), ExpectError: acctest.InOrder("is protected", free)},
		{Config: config("vpce-0a1", free), ConfigPlanChecks: acctest.ExpectAction(assigned, plancheck.ResourceActionUpdate)},
		{Config: config("vpce-0b2", free), ConfigPlanChecks: acctest.ExpectAction(assigned, plancheck.ResourceActionReplace)},
		// Removed outside: the plan says so, and Neon takes no such endpoint again.
		{
			PreConfig: removed(t, w, "vpce-0b2"), Config: config("vpce-0b2", free),
			ExpectError: acctest.InOrder("Unable to create VPC endpoint assignment", "doesn't take it again",
				"another endpoint in AWS"),
		},
		{Config: config("vpce-0c3", free), ConfigPlanChecks: acctest.ExpectAction(assigned, plancheck.ResourceActionCreate)},
	}
}

func TestAccVPCEndpointAssignment_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	acctest.EachReading(t, "vpc-removed", func(t *testing.T, played emulator.Config) {
		t.Parallel()
		w := acctest.BranchWorldOf(t, played)
		acctest.RunSteps(t, w.World, assignmentLife(t, w)...)
		if left := endpoints(t, w); len(left) != 0 {
			t.Errorf("left are %v", left)
		}
	})
}

func TestAccTerraform_vpcEndpointAssignmentLife(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(), Steps: acctest.FirstSteps(8, assignmentLife(t, w)),
	})
}

// The plan that destroys one says that it is for good.
func TestAccTerraform_vpcEndpointAssignmentIsDestroyedForGood(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	r := acctest.NewRun(t, w.World, assignment(w.OrgID, "vpce-0a1", free))
	r.Terraform(t, "apply", "-auto-approve")
	for _, said := range []string{r.Terraform(t, "plan", "-destroy"), r.Terraform(t, "destroy", "-auto-approve")} {
		if said = acctest.InOneLine(said); !strings.Contains(said, "Destroyed for good ("+w.OrgID+"/"+region+"/vpce-0a1)") ||
			!strings.Contains(said, "never takes the same endpoint") {
			t.Errorf("said is %s", said)
		}
	}
}

// None is destroyed to be assigned again, which Neon would refuse.
func TestAccTerraform_vpcEndpointAssignmentIsNotReplacedByForce(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	r := acctest.NewRun(t, w.World, assignment(w.OrgID, "vpce-0a1", free))
	r.Terraform(t, "apply", "-auto-approve")
	if said := r.Fails(t, "apply", "-auto-approve", "-replace="+assigned); !acctest.InOrder("can't be created again",
		"never takes the same endpoint").MatchString(said) {
		t.Errorf("said is %s", said)
	}
	if left := endpoints(t, w); len(left) != 1 {
		t.Errorf("left are %v", left)
	}
}

// An endpoint removed outside is planned anew.
func TestAccVPCEndpointAssignment_removedOutside(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.ProviderConfig() + assignment(w.OrgID, "vpce-0a1", free)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: removed(t, w, "vpce-0a1"), RefreshState: true, ExpectNonEmptyPlan: true},
	)
}

func TestAccVPCEndpointAssignment_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	w.AssignVPCEndpoints(t, "vpce-0taken")
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"assigned already": {
			Config: assignment(w.OrgID, "vpce-0taken"),
			Want: acctest.InOrder("Unable to create VPC endpoint assignment", "already",
				"another resource of this configuration",
				"to = neon_vpc_endpoint_assignment.NAME", w.OrgID+"/"+region+"/vpce-0taken"),
		},
		"no PrivateLink": {
			Config: strings.Replace(assignment(w.OrgID, "vpce-0a1"), region, "azure-gwc", 1),
			Want:   acctest.InOrder("Unable to create VPC endpoint assignment", "AWS PrivateLink"),
		},
		"no organization": {
			Config:  strings.Replace(assignment(w.OrgID, "vpce-0a1"), fmt.Sprintf("org_id = %q", w.OrgID), "", 1),
			Command: acctest.Plan, Want: acctest.InOrder("No organization", "org_id"),
		},
		"no id":     {Config: assignment(w.OrgID, "vpce 1"), Command: acctest.Plan, Want: acctest.InWords("must be the id of a VPC endpoint")},
		"import id": {Config: assignment(w.OrgID, "vpce-0a1"), Command: []string{"import", assigned, "vpce-0a1"}, Want: acctest.InWords("org_id/region_id/vpc_endpoint_id, such as")},
		"import: gone": {
			Config: assignment(w.OrgID, "vpce-0a1"), Command: []string{"import", assigned, w.OrgID + "/" + region + "/vpce-0a1"},
			Want: acctest.InWords("No such"),
		},
	})
}

func TestAccVPCEndpointAssignment_needsAnAdministrator(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	var member struct {
		Key string `json:"api_key"`
	}
	w.Control(t, http.MethodPost, "/_emulator/members", map[string]string{"email": "max@example.com"}, &member)
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfigWith(member.Key) + assignment(w.OrgID, "vpce-0a1"),
		Want:   acctest.InOrder("Unable to create VPC endpoint assignment", "403", "administrator"),
	})
}

// Without org_id, a new endpoint is the provider's organization's, and stays there.
func TestAccVPCEndpointAssignment_organization(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	block := strings.Replace(assignment(w.OrgID, "vpce-0a1", free), fmt.Sprintf("org_id = %q", w.OrgID), "", 1)
	acctest.RunSteps(t, w.World,
		resource.TestStep{
			Config:            w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID)) + block,
			ConfigStateChecks: []statecheck.StateCheck{is(assigned, "org_id", knownvalue.StringExact(w.OrgID))},
		},
		resource.TestStep{
			Config:           w.ProviderConfigWith(w.APIKey, `org_id = "org-other-12345678"`) + block,
			ConfigPlanChecks: acctest.ExpectAction(assigned, plancheck.ResourceActionNoop),
		},
	)
}

// Whatever becomes of the answers, the endpoint is assigned once, changed and removed. No
// refusal of a read is proof that it is gone.
func TestAccVPCEndpointAssignment_refusalsAndLostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	const list = "GET /api/v2/organizations/{org_id}/vpc/vpc_endpoints"
	lose := func(method string) {
		for _, kind := range []string{"lost_before", "lost_after"} {
			w.AddFault(t, acctest.Fault{Route: method + " " + assignedAt, Kind: kind, Count: 1})
		}
	}
	lose(http.MethodPost)
	config := w.ProviderConfig() + assignment(w.OrgID, "vpce-0a1", free)
	steps := []resource.TestStep{{Config: config}, {Config: w.ProviderConfig() +
		assignment(w.OrgID, "vpce-0a1", free, `label = "office"`)}, {Config: config}}
	for _, status := range []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict} {
		steps = append(steps, resource.TestStep{
			PreConfig:   func() { w.AddFault(t, acctest.Fault{Route: list, Kind: "status", Status: status, Count: 1}) },
			Config:      config,
			ExpectError: acctest.InOrder("Unable to read VPC endpoint assignment", fmt.Sprint(status)),
		})
	}
	for _, status := range []int{http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity} {
		steps = append(steps, resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "DELETE " + assignedAt, Kind: "status", Status: status, Count: 1})
			},
			Config: config, Destroy: true, ExpectError: acctest.InOrder("Unable to delete VPC endpoint assignment",
				fmt.Sprint(status)),
		})
	}
	steps = append(steps,
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(assigned, plancheck.ResourceActionNoop)},
		resource.TestStep{PreConfig: func() { lose(http.MethodDelete) }, Config: w.ProviderConfig()})
	acctest.RunSteps(t, w.World, steps...)
	if left := endpoints(t, w); len(left) != 0 || w.FaultsLeft(t) != 0 {
		t.Errorf("left are %v, and %d faults", left, w.FaultsLeft(t))
	}
}

// Many are read by one list.
func TestAccVPCEndpointAssignment_manyAreOneList(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.ProviderConfig()
	for i := range 8 {
		config += strings.Replace(assignment(w.OrgID, fmt.Sprintf("vpce-%d", i), free), `"test"`, fmt.Sprintf(`"t%d"`, i), 1)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: func() { w.ForgetRequests(t) }, RefreshState: true})
	for route, sent := range w.Requests(t).ByRoute {
		if strings.HasPrefix(route, "GET ") && sent > 12 {
			t.Errorf("%s was sent %d times", route, sent)
		}
	}
}

func TestVPCEndpoints_moves(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	w.AssignVPCEndpoints(t, "vpce-0a1")
	if err := w.API.CreateVPCEndpointRestriction(t.Context(),
		client.Ref[client.VPCEndpoint]{ProjectID: w.ProjectID, ID: "vpce-0a1"}, "payroll"); err != nil {
		t.Fatal(err)
	}
	inOrg := map[string]any{"org_id": w.OrgID, "region_id": region, "vpc_endpoint_id": "vpce-0a1", "label": ""}
	inProject := map[string]any{"project_id": w.ProjectID, "vpc_endpoint_id": "vpce-0a1", "label": "payroll",
		"id": "vpce-0a1/" + w.ProjectID}
	for name, test := range map[string]struct {
		target string
		from   acctest.MovedSource
		old    map[string]any
		id     string
	}{
		"kislerdm":                  {"neon_vpc_endpoint_assignment", acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_vpc_endpoint_assignment"}, inOrg, w.OrgID + "/" + region + "/vpce-0a1"},
		"neondatabase":              {"neon_vpc_endpoint_assignment", acctest.MovedSource{Provider: "neondatabase/neon", TypeName: "neon_vpc_endpoint_assignment", Version: 9}, inOrg, w.OrgID + "/" + region + "/vpce-0a1"},
		"kenchan0130":               {"neon_vpc_endpoint_assignment", acctest.MovedSource{Provider: "kenchan0130/neon", TypeName: "neon_organization_vpc_endpoint"}, inOrg, w.OrgID + "/" + region + "/vpce-0a1"},
		"kislerdm, restriction":     {"neon_vpc_endpoint_restriction", acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_vpc_endpoint_restriction"}, inProject, w.ProjectID + "/vpce-0a1"},
		"neondatabase, restriction": {"neon_vpc_endpoint_restriction", acctest.MovedSource{Provider: "neondatabase/neon", TypeName: "neon_vpc_endpoint_restriction"}, inProject, w.ProjectID + "/vpce-0a1"},
		"kenchan0130, restriction":  {"neon_vpc_endpoint_restriction", acctest.MovedSource{Provider: "kenchan0130/neon", TypeName: "neon_project_vpc_endpoint_restriction"}, inProject, w.ProjectID + "/vpce-0a1"},
	} {
		t.Run(name, func(t *testing.T) {
			state, identity, problem := p.Move(t, test.target, test.from, test.old)
			if problem != "" || state["id"] != test.id || identity["vpc_endpoint_id"] != "vpce-0a1" {
				t.Errorf("moved to %v, %v: %s", state, identity, problem)
			}
		})
	}
}

// A plan without private networking refuses it.
func TestAccVPCEndpointAssignment_plan(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Plan: emulator.PlanLaunch})
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"launch": {Config: assignment(w.OrgID, "vpce-0a1"), Want: acctest.InOrder("Unable to create VPC endpoint assignment", "private networking", "for your account")},
	})
}
