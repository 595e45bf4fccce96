// Package project is a project: what Neon keeps branches, roles and databases in. It
// belongs to an organization, and runs in one region.
package project

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_project: one project, by its id or its name.
func NewDataSource() datasource.DataSource {
	return kit.NewObjectSource(kit.ObjectSource[given, foundProject]{
		Name: "project", Text: "A project, by its id or its exact name. A project that doesn't exist is an error.",
		Returns: returnedWithBranch, Read: readOne,
		Given: kit.IDOrName("project", " Names need not be unique: a name that several projects have is an error that "+
			"lists their ids.", map[string]schema.Attribute{
			"org_id": kit.OrganizationID("Id of the organization to look for the `name` in. Defaults to the " +
				"provider's `org_id`. With a personal API key one of the two is needed; an organization's key knows its " +
				"organization. An `id` is found without it; where both are set, the " +
				"project must be that organization's."),
		}),
	})
}

type given struct {
	ID    types.String `tfsdk:"id"`
	Name  types.String `tfsdk:"name"`
	OrgID types.String `tfsdk:"org_id"`
}

type foundProject struct {
	client.Project

	branch defaultBranch
}

func returnedWithBranch(found foundProject) kit.Returned {
	all := returned(found.Project)
	all["compute_provisioner"] = kit.Returns(provisionerText, kit.OptionalString(found.Provisioner))
	all["default_branch"] = returnedBranch(found.branch)
	return all
}

func readOne(ctx context.Context, run kit.Run, m *given) *foundProject {
	api := run.API
	var project *client.Project
	if m.ID.IsNull() {
		m.OrgID = run.Organization(m.OrgID, run.Diags)
		project = findByName(ctx, api, m, run.Diags)
	} else {
		project = findByID(ctx, api, m, run.Diags)
	}
	if project == nil {
		return nil
	}
	branch, err := api.GetSharedDefaultBranch(ctx, project.ID)
	var found *defaultBranch
	if err == nil {
		found, err = readBranch(ctx, api, project.ID, branch, branchModel{})
	}
	if err != nil {
		kit.AddError(run.Diags, "Unable to read the default branch of the project", err)
		return nil
	}
	return &foundProject{*project, *found}
}

func findByID(ctx context.Context, api *client.Client, model *given, diags *diag.Diagnostics) *client.Project {
	project, err := api.GetSharedProject(ctx, model.ID.ValueString())
	switch {
	case client.IsAbsent(err), kit.Is[*client.UnseenProjectError](err):
		kit.AddAttributeError(diags, path.Root("id"), "No such project", err)
	case err != nil:
		kit.AddError(diags, "Unable to read project", err)
	case !model.OrgID.IsNull() && model.OrgID.ValueString() != project.OrgID:
		diags.AddAttributeError(path.Root("org_id"), "No such project", fmt.Sprintf(
			"Project %s belongs to organization %s. Correct org_id, or leave it out: an id is found without it.",
			project.ID, cmp.Or(project.OrgID, "none")))
	default:
		return project
	}
	return nil
}

// findByName compares the names itself, since Neon's search also finds parts of them.
func findByName(ctx context.Context, api *client.Client, model *given, diags *diag.Diagnostics) *client.Project {
	if diags.HasError() {
		return nil
	}
	name := model.Name.ValueString()
	query := client.ProjectQuery{OrgID: model.OrgID.ValueString(), Search: name}
	var found []client.Project
	var ids []string
	for project, err := range projects(ctx, api, query) {
		if err != nil {
			kit.AddListError(diags, "Unable to look for project", err)
			return nil
		}
		if project.Name == name {
			found, ids = append(found, project), append(ids, project.ID)
		}
	}
	switch len(found) {
	case 1:
		return &found[0]
	case 0:
		diags.AddAttributeError(path.Root("name"), "No such project", fmt.Sprintf("No project that the API key can see is "+
			"named %s. Names must match exactly; the data source neon_projects lists those that there are.", kit.Quoted(name)))
	default:
		diags.AddAttributeError(path.Root("name"), "Several projects have the name", fmt.Sprintf(
			"These projects are named %s: %s. Set id instead of name.", kit.Quoted(name), strings.Join(ids, ", ")))
	}
	return nil
}
