package branch

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// standardMost is the most branches that an invocation deletes where nothing is configured.
const standardMost = 100

// NewDeleteStaleAction returns the action neon_delete_stale_branches.
func NewDeleteStaleAction() action.Action {
	attributes := map[string]schema.Attribute{
		"keep": schema.SetAttribute{
			MarkdownDescription: "Names or ids of branches that stay, whatever else is true of them. `*` stands for any " +
				"characters, as in `backup-*`. Name here what Terraform manages, which the next apply would create again.",
			ElementType: types.StringType, Optional: true,
			Validators: []validator.Set{kit.NoNulls{}, setvalidator.ValueStringsAre(kit.NotEmpty()...)},
		},
		"at_most": schema.Int64Attribute{
			MarkdownDescription: "How many branches may be deleted at most. If more are found, that is an error, also in a " +
				"dry run, and none is deleted. Defaults to `100`.",
			Optional: true, Validators: []validator.Int64{int64validator.AtLeast(1)},
		},
		"dry_run": schema.BoolAttribute{
			MarkdownDescription: "Whether to only name what would be deleted. Set it to `false` to delete. Defaults " +
				"to `true`.", Optional: true,
		},
	}
	given := withFilters(map[string]datasource.Attribute{"project_id": kit.RequiredID(kit.ProjectText)})
	given["without_children"] = kit.OptionalBool("Whether to say nothing of branches that are the parent of another, " +
		"which stay in any case. Defaults to `false`.")
	for name, attribute := range given {
		attributes[name] = attribute
	}
	return kit.NewAction(kit.Action[staleModel]{
		Name: "delete_stale_branches",
		Description: "Deletes a project's branches that pass all filters, oldest first, with their data and endpoints. " +
			"**It only names them, unless `dry_run` is `false`.** It never deletes the default branch, a protected one, the " +
			"parent of another, one whose compute is active, one that is being created or changed, or a restored snapshot " +
			"that `neon_finalize_branch_restore` hasn't put into its place yet. It looks at each again right before it " +
			"deletes it, and says which branches stay, and why. One of `older_than`, `idle_for` and `name_prefix` is needed. " +
			"A deleted branch can't be brought back.",
		Attributes: attributes,
		Validate:   staleModel.validate,
		Plan: func(ctx context.Context, run kit.Run, config staleModel) {
			if kit.IsSet(config.ProjectID) {
				run.CheckProject(ctx, config.ProjectID.ValueString(), run.Diags)
			}
		},
		Invoke: deleteStale,
		Deletes: func(config staleModel) string {
			if config.onlyNames() {
				return ""
			}
			return "branch"
		},
	})
}

type staleModel struct {
	filters
	kit.Invocation

	ProjectID types.String `tfsdk:"project_id"`
	Keep      types.Set    `tfsdk:"keep"`
	AtMost    types.Int64  `tfsdk:"at_most"`
	DryRun    types.Bool   `tfsdk:"dry_run"`
}

func (m staleModel) validate(diags *diag.Diagnostics) {
	if m.OlderThan.IsNull() && m.IdleFor.IsNull() && m.NamePrefix.IsNull() {
		diags.AddError("No filter", "Without a filter each branch of the project would be stale. Set older_than, idle_for "+
			"or name_prefix, or several of them.")
	}
}

// onlyNames reports whether nothing is deleted. What isn't known yet is asked again before the invocation.
func (m staleModel) onlyNames() bool { return !kit.IsSet(m.DryRun) || m.DryRun.ValueBool() }

func (m staleModel) most() int {
	if kit.IsSet(m.AtMost) {
		return int(m.AtMost.ValueInt64())
	}
	return standardMost
}

// keeps reports whether a branch is one that stays by its name or id.
func (m staleModel) keeps(names ...string) bool {
	for _, element := range m.Keep.Elements() {
		pattern, _ := element.(types.String)
		for _, name := range names {
			if matches(name, pattern.ValueString()) {
				return true
			}
		}
	}
	return false
}

// matches reports whether a text is as a pattern, in which * stands for any characters.
func matches(text, pattern string) bool {
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	rest, begins := strings.CutPrefix(text, parts[0])
	if last == 0 || !begins {
		return begins && rest == ""
	}
	for _, part := range parts[1:last] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, parts[last])
}
