package kit

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
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
	// Read fills in what the configuration leaves open, or adds an error. The platform's client can be used.
	Read func(ctx context.Context, platform *Platform, model *M, diags *diag.Diagnostics)
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
	var config M
	if resp.Diagnostics.Append(req.Config.Get(ctx, &config)...); !resp.Diagnostics.HasError() {
		d.spec.Validate(config, &resp.Diagnostics)
	}
}

func (d *dataSource[M]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model M
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if !resp.Diagnostics.HasError() && d.platform.reach(d.spec.Keyless, &resp.Diagnostics) != nil {
		d.spec.Read(ctx, d.platform, &model, &resp.Diagnostics)
	}
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	}
}

// BranchSource describes a data source that reads something of a branch. M is its model, which embeds [InBranch].
type BranchSource[M any] struct {
	Name   string // what follows neon_
	Text   string // of its page
	Called string // what errors call it
	By     string // the attribute that says which of a branch; branch_id for what a branch has one of
	Schema map[string]schema.Attribute
	Read   func(ctx context.Context, api *client.Client, model *M) error
}

// NewBranchSource returns the data source that spec describes.
func NewBranchSource[M any](spec BranchSource[M]) datasource.DataSource {
	all := inBranchAttributes()
	maps.Copy(all, spec.Schema)
	return NewDataSource(DataSource[M]{
		Name: spec.Name, Schema: schema.Schema{MarkdownDescription: spec.Text, Attributes: all},
		Read: func(ctx context.Context, platform *Platform, model *M, diags *diag.Diagnostics) {
			if err := spec.Read(ctx, platform.Client, model); err != nil {
				AddReadError(diags, spec.By, spec.Called, err)
			}
		},
	})
}

// inBranchAttributes are those of [InBranch].
func inBranchAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": RequiredID(listedProjectText), "branch_id": RequiredID("Id of the branch."),
	}
}
