// Package advisor is what Neon's advisors find in a database: gaps in its security, and what
// makes it slow.
package advisor

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_advisor_issues: what is to be mended in a database.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.AdvisorIssue, issue]{
		Name: "advisor_issues", Called: "the advisors' issues", Attribute: "issues", Objects: "The issues, in Neon's order.",
		Model: newIssue,
		Text: "What Neon's advisors find in a database: gaps in its security, and what makes it slow. A `check` block " +
			"can warn of them in each plan. Neon has advisors for databases with the Data API alone, and calls them an early " +
			"preview.",
		Schema: map[string]schema.Attribute{
			"name":   kit.ReturnedString("Name of the rule that is broken, such as `rls_disabled_in_public`."),
			"title":  kit.ReturnedString("The rule in words."),
			"level":  kit.ReturnedString("How bad it is: `INFO`, `WARN` or `ERROR`."),
			"facing": kit.ReturnedString("`EXTERNAL` for what clients of the database can meet, else `INTERNAL`."),
			"categories": schema.ListAttribute{MarkdownDescription: "The categories, such as `SECURITY`.",
				ElementType: types.StringType, Computed: true},
			"description": kit.ReturnedString("What the rule is for."),
			"detail":      kit.ReturnedString("What breaks it."),
			"remediation": kit.ReturnedString("Address of a page that says how to mend it."),
			"metadata":    kit.ReturnedString("What the issue is about, as JSON: `jsondecode` reads it."),
			"cache_key":   kit.ReturnedString("What tells this issue from others, and stays the same as long as it is there."),
		},
	}, map[string]schema.Attribute{
		"project_id":    kit.RequiredID("Id of the project."),
		"branch_id":     kit.OptionalID("Id of the branch. Without it, Neon looks at the default branch."),
		"database_name": kit.OptionalText("Name of the database. Needed where the branch has several."),
		"category":      oneOf("Only issues of this category: `SECURITY` or `PERFORMANCE`.", "SECURITY", "PERFORMANCE"),
		"min_severity": oneOf("Only issues of this level or a higher one: `INFO`, `WARN` or `ERROR`.", "INFO", "WARN",
			"ERROR"),
	}, func(
		ctx context.Context, platform *kit.Platform, m *listModel, _ *diag.Diagnostics,
	) iter.Seq2[client.AdvisorIssue, error] {
		return platform.Client.ListAdvisorIssues(ctx, m.ProjectID.ValueString(), client.AdvisorQuery{
			BranchID: m.BranchID.ValueString(), DatabaseName: m.DatabaseName.ValueString(),
			Category: m.Category.ValueString(), MinSeverity: m.MinSeverity.ValueString(),
		})
	})
}

func oneOf(text string, values ...string) schema.Attribute {
	return schema.StringAttribute{MarkdownDescription: text, Optional: true,
		Validators: []validator.String{stringvalidator.OneOf(values...)}}
}

type listModel struct {
	ProjectID    types.String `tfsdk:"project_id"`
	BranchID     types.String `tfsdk:"branch_id"`
	DatabaseName types.String `tfsdk:"database_name"`
	Category     types.String `tfsdk:"category"`
	MinSeverity  types.String `tfsdk:"min_severity"`
}

type issue struct {
	Name        types.String   `tfsdk:"name"`
	Title       types.String   `tfsdk:"title"`
	Level       types.String   `tfsdk:"level"`
	Facing      types.String   `tfsdk:"facing"`
	Categories  []types.String `tfsdk:"categories"`
	Description types.String   `tfsdk:"description"`
	Detail      types.String   `tfsdk:"detail"`
	Remediation types.String   `tfsdk:"remediation"`
	Metadata    types.String   `tfsdk:"metadata"`
	CacheKey    types.String   `tfsdk:"cache_key"`
}

func newIssue(found client.AdvisorIssue) issue {
	categories := make([]types.String, len(found.Categories))
	for i, category := range found.Categories {
		categories[i] = types.StringValue(category)
	}
	return issue{
		Name: types.StringValue(found.Name), Title: types.StringValue(found.Title), Level: types.StringValue(found.Level),
		Facing: kit.OptionalString(found.Facing), Categories: categories, Description: kit.OptionalString(found.Description),
		Detail: kit.OptionalString(found.Detail), Remediation: kit.OptionalString(found.Remediation),
		Metadata: kit.OptionalString(string(found.Metadata)), CacheKey: types.StringValue(found.CacheKey),
	}
}
