package credential

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_service_credentials: the credentials of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfBranch, kit.ListSource[client.Credential]{
		Name: "service_credentials", Returns: returned,
		Text: "The service credentials of a branch that are valid, Neon's own too, in Neon's order. A parent's " +
			"credentials are valid on the branch, too, but aren't listed. It reads no secrets.",
	}, (*client.Client).ListCredentials)
}

func returned(credential client.Credential) kit.Returned {
	return kit.Returned{
		"token_id": kit.Returns(tokenText, types.StringValue(credential.TokenID)),
		"name":     kit.Returns("Name. Null for none.", kit.OptionalString(credential.Name)),
		"scopes":   kit.Returns(scopesText+" Neon's own may have others.", kit.SetOf(credential.Scopes)),
		"principal_type": kit.Returns("Who it is for: `user` for those that people make, and other values for Neon's own.",
			types.StringValue(credential.Principal)),
		"created_at":   kit.Returns("When it was created.", kit.OptionalTime(&credential.CreatedAt)),
		"last_used_at": kit.Returns("When it was used last. Null for never.", kit.OptionalTime(credential.LastUsedAt)),
		"expires_at":   kit.Returns("When it expires. Null for never.", kit.OptionalTime(credential.ExpiresAt)),
	}
}
