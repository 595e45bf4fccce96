package project

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework-validators/boolvalidator"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_project: the projects of an organization.
func NewListResource() framework.ListResource {
	return kit.NewListResource(kit.ListResource[queryModel, model]{
		Name: "project",
		Key:  key,
		Schema: schema.Schema{
			MarkdownDescription: "Lists the projects of an organization, in Neon's order. A list that Neon itself calls " +
				"incomplete is an error. With `include_resource` each project needs some requests of its own, for its " +
				"default branch.",
			Attributes: map[string]schema.Attribute{
				"org_id": kit.OptionalID(ofOrgText),
				"search": kit.OptionalText(searchText),
				"shared": schema.BoolAttribute{
					MarkdownDescription: sharedText + " Conflicts with `org_id`.", Optional: true,
					Validators: []validator.Bool{boolvalidator.ConflictsWith(path.MatchRoot("org_id"))},
				},
			},
		},
		List: query,
	})
}

type queryModel struct {
	OrgID  types.String `tfsdk:"org_id"`
	Search types.String `tfsdk:"search"`
	Shared types.Bool   `tfsdk:"shared"`
}

// query is what Neon is asked for: the provider's organization is filled in.
func (m *queryModel) query(run kit.Run) client.ProjectQuery {
	if !m.Shared.ValueBool() {
		m.OrgID = run.Organization(m.OrgID, run.Diags)
	}
	return client.ProjectQuery{
		OrgID: m.OrgID.ValueString(), Search: m.Search.ValueString(), Shared: m.Shared.ValueBool(),
	}
}

func query(ctx context.Context, run kit.Run, config queryModel) iter.Seq2[kit.Listed[model], error] {
	found := projects(ctx, run.API, config.query(run))
	return kit.Listing(found, func(project client.Project) kit.Listed[model] {
		return kit.Listed[model]{
			Key: []string{project.ID}, DisplayName: project.Name + " (" + project.ID + ")",
			// A list lacks some of what a project has.
			Read: func(imported model) (model, error) { return read(ctx, run.Run(run.Diags), imported) },
		}
	})
}
