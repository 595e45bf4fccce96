package operation

import (
	"context"
	"iter"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_operations: what Neon did, and is doing, in a project.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.Operation]{
		Name: "operations", Objects: "The operations, newest first.", Returns: returned,
		Text: "The operations of a project: asynchronous work that users or Neon itself have started. Newest first. Neon " +
			"may have removed those older than six months.",
	}, map[string]schema.Attribute{
		"project_id": kit.RequiredID(kit.ProjectText),
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
	}, list)
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

func returned(operation client.Operation) kit.Returned {
	return kit.Returned{
		"id":         kit.Returns("Id of the operation, a UUID.", types.StringValue(operation.ID)),
		"project_id": kit.Returns(kit.ProjectText, types.StringValue(operation.ProjectID)),
		"branch_id": kit.Returns("Id of the branch; null if the operation concerns none.",
			kit.OptionalString(operation.BranchID)),
		"endpoint_id": kit.Returns("Id of the compute endpoint; null if the operation concerns none.",
			kit.OptionalString(operation.EndpointID)),
		"action":         kit.Returns("Kind of work, such as `create_branch`.", types.StringValue(operation.Action)),
		"status":         kit.Returns("Status, such as `running` or `finished`.", types.StringValue(operation.Status)),
		"failures_count": kit.Returns("How many attempts have failed.", types.Int64Value(operation.FailuresCount)),
		"error": kit.Returns("What Neon says about a failure; null if it says nothing.",
			kit.OptionalString(operation.Error)),
		"created_at": kit.Returns("When the operation was started.", kit.OptionalTime(&operation.CreatedAt)),
		"updated_at": kit.Returns("When the operation last changed.", kit.OptionalTime(&operation.UpdatedAt)),
		"total_duration_ms": kit.Returns("How long the operation has taken, in milliseconds.",
			types.Int64Value(operation.TotalDurationMS)),
	}
}

type listModel struct {
	ProjectID  types.String `tfsdk:"project_id"`
	BranchID   types.String `tfsdk:"branch_id"`
	EndpointID types.String `tfsdk:"endpoint_id"`
	Actions    []string     `tfsdk:"actions"`
	Statuses   []string     `tfsdk:"statuses"`
	MaxResults types.Int64  `tfsdk:"max_results"`
}

// wants reports whether an operation passes all filters.
func (m listModel) wants(operation client.Operation) bool {
	return (m.BranchID.IsNull() || m.BranchID.ValueString() == operation.BranchID) &&
		(m.EndpointID.IsNull() || m.EndpointID.ValueString() == operation.EndpointID) &&
		(len(m.Actions) == 0 || slices.Contains(m.Actions, operation.Action)) &&
		(len(m.Statuses) == 0 || slices.Contains(m.Statuses, operation.Status))
}

// list walks the pages until there are enough operations.
func list(ctx context.Context, run kit.Run, in *listModel) iter.Seq2[client.Operation, error] {
	wanted := kit.Only(run.API.ListOperations(ctx, in.ProjectID.ValueString()), in.wants)
	if in.MaxResults.IsNull() {
		return wanted
	}
	return func(yield func(client.Operation, error) bool) {
		left := in.MaxResults.ValueInt64()
		for operation, err := range wanted {
			if left--; !yield(operation, err) || left == 0 {
				return
			}
		}
	}
}
