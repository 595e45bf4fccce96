package neonauth

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_auth: Neon Auth of a branch.
func NewDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[foundAuth]{
		Name: "auth", Called: "Neon Auth", By: "branch_id", Returns: returned, Read: readOne,
		Text: "Neon Auth of a branch, with its settings and what an application needs to use it.",
	})
}

type foundAuth struct {
	client.Auth

	settings  client.AuthSettings
	domains   []client.AuthDomain
	providers []client.AuthOAuthProvider
}

func returned(auth foundAuth) kit.Returned {
	all := kit.Returned{
		"database_name":            kit.Returns(databaseText, types.StringValue(auth.DatabaseName)),
		"name":                     kit.Returns("Name of the application in its mails.", kit.OptionalString(auth.Name)),
		"base_url":                 kit.Returns(baseText, kit.OptionalString(auth.BaseURL)),
		"jwks_url":                 kit.Returns(keysText, types.StringValue(auth.JWKSURL)),
		"auth_provider_project_id": kit.Returns(idText, types.StringValue(auth.ProviderProjectID)),
		"allow_localhost": kit.Returns("Whether pages on `localhost` may use it.",
			types.BoolPointerValue(auth.settings.AllowLocalhost)),
		"trusted_domains": kit.Returns("Addresses that people may be sent back to.",
			kit.SetOf(kit.TextsOf(auth.domains, func(domain client.AuthDomain) string { return domain.Domain }))),
		"oauth_providers": kit.Returns("Names of the providers by which people sign in.",
			kit.SetOf(kit.TextsOf(auth.providers, func(provider client.AuthOAuthProvider) string { return provider.ID }))),
	}
	for name, group := range groups {
		object := received(context.Background(), name, auth.settings.Groups[client.AuthGroup(name)],
			types.ObjectNull(typesOf(name)), false)
		values, members := object.Attributes(), kit.Returned{}
		for member, kind := range typesOf(name) {
			if object.IsNull() {
				values[member] = valueOf(context.Background(), kind, nil)
			}
			members[member] = kit.Returns(whatItIs(group.Attributes[member]), values[member])
		}
		all[name] = kit.ReturnsObject(whatItIs(group), !object.IsNull(), members)
	}
	return all
}

// whatItIs is what the text of an attribute says before it says how to configure that.
func whatItIs(attribute schema.Attribute) string {
	text, _, _ := strings.Cut(attribute.GetMarkdownDescription(), ". ")
	return strings.TrimSuffix(text, ".") + "."
}

func readOne(api *client.Client, ctx context.Context, branch client.BranchRef, _ string) (*foundAuth, error) { //nolint:revive // Like the client's methods.
	auth, err := api.GetAuth(ctx, branch)
	if err != nil {
		return nil, err
	}
	settings, err := api.GetAuthSettings(ctx, branch)
	if err != nil {
		return nil, err
	}
	domains, err := client.All(api.ListAuthDomains(ctx, branch))
	if err != nil {
		return nil, err
	}
	providers, err := client.All(api.ListAuthOAuthProviders(ctx, branch))
	return &foundAuth{*auth, *settings, domains, providers}, err
}
