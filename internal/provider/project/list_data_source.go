package project

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/boolvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_projects: all projects that a key can see.
func NewListDataSource() datasource.DataSource {
	attributes := projectAttributes()
	attributes["provisioner"] = kit.ReturnedString(provisionerText)
	attributes["deleted_at"] = kit.ReturnedTime("When the project was deleted; null if it wasn't.")
	attributes["recoverable_until"] = kit.ReturnedTime("Until when a deleted project can be recovered.")
	return kit.NewDataSource(kit.DataSource[listModel]{
		Name: "projects",
		Schema: schema.Schema{
			MarkdownDescription: "All projects of an organization, in Neon's order. A list that Neon itself calls incomplete " +
				"is an error.",
			Attributes: map[string]schema.Attribute{
				"org_id": kit.OrganizationID(ofOrgText),
				"search": kit.OptionalText(searchText),
				"recoverable": schema.BoolAttribute{
					MarkdownDescription: "Whether to list the deleted projects that can be recovered, in place of the others. " +
						"Defaults to `false`.", Optional: true,
				},
				"shared": schema.BoolAttribute{
					MarkdownDescription: sharedText, Optional: true,
					Validators: []validator.Bool{
						boolvalidator.ConflictsWith(path.MatchRoot("org_id"), path.MatchRoot("recoverable")),
					},
				},
				"projects": kit.ReturnedObjects("The projects.", attributes),
			},
		},
		Read: list,
	})
}

const (
	ofOrgText = "Id of the organization. Defaults to the provider's `org_id`. With a personal API key one of the two is " +
		"needed; an organization's key knows its organization."
	searchText = "A part of the name or the id of the projects to list. Must not be empty. By default all are listed."
	sharedText = "Whether to list the projects that others share with the caller, in place of those of an organization. " +
		"Defaults to `false`."
)

const provisionerText = "What runs the project's compute endpoints, such as `k8s-neonvm`."

// projectAttributes are all but the provisioner, a word that Terraform allows in
// lists only.
func projectAttributes() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"store_passwords":           kit.ReturnedBool("Whether Neon stores the roles' passwords."),
		"history_retention_seconds": kit.ReturnedInt("How long Neon keeps the history of the project's data, in seconds."),
		"default_endpoint_settings": returnedObject("Settings of compute endpoints that are created without their own.",
			map[string]schema.Attribute{
				"autoscaling_limit_min_cu": returnedFloat("Minimum size, in compute units."),
				"autoscaling_limit_max_cu": returnedFloat("Maximum size, in compute units."),
				"suspend_timeout_seconds":  kit.ReturnedInt("Seconds without activity after which an endpoint is suspended."),
				"pg_settings": schema.MapAttribute{MarkdownDescription: "Settings of PostgreSQL, by name.",
					Computed: true, ElementType: types.StringType},
			}),
		"id":          kit.ReturnedString("Id of the project."),
		"name":        kit.ReturnedString("Name of the project."),
		"org_id":      kit.ReturnedString("Id of the organization that the project belongs to."),
		"platform_id": kit.ReturnedString("The cloud platform, such as `aws`."),
		"region_id":   kit.ReturnedString("The region, such as `aws-us-east-2`."),
		"pg_version":  kit.ReturnedInt("Major version of PostgreSQL."),
		"proxy_host": kit.ReturnedString("Host name of the proxy in front of the project's compute " +
			"endpoints."),
		"branch_logical_size_limit": kit.ReturnedInt("The most data that a branch can hold, in MiB."),
		"created_at":                kit.ReturnedTime("When the project was created."),
		"updated_at":                kit.ReturnedTime("When the project last changed."),
	}
	maps.Copy(attributes, returnedSettings())
	return attributes
}

type listModel struct {
	OrgID       types.String  `tfsdk:"org_id"`
	Search      types.String  `tfsdk:"search"`
	Recoverable types.Bool    `tfsdk:"recoverable"`
	Shared      types.Bool    `tfsdk:"shared"`
	Projects    []listedModel `tfsdk:"projects"`
}

type listedModel struct {
	projectModel
	Provisioner      types.String      `tfsdk:"provisioner"`
	DeletedAt        timetypes.RFC3339 `tfsdk:"deleted_at"`
	RecoverableUntil timetypes.RFC3339 `tfsdk:"recoverable_until"`
}

type projectModel struct {
	settingsModel

	StorePasswords          types.Bool   `tfsdk:"store_passwords"`
	HistoryRetentionSeconds types.Int64  `tfsdk:"history_retention_seconds"`
	DefaultEndpointSettings types.Object `tfsdk:"default_endpoint_settings"`

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
		settingsModel:           allSettings(project.Settings),
		StorePasswords:          types.BoolValue(project.StorePasswords),
		HistoryRetentionSeconds: types.Int64PointerValue(project.HistoryRetentionSeconds),
		DefaultEndpointSettings: defaultsValue(project.DefaultEndpointSettings),

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
	if !model.Shared.ValueBool() {
		model.OrgID = platform.Organization(model.OrgID, diags)
	}
	if diags.HasError() {
		return
	}
	model.Projects = []listedModel{}
	query := client.ProjectQuery{
		OrgID: model.OrgID.ValueString(), Search: model.Search.ValueString(), Recoverable: model.Recoverable.ValueBool(),
		Shared: model.Shared.ValueBool(),
	}
	for project, err := range projects(ctx, platform.Client, query) {
		if client.HasStatus(err, http.StatusNotFound) && query.OrgID != "" {
			kit.AddAttributeError(diags, path.Root("org_id"), "Unable to list projects", fmt.Errorf("no projects of "+
				"organization %s: %w", kit.Quoted(query.OrgID), err))
			return
		}
		if err != nil {
			kit.AddError(diags, "Unable to list projects", err)
			return
		}
		model.Projects = append(model.Projects, listedModel{
			newModel(project), kit.OptionalString(project.Provisioner), kit.OptionalTime(project.DeletedAt),
			kit.OptionalTime(project.RecoverableUntil),
		})
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
