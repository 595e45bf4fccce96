// Package advisor is what Neon's advisors find in a database: gaps in its security, and what
// makes it slow.
package advisor

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_advisor_issues: what is to be mended in a database.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.AdvisorIssue]{
		Name: "advisor_issues", Called: "the advisors' issues", Attribute: "issues", Objects: "The issues, in Neon's order.",
		Returns: returned,
		Text: "What Neon's advisors find in a database: gaps in its security, and what makes it slow. A `check` block " +
			"can warn of them in each plan. Neon has advisors for databases with the Data API alone, and calls them an early " +
			"preview.",
	}, map[string]schema.Attribute{
		"project_id":    kit.RequiredID(kit.ProjectText),
		"branch_id":     kit.OptionalID("Id of the branch. Without it, Neon looks at the default branch."),
		"database_name": kit.OptionalText("Name of the database. Needed where the branch has several."),
		"category":      oneOf("Only issues of this category: `SECURITY` or `PERFORMANCE`.", "SECURITY", "PERFORMANCE"),
		"min_severity": oneOf("Only issues of this level or a higher one: `INFO`, `WARN` or `ERROR`.", "INFO", "WARN",
			"ERROR"),
	}, func(ctx context.Context, run kit.Run, m *listModel) iter.Seq2[client.AdvisorIssue, error] {
		return run.API.ListAdvisorIssues(ctx, m.ProjectID.ValueString(), client.AdvisorQuery{
			BranchID: m.BranchID.ValueString(), DatabaseName: m.DatabaseName.ValueString(),
			Category: m.Category.ValueString(), MinSeverity: m.MinSeverity.ValueString(),
		})
	})
}

func oneOf(text string, values ...string) schema.Attribute {
	return kit.OptionalText(text, stringvalidator.OneOf(values...))
}

type listModel struct {
	ProjectID    types.String `tfsdk:"project_id"`
	BranchID     types.String `tfsdk:"branch_id"`
	DatabaseName types.String `tfsdk:"database_name"`
	Category     types.String `tfsdk:"category"`
	MinSeverity  types.String `tfsdk:"min_severity"`
}

func returned(found client.AdvisorIssue) kit.Returned {
	return kit.Returned{
		"name": kit.Returns("Name of the rule that is broken, such as `rls_disabled_in_public`.",
			types.StringValue(found.Name)),
		"title": kit.Returns("The rule in words.", types.StringValue(found.Title)),
		"level": kit.Returns("How bad it is: `INFO`, `WARN` or `ERROR`.", types.StringValue(found.Level)),
		"facing": kit.Returns("`EXTERNAL` for what clients of the database can meet, else `INTERNAL`.",
			kit.OptionalString(found.Facing)),
		"categories": kit.Returns("The categories, such as `SECURITY`.",
			types.ListValueMust(types.StringType, kit.Elements(found.Categories))),
		"description": kit.Returns("What the rule is for.", kit.OptionalString(found.Description)),
		"detail":      kit.Returns("What breaks it.", kit.OptionalString(found.Detail)),
		"remediation": kit.Returns("Address of a page that says how to mend it.", kit.OptionalString(found.Remediation)),
		"metadata": kit.Returns("What the issue is about, as JSON: `jsondecode` reads it.",
			kit.OptionalString(string(found.Metadata))),
		"cache_key": kit.Returns("What tells this issue from others, and stays the same as long as it is there.",
			types.StringValue(found.CacheKey)),
	}
}
