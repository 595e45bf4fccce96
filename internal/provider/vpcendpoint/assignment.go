// Package vpcendpoint is private networking by AWS PrivateLink: the endpoints of an organization, and the endpoints
// that a project is restricted to.
package vpcendpoint

import (
	"context"
	"errors"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	orgText    = "Id of the organization."
	regionText = "Id of the region that the endpoint is in, as Neon calls it, such as `aws-us-east-2`. Azure has no " +
		"such endpoints."
	idText      = "Id of the endpoint in AWS, such as `vpce-1234567890abcdef0`."
	labelText   = "Label of the endpoint."
	forGoodText = "Neon never takes the same endpoint into the organization again. Whoever needs private connections " +
		"after that creates another endpoint in AWS."
)

var noun = kit.Introduce(kit.Noun{
	Called: "VPC endpoint", ListedBy: "vpc_endpoints", InMessages: map[string]string{"vpc_endpoint_id": "vpc endpoint"},
	IDs: kit.IDs{Prefix: "vpce-", Example: "vpce-1234567890abcdef0", In: []string{"vpc_endpoint_id"},
		Elsewhere: "aws_vpc_endpoint"},
})

var assignmentKey = kit.KeyInOrganization("A VPC endpoint assignment", "aws-us-east-2/vpce-1234567890abcdef0",
	kit.KeyPart{Name: "region_id", Description: "Id of the region.", Valid: kit.IsID("region_id")},
	kit.KeyPart{Name: "vpc_endpoint_id", Description: "Id of the endpoint in AWS.", Valid: kit.IsID("vpc_endpoint_id")})

// NewAssignment returns the managed resource neon_vpc_endpoint_assignment: an endpoint of an organization.
func NewAssignment() resource.Resource {
	return kit.NewResource(kit.Resource[assignment]{
		Name:     "vpc_endpoint_assignment",
		First:    "deletion_protection id label org_id region_id vpc_endpoint_id",
		Called:   "VPC endpoint assignment",
		ListedBy: noun.ListedBy,
		Key:      assignmentKey,
		Schema: schema.Schema{
			MarkdownDescription: "Lets an endpoint of AWS PrivateLink reach the projects of an organization in a region. " +
				"**Destroying it can never be undone:** Neon doesn't accept the same endpoint in the organization again.",
			Attributes: map[string]schema.Attribute{
				"org_id":              kit.OwnOrganizationID(),
				"region_id":           kit.ImmutableString(regionText, kit.IDValidators()...),
				"vpc_endpoint_id":     kit.ImmutableString(idText, kit.IDValidators()...),
				"label":               labelAttribute(),
				"deletion_protection": kit.StandingProtection("VPC endpoint assignment"),
				"id":                  kit.ComputedString("`org_id/region_id/vpc_endpoint_id`."),
			},
		},
		MovedFrom: map[string]string{"kislerdm/neon": "neon_vpc_endpoint_assignment",
			"neondatabase/neon": "neon_vpc_endpoint_assignment", "kenchan0130/neon": "neon_organization_vpc_endpoint"},
		Holds:       "the private connections through the endpoint, for good, as Neon never takes the same endpoint again",
		ReplacedBy:  []string{"org_id", "region_id", "vpc_endpoint_id"},
		Final:       forGoodText,
		Plan:        planAssignment,
		Remembers:   "vpc_endpoint_id",
		IsExclusive: true,
		Create:      createAssignment,
		Read:        readAssignment,
		Update:      updateAssignment,
		Delete:      removeAssignment,
	})
}

// planAssignment sets the organization, and refuses -replace: a removed endpoint can't be assigned again.
func planAssignment(ctx context.Context, p kit.Planning) {
	kit.PlanOrganization(ctx, p)
	p.RefuseForce(ctx, "VPC endpoint assignment", "Neon never takes the same endpoint into the organization "+
		"again.", "org_id", "region_id", "vpc_endpoint_id")
}

func labelAttribute() schema.Attribute {
	return schema.StringAttribute{MarkdownDescription: labelText + " Defaults to none.", Optional: true}
}

// place identifies an endpoint of an organization.
type place struct {
	OrgID         types.String `tfsdk:"org_id"`
	RegionID      types.String `tfsdk:"region_id"`
	VPCEndpointID types.String `tfsdk:"vpc_endpoint_id"`
}

type assignment struct {
	place

	ID                 types.String `tfsdk:"id"`
	Label              types.String `tfsdk:"label"`
	DeletionProtection types.Bool   `tfsdk:"deletion_protection"`
}

func (m place) ref() client.VPCEndpointRef {
	return client.VPCEndpointRef{OrgID: m.OrgID.ValueString(), RegionID: m.RegionID.ValueString(),
		ID: m.VPCEndpointID.ValueString()}
}

// with returns the model with the values of Neon's endpoint.
func (m assignment) with(endpoint *client.VPCEndpoint) assignment {
	m.ID = types.StringValue(m.OrgID.ValueString() + "/" + m.RegionID.ValueString() + "/" + m.VPCEndpointID.ValueString())
	m.Label = labelOf(m.Label, endpoint)
	if m.DeletionProtection.IsNull() { // After an import, it is null.
		m.DeletionProtection = types.BoolValue(true)
	}
	return m
}

// labelOf returns the endpoint's label; null and "" are equal.
func labelOf(known types.String, endpoint *client.VPCEndpoint) types.String {
	if known.ValueString() == endpoint.Label {
		return known
	}
	return kit.OptionalString(endpoint.Label)
}

// createAssignment assigns an endpoint. It fails if the endpoint is assigned already: Neon would only change the label.
func createAssignment(ctx context.Context, run kit.Run, plan assignment, save func(assignment)) error {
	ref := plan.ref()
	_, err := run.API.GetSharedVPCEndpoint(ctx, ref)
	if err == nil {
		return client.ErrTaken
	}
	if !client.IsAbsent(err) {
		return err
	}
	if err := run.API.AssignVPCEndpoint(ctx, ref, plan.Label.ValueString()); err != nil {
		return adviseRefusal(err, "Check region_id, which must be the endpoint's and have AWS PrivateLink, and the limit "+
			"of endpoints in it. If this endpoint was removed from the organization before, Neon doesn't take it again: "+
			"create another endpoint in AWS, and use its id.")
	}
	save(plan.with(&client.VPCEndpoint{Label: plan.Label.ValueString()}))
	return nil
}

// adviseRefusal adds advice to Neon's refusal of a write. It adds none if an earlier attempt may have taken effect:
// that matters more.
func adviseRefusal(err error, advice string) error {
	var answer *client.Error
	var lost *client.AmbiguousError
	refused := client.IsRefused(err) || client.HasStatus(err, http.StatusNotFound)
	if !refused || !errors.As(err, &answer) || answer.Foreign || answer.Method == http.MethodGet || errors.As(err, &lost) {
		return err
	}
	return kit.Advise(err, advice)
}

func readAssignment(ctx context.Context, run kit.Run, state assignment) (assignment, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedVPCEndpoint(ctx, state.ref()))
}

func updateAssignment(ctx context.Context, run kit.Run, state, plan assignment, save func(assignment)) error {
	if plan.Label.ValueString() != state.Label.ValueString() {
		if err := run.API.AssignVPCEndpoint(ctx, plan.ref(), plan.Label.ValueString()); err != nil {
			return err
		}
	}
	save(plan)
	return nil
}

func removeAssignment(ctx context.Context, run kit.Run, state assignment) error {
	return run.API.DeleteVPCEndpoint(ctx, state.ref())
}
