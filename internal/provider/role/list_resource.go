package role

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_role: the roles of a branch.
func NewListResource() framework.ListResource {
	return kit.NewListResource(kit.ListResource[kit.InBranch, model]{
		Name:   "role",
		Key:    key,
		Schema: kit.ListedInBranch("Lists the PostgreSQL roles of a branch, without their passwords, in Neon's order."),
		List:   query,
	})
}

func query(ctx context.Context, platform *kit.Platform, config kit.InBranch, diags *diag.Diagnostics) iter.Seq2[kit.Listed[model], error] {
	projectID, branchID := platform.ListedBranch(ctx, config, diags)
	return kit.Listing(platform.Client.EachRole(ctx, projectID, branchID), func(role client.Role) kit.Listed[model] {
		return kit.Listed[model]{
			Key: []string{projectID, branchID, role.Name}, DisplayName: role.Name,
			Read: func(imported model) (model, error) { return imported.with(&role), nil },
		}
	})
}
