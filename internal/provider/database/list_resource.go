package database

import (
	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_database: the databases of a branch.
func NewListResource() framework.ListResource {
	return kit.NewListInBranch("database", key, "Lists the databases of a branch, in Neon's order.",
		(*client.Client).ListDatabases,
		func(branch client.BranchRef, database client.Database) kit.Listed[model] {
			return kit.Listed[model]{
				Key: []string{branch.ProjectID, branch.ID, database.Name}, DisplayName: database.Name,
				Read: func(imported model) (model, error) { return imported.with(&database), nil },
			}
		})
}
