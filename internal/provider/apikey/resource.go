package apikey

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var (
	_ resource.ResourceWithConfigure    = (*keyResource)(nil)
	_ resource.ResourceWithIdentity     = (*keyResource)(nil)
	_ resource.ResourceWithImportState  = (*keyResource)(nil)
	_ resource.ResourceWithModifyPlan   = (*keyResource)(nil)
	_ resource.ResourceWithMoveState    = (*keyResource)(nil)
	_ resource.ResourceWithUpgradeState = (*keyResource)(nil)
)

// keyResource is neon_api_key or neon_org_api_key.
type keyResource struct {
	kit.KeyedBase

	noun   string // in the summaries of errors
	ofOrg  bool
	schema schema.Schema
}

var noun = kit.Introduce(kit.Noun{Called: "API key", ListedBy: "api_keys", Advise: adviseRights})

// adviseRights says whose key may make or end keys.
func adviseRights(err error) string {
	var answer *client.Error
	if !errors.As(err, &answer) || answer.StatusCode != http.StatusForbidden ||
		!strings.Contains(answer.Path, "/api_keys") {
		return ""
	}
	return "The API key isn't allowed to do this. Keys can only be made with a personal key, organization keys only by " +
		"an administrator of the organization; a project-scoped key works in its own project only."
}

var personalKey = kit.Key{
	Rule:  "A personal API key is imported by its id, a whole number such as 1234567",
	Parts: []kit.KeyPart{{Name: "id", Description: idText, Valid: isKeyID}},
}

// NewResource returns neon_api_key: a personal API key.
func NewResource() resource.Resource {
	return &keyResource{
		KeyedBase: kit.KeyedBase{
			ResourceBase: kit.ResourceBase{Name: "api_key"},
			First:        "created_at created_by id key name rotation_triggers",
			Key:          personalKey,
			ListedBy:     noun.ListedBy,
			MovedFrom:    kit.MovedAs("neon_api_key", "kislerdm/neon", "kenchan0130/neon", "neondatabase/neon"),
			MovedTexts:   []string{"key"},
		},
		noun: "API key",
		schema: schema.Schema{
			MarkdownDescription: "A personal API key: it has all permissions of its user, in all organizations. Destroying it " +
				"revokes the key for good.",
			Attributes: personalAttributes(),
		},
	}
}

// inSchema returns the part of a model that the schema has.
func (r *keyResource) inSchema(model *keyModel) any {
	if r.ofOrg {
		return model
	}
	return &model.personalModel
}

// Schema describes the resource.
func (r *keyResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema
	resp.Schema.Version = kit.SchemaVersion()
}

const idText = "Id of the key, a whole number."

func personalAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": schema.StringAttribute{
			MarkdownDescription: "Name of the key, 1 to 64 characters. Names need not be unique. Changing it replaces the key.",
			Required:            true,
			Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 64)},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
		},
		"rotation_triggers": schema.MapAttribute{
			MarkdownDescription: "Arbitrary values. Any change replaces the key, which revokes the old one. A null value " +
				"counts as not set, an empty map as no map. The first triggers of an imported key don't replace it.",
			Optional:    true,
			ElementType: types.StringType,
			PlanModifiers: []planmodifier.Map{mapplanmodifier.RequiresReplaceIf(replaceOnRotation,
				"A change replaces the key, unless it was imported and has no triggers yet.",
				"A change replaces the key, unless it was imported and has no triggers yet.")},
		},
		"id": kit.ComputedString(idText),
		"key": kit.ComputedSecret("The secret token, which the state keeps. Neon shows it only once, when the key is " +
			"created, so it is null after an import. If it is lost, [replace the " +
			"key](../guides/api-keys.md#a-key-for-a-pipeline)."),
		"created_at": kit.ComputedTime("When the key was created."),
		"created_by": kit.ComputedString("Id of the user who created the key."),
	}
}

// ModifyPlan revokes no key that isn't known yet, and says what a replacement revokes.
func (r *keyResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if !r.RefusesUnread(ctx, req, &resp.Diagnostics) {
		warnOfRevocation(ctx, req, resp, "", "name")
	}
}

