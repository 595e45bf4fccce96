package vpcendpoint

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_vpc_endpoint: one endpoint of an organization.
func NewDataSource() datasource.DataSource {
	return kit.NewObjectSource(kit.ObjectSource[place, client.VPCEndpoint]{
		Name: "vpc_endpoint",
		Text: "An endpoint of AWS PrivateLink that is assigned to an organization, and whether Neon has accepted it.",
		Given: map[string]schema.Attribute{
			"org_id":          kit.OrganizationID(orgText + " Defaults to the provider's `org_id`."),
			"region_id":       kit.RequiredID(regionText),
			"vpc_endpoint_id": kit.RequiredID(idText),
		},
		Returns: returnedDetails,
		Read:    readOne,
	})
}

func returnedDetails(details client.VPCEndpoint) kit.Returned {
	return kit.Returned{
		"label": kit.Returns(labelText+" Null for none.", kit.OptionalString(details.Label)),
		"state": kit.Returns("`new` until Neon accepts connections through the endpoint, then `accepted`. Neon may add "+
			"others.", types.StringValue(details.State)),
		"restricted_project_count": kit.Returns("How many projects are restricted to the endpoint.",
			types.Int64Value(details.RestrictedProjects)),
		"example_restricted_projects": kit.Returns("Ids of some of these projects, at most three.",
			types.ListValueMust(types.StringType, kit.Elements(details.ExampleProjects))),
	}
}

func readOne(ctx context.Context, run kit.Run, m *place) *client.VPCEndpoint {
	m.OrgID = run.NeedOrganization(m.OrgID, run.Diags)
	if run.Diags.HasError() {
		return nil
	}
	details, err := run.API.GetVPCEndpointDetails(ctx, m.ref())
	if err != nil {
		kit.AddReadError(run.Diags, "vpc_endpoint_id", "VPC endpoint", err)
	}
	return details
}

// NewListDataSource returns neon_vpc_endpoints: the endpoints of an organization.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfOrganization, kit.ListSource[client.VPCEndpoint]{
		Name: "vpc_endpoints", Called: "VPC endpoints", Objects: "The endpoints.", Returns: returned,
		Text: "The endpoints of AWS PrivateLink that are assigned to an organization, of all regions, in Neon's order.",
	}, (*client.Client).ListVPCEndpoints)
}

// NewRestrictionsDataSource returns neon_vpc_endpoint_restrictions: the endpoints that a project is restricted to.
func NewRestrictionsDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfProject, kit.ListSource[client.VPCEndpoint]{
		Name: "vpc_endpoint_restrictions", Called: "VPC endpoint restrictions", Attribute: "restrictions",
		Objects: "The restrictions.", Returns: returnedRestriction,
		Text: "The endpoints of AWS PrivateLink that a project's private connections are restricted to, in Neon's order. " +
			"There are none if the project accepts all endpoints of its organization.",
	}, (*client.Client).ListVPCEndpointRestrictions)
}

func returned(endpoint client.VPCEndpoint) kit.Returned {
	return kit.Returned{
		"vpc_endpoint_id": kit.Returns(idText, types.StringValue(endpoint.ID)),
		"region_id": kit.Returns("Id of the region that the endpoint is in, as Neon calls it.",
			types.StringValue(endpoint.RegionID)),
		"label": kit.Returns(labelText+" Null for none.", kit.OptionalString(endpoint.Label)),
	}
}

func returnedRestriction(restriction client.VPCEndpoint) kit.Returned {
	return kit.Returned{
		"vpc_endpoint_id": kit.Returns(idText, types.StringValue(restriction.ID)),
		"label":           kit.Returns("Label of the restriction. Null for none.", kit.OptionalString(restriction.Label)),
	}
}
