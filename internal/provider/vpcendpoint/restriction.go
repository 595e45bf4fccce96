package vpcendpoint

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var restrictionNoun = kit.Introduce(kit.Noun{Called: "VPC endpoint restriction", ListedBy: "vpc_endpoint_restrictions"})

var restrictionKey = kit.Key{
	Rule: "A VPC endpoint restriction is imported by project_id/vpc_endpoint_id, such as " +
		"wispy-meadow-12345678/vpce-1234567890abcdef0",
	Parts: []kit.KeyPart{
		{Name: "project_id", Description: kit.ProjectText, Valid: kit.IsID("project_id")},
		{Name: "vpc_endpoint_id", Description: "Id of the endpoint in AWS.", Valid: kit.IsID("vpc_endpoint_id")},
	},
	EitherWay: true,
}

// NewRestriction returns the managed resource neon_vpc_endpoint_restriction: an endpoint that a project is restricted
// to.
func NewRestriction() resource.Resource {
	return kit.NewResource(kit.Resource[restriction]{
		Name:     "vpc_endpoint_restriction",
		First:    "id label project_id vpc_endpoint_id",
		Called:   restrictionNoun.Called,
		ListedBy: restrictionNoun.ListedBy,
		Key:      restrictionKey,
		Schema: schema.Schema{
			MarkdownDescription: "Restricts the private connections of a project to an endpoint that is assigned to its " +
				"organization. Without restrictions, a project accepts them through all endpoints of the organization. " +
				"`block_public_connections` of the project refuses others.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
				"vpc_endpoint_id": kit.ImmutableString(idText+" It must be assigned to the organization, as "+
					"`neon_vpc_endpoint_assignment` does.",
					kit.IDValidators()...),
				"label": labelAttribute(),
				"id":    kit.ComputedString("`project_id/vpc_endpoint_id`."),
			},
		},
		MovedFrom: map[string]string{"kislerdm/neon": "neon_vpc_endpoint_restriction",
			"neondatabase/neon": "neon_vpc_endpoint_restriction",
			"kenchan0130/neon":  "neon_project_vpc_endpoint_restriction"},
		IsExclusive: true,
		Plan:        planRestriction,
		Create:      createRestriction,
		Read:        readRestriction,
		Update:      updateRestriction,
		Delete:      liftRestriction,
	})
}

type restriction struct {
	ID            types.String `tfsdk:"id"`
	ProjectID     types.String `tfsdk:"project_id"`
	VPCEndpointID types.String `tfsdk:"vpc_endpoint_id"`
	Label         types.String `tfsdk:"label"`
}

func (m restriction) ref() client.Ref[client.VPCEndpoint] {
	return kit.RefOf[client.VPCEndpoint](m.ProjectID, m.VPCEndpointID)
}

// with returns the model with the values of Neon's restriction.
func (m restriction) with(endpoint *client.VPCEndpoint) restriction {
	m.ID = types.StringValue(m.ProjectID.ValueString() + "/" + m.VPCEndpointID.ValueString())
	m.Label = labelOf(m.Label, endpoint)
	return m
}

const notAssigned = "The endpoint must be assigned to the project's organization, in the project's region. If this " +
	"configuration does that too, refer to it, such as vpc_endpoint_id = " +
	"neon_vpc_endpoint_assignment.NAME.vpc_endpoint_id, so that it is assigned first."

// planRestriction checks that the endpoint of a replacement exists: between deletion and creation, a project without
// restrictions accepts connections through all endpoints.
func planRestriction(ctx context.Context, p kit.Planning) {
	_, planned, _ := kit.ModelsOf[restriction](ctx, p)
	if p.IsCreation() && kit.IsSet(planned.ProjectID) && kit.IsSet(planned.VPCEndpointID) {
		p.LookUps(func(run kit.Run) {
			checkRegion(ctx, run, planned)
		})
	}
	p.CheckReplacement(ctx, "VPC endpoint restriction", "vpc_endpoint_id",
		[]string{"project_id", "vpc_endpoint_id"}, func(api *client.Client) error {
			project, err := p.LookUpProject(ctx, planned.ProjectID.ValueString())
			if err != nil || project.OrgID == "" {
				return nil //nolint:nilerr // Another look-up says so.
			}
			ref := client.VPCEndpointRef{OrgID: project.OrgID, RegionID: project.RegionID,
				ID: planned.VPCEndpointID.ValueString()}
			_, err = api.GetSharedVPCEndpoint(ctx, ref)
			if client.IsAbsent(err) && !p.IsNaming("VPC endpoint assignment", ref.OrgID, ref.RegionID, ref.ID) {
				return kit.Advise(err, notAssigned)
			}
			return nil
		})
}

// checkRegion refuses a new restriction whose endpoint is assigned in another region than the project's.
func checkRegion(ctx context.Context, run kit.Run, planned restriction) {
	project, err := run.LookUpProject(ctx, planned.ProjectID.ValueString())
	if err != nil || project.OrgID == "" {
		return // Another look-up reports it.
	}
	endpoints, err := kit.LookUp(run.Platform, "VPC endpoints of "+project.OrgID, func() ([]client.VPCEndpoint, error) {
		return client.All(run.API.ListVPCEndpoints(ctx, project.OrgID))
	})
	if err != nil {
		return // The creation says what is wrong.
	}
	elsewhere := ""
	for _, endpoint := range endpoints {
		switch {
		case endpoint.ID != planned.VPCEndpointID.ValueString():
		case endpoint.RegionID == project.RegionID:
			return
		default:
			elsewhere = endpoint.RegionID
		}
	}
	if elsewhere != "" {
		kit.AddAttributeError(run.Diags, path.Root("vpc_endpoint_id"), "An endpoint of another region", kit.Advise(
			fmt.Errorf("VPC endpoint %s is assigned in region %s, and project %s is in %s",
				planned.VPCEndpointID.ValueString(), elsewhere, project.ID, project.RegionID),
			"An endpoint reaches the projects of its region alone: take one of the project's region."))
	}
}

func createRestriction(ctx context.Context, run kit.Run, plan restriction, save func(restriction)) error {
	ref := plan.ref()
	err := run.API.CreateVPCEndpointRestriction(ctx, ref, plan.Label.ValueString())
	if err != nil {
		return adviseRefusal(err, notAssigned)
	}
	save(plan.with(&client.VPCEndpoint{Label: plan.Label.ValueString()}))
	return nil
}

func readRestriction(ctx context.Context, run kit.Run, state restriction) (restriction, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedVPCEndpointRestriction(ctx, state.ref()))
}

func updateRestriction(ctx context.Context, run kit.Run, _, plan restriction, save func(restriction)) error {
	if err := run.API.UpdateVPCEndpointRestriction(ctx, plan.ref(), plan.Label.ValueString()); err != nil {
		return err
	}
	save(plan)
	return nil
}

func liftRestriction(ctx context.Context, run kit.Run, state restriction) error {
	return run.API.DeleteVPCEndpointRestriction(ctx, state.ref())
}