// warnOfRevocation says what a replacement revokes, and what is different about the new key.
func warnOfRevocation(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse, different string,
	replacing ...string,
) {
	if req.State.Raw.IsNull() || req.Plan.Raw.IsNull() {
		return
	}
	var key types.String
	var present, planned types.Map
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("key"), &key)...)
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("rotation_triggers"), &present)...)
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("rotation_triggers"), &planned)...)
	if rotates(key, present, planned) {
		replacing = append(replacing, "rotation_triggers")
	}
	id, name := kit.TextOf(ctx, req, "id"), kit.TextOf(ctx, req, "name")
	kit.WarnOfLoss(ctx, req, resp, replacing, "An API key will be revoked ("+id+")", fmt.Sprintf("Neon revokes key %s "+
		"(%s), and its token is refused at once wherever it is used. The new key has another token.%s", id, kit.Quoted(name),
		different))
}

// Create creates the key.
func (r *keyResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var model keyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, r.inSchema(&model))...)
	api := r.Control(&resp.Diagnostics)
	if model.OrgID.IsUnknown() {
		model.OrgID = kit.OptionalString(r.OrgID)
	}
	if r.ofOrg && model.OrgID.IsNull() && !resp.Diagnostics.HasError() {
		kit.AddNoOrganization(&resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	created, err := api.CreateAPIKey(ctx, model.scope(), model.Name.ValueString())
	if err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to create "+r.noun, err, creationHints(err)...)
		return
	}
	warnOfLeftovers(&resp.Diagnostics, created)
	model.created(&created.Object)
	resp.Diagnostics.Append(resp.State.Set(ctx, r.inSchema(&model))...)
	r.Key.Identify(ctx, resp.State, resp.Identity, &resp.Diagnostics)
	model.complete(ctx, api)
	resp.Diagnostics.Append(resp.State.Set(ctx, r.inSchema(&model))...)
}

// ImportState takes the import id or the identity.
func (r *keyResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	r.KeyedBase.ImportState(ctx, req, resp)
	if !resp.Diagnostics.HasError() {
		var id types.String
		resp.Diagnostics.Append(resp.State.GetAttribute(ctx, path.Root("id"), &id)...)
		resp.Diagnostics.AddWarning("An imported key has no token ("+id.ValueString()+")",
			"Neon shows a key's token only when it creates the key, so key stays null. Where the configuration needs "+
				"the token, let Terraform create another key, and revoke this one once nothing uses it.")
	}
}

// Read takes over what Neon says, and forgets a key that was revoked.
func (r *keyResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var model keyModel
	resp.Diagnostics.Append(req.State.Get(ctx, r.inSchema(&model))...)
	r.Key.Identify(ctx, req.State, resp.Identity, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || r.KeepsUnread(&resp.Diagnostics, !model.Name.IsNull(), kit.ControlSettings) {
		return
	}
	api := r.Control(&resp.Diagnostics)
	if api == nil {
		return
	}
	key, err := api.GetSharedAPIKey(ctx, model.scope(), model.number())
	isImport := kit.IsImport(ctx, resp.Private)
	switch {
	case client.IsAbsent(err) && isImport:
		kit.AddMissingImport(&resp.Diagnostics, r.noun, err)
	case client.IsAbsent(err):
		resp.State.RemoveResource(ctx)
	case err != nil:
		kit.AddError(&resp.Diagnostics, "Unable to read "+r.noun, err)
	default:
		model.read(key)
		model.ProjectID = kit.OptionalString(key.ProjectID)
		resp.Diagnostics.Append(resp.State.Set(ctx, r.inSchema(&model))...)
		kit.KeepsUnanswered(r.noun, req.State, &resp.State, &resp.Diagnostics)
	}
}

// Update records the first triggers of an imported key. Everything else replaces.
func (r *keyResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var model keyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, r.inSchema(&model))...)
	resp.Diagnostics.Append(resp.State.Set(ctx, r.inSchema(&model))...)
	r.Key.Identify(ctx, resp.State, resp.Identity, &resp.Diagnostics)
}

// Delete revokes the key.
func (r *keyResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var model keyModel
	resp.Diagnostics.Append(req.State.Get(ctx, r.inSchema(&model))...)
	api := r.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := api.RevokeAPIKey(ctx, model.scope(), model.number()); err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to revoke "+r.noun, err)
	}
}
