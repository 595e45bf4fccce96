package branch

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ datasource.DataSourceWithConfigure = (*listDataSource)(nil)

// listDataSource is neon_branches: the branches of a project.
type listDataSource struct {
	kit.DataSourceBase
}

func NewListDataSource() datasource.DataSource {
	return &listDataSource{kit.DataSourceBase{Kind: "branches"}}
}

// Schema describes neon_branches.
func (d *listDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The branches of a project, the one that changed last first. A branch is listed when it passes all filters.",
		Attributes: map[string]schema.Attribute{
			"project_id": schema.StringAttribute{
				MarkdownDescription: "Id of the project.", Required: true, Validators: kit.IDValidators(),
			},
			"search": schema.StringAttribute{
				MarkdownDescription: "A part of the name or the id, which the platform looks for. Must not be empty. By default all " +
					"branches are listed.",
				Optional:   true,
				Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"name_prefix": schema.StringAttribute{
				MarkdownDescription: "What the names must begin with. Must not be empty. By default any names are listed.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"parent_id": schema.StringAttribute{
				MarkdownDescription: "Id of the branch whose children are listed. By default those of all branches.",
				Optional:            true,
				Validators:          kit.IDValidators(),
			},
			"protected": schema.BoolAttribute{
				MarkdownDescription: "Whether to list the protected branches alone (`true`) or the others alone (`false`). By default both.",
				Optional:            true,
			},
			"current_state": schema.StringAttribute{
				MarkdownDescription: "The state that branches must have, such as `ready` or `archived`, in the platform's spelling. By " +
					"default any.",
				Optional:   true,
				Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"branches": schema.ListNestedAttribute{
				MarkdownDescription: "The branches.",
				Computed:            true,
				NestedObject:        schema.NestedAttributeObject{Attributes: listedAttributes()},
			},
		},
	}
}

func listedAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":               kit.ListedString("Id of the branch."),
		"project_id":       kit.ListedString("Id of the project."),
		"name":             kit.ListedString("Name of the branch."),
		"parent_id":        kit.ListedString("Id of its present parent, which Neon changes when a parent is restored; null for a root branch."),
		"parent_lsn":       kit.ListedString("Position in the parent's log at which the branch begins; null where the platform tells none."),
		"parent_timestamp": kit.ListedTime("Moment of the parent's history at which the branch begins, in RFC 3339; null where the platform tells none."),
		"init_source":      kit.ListedString("What it was made with: `parent-data` or `schema-only`."),
		"current_state":    kit.ListedString("State when it was read, such as `init`, `ready` or `archived`."),
		"default": schema.BoolAttribute{
			MarkdownDescription: "Whether this is the project's default branch.", Computed: true,
		},
		"protected": schema.BoolAttribute{
			MarkdownDescription: "Whether the platform refuses to delete the branch.", Computed: true,
		},
		"expires_at": kit.ListedTime("When the platform deletes the branch by itself, in RFC 3339; null where it doesn't."),
		"created_at": kit.ListedTime("When the branch was made, in RFC 3339."),
		"updated_at": kit.ListedTime("When the branch last changed, in RFC 3339."),
	}
}

type branchesModel struct {
	ProjectID    types.String   `tfsdk:"project_id"`
	Search       types.String   `tfsdk:"search"`
	NamePrefix   types.String   `tfsdk:"name_prefix"`
	ParentID     types.String   `tfsdk:"parent_id"`
	Protected    types.Bool     `tfsdk:"protected"`
	CurrentState types.String   `tfsdk:"current_state"`
	Branches     []listedBranch `tfsdk:"branches"`
}

// wants tells whether a branch passes the filters that the platform doesn't have.
func (m branchesModel) wants(branch client.Branch) bool {
	return strings.HasPrefix(branch.Name, m.NamePrefix.ValueString()) &&
		(m.ParentID.IsNull() || m.ParentID.ValueString() == branch.ParentID) &&
		(m.Protected.IsNull() || m.Protected.ValueBool() == branch.Protected) &&
		(m.CurrentState.IsNull() || m.CurrentState.ValueString() == branch.CurrentState)
}

// listedBranch is a branch as both data sources have it.
type listedBranch struct {
	attributes

	UpdatedAt timetypes.RFC3339 `tfsdk:"updated_at"`
}

func newListedBranch(branch *client.Branch) listedBranch {
	return listedBranch{newAttributes(branch), kit.OptionalTime(&branch.UpdatedAt)}
}

// Read walks all pages.
func (d *listDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model branchesModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	api := d.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	model.Branches = []listedBranch{}
	query := client.BranchQuery{Search: model.Search.ValueString()}
	for branch, err := range api.Branches(ctx, model.ProjectID.ValueString(), query) {
		if err != nil {
			kit.AddError(&resp.Diagnostics, "Unable to list branches", err)
			return
		}
		if model.wants(branch) {
			model.Branches = append(model.Branches, newListedBranch(&branch))
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}
