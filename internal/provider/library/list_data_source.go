// Package library is a library that PostgreSQL can load at its start.
package library

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_preload_libraries: what a project can load.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceInProject(kit.ListSource[client.AvailableLibrary, listed]{
		Name: "preload_libraries", Called: "libraries", Attribute: "libraries", Objects: "The libraries.", Model: newListed,
		Text: "The libraries that a project's version of PostgreSQL can load at its start, in Neon's order. " +
			"`preload_libraries` of `neon_project` and `neon_endpoint` sets which it loads.",
		Schema: map[string]schema.Attribute{
			"name":         kit.ReturnedString("Name of the library, as `enabled_libraries` takes it."),
			"description":  kit.ReturnedString("What it is for."),
			"default":      kit.ReturnedBool("Whether it is loaded unless `use_defaults` is false."),
			"experimental": kit.ReturnedBool("Whether Neon calls it experimental."),
			"version":      kit.ReturnedString("Version of the library."),
		},
	}, (*client.Client).ListAvailableLibraries)
}

type listed struct {
	Name         types.String `tfsdk:"name"`
	Description  types.String `tfsdk:"description"`
	Default      types.Bool   `tfsdk:"default"`
	Experimental types.Bool   `tfsdk:"experimental"`
	Version      types.String `tfsdk:"version"`
}

func newListed(library client.AvailableLibrary) listed {
	return listed{
		Name:         types.StringValue(library.Name),
		Description:  kit.OptionalString(library.Description),
		Default:      types.BoolValue(library.IsDefault),
		Experimental: types.BoolValue(library.IsExperimental),
		Version:      kit.OptionalString(library.Version),
	}
}
