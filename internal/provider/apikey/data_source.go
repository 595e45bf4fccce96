package apikey

import (
	"context"
	"iter"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_api_keys: the personal API keys of a user.
func NewDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.APIKey, listedModel]{
		Name: "api_keys", Called: "API keys", Attribute: "keys", Objects: keysText, Schema: listedAttributes(),
		Model: newListedModel,
		Text: "The live personal API keys of the user whose key the provider has. Neon never shows their tokens again, so " +
			"they are not included.",
	}, map[string]schema.Attribute{"name": nameFilter()}, list)
}

// NewOrgDataSource returns neon_org_api_keys: the API keys of an organization.
func NewOrgDataSource() datasource.DataSource {
	attributes := listedAttributes()
	attributes["project_id"] = kit.ReturnedString("Id of the project that a project-scoped key is limited to; null for " +
		"the others.")
	return kit.NewListSource(kit.ListSource[client.APIKey, listedOrgModel]{
		Name: "org_api_keys", Called: "API keys", Attribute: "keys", Objects: keysText, Schema: attributes,
		Model: newListedOrgModel,
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

func listedAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":         kit.ReturnedString(idText),
		"name":       kit.ReturnedString("Name of the key."),
		"created_at": kit.ReturnedTime("When the key was created."),
		"created_by": kit.ReturnedString("Id of the user who created the key."),
		"last_used_at": kit.ReturnedTime("When the key was last used; null for one that was never used. The provider uses " +
			"each key that it creates once, right after the creation."),
		"last_used_from_addr": kit.ReturnedString("IP address that the key was last used from; null for one that was " +
			"never used."),
	}
}

type listModel struct {
	Name types.String `tfsdk:"name"`
}

type listedModel struct {
	ID               types.String      `tfsdk:"id"`
	Name             types.String      `tfsdk:"name"`
	CreatedAt        timetypes.RFC3339 `tfsdk:"created_at"`
	CreatedBy        types.String      `tfsdk:"created_by"`
	LastUsedAt       timetypes.RFC3339 `tfsdk:"last_used_at"`
	LastUsedFromAddr types.String      `tfsdk:"last_used_from_addr"`
}

type orgListModel struct {
	OrgID     types.String `tfsdk:"org_id"`
	ProjectID types.String `tfsdk:"project_id"`
	Name      types.String `tfsdk:"name"`
}

type listedOrgModel struct {
	listedModel
	ProjectID types.String `tfsdk:"project_id"`
}

func newListedModel(key client.APIKey) listedModel {
	return listedModel{
		ID:               types.StringValue(strconv.FormatInt(key.ID, 10)),
		Name:             types.StringValue(key.Name),
		CreatedAt:        kit.OptionalTime(&key.CreatedAt),
		CreatedBy:        kit.OptionalString(string(key.CreatedBy)),
		LastUsedAt:       kit.OptionalTime(key.LastUsedAt),
		LastUsedFromAddr: kit.OptionalString(key.LastUsedFromAddr),
	}
}

func newListedOrgModel(key client.APIKey) listedOrgModel {
	return listedOrgModel{newListedModel(key), kit.OptionalString(key.ProjectID)}
}

func list(
	ctx context.Context, platform *kit.Platform, in *listModel, _ *diag.Diagnostics,
) iter.Seq2[client.APIKey, error] {
	return kit.Only(platform.Client.ListAPIKeys(ctx, client.APIKeyScope{}), func(key client.APIKey) bool {
		return in.Name.IsNull() || in.Name.ValueString() == key.Name
	})
}

func listOfOrg(
	ctx context.Context, platform *kit.Platform, in *orgListModel, diags *diag.Diagnostics,
) iter.Seq2[client.APIKey, error] {
	in.OrgID = platform.NeedOrganization(in.OrgID, diags)
	return kit.Only(platform.Client.ListAPIKeys(ctx, client.APIKeyScope{OrgID: in.OrgID.ValueString()}),
		func(key client.APIKey) bool {
			return (in.Name.IsNull() || in.Name.ValueString() == key.Name) &&
				(in.ProjectID.IsNull() || in.ProjectID.ValueString() == key.ProjectID)
		})
}
