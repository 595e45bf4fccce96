package database

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_database: one database of a branch.
func NewDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[client.Database]{
		Name: "database", Called: "database", By: "name", Given: kit.RequiredText("Exact name of the database."),
		Text: "A database of a branch.", Returns: returned,
		Read: func(
			api *client.Client, ctx context.Context, branch client.BranchRef, name string,
		) (*client.Database, error) {
			return api.GetSharedDatabase(ctx, branch, name, 0)
		},
	})
}

// NewListDataSource returns neon_databases: the databases of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfBranch, kit.ListSource[client.Database]{
		Name: "databases", Returns: returned,
		Text: "The databases of a branch, in Neon's order.",
	}, (*client.Client).ListDatabases)
}

func returned(database client.Database) kit.Returned {
	return kit.Returned{
		"name":        kit.Returns("Name of the database.", types.StringValue(database.Name)),
		"database_id": kit.Returns(idText, types.Int64Value(database.ID)),
		"owner_name":  kit.Returns(ownerText, types.StringValue(database.OwnerName)),
		"created_at":  kit.Returns(createdText, kit.OptionalTime(&database.CreatedAt)),
		"updated_at": kit.Returns("When the database last changed, as by a new name.",
			kit.OptionalTime(&database.UpdatedAt)),
	}
}
