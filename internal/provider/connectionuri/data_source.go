package connectionuri

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ datasource.DataSourceWithConfigure = (*connectionURIDataSource)(nil)

// connectionURIDataSource is neon_connection_uri, for those who accept a password
// in their state.
type connectionURIDataSource struct {
	kit.DataSourceBase
}

func NewDataSource() datasource.DataSource {
	return &connectionURIDataSource{kit.DataSourceBase{Kind: "connection_uri"}}
}

// Schema describes neon_connection_uri.
func (d *connectionURIDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	named := []validator.String{stringvalidator.LengthAtLeast(1)}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The URL by which a role connects to a database, as the platform puts it together. It holds the role's " +
			"password and is written to the state, where everybody who may read the state can read it. With Terraform 1.10 and " +
			"later the ephemeral resource of the same name leaves no trace.",
		Attributes: map[string]schema.Attribute{
			"project_id":    schema.StringAttribute{MarkdownDescription: "Id of the project.", Required: true, Validators: kit.IDValidators()},
			"branch_id":     schema.StringAttribute{MarkdownDescription: connectionBranchText, Optional: true, Validators: kit.IDValidators()},
			"endpoint_id":   schema.StringAttribute{MarkdownDescription: connectionComputeText, Optional: true, Validators: kit.IDValidators()},
			"database_name": schema.StringAttribute{MarkdownDescription: connectionDatabaseText, Required: true, Validators: named},
			"role_name":     schema.StringAttribute{MarkdownDescription: connectionRoleText, Required: true, Validators: named},
			"pooled":        schema.BoolAttribute{MarkdownDescription: connectionPooledText, Optional: true},
			"uri":           schema.StringAttribute{MarkdownDescription: connectionURIText, Computed: true, Sensitive: true},
		},
	}
}

// Read asks for the URL.
func (d *connectionURIDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model connectionURIModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	api := d.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	model.ask(ctx, api, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}
