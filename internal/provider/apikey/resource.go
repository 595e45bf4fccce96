package apikey

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

var (
	_ resource.ResourceWithConfigure   = (*keyResource)(nil)
	_ resource.ResourceWithIdentity    = (*keyResource)(nil)
	_ resource.ResourceWithImportState = (*keyResource)(nil)
)

// keyResource is neon_api_key: a personal API key.
type keyResource struct {
	kit.ResourceBase
}

func NewResource() resource.Resource {
	return &keyResource{kit.ResourceBase{Kind: "api_key"}}
}

// Schema describes neon_api_key.
func (r *keyResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A personal API key: it may do what its user may, in all organizations. The provider itself needs a " +
			"personal key to make one. Destroying it revokes the key at once and for good.",
		Attributes: apiKeyAttributes(),
	}
}

// IdentitySchema describes what the key is imported by.
func (r *keyResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = kit.IdentitySchema(map[string]string{"key_id": "Id of the key, a whole number."})
}

// Create makes the key.
func (r *keyResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var model keyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	api := r.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	key, err := api.CreateAPIKey(ctx, client.APIKeyScope{}, model.Name.ValueString())
	if err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to create API key", err, lostKeyHints(err)...)
		return
	}
	warnOfLeftovers(&resp.Diagnostics, api, client.APIKeyScope{}, key)
	model.created(key)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	kit.SetIdentity(ctx, resp.Identity, apiKeyIdentity{model.ID}, &resp.Diagnostics)
	model.complete(ctx, api, client.APIKeyScope{})
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// Read takes over what the platform says, and forgets a key that was revoked.
func (r *keyResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var model keyModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	kit.SetIdentity(ctx, resp.Identity, apiKeyIdentity{model.ID}, &resp.Diagnostics)
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
		kit.AddError(&resp.Diagnostics, unableToReadPersonalKey, err)
		return
	}
	model.read(key)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// Update records the first triggers of an imported key. Everything else
// replaces.
func (r *keyResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var model keyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	kit.SetIdentity(ctx, resp.Identity, apiKeyIdentity{model.ID}, &resp.Diagnostics)
}

// Delete revokes the key.
func (r *keyResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var model keyModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	api := r.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := api.RevokeAPIKey(ctx, model.scope(), model.number()); err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to revoke API key", err)
	}
}

// ImportState takes the key's id, or its identity; the read that follows fills in the rest.
func (r *keyResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	keyID := req.ID
	if keyID == "" && req.Identity != nil {
		var identity apiKeyIdentity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		keyID = identity.KeyID.ValueString()
	}
	if !isKeyID(keyID) {
		resp.Diagnostics.AddError("Invalid import id", fmt.Sprintf(
			"A personal API key is imported by its id, a whole number such as 1234567; got %s.", kit.Quoted(keyID)))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), keyID)...)
	kit.SetIdentity(ctx, resp.Identity, apiKeyIdentity{types.StringValue(keyID)}, &resp.Diagnostics)
}
