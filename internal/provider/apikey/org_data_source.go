package apikey

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ datasource.DataSourceWithConfigure = (*orgAPIKeysDataSource)(nil)

// orgAPIKeysDataSource is neon_org_api_keys: the API keys of an organization.
type orgAPIKeysDataSource struct {
	kit.DataSourceBase
}

func NewOrgDataSource() datasource.DataSource {
	return &orgAPIKeysDataSource{kit.DataSourceBase{Kind: "org_api_keys"}}
}

// Schema describes neon_org_api_keys.
func (d *orgAPIKeysDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := listedKeyAttributes()
	attributes["project_id"] = kit.ListedString("Id of the project that a project-scoped key is limited to; null for the others.")
	resp.Schema = schema.Schema{
		MarkdownDescription: "The live API keys of an organization, project-scoped ones among them. Their tokens are never shown again " +
			"by the platform, and are not here.",
		Attributes: map[string]schema.Attribute{
			"org_id": schema.StringAttribute{
				MarkdownDescription: "Id of the organization. Defaults to the provider's `org_id`; one of the two is needed.",
				Optional:            true,
				Computed:            true,
				Validators:          kit.IDValidators(),
			},
			"project_id": schema.StringAttribute{
				MarkdownDescription: "Id of the project whose project-scoped keys are listed. By default all keys are.",
				Optional:            true,
				Validators:          kit.IDValidators(),
			},
			"name": keyNameFilter(),
			"keys": listedKeysAttribute(attributes),
		},
	}
}

type orgAPIKeysModel struct {
	OrgID     types.String        `tfsdk:"org_id"`
	ProjectID types.String        `tfsdk:"project_id"`
	Name      types.String        `tfsdk:"name"`
	Keys      []listedOrgKeyModel `tfsdk:"keys"`
}

type listedOrgKeyModel struct {
	listedKeyModel
	ProjectID types.String `tfsdk:"project_id"`
}

// Read lists the keys.
func (d *orgAPIKeysDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model orgAPIKeysModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	api := d.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if model.OrgID.IsNull() {
		if !d.Knows(&resp.Diagnostics, "org_id") {
			return
		}
		model.OrgID = kit.OptionalString(d.OrgID)
	}
	if model.OrgID.IsNull() {
		resp.Diagnostics.AddAttributeError(path.Root("org_id"), "No organization", kit.NoOrganization)
		return
	}
	keys, err := api.APIKeys(ctx, client.APIKeyScope{OrgID: model.OrgID.ValueString()})
	if err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to list API keys", err)
		return
	}
	model.Keys = []listedOrgKeyModel{}
	for _, key := range keys {
		if listed(key, model.Name) && (model.ProjectID.IsNull() || model.ProjectID.ValueString() == key.ProjectID) {
			model.Keys = append(model.Keys, listedOrgKeyModel{listedKeyModelFrom(key), kit.OptionalString(key.ProjectID)})
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}
