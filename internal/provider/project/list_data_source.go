package project

import (
	"context"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_projects: all projects that a key can see.
func NewListDataSource() datasource.DataSource {
	attributes := projectAttributes()
	attributes["provisioner"] = kit.ReturnedString(provisionerText)
	return kit.NewDataSource(kit.DataSource[listModel]{
		Name: "projects",
		Schema: schema.Schema{
			MarkdownDescription: "All projects of an organization, in Neon's order. A list that Neon itself calls incomplete is an error.",
			Attributes: map[string]schema.Attribute{
				"org_id": kit.OrganizationID("Id of the organization. Defaults to the provider's `org_id`. With a personal API key one " +
					"of the two is needed; an organization's key knows its organization."),
				"search":   kit.OptionalText("A part of the name or the id of the projects to list. Must not be empty. By default all are listed."),
				"projects": kit.ReturnedObjects("The projects.", attributes),
			},
		},
		Read: list,
	})
}

const provisionerText = "What runs the project's compute endpoints, such as `k8s-neonvm`."

// projectAttributes are all but the provisioner, a word that Terraform allows in
// lists only.
func projectAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":                        kit.ReturnedString("Id of the project."),
		"name":                      kit.ReturnedString("Name of the project."),
		"org_id":                    kit.ReturnedString("Id of the organization that the project belongs to."),
		"platform_id":               kit.ReturnedString("The cloud platform, such as `aws`."),
		"region_id":                 kit.ReturnedString("The region, such as `aws-us-east-2`."),
		"pg_version":                kit.ReturnedInt("Major version of PostgreSQL."),
		"proxy_host":                kit.ReturnedString("Host name of the proxy in front of the project's compute endpoints."),
		"branch_logical_size_limit": kit.ReturnedInt("The most data that a branch can hold, in MiB."),
		"created_at":                kit.ReturnedTime("When the project was created, in RFC 3339."),
		"updated_at":                kit.ReturnedTime("When the project last changed, in RFC 3339."),
	}
}

type listModel struct {
	OrgID    types.String  `tfsdk:"org_id"`
	Search   types.String  `tfsdk:"search"`
	Projects []listedModel `tfsdk:"projects"`
}

type listedModel struct {
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

func newModel(project client.Project) projectModel {
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

func list(ctx context.Context, platform *kit.Platform, model *listModel, diags *diag.Diagnostics) {
	api := platform.Control(diags)
	model.OrgID = platform.Organization(model.OrgID, diags)
	if diags.HasError() {
		return
	}
	model.Projects = []listedModel{}
	query := client.ProjectQuery{OrgID: model.OrgID.ValueString(), Search: model.Search.ValueString()}
	for project, err := range api.Projects(ctx, query) {
		if err != nil {
			kit.AddError(diags, "Unable to list projects", err, listHints(err, query)...)
			return
		}
		model.Projects = append(model.Projects, listedModel{newModel(project), kit.OptionalString(project.Provisioner)})
	}
}

func listHints(err error, query client.ProjectQuery) []string {
	if query.OrgID == "" && client.HasStatus(err, http.StatusBadRequest) {
		return []string{"With a personal API key the list needs an organization. " + kit.NoOrganization}
	}
	return nil
}
