package neonauth

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_auth: Neon Auth of a branch.
func NewDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[foundAuth]{
		Name: "auth", Called: "Neon Auth", By: "branch_id", Returns: returned, Read: readOne,
		Text: "Neon Auth of a branch, with what an application needs to use it. The settings are in the resource.",
	})
}

type foundAuth struct {
	client.Auth

	domains   []client.AuthDomain
	providers []client.AuthOAuthProvider
}

func returned(auth foundAuth) kit.Returned {
	return kit.Returned{
		"database_name": kit.Returns(databaseText, types.StringValue(auth.DatabaseName)),
		"name":          kit.Returns("Name of the application in its mails.", kit.OptionalString(auth.Name)),
		"base_url":      kit.Returns(baseText, kit.OptionalString(auth.BaseURL)),
		"jwks_url":      kit.Returns(keysText, types.StringValue(auth.JWKSURL)),
		"trusted_domains": kit.Returns("Addresses that people may be sent back to.",
			kit.SetOf(kit.TextsOf(auth.domains, func(domain client.AuthDomain) string { return domain.Domain }))),
		"oauth_providers": kit.Returns("Names of the providers by which people sign in.",
			kit.SetOf(kit.TextsOf(auth.providers, func(provider client.AuthOAuthProvider) string { return provider.ID }))),
	}
}

func readOne(api *client.Client, ctx context.Context, branch client.BranchRef, _ string) (*foundAuth, error) { //nolint:revive // Like the client's methods.
	auth, err := api.GetAuth(ctx, branch)
	if err != nil {
		return nil, err
	}
	domains, err := client.All(api.ListAuthDomains(ctx, branch))
	if err != nil {
		return nil, err
	}
	providers, err := client.All(api.ListAuthOAuthProviders(ctx, branch))
	return &foundAuth{*auth, domains, providers}, err
}
