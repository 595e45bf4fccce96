package project

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ datasource.DataSourceWithConfigure = (*projectDataSource)(nil)

// projectDataSource is neon_project: one project, by its id or its name.
type projectDataSource struct {
	kit.DataSourceBase
}

func NewDataSource() datasource.DataSource {
	return &projectDataSource{kit.DataSourceBase{Kind: "project"}}
}

// Schema describes neon_project.
func (d *projectDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := projectAttributes()
	attributes["id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the project. Set either this or `name`.",
		Optional:            true,
		Computed:            true,
		Validators:          append(kit.IDValidators(), stringvalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("name"))),
	}
	attributes["name"] = schema.StringAttribute{
		MarkdownDescription: "Exact name of the project. Names need not be unique: a name that several projects have is an error that " +
			"lists their ids. Set either this or `id`.",
		Optional:   true,
		Computed:   true,
		Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
	}
	attributes["org_id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the organization to look for the `name` in. Defaults to the provider's `org_id`. With a personal API " +
			"key one of the two is needed; an organization's key knows its organization. An `id` is found without it.",
		Optional:   true,
		Computed:   true,
		Validators: kit.IDValidators(),
	}
	attributes["compute_provisioner"] = kit.ListedString(provisionerText)
	resp.Schema = schema.Schema{
		MarkdownDescription: "A project, by its id or its exact name. A project that doesn't exist is an error.",
		Attributes:          attributes,
	}
}

type projectDataModel struct {
	projectModel
	ComputeProvisioner types.String `tfsdk:"compute_provisioner"`
}

// Read finds the project.
func (d *projectDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config projectDataModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	api := d.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	var project *client.Project
	if config.ID.IsNull() {
		project = d.named(ctx, api, config, &resp.Diagnostics)
	} else {
		project = identified(ctx, api, config, &resp.Diagnostics)
	}
	if project == nil {
		return
	}
	model := projectDataModel{projectModelFrom(*project), kit.OptionalString(project.Provisioner)}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

func identified(ctx context.Context, api *client.Client, config projectDataModel, diags *diag.Diagnostics) *client.Project {
	project, err := api.Project(ctx, config.ID.ValueString())
	var unseen *client.UnseenProjectError
	switch {
	case client.IsAbsent(err), errors.As(err, &unseen):
		kit.AddAttributeError(diags, path.Root("id"), "No such project", err)
		return nil
	case err != nil:
		kit.AddError(diags, "Unable to read project", err)
		return nil
	case !config.OrgID.IsNull() && config.OrgID.ValueString() != project.OrgID:
		diags.AddAttributeError(path.Root("org_id"), "No such project", fmt.Sprintf(
			"Project %s belongs to organization %s. Correct org_id, or leave it out: an id is found without it.", project.ID, orNone(project.OrgID)))
		return nil
	}
	return project
}

// named finds the one project of a name. The platform's search also finds others.
func (d *projectDataSource) named(ctx context.Context, api *client.Client, config projectDataModel, diags *diag.Diagnostics) *client.Project {
	name := config.Name.ValueString()
	query := client.ProjectQuery{OrgID: config.OrgID.ValueString(), Search: name}
	if config.OrgID.IsNull() {
		if !d.Knows(diags, "org_id") {
			return nil
		}
		query.OrgID = d.OrgID
	}
	var found []client.Project
	var ids []string
	for project, err := range api.Projects(ctx, query) {
		if err != nil {
			kit.AddError(diags, "Unable to look for project", err, projectsHints(err, query)...)
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
		diags.AddAttributeError(path.Root("name"), "No such project", fmt.Sprintf(
			"No project that the API key may see is named %q. Names must match exactly; the data source neon_projects lists those that there are.", name))
	default:
		diags.AddAttributeError(path.Root("name"), "Several projects have the name", fmt.Sprintf(
			"These projects are named %q: %s. Set id instead of name.", name, strings.Join(ids, ", ")))
	}
	return nil
}

func orNone(id string) string {
	if id == "" {
		return "none"
	}
	return id
}
