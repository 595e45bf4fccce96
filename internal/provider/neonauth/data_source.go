package neonauth

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_auth: Neon Auth of a branch.
func NewDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[dataModel]{
		Name: "auth", Called: "Neon Auth", By: "branch_id",
		Text: "Neon Auth of a branch, with what an application needs to use it. The settings are in the resource.",
		Schema: map[string]schema.Attribute{
			"database_name":   kit.ReturnedString(databaseText),
			"name":            kit.ReturnedString("Name of the application in its mails."),
			"base_url":        kit.ReturnedString(baseText),
			"jwks_url":        kit.ReturnedString(keysText),
			"trusted_domains": kit.ReturnedTexts("Addresses that people may be sent back to."),
			"oauth_providers": kit.ReturnedTexts("Names of the providers by which people sign in."),
		},
		Read: readOne,
	})
}

type dataModel struct {
	kit.InBranch

	DatabaseName   types.String `tfsdk:"database_name"`
	Name           types.String `tfsdk:"name"`
	BaseURL        types.String `tfsdk:"base_url"`
	JWKSURL        types.String `tfsdk:"jwks_url"`
	TrustedDomains types.Set    `tfsdk:"trusted_domains"`
	OAuthProviders types.Set    `tfsdk:"oauth_providers"`
}

func readOne(ctx context.Context, api *client.Client, m *dataModel) error {
	branch := m.Branch()
	auth, err := api.GetAuth(ctx, branch)
	if err != nil {
		return err
	}
	domains, err := client.All(api.ListAuthDomains(ctx, branch))
	if err != nil {
		return err
	}
	providers, err := client.All(api.ListAuthOAuthProviders(ctx, branch))
	if err != nil {
		return err
	}
	m.DatabaseName, m.Name = types.StringValue(auth.DatabaseName), kit.OptionalString(auth.Name)
	m.BaseURL, m.JWKSURL = kit.OptionalString(auth.BaseURL), types.StringValue(auth.JWKSURL)
	m.TrustedDomains = textSet(domains, func(domain client.AuthDomain) string { return domain.Domain })
	m.OAuthProviders = textSet(providers, func(provider client.AuthOAuthProvider) string { return provider.ID })
	return nil
}

func textSet[T any](objects []T, text func(T) string) types.Set {
	values := []attr.Value{}
	for _, object := range objects {
		values = append(values, types.StringValue(text(object)))
	}
	return types.SetValueMust(types.StringType, values)
}
