package vpcendpoint

import (
	"cmp"

	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewAssignmentList returns the list resource neon_vpc_endpoint_assignment: the endpoints of an organization.
func NewAssignmentList() framework.ListResource {
	return kit.NewListIn(kit.OfOrganization, "vpc_endpoint_assignment", assignmentKey,
		"Lists the endpoints of AWS PrivateLink that are assigned to an organization, of all regions, in Neon's order.",
		(*client.Client).ListVPCEndpoints, assignment.with,
		func(endpoint client.VPCEndpoint) (id, name string) {
			return endpoint.RegionID + "/" + endpoint.ID, cmp.Or(endpoint.Label, endpoint.ID) + " (" + endpoint.RegionID + ")"
		})
}

// NewRestrictionList returns the list resource neon_vpc_endpoint_restriction: the restrictions of a project.
func NewRestrictionList() framework.ListResource {
	return kit.NewListIn(kit.OfProject, "vpc_endpoint_restriction", restrictionKey,
		"Lists the endpoints of AWS PrivateLink that a project is restricted to, in Neon's order.",
		(*client.Client).ListVPCEndpointRestrictions, restriction.with,
		func(endpoint client.VPCEndpoint) (id, name string) {
			return endpoint.ID, cmp.Or(endpoint.Label, endpoint.ID)
		})
}
