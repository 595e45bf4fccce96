package project

import (
	"context"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ datasource.DataSourceWithConfigure = (*projectsDataSource)(nil)

// projectsDataSource is neon_projects: all projects that a key may see.
type projectsDataSource struct {
	kit.DataSourceBase
}

func NewListDataSource() datasource.DataSource {
	return &projectsDataSource{kit.DataSourceBase{Kind: "projects"}}
}

// Schema describes neon_projects.
func (d *projectsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := projectAttributes()
	attributes["provisioner"] = kit.ListedString(provisionerText)
	resp.Schema = schema.Schema{
		MarkdownDescription: "All projects of an organization, in the platform's order. A list that the platform itself calls " +
			"incomplete is an error.",
		Attributes: map[string]schema.Attribute{
			"org_id": schema.StringAttribute{
				MarkdownDescription: "Id of the organization. Defaults to the provider's `org_id`. With a personal API key one of the " +
					"two is needed; an organization's key knows its organization.",
				Optional:   true,
				Computed:   true,
				Validators: kit.IDValidators(),
			},
			"search": schema.StringAttribute{
				MarkdownDescription: "A part of the name or the id of the projects to list. Must not be empty. By default all are listed.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"projects": schema.ListNestedAttribute{
				MarkdownDescription: "The projects.",
				Computed:            true,
				NestedObject:        schema.NestedAttributeObject{Attributes: attributes},
			},
		},
	}
}

const provisionerText = "What runs the project's compute endpoints, such as `k8s-neonvm`."

// projectAttributes are all but the provisioner, a word that Terraform allows in
// lists only.
func projectAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":          kit.ListedString("Id of the project."),
		"name":        kit.ListedString("Name of the project."),
		"org_id":      kit.ListedString("Id of the organization that the project belongs to."),
		"platform_id": kit.ListedString("The cloud platform, such as `aws`."),
		"region_id":   kit.ListedString("The region, such as `aws-us-east-2`."),
		"pg_version": schema.Int64Attribute{
			MarkdownDescription: "Major version of PostgreSQL.", Computed: true,
		},
		"proxy_host": kit.ListedString("Host name of the proxy in front of the project's compute endpoints."),
		"branch_logical_size_limit": schema.Int64Attribute{
			MarkdownDescription: "The most data that a branch can hold, in MiB.", Computed: true,
		},
		"created_at": kit.ListedTime("When the project was made, in RFC 3339."),
		"updated_at": kit.ListedTime("When the project last changed, in RFC 3339."),
	}
}

type projectsModel struct {
	OrgID    types.String         `tfsdk:"org_id"`
	Search   types.String         `tfsdk:"search"`
	Projects []listedProjectModel `tfsdk:"projects"`
}

type listedProjectModel struct {
	projectModel
	Provisioner types.String `tfsdk:"provisioner"`
}

type projectModel struct {
	ID                     types.String      `tfsdk:"id"`
	Name                   types.String      `tfsdk:"name"`
	OrgID                  types.String      `tfsdk:"org_id"`
	PlatformID             types.String      `tfsdk:"platform_id"`
	RegionID               types.String      `tfsdk:"region_id"`
	PgVersion              types.Int64       `tfsdk:"pg_version"`
	ProxyHost              types.String      `tfsdk:"proxy_host"`
	BranchLogicalSizeLimit types.Int64       `tfsdk:"branch_logical_size_limit"`
	CreatedAt              timetypes.RFC3339 `tfsdk:"created_at"`
	UpdatedAt              timetypes.RFC3339 `tfsdk:"updated_at"`
}

func projectModelFrom(project client.Project) projectModel {
	return projectModel{
		ID:                     types.StringValue(project.ID),
		Name:                   types.StringValue(project.Name),
		OrgID:                  kit.OptionalString(project.OrgID),
		PlatformID:             kit.OptionalString(project.PlatformID),
		RegionID:               kit.OptionalString(project.RegionID),
		PgVersion:              types.Int64Value(project.PgVersion),
		ProxyHost:              kit.OptionalString(project.ProxyHost),
		BranchLogicalSizeLimit: types.Int64Value(project.BranchLogicalSizeLimit),
		CreatedAt:              kit.OptionalTime(&project.CreatedAt),
		UpdatedAt:              kit.OptionalTime(&project.UpdatedAt),
	}
}

// Read walks all pages.
func (d *projectsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model projectsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	api := d.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if model.OrgID.IsNull() {
		if !d.Knows(&resp.Diagnostics, "org_id") {
			return
		}
		model.OrgID = kit.OptionalString(d.OrgID)
	}
	model.Projects = []listedProjectModel{}
	query := client.ProjectQuery{OrgID: model.OrgID.ValueString(), Search: model.Search.ValueString()}
	for project, err := range api.Projects(ctx, query) {
		if err != nil {
			kit.AddError(&resp.Diagnostics, "Unable to list projects", err, projectsHints(err, query)...)
			return
		}
		model.Projects = append(model.Projects, listedProjectModel{projectModelFrom(project), kit.OptionalString(project.Provisioner)})
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

func projectsHints(err error, query client.ProjectQuery) []string {
	if query.OrgID == "" && client.HasStatus(err, http.StatusBadRequest) {
		return []string{"With a personal API key the list needs an organization. " + kit.NoOrganization}
	}
	return nil
}
