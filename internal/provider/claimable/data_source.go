package claimable

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ datasource.DataSourceWithConfigure = (*claimableDatabaseDataSource)(nil)

// claimableDatabaseDataSource is neon_claimable_database: one that something else
// has made.
type claimableDatabaseDataSource struct {
	kit.DataSourceBase
}

func NewDataSource() datasource.DataSource {
	return &claimableDatabaseDataSource{kit.DataSourceBase{Kind: "claimable_database"}}
}

// Schema describes neon_claimable_database.
func (d *claimableDatabaseDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	secret := func(text string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: text, Computed: true, Sensitive: true}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A claimable database that something else has made: another configuration, or one of the platform's own " +
			"tools. It needs no API key: whoever knows the id can read the connection strings, so keep the id to yourself too. One " +
			"that has expired is an error.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "Id of the database, a UUID. Whoever knows it can read the connection strings, without a key.",
				Required:            true,
				Sensitive:           true,
				Validators:          []validator.String{stringvalidator.RegexMatches(kit.UuidPattern, "must be a UUID")},
			},
			"status":                   kit.ListedString("`UNCLAIMED`, `CLAIMING` while somebody takes it into an account, or `CLAIMED`."),
			"project_id":               kit.ListedString("Id of the project underneath."),
			"connection_string":        secret("URL for pooled connections, with the password. Null once the database is claimed."),
			"direct_connection_string": secret("URL for direct connections, with the password. Null once the database is claimed."),
			"claim_url":                secret("URL to open in a browser to take the database into an account. Whoever has it can do so."),
			"expires_at":               kit.ListedTime("When the database expires, or would have if nobody had claimed it, in RFC 3339."),
			"created_at":               kit.ListedTime("When the database was made, in RFC 3339."),
			"updated_at":               kit.ListedTime("When the database last changed, in RFC 3339."),
		},
	}
}

type claimableDatabaseDataModel struct {
	ID                     types.String      `tfsdk:"id"`
	Status                 types.String      `tfsdk:"status"`
	ProjectID              types.String      `tfsdk:"project_id"`
	ConnectionString       types.String      `tfsdk:"connection_string"`
	DirectConnectionString types.String      `tfsdk:"direct_connection_string"`
	ClaimURL               types.String      `tfsdk:"claim_url"`
	ExpiresAt              timetypes.RFC3339 `tfsdk:"expires_at"`
	CreatedAt              timetypes.RFC3339 `tfsdk:"created_at"`
	UpdatedAt              timetypes.RFC3339 `tfsdk:"updated_at"`
}

// Read reads the database.
func (d *claimableDatabaseDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var id types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("id"), &id)...)
	if resp.Diagnostics.HasError() {
		return
	}
	api := d.Claimable(&resp.Diagnostics)
	if api == nil {
		return
	}
	database, err := api.ClaimableDatabase(ctx, id.ValueString())
	if client.IsAbsent(err) {
		resp.Diagnostics.AddAttributeError(path.Root("id"), "No such claimable database", "The platform knows no database "+
			"of that id. It may have expired, which happens 72 hours after it was made unless somebody claims it.")
		return
	}
	if err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to read claimable database", err)
		return
	}
	var read databaseModel
	read.read(database)
	resp.Diagnostics.Append(resp.State.Set(ctx, &claimableDatabaseDataModel{
		ID: id, Status: read.Status, ProjectID: read.ProjectID,
		ConnectionString: read.ConnectionString, DirectConnectionString: read.DirectConnectionString, ClaimURL: read.ClaimURL,
		ExpiresAt: read.ExpiresAt, CreatedAt: read.CreatedAt, UpdatedAt: read.UpdatedAt,
	})...)
}
