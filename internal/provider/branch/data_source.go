package branch

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns the data source neon_branch: one branch with its endpoints.
func NewDataSource() datasource.DataSource {
	attributes := listedAttributes()
	attributes["project_id"] = kit.RequiredID("Id of the project.")
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
		Validators:          kit.NotEmpty(),
	}
	attributes["host"] = kit.ReturnedString("Host name for direct connections to the branch's read_write endpoint; null where it has none.")
	attributes["pooler_host"] = kit.ReturnedString("Host name for pooled connections to the branch's read_write endpoint; null where it has none.")
	attributes["endpoints"] = kit.ReturnedObjects("All compute endpoints of the branch, in Neon's order.", listedEndpointAttributes())
	return kit.NewDataSource(kit.DataSource[dataModel]{
		Name: "branch",
		Schema: schema.Schema{
			MarkdownDescription: "A branch by its id or its name, with its compute endpoints and the hosts to connect to. A branch that " +
				"doesn't exist is an error.",
			Attributes: attributes,
		},
		Read: read,
	})
}

func listedEndpointAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":            kit.ReturnedString("Id of the endpoint."),
		"type":          kit.ReturnedString("`read_write` or `read_only`."),
		"name":          kit.ReturnedString("Name of the endpoint; null where it has none."),
		"host":          kit.ReturnedString("Host name for direct connections."),
		"pooler_host":   kit.ReturnedString("Host name for pooled connections."),
		"current_state": kit.ReturnedString("State when it was read, such as `active` or `idle`. It changes by itself."),
		"disabled":      schema.BoolAttribute{MarkdownDescription: "Whether connections are refused.", Computed: true},
		"autoscaling_limit_min_cu": schema.Float64Attribute{
			MarkdownDescription: "The least compute units that it runs with.", Computed: true,
		},
		"autoscaling_limit_max_cu": schema.Float64Attribute{
			MarkdownDescription: "The most compute units that it runs with.", Computed: true,
		},
		"suspend_timeout_seconds": kit.ReturnedInt("Seconds without activity after which it is suspended; 0 is Neon's default, -1 never."),
		"created_at":              kit.ReturnedTime("When the endpoint was created, in RFC 3339."),
	}
}

type dataModel struct {
	listedBranch

	Host       types.String     `tfsdk:"host"`
	PoolerHost types.String     `tfsdk:"pooler_host"`
	Endpoints  []listedEndpoint `tfsdk:"endpoints"`
}

type listedEndpoint struct {
	kit.Endpoint

	CurrentState types.String      `tfsdk:"current_state"`
	CreatedAt    timetypes.RFC3339 `tfsdk:"created_at"`
}

func newListedEndpoint(endpoint client.Endpoint) listedEndpoint {
	return listedEndpoint{kit.NewEndpoint(&endpoint), kit.OptionalString(endpoint.CurrentState), kit.OptionalTime(&endpoint.CreatedAt)}
}

// read finds the branch, and reads its endpoints.
func read(ctx context.Context, platform *kit.Platform, model *dataModel, diags *diag.Diagnostics) {
	api := platform.Control(diags)
	if api == nil {
		return
	}
	branch := findBranch(ctx, api, model, diags)
	if branch == nil {
		return
	}
	endpoints, err := api.BranchEndpoints(ctx, model.ProjectID.ValueString(), branch.ID)
	if err != nil {
		kit.AddError(diags, "Unable to read the branch's endpoints", err)
		return
	}
	*model = dataModel{listedBranch: newListedBranch(branch), Endpoints: []listedEndpoint{}}
	for _, endpoint := range endpoints {
		listed := newListedEndpoint(endpoint)
		model.Endpoints = append(model.Endpoints, listed)
		if endpoint.Type == client.EndpointReadWrite {
			model.Host, model.PoolerHost = listed.Host, listed.PoolerHost
		}
	}
}

// findBranch returns the branch with the id or the name, or adds an error and returns nil.
func findBranch(ctx context.Context, api *client.Client, model *dataModel, diags *diag.Diagnostics) *client.Branch {
	projectID, name := model.ProjectID.ValueString(), model.Name.ValueString()
	read, key := api.Branch, model.ID.ValueString()
	if model.ID.IsNull() {
		read, key = api.BranchNamed, name
	}
	branch, err := read(ctx, projectID, key)
	switch {
	case client.IsAbsent(err):
		kit.AddAttributeError(diags, path.Root("id"), "No such branch", err)
	case err != nil:
		kit.AddError(diags, unableToReadBranch, err)
	case branch == nil:
		diags.AddAttributeError(path.Root("name"), "No such branch", fmt.Sprintf(
			"Project %s has no branch named %q. Names must match exactly; the data source neon_branches lists all branches.", projectID, name))
	}
	return branch
}
