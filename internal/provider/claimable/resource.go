// Package claimable is a claimable database: a PostgreSQL that Neon hands out without an
// account. It expires after 72 hours, unless somebody claims it into theirs.
package claimable

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var (
	_ resource.ResourceWithConfigure   = (*databaseResource)(nil)
	_ resource.ResourceWithImportState = (*databaseResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*databaseResource)(nil)
)

// databaseResource is neon_claimable_database.
type databaseResource struct {
	kit.ResourceBase
}

// NewResource returns neon_claimable_database: a temporary PostgreSQL without an account.
func NewResource() resource.Resource {
	return &databaseResource{kit.ResourceBase{Name: "claimable_database"}}
}

func (r *databaseResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	const replaces = " It stays what it was at creation. Changing it replaces the database."
	resp.Schema = schema.Schema{
		MarkdownDescription: "A PostgreSQL database that needs neither an account nor an API key. It expires after 72 " +
			"hours, unless somebody takes it into an account.",
		Attributes: map[string]schema.Attribute{
			"ref": schema.StringAttribute{
				MarkdownDescription: refText + replaces,
				Required:            true,
				Validators:          kit.NotEmpty(),
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"enable_logical_replication": kit.ImmutableFlag(replicationText + replaces),
			"seed":                       seedAttribute(),
			"engine": schema.StringAttribute{
				MarkdownDescription: "The service that creates the database: `instant`, which Neon removes between November 2026 " +
					"and January 2027, or `claimable_neon`, its successor. Defaults to `instant` while that answers, and then to " +
					"`claimable_neon`; with `services`, to `claimable_neon` at once. It stays what it was at creation. Changing a " +
					"configured value replaces the database.",
				Optional:   true,
				Computed:   true,
				Validators: []validator.String{stringvalidator.OneOf(instant, claimableNeon)},
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(),
					stringplanmodifier.RequiresReplaceIfConfigured()},
			},
			"services":     servicesAttribute(replaces),
			"capabilities": capabilitiesAttribute(),
			"identity_assertion": kit.ComputedSecret("Secret that authenticates requests about the database to Claimable " +
				"Neon; the action `neon_create_claim_link` needs it. Null for an `instant` database, and once the database is " +
				"claimed. Until then it stays what it was."),
			"timeouts": kit.ResourceTimeouts(ctx, "How long to wait for the creation, its seed included", kit.DefaultTimeout,
				timeouts.Opts{Create: true}),
			"id": kit.ComputedSecret(idText + " With `claimable_neon` it is the id of a registration " +
				"instead, and the secret is `identity_assertion`."),
			"status": kit.ComputedString("`UNCLAIMED`, `CLAIMING` while somebody takes it into an account, or `CLAIMED`, when " +
				"it was last read."),
			"project_id":               kit.ComputedString(projectText),
			"connection_string":        kit.ComputedSecret(pooledText + untilClaimed),
			"direct_connection_string": kit.ComputedSecret(directText + untilClaimed),
			"claim_url": kit.ComputedSecret(claimText + " For a `claimable_neon` database, use the action " +
				"`neon_create_claim_link` instead."),
			"expires_at": kit.ComputedTime("When the database expires." + untilClaimed),
			"created_at": kit.ComputedTime("When the database was created."),
			"updated_at": kit.ComputedTime("When the database had last changed, as of the last read."),
		},
	}
}

type resourceModel struct {
	options
	dataModel

	Engine            types.String   `tfsdk:"engine"`
	Services          types.Set      `tfsdk:"services"`
	Capabilities      types.Map      `tfsdk:"capabilities"`
	IdentityAssertion types.String   `tfsdk:"identity_assertion"`
	Seed              types.Object   `tfsdk:"seed"`
	Timeouts          timeouts.Value `tfsdk:"timeouts"`
}

