// Package library is a library that PostgreSQL can load at its start.
package library

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_preload_libraries: what a project can load.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfProject, kit.ListSource[client.AvailableLibrary]{
		Name: "preload_libraries", Called: "libraries", Attribute: "libraries", Returns: returned,
		Text: "The libraries that a project's version of PostgreSQL can load at its start, in Neon's order. " +
			"`preload_libraries` of `neon_project` and `neon_endpoint` sets which it loads.",
	}, (*client.Client).ListAvailableLibraries)
}

func returned(library client.AvailableLibrary) kit.Returned {
	return kit.Returned{
		"name":        kit.Returns("Name of the library, as `enabled_libraries` takes it.", types.StringValue(library.Name)),
		"description": kit.Returns("What it is for.", kit.OptionalString(library.Description)),
		"default": kit.Returns("Whether it is one of Neon's own libraries, which are loaded unless `use_defaults` is "+
			"`false`.", types.BoolValue(library.IsDefault)),
		"experimental": kit.Returns("Whether Neon calls it experimental.", types.BoolValue(library.IsExperimental)),
		"version":      kit.Returns("Version of the library.", kit.OptionalString(library.Version)),
	}
}
