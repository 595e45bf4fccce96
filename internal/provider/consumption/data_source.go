// Package consumption is what projects and branches have used, as Neon bills it.
package consumption

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_consumption.
func NewDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[model]{
		Name: "consumption",
		Schema: schema.Schema{
			MarkdownDescription: "What the projects of an organization have used, or the branches of some of them, by the " +
				"hour, day or month. Neon records it on paid plans, from the day on which the organization changed to one. " +
				"Reading it starts no compute.",
			Attributes: attributes(),
		},
		Validate: validate,
		Read:     read,
	})
}

func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"org_id": kit.OrganizationID("Id of the organization. Defaults to the provider's `org_id`."),
		"from":   moment("Start of the requested time, in RFC 3339. Neon rounds it to the granularity."),
		"to":     moment("End of the requested time, in RFC 3339, after `from`. Neon rounds it to the granularity, too."),
		"granularity": kit.RequiredText("Length of each entry: `hourly`, of the last 168 hours, `daily`, of the last 60 "+
			"days, or `monthly`, of the last year.", stringvalidator.OneOf(slices.Sorted(maps.Keys(granularities))...)),
		"by_branch": kit.OptionalBool("Whether to return the consumption of each branch rather than of whole projects. " +
			"Needs `project_ids`. Neon calls this beta. Defaults to `false`."),
		"project_ids": someIDs("Ids of the projects, 1 to 100. By default all of the organization."),
		"branch_ids":  someIDs("Ids of the branches, 1 to 100, with `by_branch`. By default all of the projects."),
		"metrics": schema.SetAttribute{
			MarkdownDescription: "Metrics to return. By default all: `compute_unit_seconds`, `root_branch_bytes_month`, " +
				"`child_branch_bytes_month`, `instant_restore_bytes_month`, `public_network_transfer_bytes`, " +
				"`private_network_transfer_bytes`; and of whole projects `extra_branches_month` and " +
				"`snapshot_storage_bytes_month`. Other names are sent to Neon as they are.",
			Optional: true, ElementType: types.StringType,
			Validators: []validator.Set{setvalidator.SizeAtLeast(1), kit.NoNulls{},
				setvalidator.ValueStringsAre(kit.NotEmpty()...)},
		},
		"consumption": kit.ReturnedObjects("Consumption of each project or branch, oldest first. Hours, days or months "+
			"without any are left out.", map[string]schema.Attribute{
			"project_id": kit.ReturnedString(kit.ProjectText),
			"branch_id":  kit.ReturnedString("Id of the branch. Null for a whole project."),
			"start":      kit.ReturnedTime("When the hour, day or month begins."),
			"end":        kit.ReturnedTime("When the hour, day or month ends."),
			"metrics": schema.MapAttribute{MarkdownDescription: "The values by the names of the metrics.", Computed: true,
				ElementType: types.Int64Type},
			"period_id":    kit.ReturnedString("Id of the billing period, a UUID."),
			"period_plan":  kit.ReturnedString("Plan of the organization in the billing period."),
			"period_start": kit.ReturnedTime("When the billing period began."),
			"period_end":   kit.ReturnedTime("When the billing period ended. Null while it lasts."),
		}),
	}
}

func moment(text string) schema.Attribute {
	return schema.StringAttribute{CustomType: timetypes.RFC3339Type{}, MarkdownDescription: text, Required: true}
}

func someIDs(text string) schema.Attribute {
	return schema.SetAttribute{
		MarkdownDescription: text, Optional: true, ElementType: types.StringType,
		Validators: []validator.Set{
			setvalidator.SizeBetween(1, 100), kit.NoNulls{}, setvalidator.ValueStringsAre(kit.IDValidators()...),
		},
	}
}

type model struct {
	OrgID       types.String      `tfsdk:"org_id"`
	From        timetypes.RFC3339 `tfsdk:"from"`
	To          timetypes.RFC3339 `tfsdk:"to"`
	Granularity types.String      `tfsdk:"granularity"`
	ByBranch    types.Bool        `tfsdk:"by_branch"`
	ProjectIDs  types.Set         `tfsdk:"project_ids"`
	BranchIDs   types.Set         `tfsdk:"branch_ids"`
	Metrics     types.Set         `tfsdk:"metrics"`
	Consumption []used            `tfsdk:"consumption"`
}

type used struct {
	ProjectID   types.String      `tfsdk:"project_id"`
	BranchID    types.String      `tfsdk:"branch_id"`
	Start       timetypes.RFC3339 `tfsdk:"start"`
	End         timetypes.RFC3339 `tfsdk:"end"`
	Metrics     map[string]int64  `tfsdk:"metrics"`
	PeriodID    types.String      `tfsdk:"period_id"`
	PeriodPlan  types.String      `tfsdk:"period_plan"`
	PeriodStart timetypes.RFC3339 `tfsdk:"period_start"`
	PeriodEnd   timetypes.RFC3339 `tfsdk:"period_end"`
}

// Metrics in the description of Neon's API.
var (
	branchMetrics = []string{
		"compute_unit_seconds", "root_branch_bytes_month", "child_branch_bytes_month", "instant_restore_bytes_month",
		"public_network_transfer_bytes", "private_network_transfer_bytes",
	}
	ofProjectsAlone = []string{"extra_branches_month", "snapshot_storage_bytes_month"}
)

func read(ctx context.Context, run kit.Run, m *model) {
	m.OrgID = run.NeedOrganization(m.OrgID, run.Diags)
	if run.Diags.HasError() {
		return
	}
	m.Consumption = []used{}
	for consumption, err := range m.query(ctx, run.API) {
		if err != nil {
			kit.AddListError(run.Diags, "Unable to read consumption", err)
			return
		}
		m.Consumption = append(m.Consumption, allUsed(consumption)...)
	}
}

// query returns the configured consumption.
func (m *model) query(ctx context.Context, api *client.Client) iter.Seq2[client.Consumption, error] {
	query := client.ConsumptionQuery{
		OrgID: m.OrgID.ValueString(), Granularity: m.Granularity.ValueString(),
		From: *kit.Instant(m.From), To: *kit.Instant(m.To),
		ProjectIDs: kit.Texts(m.ProjectIDs.Elements()), BranchIDs: kit.Texts(m.BranchIDs.Elements()),
		Metrics: kit.Texts(m.Metrics.Elements()),
	}
	list, standard := api.ListProjectConsumption, slices.Concat(branchMetrics, ofProjectsAlone)
	if m.ByBranch.ValueBool() {
		list, standard = api.ListBranchConsumption, branchMetrics
	}
	if len(query.Metrics) == 0 {
		query.Metrics = standard
	}
	return list(ctx, query)
}

// allUsed returns an element for each hour, day or month.
func allUsed(consumption client.Consumption) []used {
	var all []used
	for _, period := range consumption.Periods {
		for _, timeframe := range period.Timeframes {
			metrics := map[string]int64{}
			for _, metric := range timeframe.Metrics {
				metrics[metric.Name] = metric.Value
			}
			all = append(all, used{
				ProjectID: types.StringValue(consumption.ProjectID), BranchID: kit.OptionalString(consumption.BranchID),
				Start: kit.OptionalTime(&timeframe.Start), End: kit.OptionalTime(&timeframe.End), Metrics: metrics,
				PeriodID: types.StringValue(period.ID), PeriodPlan: types.StringValue(period.Plan),
				PeriodStart: kit.OptionalTime(&period.Start), PeriodEnd: kit.OptionalTime(period.End),
			})
		}
	}
	return all
}