// ModifyPlan advises about a database that may be claimed, unless it is destroyed. For a creation it reads the seed, so
// that an invalid file is an error of the plan.
func (r *databaseResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	p := r.Planning(req, resp)
	project := cmp.Or(p.TextOf("project_id"), "unknown")
	fate := "Terraform forgets that of project " + project + ", which lives on until it expires, unless it is claimed."
	if p.TextOf("engine") == claimableNeon && p.TextOf("status") != client.ClaimableClaimed {
		fate = "Neon deletes that of project " + project + " with its data, unless somebody claims it before."
	}
	p.WarnOfLoss(ctx, []string{"ref", "enable_logical_replication", "seed", "engine", "services"},
		"Another claimable database takes the place of one (project "+project+")", "a new one is created empty, with "+
			"another connection string. "+fate)
	if p.IsDestruction() {
		return
	}
	if !p.IsCreation() { // A replacement is planned again as a creation.
		state := kit.ModelOf[resourceModel](ctx, req.State, &resp.Diagnostics)
		state.warn(&resp.Diagnostics)
		return
	}
	config := kit.ModelOf[resourceModel](ctx, req.Config, &resp.Diagnostics)
	if r.Platform != nil {
		config.wish().check(r.Client.ClaimableServices(), &resp.Diagnostics)
	}
	if !resp.Diagnostics.HasError() {
		readSeed(config.Seed, &resp.Diagnostics)
	}
}

