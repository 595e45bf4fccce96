package operation

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ datasource.DataSourceWithConfigure = (*operationsDataSource)(nil)

// operationsDataSource is neon_operations: what the platform did, and is doing,
// in a project.
type operationsDataSource struct {
	kit.DataSourceBase
}

func NewListDataSource() datasource.DataSource {
	return &operationsDataSource{kit.DataSourceBase{Kind: "operations"}}
}

// Schema describes neon_operations.
func (d *operationsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The operations of a project: asynchronous work that users or the platform itself have started. Newest " +
			"first. The platform may have removed those older than six months.",
		Attributes: map[string]schema.Attribute{
			"project_id": schema.StringAttribute{
				MarkdownDescription: "Id of the project.",
				Required:            true,
				Validators:          kit.IDValidators(),
			},
			"branch_id": schema.StringAttribute{
				MarkdownDescription: "Only operations that concern this branch. By default those of all branches.",
				Optional:            true,
				Validators:          kit.IDValidators(),
			},
			"endpoint_id": schema.StringAttribute{
				MarkdownDescription: "Only operations that concern this compute endpoint. By default those of all endpoints.",
				Optional:            true,
				Validators:          kit.IDValidators(),
			},
			"actions": textsAttribute("Only operations of these actions, such as `create_branch` or `start_compute`. By default all. " +
				"At least one, in the platform's spelling."),
			"statuses": textsAttribute("Only operations with these statuses: `scheduling`, `running`, `finished`, `failed`, `error`, " +
				"`cancelling`, `cancelled`, `skipped`, or another that the platform knows. By default all. At least one."),
			"max_results": schema.Int64Attribute{
				MarkdownDescription: "The most operations to give, 1 or more, counted after the other filters. By default all.",
				Optional:            true,
				Validators:          []validator.Int64{int64validator.AtLeast(1)},
			},
			"operations": schema.ListNestedAttribute{
				MarkdownDescription: "The operations, newest first.",
				Computed:            true,
				NestedObject:        schema.NestedAttributeObject{Attributes: operationAttributes()},
			},
		},
	}
}

// textsAttribute is a filter by any of some words. The platform may add words,
// so they aren't checked.
func textsAttribute(text string) schema.Attribute {
	return schema.SetAttribute{
		MarkdownDescription: text,
		Optional:            true,
		ElementType:         types.StringType,
		Validators: []validator.Set{
			setvalidator.SizeAtLeast(1), setvalidator.NoNullValues(), setvalidator.ValueStringsAre(stringvalidator.LengthAtLeast(1)),
		},
	}
}

func operationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":          kit.ListedString("Id of the operation, a UUID."),
		"project_id":  kit.ListedString("Id of the project."),
		"branch_id":   kit.ListedString("Id of the branch; null where none is concerned."),
		"endpoint_id": kit.ListedString("Id of the compute endpoint; null where none is concerned."),
		"action":      kit.ListedString("What is done, such as `create_branch`."),
		"status":      kit.ListedString("How far it is, such as `running` or `finished`."),
		"failures_count": schema.Int64Attribute{
			MarkdownDescription: "How many attempts have failed.", Computed: true,
		},
		"error":      kit.ListedString("What the platform says about a failure; null where it says nothing."),
		"created_at": kit.ListedTime("When the operation was started, in RFC 3339."),
		"updated_at": kit.ListedTime("When the operation last changed, in RFC 3339."),
		"total_duration_ms": schema.Int64Attribute{
			MarkdownDescription: "How long the operation has taken, in milliseconds.", Computed: true,
		},
	}
}

type operationsModel struct {
	ProjectID  types.String     `tfsdk:"project_id"`
	BranchID   types.String     `tfsdk:"branch_id"`
	EndpointID types.String     `tfsdk:"endpoint_id"`
	Actions    []string         `tfsdk:"actions"`
	Statuses   []string         `tfsdk:"statuses"`
	MaxResults types.Int64      `tfsdk:"max_results"`
	Operations []operationModel `tfsdk:"operations"`
}

// wants tells whether an operation passes all filters.
func (m operationsModel) wants(operation client.Operation) bool {
	return (m.BranchID.IsNull() || m.BranchID.ValueString() == operation.BranchID) &&
		(m.EndpointID.IsNull() || m.EndpointID.ValueString() == operation.EndpointID) &&
		(len(m.Actions) == 0 || slices.Contains(m.Actions, operation.Action)) &&
		(len(m.Statuses) == 0 || slices.Contains(m.Statuses, operation.Status))
}

func (m operationsModel) full() bool {
	return !m.MaxResults.IsNull() && int64(len(m.Operations)) >= m.MaxResults.ValueInt64()
}

type operationModel struct {
	ID              types.String      `tfsdk:"id"`
	ProjectID       types.String      `tfsdk:"project_id"`
	BranchID        types.String      `tfsdk:"branch_id"`
	EndpointID      types.String      `tfsdk:"endpoint_id"`
	Action          types.String      `tfsdk:"action"`
	Status          types.String      `tfsdk:"status"`
	FailuresCount   types.Int64       `tfsdk:"failures_count"`
	Error           types.String      `tfsdk:"error"`
	CreatedAt       timetypes.RFC3339 `tfsdk:"created_at"`
	UpdatedAt       timetypes.RFC3339 `tfsdk:"updated_at"`
	TotalDurationMS types.Int64       `tfsdk:"total_duration_ms"`
}

func operationModelFrom(operation client.Operation) operationModel {
	return operationModel{
		ID:              types.StringValue(operation.ID),
		ProjectID:       types.StringValue(operation.ProjectID),
		BranchID:        kit.OptionalString(operation.BranchID),
		EndpointID:      kit.OptionalString(operation.EndpointID),
		Action:          types.StringValue(operation.Action),
		Status:          types.StringValue(operation.Status),
		FailuresCount:   types.Int64Value(operation.FailuresCount),
		Error:           kit.OptionalString(operation.Error),
		CreatedAt:       kit.OptionalTime(&operation.CreatedAt),
		UpdatedAt:       kit.OptionalTime(&operation.UpdatedAt),
		TotalDurationMS: types.Int64Value(operation.TotalDurationMS),
	}
}

// Read walks the pages until there are enough operations.
func (d *operationsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model operationsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	api := d.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	model.Operations = []operationModel{}
	for operation, err := range api.Operations(ctx, model.ProjectID.ValueString()) {
		if err != nil {
			kit.AddError(&resp.Diagnostics, "Unable to list operations", err)
			return
		}
		if !model.wants(operation) {
			continue
		}
		model.Operations = append(model.Operations, operationModelFrom(operation))
		if model.full() {
			break
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}
