package claimable

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ ephemeral.EphemeralResourceWithConfigure = (*claimableDatabaseEphemeral)(nil)

// claimableDatabaseEphemeral is neon_claimable_database for the time of one run.
type claimableDatabaseEphemeral struct {
	kit.EphemeralBase
}

func NewEphemeral() ephemeral.EphemeralResource {
	return &claimableDatabaseEphemeral{kit.EphemeralBase{Kind: "claimable_database"}}
}

// Schema describes neon_claimable_database.
func (e *claimableDatabaseEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	computed := func(text string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: text, Computed: true}
	}
	secret := func(text string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: text, Computed: true, Sensitive: true}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A throwaway PostgreSQL database for one run, such as one of `terraform test`. It needs neither an " +
			"account nor an API key, and neither the state nor a plan file ever knows of it. Each plan and each apply that needs it " +
			"makes a new, empty one. The platform can't delete one on request, so it expires by itself after 72 hours.",
		Attributes: map[string]schema.Attribute{
			"ref": schema.StringAttribute{
				MarkdownDescription: "Tells the platform who referred the user, such as the name of your project. Must not be empty.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"enable_logical_replication": schema.BoolAttribute{
				MarkdownDescription: "Whether logical replication is on. Defaults to `false`.",
				Optional:            true,
			},
			"id":                       secret("Id of the database, a UUID. Whoever knows it can read the connection strings, without a key."),
			"project_id":               computed("Id of the project underneath."),
			"connection_string":        secret("URL for pooled connections, with the password."),
			"direct_connection_string": secret("URL for direct connections, with the password."),
			"claim_url":                secret("URL to open in a browser to take the database into an account. Whoever has it can do so."),
			"expires_at": schema.StringAttribute{
				CustomType:          timetypes.RFC3339Type{},
				MarkdownDescription: "When the database expires, in RFC 3339.",
				Computed:            true,
			},
		},
	}
}

type ephemeralDatabaseModel struct {
	Ref                      types.String      `tfsdk:"ref"`
	EnableLogicalReplication types.Bool        `tfsdk:"enable_logical_replication"`
	ID                       types.String      `tfsdk:"id"`
	ProjectID                types.String      `tfsdk:"project_id"`
	ConnectionString         types.String      `tfsdk:"connection_string"`
	DirectConnectionString   types.String      `tfsdk:"direct_connection_string"`
	ClaimURL                 types.String      `tfsdk:"claim_url"`
	ExpiresAt                timetypes.RFC3339 `tfsdk:"expires_at"`
}

// Open makes the database, which is usable at once. There is nothing to close.
func (e *claimableDatabaseEphemeral) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model ephemeralDatabaseModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	api := e.Claimable(&resp.Diagnostics)
	if api == nil {
		return
	}
	database, err := api.CreateClaimableDatabase(ctx, client.ClaimableDatabaseCreate{
		Ref: model.Ref.ValueString(), EnableLogicalReplication: model.EnableLogicalReplication.ValueBool(),
	})
	if err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to create claimable database", err)
		return
	}
	made := databaseModel{}
	made.read(database)
	model.ID, model.ProjectID, model.ClaimURL, model.ExpiresAt = made.ID, made.ProjectID, made.ClaimURL, made.ExpiresAt
	model.ConnectionString, model.DirectConnectionString = made.ConnectionString, made.DirectConnectionString
	resp.Diagnostics.Append(resp.Result.Set(ctx, &model)...)
}
