package dataapi

import (
	"context"

	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_data_api: the Data APIs of a branch.
func NewListResource() framework.ListResource {
	return kit.NewListInBranch("data_api", key, "Lists the Data APIs of a branch, by their databases. Sends a request "+
		"for each database.", (*client.Client).ListDataAPIs,
		func(branch client.BranchRef, api client.DataAPI) kit.Listed[model] {
			return kit.Listed[model]{
				Key: []string{branch.ProjectID, branch.ID, api.DatabaseName}, DisplayName: api.DatabaseName,
				Read: func(imported model) (model, error) {
					return imported.with(context.Background(), &api, newSettings(api.Settings)), nil
				},
			}
		})
}
