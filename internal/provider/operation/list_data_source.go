package operation

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_operations: what Neon did, and is doing, in a project.
func NewListDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[listModel]{
		Name: "operations",
		Schema: schema.Schema{
			MarkdownDescription: "The operations of a project: asynchronous work that users or Neon itself have " +
				"started. Newest first. Neon may have removed those older than six months.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.RequiredID("Id of the project."),
				"branch_id":  kit.OptionalID("Only operations that concern this branch. By default those of all branches."),
				"endpoint_id": kit.OptionalID("Only operations that concern this compute endpoint. By default those of all " +
					"endpoints."),
				"actions": anyOf("Only operations of these actions, such as `create_branch` or `start_compute`. By default all. " +
					"At least one, in Neon's spelling."),
				"statuses": anyOf("Only operations with these statuses: `scheduling`, `running`, `finished`, `failed`, `error`, " +
					"`cancelling`, `cancelled`, `skipped`, or another that Neon knows. By default all. At least one."),
				"max_results": schema.Int64Attribute{
					MarkdownDescription: "The most operations to return, 1 or more, counted after the other filters. By default all.",
					Optional:            true,
					Validators:          []validator.Int64{int64validator.AtLeast(1)},
				},
				"operations": kit.ReturnedObjects("The operations, newest first.", operationAttributes()),
			},
		},
		Read: list,
	})
}

// anyOf is a filter by some words. They aren't checked, since Neon may add some.
func anyOf(text string) schema.Attribute {
	return schema.SetAttribute{
		MarkdownDescription: text,
		Optional:            true,
		ElementType:         types.StringType,
		Validators: []validator.Set{
			setvalidator.SizeAtLeast(1), kit.NoNulls{}, setvalidator.ValueStringsAre(kit.NotEmpty()...),
		},
	}
}

func operationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":                kit.ReturnedString("Id of the operation, a UUID."),
		"project_id":        kit.ReturnedString("Id of the project."),
		"branch_id":         kit.ReturnedString("Id of the branch; null if the operation concerns none."),
		"endpoint_id":       kit.ReturnedString("Id of the compute endpoint; null if the operation concerns none."),
		"action":            kit.ReturnedString("Kind of work, such as `create_branch`."),
		"status":            kit.ReturnedString("Status, such as `running` or `finished`."),
		"failures_count":    kit.ReturnedInt("How many attempts have failed."),
		"error":             kit.ReturnedString("What Neon says about a failure; null if it says nothing."),
		"created_at":        kit.ReturnedTime("When the operation was started."),
		"updated_at":        kit.ReturnedTime("When the operation last changed."),
		"total_duration_ms": kit.ReturnedInt("How long the operation has taken, in milliseconds."),
	}
}

type listModel struct {
	ProjectID  types.String     `tfsdk:"project_id"`
	BranchID   types.String     `tfsdk:"branch_id"`
	EndpointID types.String     `tfsdk:"endpoint_id"`
	Actions    []string         `tfsdk:"actions"`
	Statuses   []string         `tfsdk:"statuses"`
	MaxResults types.Int64      `tfsdk:"max_results"`
	Operations []operationModel `tfsdk:"operations"`
}

// wants reports whether an operation passes all filters.
func (m listModel) wants(operation client.Operation) bool {
	return (m.BranchID.IsNull() || m.BranchID.ValueString() == operation.BranchID) &&
		(m.EndpointID.IsNull() || m.EndpointID.ValueString() == operation.EndpointID) &&
		(len(m.Actions) == 0 || slices.Contains(m.Actions, operation.Action)) &&
		(len(m.Statuses) == 0 || slices.Contains(m.Statuses, operation.Status))
}

func (m listModel) full() bool {
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

func newModel(operation client.Operation) operationModel {
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

// list walks the pages until there are enough operations.
func list(ctx context.Context, platform *kit.Platform, model *listModel, diags *diag.Diagnostics) {
	model.Operations = []operationModel{}
	for operation, err := range platform.Client.ListOperations(ctx, model.ProjectID.ValueString()) {
		if err != nil {
			kit.AddListError(diags, "Unable to list operations", err)
			return
		}
		if !model.wants(operation) {
			continue
		}
		model.Operations = append(model.Operations, newModel(operation))
		if model.full() {
			return
		}
	}
}
