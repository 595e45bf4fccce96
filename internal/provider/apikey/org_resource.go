package apikey

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
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// orgAPIKeyIdentity tells a key of an organization from all others.
type orgAPIKeyIdentity struct {
	OrgID types.String `tfsdk:"org_id"`
	KeyID types.String `tfsdk:"key_id"`
}

var (
	_ resource.ResourceWithConfigure   = (*orgKeyResource)(nil)
	_ resource.ResourceWithIdentity    = (*orgKeyResource)(nil)
	_ resource.ResourceWithImportState = (*orgKeyResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*orgKeyResource)(nil)
)

// orgKeyResource is neon_org_api_key: an API key of an organization, or of
// one of its projects.
type orgKeyResource struct {
	kit.ResourceBase
}

func NewOrgResource() resource.Resource {
	return &orgKeyResource{kit.ResourceBase{Kind: "org_api_key"}}
}

// Schema describes neon_org_api_key.
func (r *orgKeyResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := apiKeyAttributes()
	attributes["org_id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the organization. Defaults to the provider's `org_id` when the key is created; a key that exists " +
			"keeps its organization. Changing it replaces the key.",
		Optional:      true,
		Computed:      true,
		Validators:    kit.IDValidators(),
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace()},
	}
	attributes["project_id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the one project that the key may work in. Without it the key may do everything in all projects " +
			"of the organization. Changing it replaces the key.",
		Optional:      true,
		Validators:    kit.IDValidators(),
		PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "An API key of an organization, or with `project_id` one that works in a single project. The provider " +
			"itself needs a personal key to make one, of an administrator of the organization unless `project_id` is set. " +
			"Destroying it revokes the key at once and for good, which an administrator may do.",
		Attributes: attributes,
	}
}

type orgKeyModel struct {
	keyModel

	OrgID     types.String `tfsdk:"org_id"`
	ProjectID types.String `tfsdk:"project_id"`
}

func (m orgKeyModel) scope() client.APIKeyScope {
	return client.APIKeyScope{OrgID: m.OrgID.ValueString(), ProjectID: m.ProjectID.ValueString()}
}

// identity tells the key from all others.
func (m orgKeyModel) identity() orgAPIKeyIdentity { return orgAPIKeyIdentity{m.OrgID, m.ID} }

// IdentitySchema describes what the key is imported by.
func (r *orgKeyResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = kit.IdentitySchema(map[string]string{
		"org_id": "Id of the organization.", "key_id": "Id of the key, a whole number.",
	})
}

// ModifyPlan gives a new key the provider's organization. A key that exists keeps its
// own: whoever plans may have another default.
func (r *orgKeyResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() || r.Platform == nil {
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
		if r.OrgID != "" && r.OrgID != current.ValueString() {
			resp.Diagnostics.AddAttributeWarning(org, "An API key of another organization", fmt.Sprintf(
				"This key belongs to organization %[1]s and stays there. The provider's organization is %[2]s (its org_id, or NEON_ORG_ID) "+
					"and counts for new keys only, also for one that replaces this key. To keep the organization even then, set "+
					"org_id = %[1]q.", current.ValueString(), r.OrgID))
		}
	case r.OrgID != "":
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, org, r.OrgID)...)
	case r.UnknownOf("org_id") == "":
		resp.Diagnostics.AddAttributeError(org, "No organization", kit.NoOrganization)
	}
}

// checkNewProject looks up the project of a key that is created or replaced, before
// anything is revoked.
func (r *orgKeyResource) checkNewProject(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	project := path.Root("project_id")
	var planned, current types.String
	diags.Append(req.Plan.GetAttribute(ctx, project, &planned)...)
	if !req.State.Raw.IsNull() {
		diags.Append(req.State.GetAttribute(ctx, project, &current)...)
	}
	if kit.IsSet(planned) && !planned.Equal(current) {
		r.CheckProject(ctx, planned.ValueString(), diags)
	}
}

// Create makes the key.
func (r *orgKeyResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var model orgKeyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	api := r.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if model.OrgID.IsUnknown() {
		model.OrgID = kit.OptionalString(r.OrgID)
	}
	if model.OrgID.IsNull() {
		resp.Diagnostics.AddAttributeError(path.Root("org_id"), "No organization", kit.NoOrganization)
		return
	}
	key, err := api.CreateAPIKey(ctx, model.scope(), model.Name.ValueString())
	if err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to create organization API key", err, lostKeyHints(err)...)
		return
	}
	warnOfLeftovers(&resp.Diagnostics, api, model.scope(), key)
	model.created(key)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	kit.SetIdentity(ctx, resp.Identity, model.identity(), &resp.Diagnostics)
	model.complete(ctx, api, model.scope())
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// Read takes over what the platform says, and forgets a key that was revoked.
func (r *orgKeyResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var model orgKeyModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	kit.SetIdentity(ctx, resp.Identity, model.identity(), &resp.Diagnostics)
	if resp.Diagnostics.HasError() || r.KeepsUnread(&resp.Diagnostics, !model.Name.IsNull(), kit.ControlSettings) {
		return
	}
	api := r.Control(&resp.Diagnostics)
	if api == nil {
		return
	}
	key, err := api.APIKey(ctx, model.scope(), model.number())
	if client.IsAbsent(err) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		kit.AddError(&resp.Diagnostics, unableToReadOrgKey, err)
		return
	}
	model.read(key)
	model.ProjectID = kit.OptionalString(key.ProjectID)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// Update records the first triggers of an imported key. Everything else
// replaces.
func (r *orgKeyResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var model orgKeyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	kit.SetIdentity(ctx, resp.Identity, model.identity(), &resp.Diagnostics)
}

// Delete revokes the key.
func (r *orgKeyResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var model orgKeyModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	api := r.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := api.RevokeAPIKey(ctx, model.scope(), model.number()); err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to revoke organization API key", err)
	}
}

// ImportState takes org_id/key_id, or the identity; the read that follows fills in the rest.
func (r *orgKeyResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	orgID, keyID, _ := strings.Cut(req.ID, "/")
	if req.ID == "" && req.Identity != nil {
		var identity orgAPIKeyIdentity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		orgID, keyID = identity.OrgID.ValueString(), identity.KeyID.ValueString()
	}
	if !kit.IDPattern.MatchString(orgID) || !isKeyID(keyID) {
		resp.Diagnostics.AddError("Invalid import id", fmt.Sprintf(
			"An API key of an organization is imported by org_id/key_id, such as org-wispy-meadow-12345678/1234567; got %s.", kit.Quoted(cmp.Or(req.ID, orgID+"/"+keyID))))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("org_id"), orgID)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), keyID)...)
	kit.SetIdentity(ctx, resp.Identity, orgAPIKeyIdentity{types.StringValue(orgID), types.StringValue(keyID)}, &resp.Diagnostics)
}

// SpeaksOfUnchangedPlans has each plan go through ModifyPlan, which compares the key's
// organization with the provider's.
func (r *orgKeyResource) SpeaksOfUnchangedPlans() {}
