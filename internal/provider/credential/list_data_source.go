package credential

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_service_credentials: those of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceInBranch(kit.ListSource[client.Credential, listedCredential]{
		Name: "service_credentials", Called: "service credentials", Attribute: "service_credentials",
		Objects: "The service credentials.", Model: newListed,
		Text: "The service credentials of a branch that are valid, Neon's own too, in Neon's order. Those of its parent, " +
			"which are valid in it as well, are the parent's. Secrets aren't among what it reads.",
		Schema: map[string]schema.Attribute{
			"token_id": kit.ReturnedString(tokenText),
			"name":     kit.ReturnedString("Name. Null for none."),
			"scopes":   kit.ReturnedTexts(scopesText + " Neon's own may have others."),
			"principal_type": kit.ReturnedString("Who it is for: `user` for those that people make, and other values for " +
				"Neon's own."),
			"created_at":   kit.ReturnedTime("When it was created."),
			"last_used_at": kit.ReturnedTime("When it was used last. Null for never."),
			"expires_at":   kit.ReturnedTime("When it expires. Null for never."),
		},
	}, (*client.Client).ListCredentials)
}

type listedCredential struct {
	TokenID    types.String      `tfsdk:"token_id"`
	Name       types.String      `tfsdk:"name"`
	Scopes     types.Set         `tfsdk:"scopes"`
	Principal  types.String      `tfsdk:"principal_type"`
	CreatedAt  timetypes.RFC3339 `tfsdk:"created_at"`
	LastUsedAt timetypes.RFC3339 `tfsdk:"last_used_at"`
	ExpiresAt  timetypes.RFC3339 `tfsdk:"expires_at"`
}

func newListed(credential client.Credential) listedCredential {
	return listedCredential{
		TokenID: types.StringValue(credential.TokenID), Name: kit.OptionalString(credential.Name),
		Scopes:    kit.SetOf(credential.Scopes),
		Principal: types.StringValue(credential.Principal), CreatedAt: kit.OptionalTime(&credential.CreatedAt),
		LastUsedAt: kit.OptionalTime(credential.LastUsedAt), ExpiresAt: kit.OptionalTime(credential.ExpiresAt),
	}
}
