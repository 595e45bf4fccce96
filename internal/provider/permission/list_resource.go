package permission

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_project_permission: who a project is shared
// with.
func NewListResource() framework.ListResource {
	return kit.NewListResource(kit.ListResource[queryModel, model]{
		Name: "project_permission",
		Key:  key,
		Schema: schema.Schema{
			MarkdownDescription: "Lists the permissions that share a project with other Neon accounts, in Neon's order.",
			Attributes:          map[string]schema.Attribute{"project_id": kit.RequiredID(projectText)},
		},
		List: query,
	})
}

type queryModel struct {
	ProjectID types.String `tfsdk:"project_id"`
}

func query(ctx context.Context, platform *kit.Platform, config queryModel, _ *diag.Diagnostics) iter.Seq2[kit.Listed[model], error] {
	projectID := config.ProjectID.ValueString()
	permissions := platform.Client.EachProjectPermission(ctx, projectID)
	return kit.Listing(permissions, func(permission client.ProjectPermission) kit.Listed[model] {
		return kit.Listed[model]{
			Key: []string{projectID, permission.ID}, DisplayName: permission.Email,
			Read: func(imported model) (model, error) { return imported.with(&permission), nil },
		}
	})
}
