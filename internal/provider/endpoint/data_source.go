package endpoint

import (
	"context"
	"fmt"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_endpoint: an endpoint by its id, or the read_write endpoint of a branch.
func NewDataSource() datasource.DataSource {
	return kit.NewObjectSource(kit.ObjectSource[given, client.Endpoint]{
		Name: "endpoint", Returns: returned, Read: readOne,
		Text: "A compute endpoint by its id, or the `read_write` endpoint of a branch. One that doesn't exist is an error.",
		Given: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"id": schema.StringAttribute{
				MarkdownDescription: idText + " Set either this or `branch_id`.", Optional: true, Computed: true,
				Validators: append(kit.IDValidators(), stringvalidator.ExactlyOneOf(path.MatchRoot("id"),
					path.MatchRoot("branch_id"))),
			},
			"branch_id": schema.StringAttribute{
				MarkdownDescription: branchText + " Set this in place of `id` for its `read_write` endpoint.", Optional: true,
				Computed: true, Validators: kit.IDValidators(),
			},
		},
	})
}

// NewListDataSource returns neon_endpoints: the endpoints of a project or of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.Endpoint]{
		Name: "endpoints", Returns: returned,
		Text: "The compute endpoints of a project, or of one of its branches, in Neon's order.",
	}, map[string]schema.Attribute{
		"project_id": kit.RequiredID(kit.ProjectText),
		"branch_id":  kit.OptionalID("Id of the branch whose endpoints to list. Without it, those of all branches are."),
	}, list)
}

func returned(endpoint client.Endpoint) kit.Returned {
	all := compute.ReturnedEndpoint(endpoint)
	all["branch_id"] = kit.Returns(branchText, types.StringValue(endpoint.BranchID))
	all["region_id"] = kit.Returns(regionText, kit.OptionalString(endpoint.RegionID))
	all["updated_at"] = kit.Returns("When the endpoint last changed. It changes by itself.",
		kit.OptionalTime(&endpoint.UpdatedAt))
	all["pg_settings"] = kit.Returns(settingsText, kit.MapOf(endpoint.Settings.PgSettings))
	all["preload_libraries"] = compute.ReturnedLibraries(endpoint.Settings.PreloadLibraries)
	return all
}

type given struct {
	kit.InBranch

	ID types.String `tfsdk:"id"`
}

func readOne(ctx context.Context, run kit.Run, m *given) *client.Endpoint {
	find, by := findByID, "id"
	if m.ID.IsNull() {
		find, by = findByBranch, "branch_id"
	}
	endpoint, err := find(ctx, run.API, m)
	switch {
	case err != nil:
		kit.AddReadError(run.Diags, by, "endpoint", err)
	case endpoint == nil:
		run.Diags.AddAttributeError(path.Root(by), "No such endpoint", fmt.Sprintf(
			"Branch %s has no read_write endpoint. The data source neon_endpoints lists all endpoints that it has.",
			m.BranchID.ValueString()))
	}
	return endpoint
}

func findByID(ctx context.Context, api *client.Client, m *given) (*client.Endpoint, error) {
	return api.GetSharedEndpoint(ctx, kit.RefOf[client.Endpoint](m.ProjectID, m.ID))
}

// findByBranch returns the read_write endpoint of a branch, or nil if it has none.
func findByBranch(ctx context.Context, api *client.Client, m *given) (*client.Endpoint, error) {
	endpoints, err := ofBranch(ctx, api, m.Branch())
	for _, endpoint := range endpoints {
		if endpoint.Type == client.EndpointReadWrite {
			return &endpoint, nil
		}
	}
	return nil, err
}

// ofBranch lists the endpoints of a branch. If the project's list has none for it, the branch's own list is read, which
// fails if the branch doesn't exist.
func ofBranch(ctx context.Context, api *client.Client, branch client.BranchRef) ([]client.Endpoint, error) {
	endpoints, err := api.ListSharedEndpoints(ctx, branch)
	if err == nil && len(endpoints) == 0 {
		return client.All(api.ListEndpoints(ctx, branch))
	}
	return endpoints, err
}

func list(ctx context.Context, run kit.Run, in *kit.InBranch) iter.Seq2[client.Endpoint, error] {
	branch := in.Branch()
	if branch.ID == "" {
		return run.API.ListEndpoints(ctx, branch)
	}
	return func(yield func(client.Endpoint, error) bool) {
		endpoints, err := ofBranch(ctx, run.API, branch)
		if err != nil {
			yield(client.Endpoint{}, err)
		}
		for _, endpoint := range endpoints {
			if !yield(endpoint, nil) {
				return
			}
		}
	}
}