// Create creates the database, which is usable at once, and seeds it. One whose seed
// failed is kept in state.
func (r *databaseResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	model := kit.ModelOf[resourceModel](ctx, req.Plan, &resp.Diagnostics)
	config := kit.ModelOf[resourceModel](ctx, req.Config, &resp.Diagnostics)
	api := r.Claimable(&resp.Diagnostics)
	script := readSeed(model.Seed, &resp.Diagnostics)
	ctx, cancel := kit.Limit(ctx, kit.DefaultTimeout, model.Timeouts.Create, &resp.Diagnostics)
	defer cancel()
	if resp.Diagnostics.HasError() {
		return
	}
	created := config.wish().create(ctx, api, &resp.Diagnostics)
	if created == nil {
		return
	}
	model.take(ctx, created, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	if created.service == client.ClaimableNeon {
		// It is saved before its connection strings are asked for, so that nothing can lose it.
		model.readCredentials(ctx, api, "the claimable database (project "+model.ProjectID.ValueString()+")",
			&resp.Diagnostics)
		resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	}
	if script != nil && !resp.Diagnostics.HasError() {
		model.seed(ctx, script, &resp.Diagnostics)
	}
}

// Read refreshes the database, and removes an expired one from the state. A claimed one stays.
func (r *databaseResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var model resourceModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() || r.KeepsUnread(&resp.Diagnostics, true, kit.ClaimSettings) {
		return
	}
	api := r.Claimable(&resp.Diagnostics)
	if api == nil {
		return
	}
	read := model.readInstant
	if model.Engine.ValueString() == claimableNeon {
		read = model.readClaimableNeon
	}
	switch read(ctx, api, &resp.Diagnostics) {
	case gone:
		resp.State.RemoveResource(ctx)
	case there:
		if model.Status.ValueString() == client.ClaimableClaimed { // Neon may go on saying when it would have.
			model.ExpiresAt = timetypes.NewRFC3339Null()
		}
		resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
	}
}

// readInstant takes over what the instant service says.
func (m *resourceModel) readInstant(ctx context.Context, api *client.Client, diags *diag.Diagnostics) presence {
	m.Engine = types.StringValue(instant)
	database, err := api.GetClaimableDatabase(ctx, m.ID.ValueString())
	switch {
	case client.IsAbsent(err):
		return gone
	case client.IsServiceGone(err) && m.hasExpired(ctx, api):
		return gone
	case client.IsServiceGone(err):
		diags.AddWarning(m.about("The service of the claimable database has ended"), "Neon has removed the service that "+
			"created the database, so its state can't be read any more: "+kit.Describe(err, nil)+" Its connection strings "+
			"work until it expires. After that, the next apply creates a new one with Claimable Neon.")
		return there
	case err != nil:
		kit.AddError(diags, "Unable to read claimable database", err)
		return unread
	}
	m.dataModel = newDataModel(database)
	return there
}

// warn says what to do about a database that was claimed, or is about to be.
func (m *resourceModel) warn(diags *diag.Diagnostics) {
	switch m.Status.ValueString() {
	case client.ClaimableClaimed:
		diags.AddWarning(m.about("Claimable database was claimed"), "The database now belongs to an account, as project "+
			m.ProjectID.ValueString()+", and no longer expires. Its connection strings are not shown here any more: take "+
			"them from the account's console, since its passwords may have changed, and manage the project with an API key of "+
			"that account: import it as neon_project with the id "+m.ProjectID.ValueString()+". Then remove this resource "+
			"from the configuration, which doesn't delete the database. To have another temporary database instead, apply "+
			"with -replace.")
	case client.ClaimableClaiming:
		said := "Somebody is taking the database into an account. Once that is done, its connection strings are no longer " +
			"available here."
		if m.isBegun() {
			said = "Somebody has begun to take the database into an account, which ended its password. If they gave up, claim " +
				"it by another link, which the action neon_create_claim_link shows, before " + m.ExpiresAt.ValueString() +
				". After that Neon no longer says whether it was claimed or has expired: import project " +
				m.ProjectID.ValueString() + " as neon_project if an account has it, or apply with -replace for another database."
		}
		diags.AddWarning(m.about("Claimable database is being claimed"), said)
	}
}

// about returns the summary of a warning. It names the database by its project, since its
// id is a secret: Terraform shows only the first of several warnings with the same summary.
func (m *resourceModel) about(what string) string {
	return fmt.Sprintf("%s (project %s)", what, cmp.Or(m.ProjectID.ValueString(), "unknown"))
}

// Update has nothing to do: what doesn't replace is about Terraform alone.
func (r *databaseResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var model resourceModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// Delete deletes a database of Claimable Neon. It only forgets a claimed database, and one of the instant service,
// which can't delete.
func (r *databaseResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var model resourceModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if model.Engine.ValueString() == claimableNeon && model.Status.ValueString() != client.ClaimableClaimed {
		if api := r.Claimable(&resp.Diagnostics); api != nil {
			model.deleteClaimableNeon(ctx, api, &resp.Diagnostics)
		}
		return
	}
	if r.Platform != nil && model.Status.ValueString() != client.ClaimableClaimed {
		// Terraform plans a destruction by what was there before the refresh. Without an answer, that has to do.
		if database, err := r.Client.GetClaimableDatabase(ctx, model.ID.ValueString()); err == nil {
			model.dataModel = newDataModel(database)
		}
	}
	what := "Terraform forgets the database. "
	switch {
	case model.Status.ValueString() == client.ClaimableClaimed:
		what += "It was claimed and stays in its account: delete project " + model.ProjectID.ValueString() +
			" there if nobody needs it."
	case model.ExpiresAt.IsNull():
		what += "Neon can't delete it on request: it expires by itself within 72 hours of its creation, unless somebody " +
			"has claimed it or does until then."
	default:
		what += "Neon can't delete it on request: it expires by itself at " + model.ExpiresAt.ValueString() +
			", unless somebody has claimed it or does until then."
	}
	resp.Diagnostics.AddWarning(model.about("Claimable database isn't deleted"), what)
}

// ImportState refuses: what names a database is a secret.
func (r *databaseResource) ImportState(
	_ context.Context, _ resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	resp.Diagnostics.AddError("A claimable database can't be imported",
		"Its id is a secret: whoever knows it can read the connection string, and Terraform would print it as the id to "+
			"import. Let this configuration create a database of its own. One that was claimed is a project: import that as "+
			"neon_project.")
}
