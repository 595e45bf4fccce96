// Package library is a library that PostgreSQL can load at its start.
package library

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_preload_libraries: what a project can load.
func NewListDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[listModel]{
		Name: "preload_libraries",
		Schema: schema.Schema{
			MarkdownDescription: "The libraries that PostgreSQL of a project's version can load at its start, in Neon's order. `preload_libraries` of " +
				"`neon_project` and `neon_endpoint` says which it does load.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.RequiredID("Id of the project."),
				"libraries": kit.ReturnedObjects("The libraries.", map[string]schema.Attribute{
					"name":         kit.ReturnedString("Name of the library, as `enabled_libraries` takes it."),
					"description":  kit.ReturnedString("What it is for."),
					"default":      kit.ReturnedBool("Whether it is loaded unless `use_defaults` is false."),
					"experimental": kit.ReturnedBool("Whether Neon calls it experimental."),
					"version":      kit.ReturnedString("Version of the library."),
				}),
			},
		},
		Read: list,
	})
}

type listModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	Libraries []listed     `tfsdk:"libraries"`
}

type listed struct {
	Name         types.String `tfsdk:"name"`
	Description  types.String `tfsdk:"description"`
	Default      types.Bool   `tfsdk:"default"`
	Experimental types.Bool   `tfsdk:"experimental"`
	Version      types.String `tfsdk:"version"`
}

func list(ctx context.Context, platform *kit.Platform, m *listModel, diags *diag.Diagnostics) {
	api := platform.Control(diags)
	if api == nil {
		return
	}
	libraries, err := client.All(api.ListAvailableLibraries(ctx, m.ProjectID.ValueString()))
	m.Libraries = kit.ReturnedList(libraries, err, "Unable to list libraries", diags, func(library client.AvailableLibrary) listed {
		return listed{
			Name:         types.StringValue(library.Name),
			Description:  kit.OptionalString(library.Description),
			Default:      types.BoolValue(library.IsDefault),
			Experimental: types.BoolValue(library.IsExperimental),
			Version:      kit.OptionalString(library.Version),
		}
	})
}
