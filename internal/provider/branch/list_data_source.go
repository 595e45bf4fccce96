package branch

import (
	"context"
	"iter"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns the data source neon_branches: the branches of a project.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.FilteredBranch, listedBranch]{
		Name: "branches", Called: "branches", Attribute: "branches", Objects: "The branches.",
		Text:   "The branches of a project, the most recently changed first. A branch is listed if it passes all filters.",
		Schema: listedAttributes(),
		Model:  func(branch client.FilteredBranch) listedBranch { return newListedBranch(&branch.Branch) },
	}, withFilters(map[string]schema.Attribute{
		"project_id": kit.RequiredID("Id of the project."),
		"search":     kit.OptionalText(searchText),
		"parent_id":  kit.OptionalID("Only children of the branch with this id."),
		"protected": schema.BoolAttribute{
			MarkdownDescription: "Whether to list the protected branches alone (`true`) or the others alone (`false`). By " +
				"default both.",
			Optional: true,
		},
		"current_state": kit.OptionalText("The state that branches must have, such as `ready` or `archived`, in Neon's " +
			"spelling. By default any."),
	}), list)
}

// filters are the attributes by which any list of branches can be narrowed.
type filters struct {
	NamePrefix      types.String `tfsdk:"name_prefix"`
	OlderThan       types.String `tfsdk:"older_than"`
	IdleFor         types.String `tfsdk:"idle_for"`
	WithoutChildren types.Bool   `tfsdk:"without_children"`
}

// withFilters adds the schemas of filters.
func withFilters(attributes map[string]schema.Attribute) map[string]schema.Attribute {
	maps.Copy(attributes, map[string]schema.Attribute{
		"name_prefix": kit.OptionalText("Only branches whose names begin with this. Must not be empty."),
		"older_than":  optionalAge("Only branches that are at least this old."),
		"idle_for": optionalAge("Only branches that had no active compute for this long, and were neither created nor " +
			"reset in that time."),
		"without_children": schema.BoolAttribute{
			MarkdownDescription: "Whether to leave out branches that are the parent of another. Defaults to `false`.",
			Optional:            true,
		},
	})
	return attributes
}

func (f filters) filter() client.BranchFilter {
	return client.BranchFilter{
		NamePrefix: f.NamePrefix.ValueString(), OlderThan: durationOf(f.OlderThan), IdleFor: durationOf(f.IdleFor),
		WithoutChildren: f.WithoutChildren.ValueBool(),
	}
}

func listedAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":         kit.ReturnedString("Id of the branch."),
		"project_id": kit.ReturnedString("Id of the project."),
		"name":       kit.ReturnedString("Name of the branch."),
		"parent_id": kit.ReturnedString("Id of its present parent, which Neon changes when a parent is restored; " +
			"null for a root branch."),
		"parent_lsn": kit.ReturnedString("Position in the parent's write-ahead log at which the branch begins; null " +
			"if Neon returns none."),
		"parent_timestamp": kit.ReturnedTime("When the parent was last changed before the branch begins; null if Neon " +
			"returns none."),
		"init_source":   kit.ReturnedString("What it was created with: `parent-data` or `schema-only`."),
		"current_state": kit.ReturnedString("State when it was read, such as `init`, `ready` or `archived`."),
		"default":       kit.ReturnedBool("Whether this is the project's default branch."),
		"protected":     kit.ReturnedBool("Whether Neon refuses to delete the branch."),
		"restricted_actions": schema.MapAttribute{
			MarkdownDescription: "Why Neon refuses some actions on the branch, by their names, such as `restore` and " +
				"`delete-rw-endpoint` for an anonymized branch; empty if it refuses none.",
			Computed: true, ElementType: types.StringType,
		},
		"expires_at": kit.ReturnedTime("When Neon deletes the branch by itself; null if it doesn't."),
		"created_at": kit.ReturnedTime("When the branch was created."),
		"updated_at": kit.ReturnedTime("When the branch last changed."),
		"logical_size": kit.ReturnedInt("Size of its data in bytes, without its history, as Neon measured it last; null if " +
			"Neon returns none, as for a branch that has just been created."),
	}
}

type listModel struct {
	filters

	ProjectID    types.String `tfsdk:"project_id"`
	Search       types.String `tfsdk:"search"`
	ParentID     types.String `tfsdk:"parent_id"`
	Protected    types.Bool   `tfsdk:"protected"`
	CurrentState types.String `tfsdk:"current_state"`
}

// wants reports whether a branch passes the filters of this list alone.
func (m *listModel) wants(branch client.FilteredBranch) bool {
	return (m.ParentID.IsNull() || m.ParentID.ValueString() == branch.ParentID) &&
		(m.Protected.IsNull() || m.Protected.ValueBool() == branch.Protected) &&
		(m.CurrentState.IsNull() || m.CurrentState.ValueString() == branch.CurrentState)
}

// listedBranch is a branch as both data sources have it.
type listedBranch struct {
	attributes

	UpdatedAt         timetypes.RFC3339 `tfsdk:"updated_at"`
	LogicalSize       types.Int64       `tfsdk:"logical_size"`
	RestrictedActions types.Map         `tfsdk:"restricted_actions"`
}

func newListedBranch(branch *client.Branch) listedBranch {
	reasons := map[string]attr.Value{}
	for _, restricted := range branch.RestrictedActions {
		reasons[restricted.Name] = types.StringValue(restricted.Reason)
	}
	size := types.Int64Null()
	if branch.LogicalSize != 0 {
		size = types.Int64Value(branch.LogicalSize)
	}
	return listedBranch{newAttributes(branch), kit.OptionalTime(&branch.UpdatedAt), size,
		types.MapValueMust(types.StringType, reasons)}
}

// list walks all pages.
func list(
	ctx context.Context, platform *kit.Platform, in *listModel, _ *diag.Diagnostics,
) iter.Seq2[client.FilteredBranch, error] {
	query := client.BranchQuery{Search: in.Search.ValueString()}
	return kit.Only(platform.Client.ListFilteredBranches(ctx, in.ProjectID.ValueString(), query, in.filter()), in.wants)
}
