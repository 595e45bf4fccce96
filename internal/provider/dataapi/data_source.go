package dataapi

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
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
	settings, schemas := kit.Returned{}, types.ListNull(types.StringType)
	for name, value := range newSettings(actual.Settings).object(context.Background()).Attributes() {
		settings[name] = kit.Returns(settingAttributes[name].GetMarkdownDescription(), value)
	}
	if actual.AvailableSchemas != nil {
		schemas = types.ListValueMust(types.StringType, kit.Elements(actual.AvailableSchemas))
	}
	return kit.Returned{
		"url":      kit.Returns(urlText, types.StringValue(actual.URL)),
		"status":   kit.Returns("Status when it was read, in Neon's spelling.", types.StringValue(actual.Status)),
		"settings": kit.ReturnsObject("Settings. Null if Neon doesn't return them.", actual.Settings != nil, settings),
		"available_schemas": kit.Returns("Schemas of the database that can be served. Null if Neon doesn't return them.",
			schemas),
	}
}
