package project

import (
	"context"
	"fmt"
	"iter"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-validators/boolvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_projects: all projects that a key can see.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.Project]{
		Name: "projects", Returns: returnedInList,
		Text: "All projects of an organization, in Neon's order. A list that Neon itself calls incomplete is an error.",
	}, map[string]schema.Attribute{
		"org_id": kit.OrganizationID(ofOrgText),
		"search": kit.OptionalText(searchText),
		"recoverable": kit.OptionalBool("Whether to list the deleted projects that can be recovered, in place of the " +
			"others. Defaults to `false`."),
		"shared": schema.BoolAttribute{
			MarkdownDescription: sharedText + " Conflicts with `org_id` and `recoverable`.", Optional: true,
			Validators: []validator.Bool{
				boolvalidator.ConflictsWith(path.MatchRoot("org_id"), path.MatchRoot("recoverable")),
			},
		},
	}, list)
}

func returnedInList(project client.Project) kit.Returned {
	all := returned(project)
	all["compute_provisioner"] = kit.Returns(provisionerText, kit.OptionalString(project.Provisioner))
	all["deleted_at"] = kit.Returns("When the project was deleted; null if it wasn't.",
		kit.OptionalTime(project.DeletedAt))
	all["recoverable_until"] = kit.Returns("Until when a deleted project can be recovered.",
		kit.OptionalTime(project.RecoverableUntil))
	return all
}

const (
	ofOrgText = "Id of the organization. Defaults to the provider's `org_id`. With a personal API key one of the two is " +
		"needed; an organization's key knows its organization."
	searchText = "A part of the name or the id of the projects to list. Must not be empty. By default all are listed."
	sharedText = "Whether to list the projects that others share with the caller, in place of those of an organization. " +
		"Defaults to `false`."
)

type listModel struct {
	queryModel

	Recoverable types.Bool `tfsdk:"recoverable"`
}

func list(ctx context.Context, run kit.Run, in *listModel) iter.Seq2[client.Project, error] {
	query := in.query(run)
	query.Recoverable = in.Recoverable.ValueBool()
	return func(yield func(client.Project, error) bool) {
		for project, err := range projects(ctx, run.API, query) {
			if client.HasStatus(err, http.StatusNotFound) && query.OrgID != "" {
				kit.AddAttributeError(run.Diags, path.Root("org_id"), "Unable to list projects", fmt.Errorf("no projects of "+
					"organization %s: %w", kit.Quoted(query.OrgID), err))
				return
			}
			if !yield(project, err) {
				return
			}
		}
	}
}

// projects lists them, and says where the organization is set that a list lacks.
func projects(ctx context.Context, api *client.Client, query client.ProjectQuery) iter.Seq2[client.Project, error] {
	return func(yield func(client.Project, error) bool) {
		for project, err := range api.ListProjects(ctx, query) {
			if query.OrgID == "" && client.HasStatus(err, http.StatusBadRequest) {
				err = kit.Advise(err, "With a personal API key the list needs an organization. "+kit.NoOrganization)
			}
			if !yield(project, err) {
				return
			}
		}
	}
}
