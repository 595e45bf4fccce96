package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// ResourceBase is what all resources have in common: a name, and what the
// provider was configured with.
type ResourceBase struct {
	*Platform

	// kind is what follows neon_ in the name.
	Kind string
}

// Metadata names the resource.
func (b *ResourceBase) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.Kind
}

// Configure takes what the provider was configured with.
func (b *ResourceBase) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	b.Platform = PlatformFrom(req.ProviderData, &resp.Diagnostics)
}

// DataSourceBase is what all data sources have in common: a name, and what the
// provider was configured with.
type DataSourceBase struct {
	*Platform

	// kind is what follows neon_ in the name.
	Kind string
}

// Metadata names the data source.
func (b *DataSourceBase) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.Kind
}

// Configure takes what the provider was configured with.
func (b *DataSourceBase) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	b.Platform = PlatformFrom(req.ProviderData, &resp.Diagnostics)
}

// EphemeralBase is what all ephemeral resources have in common: a name, and what the
// provider was configured with.
type EphemeralBase struct {
	*Platform

	// kind is what follows neon_ in the name.
	Kind string
}

// Metadata names the ephemeral resource.
func (b *EphemeralBase) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.Kind
}

// Configure takes what the provider was configured with.
func (b *EphemeralBase) Configure(_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse) {
	b.Platform = PlatformFrom(req.ProviderData, &resp.Diagnostics)
}
