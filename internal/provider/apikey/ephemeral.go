package apikey

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var (
	_ ephemeral.EphemeralResourceWithConfigure = (*keyEphemeral)(nil)
	_ ephemeral.EphemeralResourceWithClose     = (*keyEphemeral)(nil)
)

// keyEphemeral is neon_api_key or neon_org_api_key for the time of one run.
type keyEphemeral struct {
	kit.EphemeralBase

	ofOrg  bool
	schema schema.Schema
}

// NewEphemeral returns neon_api_key for the time of one run.
func NewEphemeral() ephemeral.EphemeralResource {
	return &keyEphemeral{EphemeralBase: kit.EphemeralBase{Name: "api_key"}, schema: schema.Schema{
		MarkdownDescription: "A personal API key for one run: it is created when Terraform needs it, and revoked at the end of the plan or apply, " +
			"even when that fails. Neither the state nor a plan file ever holds it. It has all permissions of its user, in " +
			"all organizations. The provider itself needs a personal key to create one.",
		Attributes: ephemeralAttributes(),
	}}
}

// NewOrgEphemeral returns neon_org_api_key for the time of one run.
func NewOrgEphemeral() ephemeral.EphemeralResource {
	attributes := ephemeralAttributes()
	attributes["org_id"] = kit.OrganizationID("Id of the organization. Defaults to the provider's `org_id`.")
	attributes["project_id"] = kit.OptionalID("Id of the one project that the key may work in. Without it the key may do everything in " +
		"all projects of the organization.")
	return &keyEphemeral{EphemeralBase: kit.EphemeralBase{Name: "org_api_key"}, ofOrg: true, schema: schema.Schema{
		MarkdownDescription: "An API key of an organization for one run, or with `project_id` one that works in a single project: it " +
			"is created when Terraform needs it, and revoked at the end of the plan or apply, even when that fails. Neither the state " +
			"nor a plan file ever holds it. The provider itself needs a personal key of an administrator of the organization: " +
			"another member can create a key for a project, but not revoke it.",
		Attributes: attributes,
	}}
}

func ephemeralAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": schema.StringAttribute{
			MarkdownDescription: "Name of the key, 1 to 64 characters. Names need not be unique, but give runs that may overlap names of their " +
				"own, so that their keys can be told apart.",
			Required:   true,
			Validators: []validator.String{stringvalidator.UTF8LengthBetween(1, 64)},
		},
		"id":  kit.ReturnedString(idText),
		"key": kit.ReturnedSecret("The secret token."),
	}
}

// personalEphemeralModel is the model of neon_api_key.
type personalEphemeralModel struct {
	Name types.String `tfsdk:"name"`
	ID   types.String `tfsdk:"id"`
	Key  types.String `tfsdk:"key"`
}

// ephemeralModel is the model of neon_org_api_key. Of a personal key, OrgID and ProjectID
// are null.
type ephemeralModel struct {
	personalEphemeralModel

	OrgID     types.String `tfsdk:"org_id"`
	ProjectID types.String `tfsdk:"project_id"`
}

// inSchema returns the part of a model that the schema has.
func (e *keyEphemeral) inSchema(model *ephemeralModel) any {
	if e.ofOrg {
		return model
	}
	return &model.personalEphemeralModel
}

// Schema describes the ephemeral resource.
func (e *keyEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = e.schema
}

// Open creates the key. What can't be opened in full isn't closed by Terraform, so it is
// revoked here.
func (e *keyEphemeral) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model ephemeralModel
	resp.Diagnostics.Append(req.Config.Get(ctx, e.inSchema(&model))...)
	api := e.Control(&resp.Diagnostics)
	if e.ofOrg && !resp.Diagnostics.HasError() {
		model.OrgID = e.NeedOrganization(model.OrgID, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if ctx.Err() != nil {
		resp.Diagnostics.AddError("Unable to open API key", "The run was interrupted before the key was created.")
		return
	}
	scope := client.APIKeyScope{OrgID: model.OrgID.ValueString(), ProjectID: model.ProjectID.ValueString()}
	key := createForRun(ctx, api, scope, model.Name.ValueString(), &resp.Diagnostics)
	if key == nil {
		return
	}
	opened := newOpenedKey(key, scope)
	e.Opened.Add(opened.name(), func(ctx context.Context, diags *diag.Diagnostics) { opened.revoke(ctx, api, diags) })
	opened.keep(ctx, resp)
	model.ID, model.Key = types.StringValue(strconv.FormatInt(key.ID, 10)), types.StringValue(key.Key)
	resp.Diagnostics.Append(resp.Result.Set(ctx, e.inSchema(&model))...)
	if ctx.Err() != nil {
		resp.Diagnostics.AddError("Unable to open API key",
			"The run was interrupted while the key was being created. It is revoked again, unless a warning says otherwise.")
	}
	if resp.Diagnostics.HasError() {
		e.Opened.Remove(opened.name())
		opened.revoke(ctx, api, &resp.Diagnostics)
	}
}

// createForRun creates a key even if the run is interrupted: a creation that is broken off
// may have created a key all the same, and its id would be lost with the answer.
func createForRun(
	ctx context.Context, api *client.Client, scope client.APIKeyScope, name string, diags *diag.Diagnostics,
) *client.CreatedAPIKey {
	lasting, stop := outlast(ctx, afterInterruption)
	defer stop()
	key, err := api.CreateAPIKey(lasting, scope, name)
	if err != nil {
		kit.AddError(diags, "Unable to create API key", err, creationHints(err)...)
		return nil
	}
	warnOfNamesakes(diags, key)
	return key
}

// warnOfNamesakes names keys that a run may have left that was killed before it
// could revoke its own.
func warnOfNamesakes(diags *diag.Diagnostics, key *client.CreatedAPIKey) {
	if len(key.Namesakes) == 0 {
		return
	}
	diags.AddWarning("Other API keys of the same name", fmt.Sprintf(
		"API key %d was created for this run. These keys are named %s too: they belong to runs that go on at the same time, or were "+
			"left by a run that was killed. Look at them in the web console before you revoke any there: %s.",
		key.ID, kit.Quoted(key.Name), client.DescribeAPIKeys(key.Namesakes)))
}

// Close revokes the key.
func (e *keyEphemeral) Close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	data, diags := req.Private.GetKey(ctx, openedKeyData)
	resp.Diagnostics.Append(diags...)
	var opened openedKey
	if err := json.Unmarshal(data, &opened); err != nil && !diags.HasError() {
		resp.Diagnostics.AddError("Unable to close API key", "Terraform didn't give back which key was opened: "+err.Error()+".")
	}
	if resp.Diagnostics.HasError() {
		return
	}
	e.Opened.Remove(opened.name())
	opened.revoke(ctx, e.Client, &resp.Diagnostics)
}
