package apikey

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var (
	_ ephemeral.EphemeralResourceWithConfigure = (*orgAPIKeyEphemeral)(nil)
	_ ephemeral.EphemeralResourceWithClose     = (*orgAPIKeyEphemeral)(nil)
)

// orgAPIKeyEphemeral is neon_org_api_key for the time of one run.
type orgAPIKeyEphemeral struct {
	kit.EphemeralBase
}

func NewOrgEphemeral() ephemeral.EphemeralResource {
	return &orgAPIKeyEphemeral{kit.EphemeralBase{Name: "org_api_key"}}
}

// Schema describes neon_org_api_key.
func (e *orgAPIKeyEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	attributes := ephemeralKeyAttributes()
	attributes["org_id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the organization. Defaults to the provider's `org_id`.",
		Optional:            true,
		Computed:            true,
		Validators:          kit.IDValidators(),
	}
	attributes["project_id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the one project that the key may work in. Without it the key may do everything in all projects " +
			"of the organization.",
		Optional:   true,
		Validators: kit.IDValidators(),
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "An API key of an organization for one run, or with `project_id` one that works in a single project: it " +
			"is made when Terraform needs it, and revoked at the end of the plan or apply, also when that fails. Neither the state " +
			"nor a plan file ever holds it. The provider itself needs a personal key of an administrator of the organization: " +
			"another member can make a key for a project, but not revoke it.",
		Attributes: attributes,
	}
}

type ephemeralOrgKeyModel struct {
	ephemeralKeyModel

	OrgID     types.String `tfsdk:"org_id"`
	ProjectID types.String `tfsdk:"project_id"`
}

// Open makes the key.
func (e *orgAPIKeyEphemeral) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model ephemeralOrgKeyModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	e.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if model.OrgID.IsNull() {
		if !e.Knows(&resp.Diagnostics, "org_id") {
			return
		}
		model.OrgID = kit.OptionalString(e.OrgID)
	}
	if model.OrgID.IsNull() {
		resp.Diagnostics.AddAttributeError(path.Root("org_id"), "No organization", kit.NoOrganization)
		return
	}
	scope := client.APIKeyScope{OrgID: model.OrgID.ValueString(), ProjectID: model.ProjectID.ValueString()}
	openKey(ctx, e.Platform, scope, model.Name.ValueString(), resp, func(key *client.CreatedAPIKey) any {
		model.opened(key)
		return &model
	})
}

// Close revokes the key.
func (e *orgAPIKeyEphemeral) Close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	closeKey(ctx, e.Platform, req, resp)
}
