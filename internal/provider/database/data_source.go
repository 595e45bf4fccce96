package database

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_database: one database of a branch.
func NewDataSource() datasource.DataSource {
	attributes := listedAttributes()
	attributes["name"] = kit.RequiredText("Exact name of the database.")
	return kit.NewBranchSource(kit.BranchSource[dataModel]{
		Name: "database", Called: "database", By: "name", Text: "A database of a branch.", Schema: attributes,
		Read: func(ctx context.Context, api *client.Client, m *dataModel) error {
			database, err := api.GetSharedDatabase(ctx, m.Branch(), m.Name.ValueString(), 0)
			if err == nil {
				m.listedDatabase = newListedDatabase(*database)
			}
			return err
		},
	})
}

// NewListDataSource returns neon_databases: the databases of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceInBranch(kit.ListSource[client.Database, listedDatabase]{
		Name: "databases", Called: "databases", Attribute: "databases", Objects: "The databases.", Model: newListedDatabase,
		Text:   "The databases of a branch, in Neon's order.",
		Schema: listedAttributes(),
	}, (*client.Client).ListDatabases)
}

func listedAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name":        kit.ReturnedString("Name of the database."),
		"database_id": kit.ReturnedInt(idText),
		"owner_name":  kit.ReturnedString(ownerText),
		"created_at":  kit.ReturnedTime(createdText),
		"updated_at":  kit.ReturnedTime("When the database last changed, as by a new name."),
	}
}

type dataModel struct {
	kit.InBranch
	listedDatabase
}

type listedDatabase struct {
	Name       types.String      `tfsdk:"name"`
	DatabaseID types.Int64       `tfsdk:"database_id"`
	OwnerName  types.String      `tfsdk:"owner_name"`
	CreatedAt  timetypes.RFC3339 `tfsdk:"created_at"`
	UpdatedAt  timetypes.RFC3339 `tfsdk:"updated_at"`
}

func newListedDatabase(database client.Database) listedDatabase {
	return listedDatabase{
		Name:       types.StringValue(database.Name),
		DatabaseID: types.Int64Value(database.ID),
		OwnerName:  types.StringValue(database.OwnerName),
		CreatedAt:  kit.OptionalTime(&database.CreatedAt),
		UpdatedAt:  kit.OptionalTime(&database.UpdatedAt),
	}
}
