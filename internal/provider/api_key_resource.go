package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

var (
	_ resource.ResourceWithConfigure   = (*apiKeyResource)(nil)
	_ resource.ResourceWithIdentity    = (*apiKeyResource)(nil)
	_ resource.ResourceWithImportState = (*apiKeyResource)(nil)
)

// apiKeyResource is neon_api_key: a personal API key.
type apiKeyResource struct {
	managedResource
}

func newAPIKeyResource() resource.Resource {
	return &apiKeyResource{managedResource{kind: "api_key"}}
}

// Schema describes neon_api_key.
func (r *apiKeyResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A personal API key: it may do what its user may, in all organizations. The provider itself needs a " +
			"personal key to make one. Destroying it revokes the key at once and for good.",
		Attributes: apiKeyAttributes(),
	}
}

// IdentitySchema describes what the key is imported by.
func (r *apiKeyResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identitySchema(map[string]string{"key_id": "Id of the key, a whole number."})
}

// Create makes the key.
func (r *apiKeyResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var model apiKeyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	api := r.control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	key, err := api.CreateAPIKey(ctx, client.APIKeyScope{}, model.Name.ValueString())
	if err != nil {
		addError(&resp.Diagnostics, "Unable to create API key", err, lostKeyHints(err)...)
		return
	}
	warnOfLeftovers(&resp.Diagnostics, api, client.APIKeyScope{}, key)
	model.created(key)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	setIdentity(ctx, resp.Identity, apiKeyIdentity{model.ID}, &resp.Diagnostics)
	model.complete(ctx, api, client.APIKeyScope{})
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// Read takes over what the platform says, and forgets a key that was revoked.
func (r *apiKeyResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var model apiKeyModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	setIdentity(ctx, resp.Identity, apiKeyIdentity{model.ID}, &resp.Diagnostics)
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
		addError(&resp.Diagnostics, unableToReadPersonalKey, err)
		return
	}
	model.read(key)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// Update records the first triggers of an imported key. Everything else
// replaces.
func (r *apiKeyResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var model apiKeyModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	setIdentity(ctx, resp.Identity, apiKeyIdentity{model.ID}, &resp.Diagnostics)
}

// Delete revokes the key.
func (r *apiKeyResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var model apiKeyModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	api := r.control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := api.RevokeAPIKey(ctx, model.scope(), model.number()); err != nil {
		addError(&resp.Diagnostics, "Unable to revoke API key", err)
	}
}

// ImportState takes the key's id, or its identity; the read that follows fills in the rest.
func (r *apiKeyResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	keyID := req.ID
	if keyID == "" && req.Identity != nil {
		var identity apiKeyIdentity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		keyID = identity.KeyID.ValueString()
	}
	if !isKeyID(keyID) {
		resp.Diagnostics.AddError("Invalid import id", fmt.Sprintf(
			"A personal API key is imported by its id, a whole number such as 1234567; got %s.", quoted(keyID)))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), keyID)...)
	setIdentity(ctx, resp.Identity, apiKeyIdentity{types.StringValue(keyID)}, &resp.Diagnostics)
}
