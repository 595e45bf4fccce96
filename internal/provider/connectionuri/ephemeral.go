package connectionuri

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ ephemeral.EphemeralResourceWithConfigure = (*connectionURIEphemeral)(nil)

// connectionURIEphemeral is neon_connection_uri, without a trace of it.
type connectionURIEphemeral struct {
	kit.EphemeralBase
}

func NewEphemeral() ephemeral.EphemeralResource {
	return &connectionURIEphemeral{kit.EphemeralBase{Kind: "connection_uri"}}
}

// The descriptions are those of the data source too.
const (
	connectionBranchText  = "Id of the branch. Defaults to the branch of `endpoint_id`, else to the project's default branch."
	connectionComputeText = "Id of the compute endpoint to connect to. Defaults to the read-write endpoint of the branch, which it " +
		"must have then."
	connectionDatabaseText = "Name of the database. Must not be empty."
	connectionRoleText     = "Name of the role that connects. Must not be empty."
	connectionPooledText   = "Whether the connection goes through the pooler, which is for applications with many short " +
		"connections. Defaults to `false`, a direct connection, as migrations need it."
	connectionURIText = "URL for connections, with the role's password."
)

// Schema describes neon_connection_uri.
func (e *connectionURIEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	named := []validator.String{stringvalidator.LengthAtLeast(1)}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The URL by which a role connects to a database, as the platform puts it together. It holds the role's " +
			"password; neither the state nor a plan file ever holds it.",
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

// connectionURIModel is that of the data source too.
type connectionURIModel struct {
	ProjectID    types.String `tfsdk:"project_id"`
	BranchID     types.String `tfsdk:"branch_id"`
	EndpointID   types.String `tfsdk:"endpoint_id"`
	DatabaseName types.String `tfsdk:"database_name"`
	RoleName     types.String `tfsdk:"role_name"`
	Pooled       types.Bool   `tfsdk:"pooled"`
	URI          types.String `tfsdk:"uri"`
}

// ask fills in the URL.
func (m *connectionURIModel) ask(ctx context.Context, api *client.Client, diags *diag.Diagnostics) {
	uri, err := api.ConnectionURI(ctx, m.ProjectID.ValueString(), client.ConnectionURIQuery{
		BranchID: m.BranchID.ValueString(), EndpointID: m.EndpointID.ValueString(),
		DatabaseName: m.DatabaseName.ValueString(), RoleName: m.RoleName.ValueString(), Pooled: m.Pooled.ValueBool(),
	})
	if err != nil {
		kit.AddError(diags, "Unable to read connection URI", err)
		return
	}
	m.URI = types.StringValue(uri)
}

// Open asks for the URL. There is nothing to close.
func (e *connectionURIEphemeral) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model connectionURIModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	api := e.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	model.ask(ctx, api, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.Result.Set(ctx, &model)...)
}
