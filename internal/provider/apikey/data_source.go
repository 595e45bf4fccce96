package apikey

import (
	"context"
	"iter"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_api_keys: the personal API keys of a user.
func NewDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.APIKey]{
		Name: "api_keys", Called: "API keys", Attribute: "keys", Objects: keysText, Returns: returned,
		Text: "The live personal API keys of the user whose key the provider has. Neon never shows their tokens again, so " +
			"they are not included.",
	}, map[string]schema.Attribute{"name": nameFilter()}, list)
}

// NewOrgDataSource returns neon_org_api_keys: the API keys of an organization.
func NewOrgDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.APIKey]{
		Name: "org_api_keys", Called: "API keys", Attribute: "keys", Objects: keysText, Returns: returnedOfOrg,
		Text: "The live API keys of an organization, project-scoped ones among them. Neon never shows their tokens again, " +
			"so they are not included.",
	}, map[string]schema.Attribute{
		"org_id":     kit.OrganizationID(ofOrgText),
		"project_id": kit.OptionalID("Id of the project whose project-scoped keys are listed. By default all keys are."),
		"name":       nameFilter(),
	}, listOfOrg)
}

const (
	ofOrgText = "Id of the organization. Defaults to the provider's `org_id`; one of the two is needed."
	keysText  = "The keys, in Neon's order."
)

func nameFilter() schema.Attribute {
	return kit.OptionalText("Exact name of the keys to list; names need not be unique. Must not be empty. By default " +
		"all are listed.")
}

func returned(key client.APIKey) kit.Returned {
	return kit.Returned{
		"id":         kit.Returns(idText, types.StringValue(strconv.FormatInt(key.ID, 10))),
		"name":       kit.Returns("Name of the key.", types.StringValue(key.Name)),
		"created_at": kit.Returns("When the key was created.", kit.OptionalTime(&key.CreatedAt)),
		"created_by": kit.Returns("Id of the user who created the key.", kit.OptionalString(string(key.CreatedBy))),
		"last_used_at": kit.Returns("When the key was last used; null for one that was never used. The provider uses "+
			"each key that it creates once, right after the creation.", kit.OptionalTime(key.LastUsedAt)),
		"last_used_from_addr": kit.Returns("IP address that the key was last used from; null for one that was never used.",
			kit.OptionalString(key.LastUsedFromAddr)),
	}
}

func returnedOfOrg(key client.APIKey) kit.Returned {
	all := returned(key)
	all["project_id"] = kit.Returns("Id of the project that a project-scoped key is limited to; null for the others.",
		kit.OptionalString(key.ProjectID))
	return all
}

type listModel struct {
	Name types.String `tfsdk:"name"`
}

type orgListModel struct {
	OrgID     types.String `tfsdk:"org_id"`
	ProjectID types.String `tfsdk:"project_id"`
	Name      types.String `tfsdk:"name"`
}

func list(ctx context.Context, run kit.Run, in *listModel) iter.Seq2[client.APIKey, error] {
	return kit.Only(run.API.ListAPIKeys(ctx, client.APIKeyScope{}), func(key client.APIKey) bool {
		return in.Name.IsNull() || in.Name.ValueString() == key.Name
	})
}

func listOfOrg(ctx context.Context, run kit.Run, in *orgListModel) iter.Seq2[client.APIKey, error] {
	in.OrgID = run.NeedOrganization(in.OrgID, run.Diags)
	return kit.Only(run.API.ListAPIKeys(ctx, client.APIKeyScope{OrgID: in.OrgID.ValueString()}),
		func(key client.APIKey) bool {
			return (in.Name.IsNull() || in.Name.ValueString() == key.Name) &&
				(in.ProjectID.IsNull() || in.ProjectID.ValueString() == key.ProjectID)
		})
}
