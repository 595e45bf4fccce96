package apikey

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ resource.ResourceWithModifyPlan = (*orgResource)(nil)

// orgResource is neon_org_api_key, whose plan also knows the provider's organization.
type orgResource struct {
	keyResource
}

var orgNoun = kit.Introduce(kit.Noun{Called: "organization API key", ListedBy: "org_api_keys"})

var orgKey = kit.KeyInOrganization("An API key of an organization", "1234567",
	kit.KeyPart{Name: "id", Description: idText, Valid: isKeyID})

// NewOrgResource returns neon_org_api_key: an API key of an organization, or of one of its
// projects.
func NewOrgResource() resource.Resource {
	return &orgResource{keyResource{
		KeyedBase: kit.KeyedBase{
			ResourceBase: kit.ResourceBase{Name: "org_api_key"},
			First:        "created_at created_by id key name org_id project_id rotation_triggers",
			Key:          orgKey,
			ListedBy:     orgNoun.ListedBy,
			MovedFrom: []kit.MovedSource{
				{Provider: "kislerdm/neon", TypeName: "neon_org_api_key"},
				{Provider: "kenchan0130/neon", TypeName: "neon_organization_api_key"},
				{Provider: "neondatabase/neon", TypeName: "neon_org_api_key"},
			},
			MovedTexts: []string{"key"},
		},
		noun:  "organization API key",
		ofOrg: true,
		schema: schema.Schema{
			MarkdownDescription: "An API key of an organization, or with `project_id` one for a single project. Destroying it " +
				"revokes the key for good.",
			Attributes: orgAttributes(),
		},
	}}
}

func orgAttributes() map[string]schema.Attribute {
	attributes := personalAttributes()
	attributes["org_id"] = kit.OwnOrganizationID()
	attributes["project_id"] = kit.OptionalImmutableString("Id of the one project that the key may work in. A new key "+
		"without it may do everything in all projects of the organization.", kit.IDValidators()...)
	return attributes
}

// ModifyPlan looks up the project of a new key, and sets its organization.
func (r *orgResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if r.RefusesUnread(ctx, req, &resp.Diagnostics) {
		return
	}
	if req.Plan.Raw.IsNull() || r.Platform == nil {
		return
	}
	r.checkNewProject(ctx, req, &resp.Diagnostics)
	kit.PlanOrganization(ctx, r.Platform, req, resp)
	warnOfRevocation(ctx, req, resp, widened(ctx, req, resp), "name", "org_id", "project_id")
}

// widened says that the key that replaces a project's key may do more, where the configuration leaves the project
// out; empty where it doesn't.
func widened(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) string {
	var configured types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("project_id"), &configured)...)
	present := kit.TextOf(ctx, req, "project_id")
	if present == "" || !configured.IsNull() {
		return ""
	}
	return fmt.Sprintf(" As project_id is left out, the new key may do everything in all projects of the organization. "+
		"For one of the same project, write\n\n  project_id = %s", kit.Quoted(present))
}

// checkNewProject looks up the project of a key that is created or replaced, before
// anything is revoked.
func (r *orgResource) checkNewProject(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	project := path.Root("project_id")
	var planned, current types.String
	diags.Append(req.Plan.GetAttribute(ctx, project, &planned)...)
	if !req.State.Raw.IsNull() {
		diags.Append(req.State.GetAttribute(ctx, project, &current)...)
	}
	if kit.IsSet(planned) && !planned.Equal(current) {
		r.LookUps(req.State, diags, func(_ *client.Client, diags *diag.Diagnostics) {
			r.CheckProject(ctx, planned.ValueString(), diags)
		})
	}
}

// Create creates the key of a project that there is.
func (r *orgResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var projectID types.String
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("project_id"), &projectID)...)
	if kit.IsSet(projectID) {
		r.CheckProject(ctx, projectID.ValueString(), &resp.Diagnostics)
	}
	if !resp.Diagnostics.HasError() {
		r.keyResource.Create(ctx, req, resp)
	}
}
