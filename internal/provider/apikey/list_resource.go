package apikey

import (
	"context"
	"iter"
	"strconv"

	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const noTokens = "Neon never shows their tokens again, so `key` is null."

// NewListResource returns the list resource neon_api_key: the personal keys of a user.
func NewListResource() framework.ListResource {
	return kit.NewListResource(kit.ListResource[struct{}, personalModel]{
		Name: "api_key",
		Key:  personalKey,
		Schema: schema.Schema{
			MarkdownDescription: "Lists the live personal API keys of the user whose key the provider has, that key among " +
				"them, in Neon's order. " + noTokens,
		},
		List: query,
	})
}

func query(ctx context.Context, run kit.Run, _ struct{}) iter.Seq2[kit.Listed[personalModel], error] {
	return kit.Listing(run.API.ListAPIKeys(ctx, client.APIKeyScope{}),
		func(key client.APIKey) kit.Listed[personalModel] {
			return kit.Listed[personalModel]{
				Key: []string{strconv.FormatInt(key.ID, 10)}, DisplayName: key.Name,
				Read: func(imported personalModel) (personalModel, error) {
					imported.read(&key)
					return imported, nil
				},
			}
		})
}

// NewOrgListResource returns the list resource neon_org_api_key: the keys of an organization.
func NewOrgListResource() framework.ListResource {
	return kit.NewListIn(kit.OfOrganization, "org_api_key", orgKey,
		"Lists the live API keys of an organization, project-scoped "+
			"ones among them, in Neon's order. "+noTokens, keysOfOrg,
		func(imported keyModel, key *client.APIKey) keyModel {
			imported.read(key)
			imported.ProjectID = kit.OptionalString(key.ProjectID)
			return imported
		},
		func(key client.APIKey) (id, name string) { return strconv.FormatInt(key.ID, 10), key.Name })
}

// keysOfOrg lists the keys of an organization, in the form that kit.NewListIn takes.
func keysOfOrg(api *client.Client, ctx context.Context, orgID string) iter.Seq2[client.APIKey, error] { //nolint:revive // Like the client's methods.
	return api.ListAPIKeys(ctx, client.APIKeyScope{OrgID: orgID})
}
