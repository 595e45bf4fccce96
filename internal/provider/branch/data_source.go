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
	attributes := listedAttributes()
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

type dataModel struct {
	listedBranch

	Host       types.String     `tfsdk:"host"`
	PoolerHost types.String     `tfsdk:"pooler_host"`
	Endpoints  []listedEndpoint `tfsdk:"endpoints"`
}

type listedEndpoint struct {
	endpointModel

	CurrentState types.String      `tfsdk:"current_state"`
	CreatedAt    timetypes.RFC3339 `tfsdk:"created_at"`
}

func newListedEndpoint(endpoint client.Endpoint) listedEndpoint {
	return listedEndpoint{newEndpointModel(&endpoint), kit.OptionalString(endpoint.CurrentState), kit.OptionalTime(&endpoint.CreatedAt)}
}

// Read finds the branch, and reads its endpoints.
func (d *dataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config dataModel
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
	model := dataModel{listedBranch: newListedBranch(branch), Endpoints: []listedEndpoint{}}
	for _, endpoint := range endpoints {
		listed := newListedEndpoint(endpoint)
		model.Endpoints = append(model.Endpoints, listed)
		if endpoint.Type == client.EndpointReadWrite {
			model.Host, model.PoolerHost = listed.Host, listed.PoolerHost
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// findBranch gives nil where no branch has the name.
func findBranch(ctx context.Context, api *client.Client, projectID, id, name string) (*client.Branch, error) {
	if id != "" {
		return api.Branch(ctx, projectID, id)
	}
	return api.BranchNamed(ctx, projectID, name)
}
