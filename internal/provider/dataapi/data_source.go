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
	return kit.NewBranchSource(kit.BranchSource[client.DataAPI]{
		Name: "data_api", Called: "Data API", By: "database_name", Given: kit.RequiredText(databaseText), Returns: returned,
		Text: "The Data API of a database, with its settings. Neon doesn't return whose tokens it accepts.",
		Read: (*client.Client).GetDataAPI,
	})
}

func returned(actual client.DataAPI) kit.Returned {
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
	settings, schemas := types.ObjectNull(settingTypes), types.ListNull(types.StringType)
	if actual.Settings != nil {
		settings = newSettings(actual.Settings).object(context.Background())
	}
	if actual.AvailableSchemas != nil {
		schemas = types.ListValueMust(types.StringType, kit.Elements(actual.AvailableSchemas))
	}
	return kit.Returned{
		"url":    kit.Returns(urlText, types.StringValue(actual.URL)),
		"status": kit.Returns("Status when it was read, in Neon's spelling.", types.StringValue(actual.Status)),
		"settings": kit.ReturnsAs(schema.SingleNestedAttribute{
			MarkdownDescription: "Settings. Null if Neon doesn't return them.", Computed: true, Attributes: members,
		}, settings),
		"available_schemas": kit.Returns("Schemas of the database that can be served. Null if Neon doesn't return them.",
			schemas),
	}
}
