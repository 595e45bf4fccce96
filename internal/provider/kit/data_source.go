package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// DataSource describes a data source. M is its model: a struct with the schema's
// attributes in tfsdk tags.
type DataSource[M any] struct {
	Name   string // what follows neon_
	Schema schema.Schema
	// Keyless is true of what needs no API key.
	Keyless bool

	// Validate checks a configuration, of which some may not be known yet; nil where the schema
	// says all.
	Validate func(model M, diags *diag.Diagnostics)
	// Read fills in what the configuration leaves open, or adds an error.
	Read func(ctx context.Context, run Run, model *M)
}

// NewDataSource returns the data source that spec describes.
func NewDataSource[M any](spec DataSource[M]) datasource.DataSource {
	return &dataSource[M]{spec: spec}
}

var (
	_ datasource.DataSourceWithConfigure      = (*dataSource[any])(nil)
	_ datasource.DataSourceWithValidateConfig = (*dataSource[any])(nil)
)

type dataSource[M any] struct {
	spec     DataSource[M]
	platform *Platform
}

func (d *dataSource[M]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.spec.Name
}

func (d *dataSource[M]) Configure(_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	d.platform, _ = req.ProviderData.(*Platform)
}

func (d *dataSource[M]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = d.spec.Schema
}

func (d *dataSource[M]) ValidateConfig(
	ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse,
) {
	if d.spec.Validate == nil {
		return // Its model may have no place for what isn't known yet.
	}
	if config := ModelOf[M](ctx, req.Config, &resp.Diagnostics); !resp.Diagnostics.HasError() {
		d.spec.Validate(config, &resp.Diagnostics)
	}
}

func (d *dataSource[M]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	model := ModelOf[M](ctx, req.Config, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() && d.platform.reach(d.spec.Keyless, &resp.Diagnostics) != nil {
		d.spec.Read(ctx, d.platform.Run(&resp.Diagnostics), &model)
	}
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	}
}
