package role

import (
	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_role: the roles of a branch.
func NewListResource() framework.ListResource {
	return kit.NewListInBranch("role", key, "Lists the PostgreSQL roles of a branch, without their passwords, in "+
		"Neon's order.", (*client.Client).ListRoles,
		func(branch client.BranchRef, role client.Role) kit.Listed[model] {
			return kit.Listed[model]{
				Key: []string{branch.ProjectID, branch.ID, role.Name}, DisplayName: role.Name,
				Read: func(imported model) (model, error) { return imported.with(&role), nil },
			}
		})
}
