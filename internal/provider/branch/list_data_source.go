package branch

import (
	"context"
	"iter"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns the data source neon_branches: the branches of a project.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.FilteredBranch]{
		Name:    "branches",
		Text:    "The branches of a project, newest first. A branch is listed if it passes all filters.",
		Returns: func(branch client.FilteredBranch) kit.Returned { return returned(branch.Branch) },
	}, withFilters(map[string]schema.Attribute{
		"project_id": kit.RequiredID(kit.ProjectText),
		"search":     kit.OptionalText(searchText),
		"parent_id":  kit.OptionalID("Only children of the branch with this id."),
		"protected": kit.OptionalBool("Whether to list the protected branches alone (`true`) or the others alone " +
			"(`false`). By default both."),
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
		"without_children": kit.OptionalBool("Whether to leave out branches that are the parent of another. Defaults to " +
			"`false`."),
	})
	return attributes
}

func (f filters) filter() client.BranchFilter {
	return client.BranchFilter{
		NamePrefix: f.NamePrefix.ValueString(), OlderThan: durationOf(f.OlderThan), IdleFor: durationOf(f.IdleFor),
		WithoutChildren: f.WithoutChildren.ValueBool(),
	}
}

// returned is a branch as both data sources have it.
func returned(branch client.Branch) kit.Returned {
	m, reasons, size := newAttributes(&branch), map[string]string{}, types.Int64Null()
	for _, restricted := range branch.RestrictedActions {
		reasons[restricted.Name] = restricted.Reason
	}
	if branch.LogicalSize != 0 {
		size = types.Int64Value(branch.LogicalSize)
	}
	return kit.Returned{
		"id":         kit.Returns("Id of the branch.", m.ID),
		"project_id": kit.Returns(kit.ProjectText, m.ProjectID),
		"name":       kit.Returns("Name of the branch.", m.Name),
		"parent_id": kit.Returns("Id of its present parent, which Neon changes when a parent is restored; null for a root "+
			"branch.", m.ParentID),
		"parent_lsn": kit.Returns("Position in the parent's write-ahead log at which the branch begins; null if Neon "+
			"returns none.", m.ParentLSN),
		"parent_timestamp": kit.Returns("When the parent was last changed before the branch begins; null if Neon returns "+
			"none.", m.ParentTimestamp),
		"init_source":   kit.Returns("What it was created with, such as `parent-data` or `schema-only`.", m.InitSource),
		"current_state": kit.Returns("State when it was read, such as `init`, `ready` or `archived`.", m.CurrentState),
		"default":       kit.Returns("Whether this is the project's default branch.", m.Default),
		"protected":     kit.Returns("Whether Neon refuses to delete the branch.", m.Protected),
		"restricted_actions": kit.Returns("Why Neon refuses some actions on the branch, by their names, such as `restore` "+
			"and `delete-rw-endpoint` for an anonymized branch; empty if it refuses none.", kit.MapOf(reasons)),
		"expires_at": kit.Returns("When Neon deletes the branch by itself; null if it doesn't.", m.ExpiresAt),
		"created_at": kit.Returns("When the branch was created.", m.CreatedAt),
		"updated_at": kit.Returns("When the branch last changed.", kit.OptionalTime(&branch.UpdatedAt)),
		"logical_size": kit.Returns("Size of its data in bytes, without its history, as Neon measured it last; null if Neon "+
			"returns none, as for a branch that has just been created.", size),
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

// list walks all pages.
func list(ctx context.Context, run kit.Run, in *listModel) iter.Seq2[client.FilteredBranch, error] {
	query := client.BranchQuery{Search: in.Search.ValueString()}
	return kit.Only(run.API.ListFilteredBranches(ctx, in.ProjectID.ValueString(), query, in.filter()), in.wants)
}
