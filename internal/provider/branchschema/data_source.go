// Package branchschema is the schema of a database on a branch: its tables and all else that
// it has but rows, and how that differs from another branch.
package branchschema

import (
	"context"
	"maps"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	databaseText = "Name of the database."
)

// NewDataSource returns neon_branch_schema: what a database has.
func NewDataSource() datasource.DataSource {
	attributes := momentAttributes("", "the branch's")
	attributes["project_id"] = kit.RequiredID(kit.ProjectText)
	attributes["branch_id"] = kit.RequiredID("Id of the branch.")
	attributes["database_name"] = kit.RequiredText(databaseText)
	attributes["sql"] = kit.ReturnedString("The statements that create the schema, as `pg_dump --schema-only` " +
		"writes them.")
	attributes["json"] = kit.ReturnedString("The tables with their columns and constraints, as JSON, for `jsondecode`.")
	return kit.NewDataSource(kit.DataSource[schemaModel]{
		Name: "branch_schema",
		Schema: schema.Schema{
			MarkdownDescription: "The schema of a database on a branch, as SQL and as JSON. Reading it sends two requests and " +
				"may start the branch's compute.",
			Attributes: attributes,
		},
		Read: readSchema,
	})
}

// NewDiffDataSource returns neon_schema_diff: what a branch changes in a schema.
func NewDiffDataSource() datasource.DataSource {
	attributes := momentAttributes("", "the branch's")
	maps.Copy(attributes, momentAttributes("base_", "the base's"))
	attributes["project_id"] = kit.RequiredID(kit.ProjectText)
	attributes["branch_id"] = kit.RequiredID("Id of the branch whose changes are wanted.")
	attributes["base_branch_id"] = kit.RequiredID("Id of the branch to compare with, such as the parent; it may be the " +
		"same branch at another moment.")
	attributes["database_name"] = kit.RequiredText(databaseText + " Both branches must have it.")
	attributes["diff"] = kit.ReturnedString("The changes that lead from the base to the branch, in the format of `diff " +
		"-u`; empty for none.")
	attributes["changed"] = kit.ReturnedBool("Whether the schemas differ.")
	return kit.NewDataSource(kit.DataSource[diffModel]{
		Name: "schema_diff",
		Schema: schema.Schema{
			MarkdownDescription: "How the schema of a database on a branch differs from that on another, such as what a pull " +
				"request changes. Reading it may start the branches' computes.",
			Attributes: attributes,
		},
		Read: readDiff,
	})
}

// momentAttributes are those of a moment in a branch's history.
func momentAttributes(prefix, whose string) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		prefix + "lsn": kit.OptionalText("Position in "+whose+" log to read the schema at, such as `0/1E88480`. Conflicts "+
			"with `"+prefix+"timestamp`. Defaults to the current schema.",
			append(kit.LSNValidators(), stringvalidator.ConflictsWith(path.MatchRoot(prefix+"timestamp")))...),
		prefix + "timestamp": schema.StringAttribute{
			CustomType: timetypes.RFC3339Type{},
			MarkdownDescription: "Time in " + whose + " history to read the schema at, in RFC 3339. Conflicts with `" + prefix +
				"lsn`. Defaults to the current schema.",
			Optional:   true,
			Validators: []validator.String{stringvalidator.ConflictsWith(path.MatchRoot(prefix + "lsn"))},
		},
	}
}

type momentModel struct {
	LSN       types.String      `tfsdk:"lsn"`
	Timestamp timetypes.RFC3339 `tfsdk:"timestamp"`
}

func (m momentModel) moment() client.SchemaMoment {
	return client.SchemaMoment{LSN: m.LSN.ValueString(), Timestamp: kit.Instant(m.Timestamp)}
}

type schemaModel struct {
	kit.InBranch
	momentModel

	DatabaseName types.String `tfsdk:"database_name"`
	SQL          types.String `tfsdk:"sql"`
	JSON         types.String `tfsdk:"json"`
}

func readSchema(ctx context.Context, run kit.Run, m *schemaModel) {
	if run.CheckPast(ctx, "timestamp", m.Timestamp, run.Diags); run.Diags.HasError() {
		return
	}
	api := run.API
	branch := m.Branch()
	sql, err := api.GetBranchSchemaSQL(ctx, branch, m.DatabaseName.ValueString(), m.moment())
	if err != nil {
		kit.AddListError(run.Diags, "Unable to read branch schema", err)
		return
	}
	tables, err := api.GetBranchSchemaJSON(ctx, branch, m.DatabaseName.ValueString(), m.moment())
	if err != nil {
		kit.AddListError(run.Diags, "Unable to read branch schema", err)
		return
	}
	m.SQL, m.JSON = types.StringValue(sql), types.StringValue(string(tables))
}

type diffModel struct {
	kit.InBranch
	momentModel

	BaseBranchID  types.String      `tfsdk:"base_branch_id"`
	BaseLSN       types.String      `tfsdk:"base_lsn"`
	BaseTimestamp timetypes.RFC3339 `tfsdk:"base_timestamp"`
	DatabaseName  types.String      `tfsdk:"database_name"`
	Diff          types.String      `tfsdk:"diff"`
	Changed       types.Bool        `tfsdk:"changed"`
}

func readDiff(ctx context.Context, run kit.Run, m *diffModel) {
	run.CheckPast(ctx, "timestamp", m.Timestamp, run.Diags)
	run.CheckPast(ctx, "base_timestamp", m.BaseTimestamp, run.Diags)
	if run.Diags.HasError() {
		return
	}
	branch := m.Branch()
	diff, err := run.API.GetSchemaDiff(ctx, branch.ProjectID, client.SchemaComparison{
		BranchID: branch.ID, Database: m.DatabaseName.ValueString(), At: m.moment(),
		BaseBranchID: m.BaseBranchID.ValueString(),
		BaseAt:       momentModel{m.BaseLSN, m.BaseTimestamp}.moment(),
	})
	if client.HasStatus(err, http.StatusNotFound) && !m.BaseBranchID.Equal(m.BranchID) {
		base := client.BranchRef{ProjectID: branch.ProjectID, ID: m.BaseBranchID.ValueString()}
		if _, baseErr := run.API.GetBranch(ctx, base); client.IsAbsent(baseErr) {
			kit.AddAttributeError(run.Diags, path.Root("base_branch_id"), "No such base branch", baseErr)
			return
		}
	}
	if err != nil {
		kit.AddListError(run.Diags, "Unable to compare schemas", err)
		return
	}
	m.Diff, m.Changed = types.StringValue(diff), types.BoolValue(diff != "")
}
