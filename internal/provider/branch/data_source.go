package branch

import (
	"context"
	"fmt"

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

var _ datasource.DataSourceWithConfigure = (*dataSource)(nil)

// dataSource is neon_branch: one branch, by its id or its name, with its endpoints.
type dataSource struct {
	kit.DataSourceBase
}

func NewDataSource() datasource.DataSource {
	return &dataSource{kit.DataSourceBase{Kind: "branch"}}
}

// Schema describes neon_branch.
func (d *dataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := listedBranchAttributes()
	attributes["project_id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the project.", Required: true, Validators: kit.IDValidators(),
	}
	attributes["id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the branch. Set either this or `name`.",
		Optional:            true,
		Computed:            true,
		Validators:          append(kit.IDValidators(), stringvalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("name"))),
	}
	attributes["name"] = schema.StringAttribute{
		MarkdownDescription: "Exact name of the branch. Set either this or `id`.",
		Optional:            true,
		Computed:            true,
		Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
	}
	attributes["host"] = kit.ListedString("Host name for direct connections to the branch's read_write endpoint; null where it has none.")
	attributes["pooler_host"] = kit.ListedString("Host name for pooled connections to the branch's read_write endpoint; null where it has none.")
	attributes["endpoints"] = schema.ListNestedAttribute{
		MarkdownDescription: "The compute endpoints of the branch, whoever made them, in the platform's order.",
		Computed:            true,
		NestedObject:        schema.NestedAttributeObject{Attributes: listedEndpointAttributes()},
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A branch that something else has made, with its compute endpoints and the hosts to connect to. A branch " +
			"that doesn't exist is an error.",
		Attributes: attributes,
	}
}

func listedEndpointAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":            kit.ListedString("Id of the endpoint."),
		"type":          kit.ListedString("`read_write` or `read_only`."),
		"name":          kit.ListedString("Name of the endpoint; null where it has none."),
		"host":          kit.ListedString("Host name for direct connections."),
		"pooler_host":   kit.ListedString("Host name for pooled connections."),
		"current_state": kit.ListedString("State when it was read, such as `active` or `idle`. It changes by itself."),
		"disabled": schema.BoolAttribute{
			MarkdownDescription: "Whether connections are refused.", Computed: true,
		},
		"autoscaling_limit_min_cu": schema.Float64Attribute{
			MarkdownDescription: "The least compute units that it runs with.", Computed: true,
		},
		"autoscaling_limit_max_cu": schema.Float64Attribute{
			MarkdownDescription: "The most compute units that it runs with.", Computed: true,
		},
		"suspend_timeout_seconds": schema.Int64Attribute{
			MarkdownDescription: "Seconds without activity after which it is suspended; 0 is the platform's default, -1 never.",
			Computed:            true,
		},
		"created_at": kit.ListedTime("When the endpoint was made, in RFC 3339."),
	}
}

type branchDataModel struct {
	listedBranchModel
	Host       types.String          `tfsdk:"host"`
	PoolerHost types.String          `tfsdk:"pooler_host"`
	Endpoints  []listedEndpointModel `tfsdk:"endpoints"`
}

type listedEndpointModel struct {
	ID                    types.String      `tfsdk:"id"`
	Type                  types.String      `tfsdk:"type"`
	Name                  types.String      `tfsdk:"name"`
	Host                  types.String      `tfsdk:"host"`
	PoolerHost            types.String      `tfsdk:"pooler_host"`
	CurrentState          types.String      `tfsdk:"current_state"`
	Disabled              types.Bool        `tfsdk:"disabled"`
	AutoscalingLimitMinCU types.Float64     `tfsdk:"autoscaling_limit_min_cu"`
	AutoscalingLimitMaxCU types.Float64     `tfsdk:"autoscaling_limit_max_cu"`
	SuspendTimeoutSeconds types.Int64       `tfsdk:"suspend_timeout_seconds"`
	CreatedAt             timetypes.RFC3339 `tfsdk:"created_at"`
}

func listedEndpointModelFrom(endpoint client.Endpoint) listedEndpointModel {
	actual := endpointModelFrom(&endpoint)
	return listedEndpointModel{
		ID: actual.ID, Type: actual.Type, Name: actual.Name, Host: actual.Host, PoolerHost: actual.PoolerHost,
		CurrentState: kit.OptionalString(endpoint.CurrentState), Disabled: actual.Disabled,
		AutoscalingLimitMinCU: actual.AutoscalingLimitMinCU, AutoscalingLimitMaxCU: actual.AutoscalingLimitMaxCU,
		SuspendTimeoutSeconds: actual.SuspendTimeoutSeconds, CreatedAt: kit.OptionalTime(&endpoint.CreatedAt),
	}
}

// take fills in the endpoints, and the hosts of the one that can be written to.
func (m *branchDataModel) take(endpoints []client.Endpoint) {
	m.Endpoints = []listedEndpointModel{}
	for _, endpoint := range endpoints {
		listed := listedEndpointModelFrom(endpoint)
		m.Endpoints = append(m.Endpoints, listed)
		if endpoint.Type == client.EndpointReadWrite {
			m.Host, m.PoolerHost = listed.Host, listed.PoolerHost
		}
	}
}

// Read finds the branch, and reads its endpoints.
func (d *dataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config branchDataModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	api := d.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	projectID := config.ProjectID.ValueString()
	branch, err := findBranch(ctx, api, projectID, config.ID.ValueString(), config.Name.ValueString())
	switch {
	case client.IsAbsent(err) && !config.ID.IsNull():
		kit.AddAttributeError(&resp.Diagnostics, path.Root("id"), "No such branch", err)
		return
	case err != nil:
		kit.AddError(&resp.Diagnostics, "Unable to read branch", err)
		return
	case branch == nil:
		resp.Diagnostics.AddAttributeError(path.Root("name"), "No such branch", fmt.Sprintf(
			"Project %s has no branch named %q. Names must match exactly; the data source neon_branches lists those that there are.",
			projectID, config.Name.ValueString()))
		return
	}
	endpoints, err := api.BranchEndpoints(ctx, projectID, branch.ID)
	if err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to read the branch's endpoints", err)
		return
	}
	model := branchDataModel{listedBranchModel: listedBranchModelFrom(branch)}
	model.take(endpoints)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// findBranch gives nil where no branch has the name.
func findBranch(ctx context.Context, api *client.Client, projectID, id, name string) (*client.Branch, error) {
	if id != "" {
		return api.Branch(ctx, projectID, id)
	}
	return api.BranchNamed(ctx, projectID, name)
}
