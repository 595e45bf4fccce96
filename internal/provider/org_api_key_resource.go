package provider

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

var (
	_ resource.ResourceWithConfigure   = (*orgAPIKeyResource)(nil)
	_ resource.ResourceWithIdentity    = (*orgAPIKeyResource)(nil)
	_ resource.ResourceWithImportState = (*orgAPIKeyResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*orgAPIKeyResource)(nil)
)

// orgAPIKeyResource is neon_org_api_key: an API key of an organization, or of
// one of its projects.
type orgAPIKeyResource struct {
	managedResource
}

func newOrgAPIKeyResource() resource.Resource {
	return &orgAPIKeyResource{managedResource{kind: "org_api_key"}}
}

// Schema describes neon_org_api_key.
func (r *orgAPIKeyResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := apiKeyAttributes()
	attributes["org_id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the organization. Defaults to the provider's `org_id` when the key is created; a key that exists " +
			"keeps its organization. Changing it replaces the key.",
		Optional:      true,
		Computed:      true,
		Validators:    idValidators(),
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace()},
	}
	attributes["project_id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the one project that the key may work in. Without it the key may do everything in all projects " +
			"of the organization. Changing it replaces the key.",
		Optional:      true,
		Validators:    idValidators(),
		PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "An API key of an organization, or with `project_id` one that works in a single project. The provider " +
			"itself needs a personal key to make one, of an administrator of the organization unless `project_id` is set. " +
			"Destroying it revokes the key at once and for good, which an administrator may do.",
		Attributes: attributes,
	}
}

type orgAPIKeyModel struct {
	apiKeyModel

	OrgID     types.String `tfsdk:"org_id"`
	ProjectID types.String `tfsdk:"project_id"`
}

func (m orgAPIKeyModel) scope() client.APIKeyScope {
	return client.APIKeyScope{OrgID: m.OrgID.ValueString(), ProjectID: m.ProjectID.ValueString()}
}

// identity tells the key from all others.
func (m orgAPIKeyModel) identity() orgAPIKeyIdentity { return orgAPIKeyIdentity{m.OrgID, m.ID} }

// IdentitySchema describes what the key is imported by.
func (r *orgAPIKeyResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identitySchema(map[string]string{
		"org_id": "Id of the organization.", "key_id": "Id of the key, a whole number.",
	})
}

// ModifyPlan gives a new key the provider's organization. A key that exists keeps its
// own: whoever plans may have another default.
func (r *orgAPIKeyResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() || r.configured == nil {
		return
	}
	org := path.Root("org_id")
	var configured, current types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, org, &configured)...)
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.GetAttribute(ctx, org, &current)...)
	}
	r.checkNewProject(ctx, req, &resp.Diagnostics)
	switch {
	case resp.Diagnostics.HasError(), !configured.IsNull():
	case !current.IsNull():
		if r.orgID != "" && r.orgID != current.ValueString() {
			resp.Diagnostics.AddAttributeWarning(org, "An API key of another organization", fmt.Sprintf(
				"This key belongs to organization %[1]s and stays there. The provider's organization is %[2]s (its org_id, or NEON_ORG_ID) "+
					"and counts for new keys only, also for one that replaces this key. To keep the organization even then, set "+
					"org_id = %[1]q.", current.ValueString(), r.orgID))
		}
	case r.orgID != "":
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, org, r.orgID)...)
	case r.unknownOf("org_id") == "":
		resp.Diagnostics.AddAttributeError(org, "No organization", noOrganization)
	}
}

// checkNewProject looks up the project of a key that is created or replaced, before
// anything is revoked.
func (r *orgAPIKeyResource) checkNewProject(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	project := path.Root("project_id")
	var planned, current types.String
	diags.Append(req.Plan.GetAttribute(ctx, project, &planned)...)
	if !req.State.Raw.IsNull() {
		diags.Append(req.State.GetAttribute(ctx, project, &current)...)
	}
	if isSet(planned) && !planned.Equal(current) {
		r.checkProject(ctx, planned.ValueString(), diags)
	}
}

const noOrganization = "Set org_id here, in the provider block, or in the environment variable NEON_ORG_ID."

// Create makes the key.
func (r *orgAPIKeyResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var model orgAPIKeyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	api := r.control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if model.OrgID.IsUnknown() {
		model.OrgID = optionalString(r.orgID)
	}
	if model.OrgID.IsNull() {
		resp.Diagnostics.AddAttributeError(path.Root("org_id"), "No organization", noOrganization)
		return
	}
	key, err := api.CreateAPIKey(ctx, model.scope(), model.Name.ValueString())
	if err != nil {
		addError(&resp.Diagnostics, "Unable to create organization API key", err, lostKeyHints(err)...)
		return
	}
	warnOfLeftovers(&resp.Diagnostics, api, model.scope(), key)
	model.created(key)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	setIdentity(ctx, resp.Identity, model.identity(), &resp.Diagnostics)
	model.complete(ctx, api, model.scope())
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// Read takes over what the platform says, and forgets a key that was revoked.
func (r *orgAPIKeyResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var model orgAPIKeyModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	setIdentity(ctx, resp.Identity, model.identity(), &resp.Diagnostics)
	if resp.Diagnostics.HasError() || r.keepsUnread(&resp.Diagnostics, !model.Name.IsNull(), controlSettings) {
		return
	}
	api := r.control(&resp.Diagnostics)
	if api == nil {
		return
	}
	key, err := api.APIKey(ctx, model.scope(), model.number())
	if client.IsAbsent(err) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		addError(&resp.Diagnostics, unableToReadOrgKey, err)
		return
	}
	model.read(key)
	model.ProjectID = optionalString(key.ProjectID)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// Update records the first triggers of an imported key. Everything else
// replaces.
func (r *orgAPIKeyResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var model orgAPIKeyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	setIdentity(ctx, resp.Identity, model.identity(), &resp.Diagnostics)
}

// Delete revokes the key.
func (r *orgAPIKeyResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var model orgAPIKeyModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	api := r.control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := api.RevokeAPIKey(ctx, model.scope(), model.number()); err != nil {
		addError(&resp.Diagnostics, "Unable to revoke organization API key", err)
	}
}

// ImportState takes org_id/key_id, or the identity; the read that follows fills in the rest.
func (r *orgAPIKeyResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	orgID, keyID, _ := strings.Cut(req.ID, "/")
	if req.ID == "" && req.Identity != nil {
		var identity orgAPIKeyIdentity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		orgID, keyID = identity.OrgID.ValueString(), identity.KeyID.ValueString()
	}
	if !idPattern.MatchString(orgID) || !isKeyID(keyID) {
		resp.Diagnostics.AddError("Invalid import id", fmt.Sprintf(
			"An API key of an organization is imported by org_id/key_id, such as org-wispy-meadow-12345678/1234567; got %s.", quoted(cmp.Or(req.ID, orgID+"/"+keyID))))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("org_id"), orgID)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), keyID)...)
	setIdentity(ctx, resp.Identity, orgAPIKeyIdentity{types.StringValue(orgID), types.StringValue(keyID)}, &resp.Diagnostics)
}

// SpeaksOfUnchangedPlans has each plan go through ModifyPlan, which compares the key's
// organization with the provider's.
func (r *orgAPIKeyResource) SpeaksOfUnchangedPlans() {}
