package endpoint

import (
	"context"
	"fmt"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
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

// NewDataSource returns neon_endpoint: one endpoint, or the one that writes to a branch.
func NewDataSource() datasource.DataSource {
	attributes := returnedAttributes()
	attributes["project_id"] = kit.RequiredID(projectText)
	attributes["id"] = schema.StringAttribute{
		MarkdownDescription: idText + " Set either this or `branch_id`.", Optional: true, Computed: true,
		Validators: append(kit.IDValidators(), stringvalidator.ExactlyOneOf(path.MatchRoot("id"),
			path.MatchRoot("branch_id"))),
	}
	attributes["branch_id"] = schema.StringAttribute{
		MarkdownDescription: branchText + " Set this in place of `id` for its `read_write` endpoint.", Optional: true,
		Computed:   true,
		Validators: kit.IDValidators(),
	}
	return kit.NewDataSource(kit.DataSource[dataModel]{
		Name: "endpoint",
		Schema: schema.Schema{
			MarkdownDescription: "A compute endpoint by its id, or the `read_write` endpoint of a branch. One that doesn't " +
				"exist is an error.",
			Attributes: attributes,
		},
		Read: readOne,
	})
}

// NewListDataSource returns neon_endpoints: those of a project or of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.Endpoint, returned]{
		Name: "endpoints", Called: "endpoints", Attribute: "endpoints", Objects: "The endpoints.", Model: newReturned,
		Text:   "The compute endpoints of a project, or of one of its branches, in Neon's order.",
		Schema: returnedAttributes(),
	}, map[string]schema.Attribute{
		"project_id": kit.RequiredID(projectText),
		"branch_id":  kit.OptionalID("Id of the branch whose endpoints to list. Without it, those of all branches are."),
	}, list)
}

func returnedAttributes() map[string]schema.Attribute {
	attributes := compute.ReturnedEndpointAttributes()
	attributes["branch_id"] = kit.ReturnedString(branchText)
	attributes["region_id"] = kit.ReturnedString(regionText)
	attributes["updated_at"] = kit.ReturnedTime("When the endpoint last changed. It changes by itself.")
	attributes["pg_settings"] = schema.MapAttribute{MarkdownDescription: settingsText, Computed: true,
		ElementType: types.StringType}
	attributes["preload_libraries"] = compute.ReturnedLibraries()
	return attributes
}

type dataModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	returned
}

type returned struct {
	compute.ReturnedEndpoint

	BranchID         types.String       `tfsdk:"branch_id"`
	RegionID         types.String       `tfsdk:"region_id"`
	UpdatedAt        timetypes.RFC3339  `tfsdk:"updated_at"`
	PgSettings       types.Map          `tfsdk:"pg_settings"`
	PreloadLibraries *compute.Libraries `tfsdk:"preload_libraries"`
}

func newReturned(endpoint client.Endpoint) returned {
	result := returned{
		ReturnedEndpoint: compute.NewReturnedEndpoint(&endpoint),
		BranchID:         types.StringValue(endpoint.BranchID),
		RegionID:         kit.OptionalString(endpoint.RegionID),
		UpdatedAt:        kit.OptionalTime(&endpoint.UpdatedAt),
		PgSettings:       newPgSettings(endpoint.Settings.PgSettings),
	}
	if endpoint.Settings.PreloadLibraries != nil {
		result.PreloadLibraries = compute.NewLibraries(endpoint.Settings.PreloadLibraries)
	}
	return result
}

func readOne(ctx context.Context, platform *kit.Platform, m *dataModel, diags *diag.Diagnostics) {
	find, by := findByID, "id"
	if m.ID.IsNull() {
		find, by = findByBranch, "branch_id"
	}
	endpoint, err := find(ctx, platform.Client, m)
	switch {
	case err != nil:
		kit.AddReadError(diags, by, "endpoint", err)
	case endpoint == nil:
		diags.AddAttributeError(path.Root(by), "No such endpoint", fmt.Sprintf(
			"Branch %s has no read_write endpoint. The data source neon_endpoints lists all endpoints that it has.",
			m.BranchID.ValueString()))
	default:
		m.returned = newReturned(*endpoint)
	}
}

func findByID(ctx context.Context, api *client.Client, m *dataModel) (*client.Endpoint, error) {
	return api.GetSharedEndpoint(ctx, kit.RefOf[client.Endpoint](m.ProjectID, m.ID))
}

// findByBranch returns the endpoint that writes to the branch; nil where it has none.
func findByBranch(ctx context.Context, api *client.Client, m *dataModel) (*client.Endpoint, error) {
	endpoints, err := api.ListSharedEndpoints(ctx, kit.RefOf[client.Branch](m.ProjectID, m.BranchID))
	for _, endpoint := range endpoints {
		if endpoint.Type == client.EndpointReadWrite {
			return &endpoint, nil
		}
	}
	return nil, err
}

func list(
	ctx context.Context, platform *kit.Platform, in *kit.InBranch, _ *diag.Diagnostics,
) iter.Seq2[client.Endpoint, error] {
	branch := in.Branch()
	if branch.ID == "" {
		return platform.Client.ListEndpoints(ctx, branch)
	}
	return func(yield func(client.Endpoint, error) bool) {
		endpoints, err := platform.Client.ListSharedEndpoints(ctx, branch)
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
