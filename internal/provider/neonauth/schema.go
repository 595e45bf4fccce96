package neonauth

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	branchText   = "Id of the branch that has Neon Auth."
	databaseText = "Name of the database that has the schema `neon_auth`."
	baseText     = "Address of Neon Auth, for the application. Allow `<base_url>/callback/<provider>` in an OAuth " +
		"application of your own. Null if Neon doesn't return it."
	keysText = "Address of the keys that verify tokens, such as for `neon_data_api`."
	idText   = "Id of the project at the authentication provider."
)

func attributes() map[string]schema.Attribute {
	all := map[string]schema.Attribute{
		"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"branch_id":  kit.FollowedBranch(branchText),
		"database_name": kit.KeptString(databaseText+" Defaults to Neon's choice. Changing it later is an error, since the "+
			"users are in that database.", kit.PostgresName()...),
		"allow_localhost": kit.KeptBool("Whether pages on `localhost` may use it. Neon's default is `true`."),
		"email_provider_password_wo": schema.StringAttribute{
			MarkdownDescription: "Password of the email provider, for `standard` only. It isn't stored, and isn't compared " +
				"with what Neon has: it is sent at the creation, with each change of `email_provider`, and whenever " +
				"`email_provider_password_wo_version` changes.",
			Optional: true, WriteOnly: true, Sensitive: true,
			Validators: append(kit.NotEmpty(),
				stringvalidator.AlsoRequires(path.MatchRoot("email_provider_password_wo_version"))),
		},
		"email_provider_password_wo_version": kit.SecretVersion("email_provider_password_wo", "the password"),
		"delete_data_on_destroy": kit.Flag("Whether destroying the resource deletes the schema `neon_auth` with all users, "+
			"for good. It only affects this resource, once it is applied. Defaults to `false`.", false),
		"deletion_protection":      kit.DeletionProtection("Neon Auth"),
		"base_url":                 kit.ComputedString(baseText),
		"jwks_url":                 kit.ComputedString(keysText),
		"auth_provider_project_id": kit.ComputedString(idText),
		"id":                       kit.ComputedString("`project_id/branch_id`."),
	}
	for name, group := range groups {
		all[name] = group
	}
	return all
}

// typeOf returns the type of an email provider, by default a custom server's.
func typeOf(emailProvider types.Object) attr.Value {
	if kind := emailProvider.Attributes()["type"]; kind != nil && kit.IsSet(kind) {
		return kind
	}
	return types.StringValue(standard)
}
