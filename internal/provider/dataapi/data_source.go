package dataapi

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_data_api: the Data API of a database.
func NewDataSource() datasource.DataSource {
	members := map[string]schema.Attribute{}
	for name, kind := range settingTypes {
		switch kind {
		case types.BoolType:
			members[name] = kit.ReturnedBool(texts[name])
		case types.Int64Type:
			members[name] = kit.ReturnedInt(texts[name])
		case types.StringType:
			members[name] = kit.ReturnedString(texts[name])
		default:
			members[name] = schema.ListAttribute{MarkdownDescription: texts[name], Computed: true, ElementType: types.StringType}
		}
	}
	return kit.NewBranchSource(kit.BranchSource[dataModel]{
		Name: "data_api", Called: "Data API", By: "database_name",
		Text: "The Data API of a database, with its settings. Neon doesn't return whose tokens it accepts.",
		Schema: map[string]schema.Attribute{
			"database_name": kit.RequiredText(databaseText),
			"url":           kit.ReturnedString(urlText),
			"status":        kit.ReturnedString("Status when it was read, in Neon's spelling."),
			"settings": schema.SingleNestedAttribute{
				MarkdownDescription: "Settings. Null if Neon doesn't return them.", Computed: true, Attributes: members,
			},
			"available_schemas": schema.ListAttribute{
				MarkdownDescription: "Schemas of the database that can be served. Null if Neon doesn't return them.",
				Computed:            true, ElementType: types.StringType,
			},
		},
		Read: readOne,
	})
}

type dataModel struct {
	kit.InBranch

	DatabaseName     types.String `tfsdk:"database_name"`
	URL              types.String `tfsdk:"url"`
	Status           types.String `tfsdk:"status"`
	Settings         types.Object `tfsdk:"settings"`
	AvailableSchemas types.List   `tfsdk:"available_schemas"`
}

func readOne(ctx context.Context, api *client.Client, m *dataModel) error {
	actual, err := api.GetDataAPI(ctx, m.Branch(), m.DatabaseName.ValueString())
	if err != nil {
		return err
	}
	m.URL, m.Status = types.StringValue(actual.URL), types.StringValue(actual.Status)
	m.Settings, m.AvailableSchemas = types.ObjectNull(settingTypes), types.ListNull(types.StringType)
	if actual.Settings != nil {
		m.Settings = newSettings(actual.Settings).object(ctx)
	}
	if actual.AvailableSchemas != nil {
		m.AvailableSchemas = types.ListValueMust(types.StringType, kit.Elements(actual.AvailableSchemas))
	}
	return nil
}
