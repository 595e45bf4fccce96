package apikey

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// openedKeyData is where Terraform keeps, while the key is open, what its
// revocation needs.
const openedKeyData = "opened_key"

// ephemeralKeyModel is what both kinds of ephemeral keys have in common.
type ephemeralKeyModel struct {
	Name types.String `tfsdk:"name"`
	ID   types.String `tfsdk:"id"`
	Key  types.String `tfsdk:"key"`
}

func (m *ephemeralKeyModel) opened(key *client.CreatedAPIKey) {
	m.ID = types.StringValue(strconv.FormatInt(key.ID, 10))
	m.Key = types.StringValue(key.Key)
}

func ephemeralKeyAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": schema.StringAttribute{
			MarkdownDescription: "Name of the key, 1 to 64 characters. Names need not be unique, but a name that no other run uses at " +
				"the same time tells its key from theirs.",
			Required:   true,
			Validators: []validator.String{stringvalidator.UTF8LengthBetween(1, 64)},
		},
		"id": schema.StringAttribute{
			MarkdownDescription: "Id of the key, a whole number.",
			Computed:            true,
		},
		"key": schema.StringAttribute{
			MarkdownDescription: "The secret token.",
			Computed:            true,
			Sensitive:           true,
		},
	}
}

// openKey makes a key, and fills the result by the given function. What can't be
// opened in full isn't closed by Terraform, so it is revoked here.
func openKey(
	ctx context.Context, c *kit.Platform, scope client.APIKeyScope, name string, resp *ephemeral.OpenResponse, result func(*client.CreatedAPIKey) any,
) {
	if ctx.Err() != nil {
		resp.Diagnostics.AddError("Unable to open API key", "The run was interrupted before the key was made.")
		return
	}
	// A creation that is broken off may have made a key all the same, and its id
	// would be lost with the answer.
	lasting, stop := outlast(ctx, afterInterruption)
	defer stop()
	key, err := c.Client.CreateAPIKey(lasting, scope, name)
	if err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to create API key", err, lostKeyHints(err)...)
		return
	}
	opened := openedKey{key.ID, key.Name, scope}
	if scope.OrgID == "" {
		opened.Scope.UserID = string(key.CreatedBy)
	}
	c.Opened.Add(opened.name(), func(ctx context.Context, diags *diag.Diagnostics) { opened.revoke(ctx, c.Client, diags) })
	warnOfLost(&resp.Diagnostics, key)
	warnOfNamesakes(&resp.Diagnostics, c.Client, scope, key)
	opened.keep(ctx, resp)
	resp.Diagnostics.Append(resp.Result.Set(ctx, result(key))...)
	if ctx.Err() != nil {
		resp.Diagnostics.AddError("Unable to open API key",
			"The run was interrupted while the key was being made. It is revoked again, unless a warning says otherwise.")
	}
	if resp.Diagnostics.HasError() {
		c.Opened.Remove(opened.name())
		opened.revoke(ctx, c.Client, &resp.Diagnostics)
	}
}

// warnOfNamesakes names keys that a run may have left that was killed before it
// could revoke its own.
func warnOfNamesakes(diags *diag.Diagnostics, api *client.Client, scope client.APIKeyScope, key *client.CreatedAPIKey) {
	if len(key.Namesakes) == 0 {
		return
	}
	diags.AddWarning(fmt.Sprintf("Other API keys of the same name as %d", key.ID), fmt.Sprintf(
		"API key %d was made for this run. These keys are named %q too: they belong to runs that go on at the same time, or were "+
			"left by a run that was killed. Revoke those that nobody needs:\n%s",
		key.ID, key.Name, api.DescribeAPIKeys(scope, key.Namesakes)))
}

func (k openedKey) keep(ctx context.Context, resp *ephemeral.OpenResponse) {
	data, err := json.Marshal(k)
	if err != nil {
		resp.Diagnostics.AddError("Unable to open API key", err.Error())
		return
	}
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, openedKeyData, data)...)
}

// closeKey revokes the key that openKey made.
func closeKey(ctx context.Context, c *kit.Platform, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	data, diags := req.Private.GetKey(ctx, openedKeyData)
	resp.Diagnostics.Append(diags...)
	var opened openedKey
	if err := json.Unmarshal(data, &opened); err != nil && !diags.HasError() {
		resp.Diagnostics.AddError("Unable to close API key", "Terraform didn't give back which key was opened: "+err.Error()+".")
	}
	if resp.Diagnostics.HasError() {
		return
	}
	c.Opened.Remove(opened.name())
	opened.revoke(ctx, c.Client, &resp.Diagnostics)
}
