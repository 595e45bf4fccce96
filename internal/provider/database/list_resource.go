package database

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_database: the databases of a branch.
func NewListResource() framework.ListResource {
	return kit.NewListResource(kit.ListResource[kit.InBranch, model]{
		Name:   "database",
		Key:    key,
		Schema: kit.ListedInBranch("Lists the databases of a branch, in Neon's order."),
		List:   query,
	})
}

func query(ctx context.Context, platform *kit.Platform, config kit.InBranch, diags *diag.Diagnostics) iter.Seq2[kit.Listed[model], error] {
	projectID, branchID := platform.ListedBranch(ctx, config, diags)
	return kit.Listing(platform.Client.EachDatabase(ctx, projectID, branchID), func(database client.Database) kit.Listed[model] {
		return kit.Listed[model]{
			Key: []string{projectID, branchID, database.Name}, DisplayName: database.Name,
			Read: func(imported model) (model, error) { return imported.with(&database), nil },
		}
	})
}
