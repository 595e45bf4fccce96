package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// managedResource is what all resources have in common: a name, and what the
// provider was configured with.
type managedResource struct {
	*configured

	// kind is what follows neon_ in the name.
	kind string
}

// Metadata names the resource.
func (b *managedResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.kind
}

// Configure takes what the provider was configured with.
func (b *managedResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	b.configured = configuredFrom(req.ProviderData, &resp.Diagnostics)
}

// dataSource is what all data sources have in common: a name, and what the
// provider was configured with.
type dataSource struct {
	*configured

	// kind is what follows neon_ in the name.
	kind string
}

// Metadata names the data source.
func (b *dataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.kind
}

// Configure takes what the provider was configured with.
func (b *dataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	b.configured = configuredFrom(req.ProviderData, &resp.Diagnostics)
}

// ephemeralResource is what all ephemeral resources have in common: a name, and what the
// provider was configured with.
type ephemeralResource struct {
	*configured

	// kind is what follows neon_ in the name.
	kind string
}

// Metadata names the ephemeral resource.
func (b *ephemeralResource) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.kind
}

// Configure takes what the provider was configured with.
func (b *ephemeralResource) Configure(_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse) {
	b.configured = configuredFrom(req.ProviderData, &resp.Diagnostics)
}
