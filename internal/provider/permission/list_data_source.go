package permission

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_project_permissions: with whom a project is shared.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceInProject(kit.ListSource[client.ProjectPermission, listedPermission]{
		Name: "project_permissions", Called: "project permissions", Attribute: "permissions", Objects: "The permissions.",
		Model: newListed,
		Text: "The accounts that a project is shared with, in Neon's order. Permissions that were revoked are left " +
			"out, and so are the members of the project's organization.",
		Schema: map[string]schema.Attribute{
			"id":         kit.ReturnedString(idText),
			"email":      kit.ReturnedString(emailText),
			"granted_at": kit.ReturnedTime(grantedText),
		},
	}, (*client.Client).ListProjectPermissions)
}

type listedPermission struct {
	ID        types.String      `tfsdk:"id"`
	Email     types.String      `tfsdk:"email"`
	GrantedAt timetypes.RFC3339 `tfsdk:"granted_at"`
}

func newListed(permission client.ProjectPermission) listedPermission {
	return listedPermission{
		ID:        types.StringValue(permission.ID),
		Email:     types.StringValue(permission.Email),
		GrantedAt: kit.OptionalTime(&permission.GrantedAt),
	}
}
