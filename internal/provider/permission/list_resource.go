package permission

import (
	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_project_permission: whom a project is shared with.
func NewListResource() framework.ListResource {
	return kit.NewListInProject("project_permission", key, "Lists the permissions that share a project with other Neon "+
		"accounts, in Neon's order.", (*client.Client).ListProjectPermissions,
		func(projectID string, permission client.ProjectPermission) kit.Listed[model] {
			return kit.Listed[model]{
				Key: []string{projectID, permission.ID}, DisplayName: permission.Email,
				Read: func(imported model) (model, error) { return imported.with(&permission), nil },
			}
		})
}
