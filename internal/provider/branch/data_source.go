package branch

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
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
		Validators: append(kit.IDValidators(), stringvalidator.ExactlyOneOf(path.MatchRoot("id"),
			path.MatchRoot("name"))),
	}
	attributes["name"] = schema.StringAttribute{
		MarkdownDescription: "Exact name of the branch. Set either this or `id`.",
		Optional:            true,
		Computed:            true,
		Validators:          kit.NotEmpty(),
	}
	attributes["host"] = kit.ReturnedString("Host name for direct connections to the branch's read_write endpoint; null " +
		"if it has none.")
	attributes["pooler_host"] = kit.ReturnedString("Host name for pooled connections to the branch's read_write " +
		"endpoint; null if it has none.")
	attributes["endpoints"] = kit.ReturnedObjects("All compute endpoints of the branch, in Neon's order.",
		compute.ReturnedEndpointAttributes())
	return kit.NewDataSource(kit.DataSource[dataModel]{
		Name: "branch",
		Schema: schema.Schema{
			MarkdownDescription: "A branch by its id or its name, with its compute endpoints and the hosts to connect to. A " +
				"branch that doesn't exist is an error.",
			Attributes: attributes,
		},
		Read: read,
	})
}

type dataModel struct {
	listedBranch

	Host       types.String               `tfsdk:"host"`
	PoolerHost types.String               `tfsdk:"pooler_host"`
	Endpoints  []compute.ReturnedEndpoint `tfsdk:"endpoints"`
}

// read finds the branch, and reads its endpoints.
func read(ctx context.Context, platform *kit.Platform, model *dataModel, diags *diag.Diagnostics) {
	api := platform.Client
	branch := findBranch(ctx, api, model, diags)
	if branch == nil {
		return
	}
	endpoints, err := api.ListSharedEndpoints(ctx, client.BranchRef{ProjectID: model.ProjectID.ValueString(),
		ID: branch.ID})
	if err != nil {
		kit.AddError(diags, "Unable to read the branch's endpoints", err)
		return
	}
	*model = dataModel{listedBranch: newListedBranch(branch), Endpoints: []compute.ReturnedEndpoint{}}
	for _, endpoint := range endpoints {
		listed := compute.NewReturnedEndpoint(&endpoint)
		model.Endpoints = append(model.Endpoints, listed)
		if endpoint.Type == client.EndpointReadWrite {
			model.Host, model.PoolerHost = listed.Host, listed.PoolerHost
		}
	}
}

// findBranch returns the branch with the id or the name, or adds an error and returns nil.
func findBranch(ctx context.Context, api *client.Client, model *dataModel, diags *diag.Diagnostics) *client.Branch {
	projectID, name := model.ProjectID.ValueString(), model.Name.ValueString()
	read := func() (*client.Branch, error) {
		return api.GetSharedBranch(ctx, kit.RefOf[client.Branch](model.ProjectID, model.ID))
	}
	if model.ID.IsNull() {
		read = func() (*client.Branch, error) { return api.GetSharedBranchByName(ctx, projectID, name) }
	}
	branch, err := read()
	switch {
	case err != nil:
		kit.AddReadError(diags, "id", "branch", err)
	case branch == nil:
		diags.AddAttributeError(path.Root("name"), "No such branch", fmt.Sprintf(
			"Project %s has no branch named %q. Names must match exactly; the data source neon_branches lists all branches.",
			projectID, name))
	}
	return branch
}
