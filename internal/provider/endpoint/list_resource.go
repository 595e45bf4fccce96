package endpoint

import (
	"cmp"
	"context"
	"iter"

	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_endpoint: the endpoints of a project.
func NewListResource() framework.ListResource {
	return kit.NewListResource(kit.ListResource[kit.InBranch, model]{
		Name: "endpoint",
		Key:  key,
		Schema: schema.Schema{
			MarkdownDescription: "Lists the compute endpoints of a project, or of one of its branches, in Neon's order. Those " +
				"of `endpoints` of a `neon_branch` are among them: don't manage these twice.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.RequiredID(kit.ProjectText),
				"branch_id":  kit.OptionalID("Id of the branch whose endpoints are listed. By default those of all branches are."),
			},
		},
		List: query,
	})
}

func query(ctx context.Context, run kit.Run, config kit.InBranch) iter.Seq2[kit.Listed[model], error] {
	branch := config.Branch()
	return kit.Listing(run.API.ListEndpoints(ctx, branch), func(endpoint client.Endpoint) kit.Listed[model] {
		return kit.Listed[model]{
			Key: []string{branch.ProjectID, endpoint.ID}, DisplayName: cmp.Or(endpoint.Name, endpoint.ID) + " (" +
				endpoint.Type + ")",
			Read: func(imported model) (model, error) { return imported.refreshed(&endpoint), nil },
		}
	})
}
