package permission

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_project_permissions: with whom a project is shared.
func NewListDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[listModel]{
		Name: "project_permissions",
		Schema: schema.Schema{
			MarkdownDescription: "The accounts that a project is shared with, in Neon's order. Permissions that were revoked are left out, and so " +
				"are the members of the project's organization.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.RequiredID(projectText),
				"permissions": kit.ReturnedObjects("The permissions.", map[string]schema.Attribute{
					"id":         kit.ReturnedString(idText),
					"email":      kit.ReturnedString(emailText),
					"granted_at": kit.ReturnedTime(grantedText),
				}),
			},
		},
		Read: list,
	})
}

type listModel struct {
	ProjectID   types.String       `tfsdk:"project_id"`
	Permissions []listedPermission `tfsdk:"permissions"`
}

type listedPermission struct {
	ID        types.String      `tfsdk:"id"`
	Email     types.String      `tfsdk:"email"`
	GrantedAt timetypes.RFC3339 `tfsdk:"granted_at"`
}

func list(ctx context.Context, platform *kit.Platform, m *listModel, diags *diag.Diagnostics) {
	api := platform.Control(diags)
	if api == nil {
		return
	}
	permissions, err := client.All(api.ListProjectPermissions(ctx, m.ProjectID.ValueString()))
	m.Permissions = kit.ReturnedList(permissions, err, "Unable to list project permissions", diags, func(permission client.ProjectPermission) listedPermission {
		return listedPermission{
			ID:        types.StringValue(permission.ID),
			Email:     types.StringValue(permission.Email),
			GrantedAt: kit.OptionalTime(&permission.GrantedAt),
		}
	})
}
