// Package operation is an operation: asynchronous work on a project, such as the creation
// of a branch, that users or Neon itself have started.
package operation

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/datasource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ = kit.Introduce(kit.Noun{Called: "operation", ListedBy: "operations"})

// NewDataSource returns neon_operation: one operation, and its end where that is waited for.
func NewDataSource() datasource.DataSource {
	return kit.NewObjectSource(kit.ObjectSource[given, client.Operation]{
		Name: "operation", Returns: returned, Read: read,
		Text: "One operation of a project: asynchronous work that users or Neon itself have started.",
		Given: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"id":         kit.RequiredText("Id of the operation, a UUID.", kit.UUIDValidators()...),
			"wait": kit.OptionalBool("Whether to wait until the operation has ended. An operation that failed, and that Neon " +
				"didn't retry successfully within two minutes, or that was cancelled is no error here: see `status` and " +
				"`error`. Defaults to `false`."),
			"timeouts": timeoutsAttribute(),
		},
	})
}

func timeoutsAttribute() schema.Attribute {
	attribute, _ := timeouts.AttributesWithOpts(context.Background(), timeouts.Opts{
		ReadDescription: "Defaults to 10 minutes.",
	}).(schema.SingleNestedAttribute)
	text, _ := attribute.Attributes["read"].(schema.StringAttribute)
	text.Validators = []validator.String{kit.IsTimeout()}
	attribute.Attributes["read"] = text
	attribute.MarkdownDescription = "How long `wait` waits for the operation, such as `{ read = \"30m\" }`. Defaults to " +
		"10 minutes."
	return attribute
}

type given struct {
	ProjectID types.String   `tfsdk:"project_id"`
	ID        types.String   `tfsdk:"id"`
	Wait      types.Bool     `tfsdk:"wait"`
	Timeouts  timeouts.Value `tfsdk:"timeouts"`
}

func read(ctx context.Context, run kit.Run, model *given) *client.Operation {
	api := run.API
	ctx, cancel := kit.Limit(ctx, kit.DefaultTimeout, model.Timeouts.Read, run.Diags)
	defer cancel()
	if run.Diags.HasError() {
		return nil
	}
	operation, err := api.GetOperation(ctx, kit.RefOf[client.Operation](model.ProjectID, model.ID))
	if err != nil {
		kit.AddReadError(run.Diags, "id", "operation", err)
		return nil
	}
	if model.Wait.ValueBool() {
		if operation, err = waitForEnd(ctx, api, operation); err != nil {
			kit.AddError(run.Diags, "Unable to read operation", err, waitHints(err)...)
		}
	}
	return operation
}

func waitHints(err error) []string {
	var wait *client.WaitError
	if !errors.As(err, &wait) {
		return nil
	}
	return []string{kit.AdviceForEnd(wait.Err) + " Neon goes on by itself; reading has changed nothing, and can be " +
		"done again."}
}

// waitForEnd returns the operation as it is in the end. How it ended is said by its status.
func waitForEnd(ctx context.Context, api *client.Client, operation *client.Operation) (*client.Operation, error) {
	err := api.WaitForOperations(ctx, operation.ProjectID, []client.Operation{*operation})
	var failed *client.OperationError
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	return api.GetOperation(ctx, client.Ref[client.Operation]{ProjectID: operation.ProjectID, ID: operation.ID})
}
