package claimable

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// claimableTimeout is how long a database's creation may take, its seed included,
// unless the configuration says otherwise.
const claimableTimeout = 10 * time.Minute

var (
	_ resource.ResourceWithConfigure  = (*databaseResource)(nil)
	_ resource.ResourceWithModifyPlan = (*databaseResource)(nil)
)

// databaseResource is neon_claimable_database: a temporary PostgreSQL
// without an account.
type databaseResource struct {
	kit.ResourceBase
}

func NewResource() resource.Resource {
	return &databaseResource{kit.ResourceBase{Kind: "claimable_database"}}
}

// Schema describes neon_claimable_database.
func (r *databaseResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A PostgreSQL database that needs neither an account nor an API key. It expires after 72 hours, unless " +
			"somebody opens `claim_url` and takes it into an account.",
		Attributes: map[string]schema.Attribute{
			"ref": schema.StringAttribute{
				MarkdownDescription: "Tells the platform who referred the user, such as the name of your project. Must not be empty. " +
					"Changing it replaces the database.",
				Required:      true,
				Validators:    []validator.String{stringvalidator.LengthAtLeast(1)},
				PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"enable_logical_replication": schema.BoolAttribute{
				MarkdownDescription: "Whether logical replication is on. Defaults to `false`. Changing it replaces the database.",
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(false),
				PlanModifiers:       []planmodifier.Bool{boolplanmodifier.RequiresReplace()},
			},
			"seed": seedAttribute(),
			"timeouts": kit.ResourceTimeouts(ctx, "How long creating the database may take, its seed included. A change takes effect in place.",
				timeouts.Opts{Create: true}),
			"id": secretString("Id of the database, a UUID. Whoever knows it can read the connection strings, without a key."),
			"status": kit.ComputedString("`UNCLAIMED`, `CLAIMING` while somebody takes it into an account, or `CLAIMED`, when it was last " +
				"read."),
			"project_id":               kit.ComputedString("Id of the project underneath."),
			"connection_string":        secretString("URL for pooled connections, with the password. Null once the database is claimed."),
			"direct_connection_string": secretString("URL for direct connections, with the password. Null once the database is claimed."),
			"claim_url":                secretString("URL to open in a browser to take the database into an account. Whoever has it can do so."),
			"expires_at":               computedTime("When the database expires, in RFC 3339. Null once the database is claimed."),
			"created_at":               computedTime("When the database was made, in RFC 3339."),
			"updated_at":               computedTime("When the database last changed, in RFC 3339, when it was last read."),
		},
	}
}

