package dataapi

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	branchText   = "Id of the branch that the database belongs to."
	databaseText = "Name of the database."
	urlText      = "Address of the Data API."
	external     = "external"

	// keptText describes an attribute that Neon never returns.
	keptText = " It stays what it was at creation. Changing it replaces the Data API."
)

func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id":    kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"branch_id":     kit.FollowedBranch(branchText),
		"database_name": kit.ImmutableString(databaseText, kit.PostgresName()...),
		"auth_provider": kept("Whose tokens identify users: `neon_auth` for Neon Auth, or `external`, which needs "+
			"`jwks_url`. Without it, none are accepted until the project has a `neon_jwks_url`.",
			stringvalidator.OneOf("neon_auth", external), needsKeys{}),
		"jwks_url": kept("Address of the external provider's keys, which begins with `https://`. Only with `auth_provider "+
			"= \"external\"`; without any `auth_provider`, Neon keeps what it was set up with.", kit.IsHTTPS(), onlyExternal{}),
		"provider_name": kept("Name of the external provider, such as `Clerk` or `Auth0`. Only with `auth_provider = "+
			"\"external\"`.",
			stringvalidator.LengthAtLeast(1), onlyExternal{}),
		"jwt_audience": kept("Audience of the tokens: tokens for another audience are refused, tokens without one are "+
			"accepted. Defaults to any.",
			stringvalidator.LengthAtLeast(1)),
		"add_default_grants": keptBool("Whether the role `authenticated` may do everything with the tables of the schema " +
			"`public`. Without it, people get \"permission denied\" until SQL grants that role what they may do. Row-level " +
			"security decides which rows. Defaults to `false`."),
		"skip_auth_schema": keptBool("Whether the schema `auth` and its functions for row-level security are omitted. " +
			"Defaults to `false`."),
		"settings": settingsAttribute(),
		"url":      kit.ComputedString(urlText),
		"id":       kit.ComputedString("`project_id/branch_id/database_name`."),
	}
}

// kept returns an attribute that Neon accepts only at creation and never returns; plan decides whether a change
// replaces.
func kept(text string, validators ...validator.String) schema.Attribute {
	return schema.StringAttribute{MarkdownDescription: text + keptText, Optional: true, Validators: validators}
}

func keptBool(text string) schema.Attribute {
	return schema.BoolAttribute{MarkdownDescription: text + keptText, Optional: true}
}

// needsKeys requires jwks_url with an external provider.
type needsKeys struct{ kit.Unsaid }

// ValidateString looks for the keys.
func (needsKeys) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	var keys types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("jwks_url"), &keys)...)
	if req.ConfigValue.ValueString() == external && keys.IsNull() {
		resp.Diagnostics.AddAttributeError(req.Path, "No keys of the external provider", "With auth_provider = "+
			"\"external\", set jwks_url to the address of the provider's keys, which begins with https://.")
	}
}

// onlyExternal refuses attributes of an external provider beside another provider. Without any provider, it warns: by
// Neon's description, the provider that was set up before stays.
type onlyExternal struct{ kit.Unsaid }

// ValidateString looks for the provider.
func (onlyExternal) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	var provider types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("auth_provider"), &provider)...)
	switch {
	case req.ConfigValue.IsNull(), provider.IsUnknown(), provider.ValueString() == external:
	case provider.IsNull():
		resp.Diagnostics.AddAttributeWarning(req.Path, "Perhaps without an effect", req.Path.String()+
			" is of auth_provider = \"external\", and none is configured. Neon keeps the provider that is set up then, and a "+
			"new Data API has none. Set\n\n  auth_provider = \"external\"")
	default:
		resp.Diagnostics.AddAttributeError(req.Path, "Not of an external provider", req.Path.String()+
			" is for auth_provider = \"external\" alone: set that, or remove "+req.Path.String()+".")
	}
}
