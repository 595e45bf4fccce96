package branch

import (
	"context"
	"fmt"

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
	return kit.NewObjectSource(kit.ObjectSource[given, foundBranch]{
		Name: "branch", Returns: returnedWithEndpoints, Read: read,
		Text: "A branch by its id or its name, with its compute endpoints and the hosts to connect to. A branch that " +
			"doesn't exist is an error.",
		Given: kit.IDOrName("branch", "", map[string]schema.Attribute{"project_id": kit.RequiredID(kit.ProjectText)}),
	})
}

type given struct {
	ProjectID types.String `tfsdk:"project_id"`
	ID        types.String `tfsdk:"id"`
	Name      types.String `tfsdk:"name"`
}

type foundBranch struct {
	client.Branch

	endpoints []client.Endpoint
}

func returnedWithEndpoints(found foundBranch) kit.Returned {
	all, writing := returned(found.Branch), compute.Endpoint{}
	for _, endpoint := range found.endpoints {
		if endpoint.Type == client.EndpointReadWrite {
			writing = compute.NewEndpoint(&endpoint)
		}
	}
	all["host"] = kit.Returns("Host name for direct connections to the branch's read_write endpoint; null if it has none.",
		writing.Host)
	all["pooler_host"] = kit.Returns("Host name for pooled connections to the branch's read_write endpoint; null if it "+
		"has none.", writing.PoolerHost)
	all["endpoints"] = kit.ReturnsObjects("All compute endpoints of the branch, in Neon's order.", found.endpoints,
		compute.ReturnedEndpoint)
	return all
}

// read finds the branch, and reads its endpoints.
func read(ctx context.Context, run kit.Run, given *given) *foundBranch {
	branch := findBranch(ctx, run.API, given, run.Diags)
	if branch == nil {
		return nil
	}
	endpoints, err := run.API.ListSharedEndpoints(ctx, client.BranchRef{ProjectID: given.ProjectID.ValueString(),
		ID: branch.ID})
	if err != nil {
		kit.AddError(run.Diags, "Unable to read the branch's endpoints", err)
	}
	return &foundBranch{*branch, endpoints}
}

// findBranch returns the branch with the id or the name, or adds an error and returns nil.
func findBranch(ctx context.Context, api *client.Client, model *given, diags *diag.Diagnostics) *client.Branch {
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