func secretString(text string) schema.Attribute {
	return schema.StringAttribute{
		MarkdownDescription: text,
		Computed:            true,
		Sensitive:           true,
		PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

func computedTime(text string) schema.Attribute {
	return schema.StringAttribute{
		CustomType:          timetypes.RFC3339Type{},
		MarkdownDescription: text,
		Computed:            true,
		PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

type databaseModel struct {
	Ref                      types.String      `tfsdk:"ref"`
	EnableLogicalReplication types.Bool        `tfsdk:"enable_logical_replication"`
	Seed                     *seedModel        `tfsdk:"seed"`
	ID                       types.String      `tfsdk:"id"`
	Status                   types.String      `tfsdk:"status"`
	ProjectID                types.String      `tfsdk:"project_id"`
	ConnectionString         types.String      `tfsdk:"connection_string"`
	DirectConnectionString   types.String      `tfsdk:"direct_connection_string"`
	ClaimURL                 types.String      `tfsdk:"claim_url"`
	ExpiresAt                timetypes.RFC3339 `tfsdk:"expires_at"`
	CreatedAt                timetypes.RFC3339 `tfsdk:"created_at"`
	UpdatedAt                timetypes.RFC3339 `tfsdk:"updated_at"`
	Timeouts                 timeouts.Value    `tfsdk:"timeouts"`
}

// read takes over what the platform says. It says neither who referred nor
// whether logical replication is on.
func (m *databaseModel) read(database *client.ClaimableDatabase) {
	m.ID = types.StringValue(database.ID)
	m.Status = types.StringValue(database.Status)
	m.ProjectID = kit.OptionalString(database.ProjectID)
	m.ConnectionString, m.DirectConnectionString = types.StringNull(), types.StringNull()
	if pooled := database.ConnectionString; pooled != nil && *pooled != "" {
		m.ConnectionString = types.StringValue(*pooled)
		m.DirectConnectionString = types.StringValue(client.DirectConnectionString(*pooled))
	}
	m.ClaimURL = kit.OptionalString(database.ClaimURL)
	m.ExpiresAt = kit.OptionalTime(database.ExpiresAt)
	m.CreatedAt = kit.OptionalTime(&database.CreatedAt)
	m.UpdatedAt = kit.OptionalTime(&database.UpdatedAt)
}

// ModifyPlan reads the seed of a database that is to be made, so that a file that
// can't be run is found out before anything is.
func (r *databaseResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if req.Plan.Raw.IsNull() || !req.State.Raw.IsNull() && len(resp.RequiresReplace) == 0 {
		return
	}
	var seed types.Object
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("seed"), &seed)...)
	if resp.Diagnostics.HasError() || !kit.IsSet(seed) {
		return
	}
	var model seedModel
	resp.Diagnostics.Append(seed.As(ctx, &model, basetypes.ObjectAsOptions{})...)
	if kit.IsSet(model.Path) {
		model.read(&resp.Diagnostics)
	}
}

// Create makes the database, which is usable at once, and seeds it. One whose seed
// failed is kept in state.
func (r *databaseResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var model databaseModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	api := r.Claimable(&resp.Diagnostics)
	if api == nil {
		return
	}
	script := model.Seed.read(&resp.Diagnostics)
	timeout, problems := model.Timeouts.Create(ctx, claimableTimeout)
	resp.Diagnostics.Append(problems...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	database, err := api.CreateClaimableDatabase(ctx, client.ClaimableDatabaseCreate{
		Ref: model.Ref.ValueString(), EnableLogicalReplication: model.EnableLogicalReplication.ValueBool(),
	})
	if err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to create claimable database", err)
		return
	}
	model.read(database)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	if script != nil && !resp.Diagnostics.HasError() {
		model.run(ctx, script, &resp.Diagnostics)
	}
}

// Read takes over what the platform says, and forgets a database that has
// expired. A claimed one stays.
func (r *databaseResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var model databaseModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() || r.KeepsUnread(&resp.Diagnostics, true, kit.ClaimSettings) {
		return
	}
	api := r.Claimable(&resp.Diagnostics)
	if api == nil {
		return
	}
	database, err := api.ClaimableDatabase(ctx, model.ID.ValueString())
	if client.IsAbsent(err) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to read claimable database", err)
		return
	}
	model.read(database)
	model.warn(&resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// warn says what to do about a database that was claimed, or is about to be.
func (m *databaseModel) warn(diags *diag.Diagnostics) {
	switch m.Status.ValueString() {
	case client.ClaimableClaimed:
		diags.AddWarning("Claimable database was claimed", "The database now belongs to an account, as project "+
			m.ProjectID.ValueString()+", and no longer expires. Its connection strings are not shown here any more: take them from "+
			"the account's console, and manage the project with an API key of that account. Then remove this resource from the "+
			"configuration, or run terraform state rm; neither deletes the database. To have another temporary database instead, "+
			"apply with -replace.")
	case client.ClaimableClaiming:
		diags.AddWarning("Claimable database is being claimed", "Somebody is taking the database "+
			"into an account. Once that is done, its connection strings are no longer available here.")
	}
}

// Update has nothing to do: what doesn't replace is about Terraform alone.
func (r *databaseResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var model databaseModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// Delete forgets the database: the API can't delete one.
func (r *databaseResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var model databaseModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	what := "Terraform forgets the database, but the platform can't delete it on request. "
	switch {
	case model.Status.ValueString() == client.ClaimableClaimed:
		what += "It was claimed and stays in its account: delete project " + model.ProjectID.ValueString() + " there if nobody needs it."
	case model.ExpiresAt.IsNull():
		what += "It expires by itself within 72 hours of its creation, unless it is claimed."
	default:
		what += "It expires by itself at " + model.ExpiresAt.ValueString() + ", unless it is claimed."
	}
	resp.Diagnostics.AddWarning("Claimable database is left to expire", what)
}
