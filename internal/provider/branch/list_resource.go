package branch

import (
	"context"
	"iter"
	"sync"

	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_branch: the branches of a project.
func NewListResource() framework.ListResource {
	return kit.NewListResource(kit.ListResource[queryModel, branchModel]{
		Name: "branch",
		Key:  branchKey,
		Schema: schema.Schema{
			MarkdownDescription: "Lists the branches of a project, the default branch among them, newest first. With " +
				"`include_resource` each has its endpoints, as after an import.",
			Attributes: filteredQuery(),
		},
		List: query,
	})
}

const searchText = "Only branches whose name or id contains this. Must not be empty."

// filteredQuery are the attributes of the list, which has the filters of the data source.
func filteredQuery() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{}
	for name, attribute := range withFilters(map[string]datasource.Attribute{
		"project_id": kit.RequiredID(kit.ProjectText), "search": kit.OptionalText(searchText),
	}) {
		attributes[name] = attribute
	}
	return attributes
}

type queryModel struct {
	filters

	ProjectID types.String `tfsdk:"project_id"`
	Search    types.String `tfsdk:"search"`
}

func query(ctx context.Context, run kit.Run, config queryModel) iter.Seq2[kit.Listed[branchModel], error] {
	api, projectID := run.API, config.ProjectID.ValueString()
	endpoints := sync.OnceValues(func() (func(string) ([]client.Endpoint, error), error) {
		return api.ListEndpointsByBranch(ctx, projectID)
	})
	filter := config.filter()
	branches := api.ListFilteredBranches(ctx, projectID, client.BranchQuery{Search: config.Search.ValueString()}, filter)
	return kit.Listing(branches, func(branch client.FilteredBranch) kit.Listed[branchModel] {
		return kit.Listed[branchModel]{
			Key: []string{projectID, branch.ID}, DisplayName: branch.Name,
			Read: func(imported branchModel) (branchModel, error) {
				if filter.IdleFor > 0 { // Their use was asked for, and is told by the endpoints.
					return imported.importedWith(&branch.Branch, branch.Endpoints), nil
				}
				endpointsOf, err := endpoints()
				if err != nil {
					return imported, kit.EndList(err)
				}
				present, err := endpointsOf(branch.ID)
				return imported.importedWith(&branch.Branch, present), err
			},
		}
	})
}
