package vpcendpoint

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_vpc_endpoint: one endpoint of an organization.
func NewDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[dataModel]{
		Name: "vpc_endpoint",
		Schema: schema.Schema{
			MarkdownDescription: "An endpoint of AWS PrivateLink that is assigned to an organization, and whether Neon has " +
				"accepted it.",
			Attributes: map[string]schema.Attribute{
				"org_id":          kit.OrganizationID(orgText + " Defaults to the provider's `org_id`."),
				"region_id":       kit.RequiredID(regionText),
				"vpc_endpoint_id": kit.RequiredID(idText),
				"label":           kit.ReturnedString(labelText + " Null for none."),
				"state": kit.ReturnedString("`new` until Neon accepts connections through the endpoint, then " +
					"`accepted`. Neon may add others."),
				"restricted_project_count": kit.ReturnedInt("How many projects are restricted to the endpoint."),
				"example_restricted_projects": schema.ListAttribute{
					MarkdownDescription: "Ids of some of these projects, at most three.", Computed: true,
					ElementType: types.StringType,
				},
			},
		},
		Read: readOne,
	})
}

// NewListDataSource returns neon_vpc_endpoints: the endpoints of an organization.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceInOrganization(kit.ListSource[client.VPCEndpoint, listed]{
		Name: "vpc_endpoints", Called: "VPC endpoints", Attribute: "vpc_endpoints", Objects: "The endpoints.",
		Model: newListed,
		Text:  "The endpoints of AWS PrivateLink that are assigned to an organization, of all regions, in Neon's order.",
		Schema: map[string]schema.Attribute{
			"vpc_endpoint_id": kit.ReturnedString(idText),
			"region_id":       kit.ReturnedString("Id of the region that the endpoint is in, as Neon calls it."),
			"label":           kit.ReturnedString(labelText + " Null for none."),
		},
	}, (*client.Client).ListVPCEndpoints)
}

// NewRestrictionsDataSource returns neon_vpc_endpoint_restrictions: what a project is
// restricted to.
func NewRestrictionsDataSource() datasource.DataSource {
	return kit.NewListSourceInProject(kit.ListSource[client.VPCEndpoint, listedRestriction]{
		Name: "vpc_endpoint_restrictions", Called: "VPC endpoint restrictions", Attribute: "restrictions",
		Objects: "The restrictions.", Model: newListedRestriction,
		Text: "The endpoints of AWS PrivateLink that a project's private connections are restricted to, in Neon's order. " +
			"There are none if the project accepts all endpoints of its organization.",
		Schema: map[string]schema.Attribute{
			"vpc_endpoint_id": kit.ReturnedString(idText),
			"label":           kit.ReturnedString("Label of the restriction. Null for none."),
		},
	}, (*client.Client).ListVPCEndpointRestrictions)
}

type dataModel struct {
	OrgID                     types.String   `tfsdk:"org_id"`
	RegionID                  types.String   `tfsdk:"region_id"`
	VPCEndpointID             types.String   `tfsdk:"vpc_endpoint_id"`
	Label                     types.String   `tfsdk:"label"`
	State                     types.String   `tfsdk:"state"`
	RestrictedProjectCount    types.Int64    `tfsdk:"restricted_project_count"`
	ExampleRestrictedProjects []types.String `tfsdk:"example_restricted_projects"`
}

type listed struct {
	VPCEndpointID types.String `tfsdk:"vpc_endpoint_id"`
	RegionID      types.String `tfsdk:"region_id"`
	Label         types.String `tfsdk:"label"`
}

type listedRestriction struct {
	VPCEndpointID types.String `tfsdk:"vpc_endpoint_id"`
	Label         types.String `tfsdk:"label"`
}

func readOne(ctx context.Context, platform *kit.Platform, m *dataModel, diags *diag.Diagnostics) {
	m.OrgID = platform.NeedOrganization(m.OrgID, diags)
	if diags.HasError() {
		return
	}
	details, err := platform.Client.GetVPCEndpointDetails(ctx, client.VPCEndpointRef{
		OrgID: m.OrgID.ValueString(), RegionID: m.RegionID.ValueString(), ID: m.VPCEndpointID.ValueString(),
	})
	if err != nil {
		kit.AddReadError(diags, "vpc_endpoint_id", "VPC endpoint", err)
		return
	}
	m.Label = kit.OptionalString(details.Label)
	m.State = types.StringValue(details.State)
	m.RestrictedProjectCount = types.Int64Value(details.RestrictedProjects)
	m.ExampleRestrictedProjects = []types.String{}
	for _, id := range details.ExampleProjects {
		m.ExampleRestrictedProjects = append(m.ExampleRestrictedProjects, types.StringValue(id))
	}
}

func newListed(endpoint client.VPCEndpoint) listed {
	return listed{
		VPCEndpointID: types.StringValue(endpoint.ID),
		RegionID:      types.StringValue(endpoint.RegionID),
		Label:         kit.OptionalString(endpoint.Label),
	}
}

func newListedRestriction(restriction client.VPCEndpoint) listedRestriction {
	return listedRestriction{types.StringValue(restriction.ID), kit.OptionalString(restriction.Label)}
}
