package jwks

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_jwks_urls: whose tokens a project trusts.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceInProject(kit.ListSource[client.JWKS, listedJWKS]{
		Name: "jwks_urls", Called: "JWKS URLs", Attribute: "jwks_urls", Objects: "The JWKS URLs.", Model: newListed,
		Text: "The JWKS URLs of a project, in Neon's order.",
		Schema: map[string]schema.Attribute{
			"id":            kit.ReturnedString(idText),
			"jwks_url":      kit.ReturnedString(urlText),
			"provider_name": kit.ReturnedString(providerText),
			"branch_id":     kit.ReturnedString(branchText + " Null for all branches."),
			"jwt_audience":  kit.ReturnedString(audienceText + " Null for any."),
			"role_names":    schema.SetAttribute{MarkdownDescription: rolesText, Computed: true, ElementType: types.StringType},
			"created_at":    kit.ReturnedTime(createdText),
		},
	}, (*client.Client).ListJWKS)
}

type listedJWKS struct {
	ID           types.String      `tfsdk:"id"`
	URL          types.String      `tfsdk:"jwks_url"`
	ProviderName types.String      `tfsdk:"provider_name"`
	BranchID     types.String      `tfsdk:"branch_id"`
	Audience     types.String      `tfsdk:"jwt_audience"`
	RoleNames    types.Set         `tfsdk:"role_names"`
	CreatedAt    timetypes.RFC3339 `tfsdk:"created_at"`
}

func newListed(jwks client.JWKS) listedJWKS {
	return listedJWKS{
		ID: types.StringValue(jwks.ID), URL: types.StringValue(jwks.URL), ProviderName: types.StringValue(jwks.ProviderName),
		BranchID: kit.OptionalString(jwks.BranchID), Audience: kit.OptionalString(jwks.Audience),
		RoleNames: kit.SetOf(jwks.RoleNames), CreatedAt: kit.OptionalTime(&jwks.CreatedAt),
	}
}
