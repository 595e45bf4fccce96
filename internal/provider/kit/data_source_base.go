package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
)

// DataSourceBase names a data source, and keeps the platform that it works on.
type DataSourceBase struct {
	*Platform

	Kind string // what follows neon_
}

// Metadata names the data source.
func (b *DataSourceBase) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.Kind
}

// Configure keeps the platform; there is none while Terraform only validates.
func (b *DataSourceBase) Configure(_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	b.Platform, _ = req.ProviderData.(*Platform)
}
