package operation

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/datasource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ datasource.DataSourceWithConfigure = (*operationDataSource)(nil)

// operationDataSource is neon_operation: one operation, and its end where that is waited for.
type operationDataSource struct {
	kit.DataSourceBase
}

func NewDataSource() datasource.DataSource {
	return &operationDataSource{kit.DataSourceBase{Kind: "operation"}}
}

// operationTimeout is how long an operation is waited for by default.
const operationTimeout = 10 * time.Minute

// Schema describes neon_operation.
func (d *operationDataSource) Schema(ctx context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := operationAttributes()
	attributes["project_id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the project.", Required: true, Validators: kit.IDValidators(),
	}
	attributes["id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the operation, a UUID.",
		Required:            true,
		Validators:          []validator.String{stringvalidator.RegexMatches(kit.UuidPattern, "must be a UUID")},
	}
	attributes["wait"] = schema.BoolAttribute{
		MarkdownDescription: "Whether to wait until the operation has ended. An operation that failed, and that the platform didn't " +
			"make good within two minutes, or that was cancelled is no error here: `status` and `error` tell. Defaults to `false`.",
		Optional: true,
	}
	attributes["timeouts"] = operationTimeouts(ctx)
	resp.Schema = schema.Schema{
		MarkdownDescription: "One operation of a project: asynchronous work that users or the platform itself have started.",
		Attributes:          attributes,
	}
}

func operationTimeouts(ctx context.Context) schema.Attribute {
	attribute := timeouts.AttributesWithOpts(ctx, timeouts.Opts{
		ReadDescription: "How long to wait at most, as a duration such as `30s` or `1h`. Defaults to 10 minutes.",
	})
	if nested, ok := attribute.(schema.SingleNestedAttribute); ok {
		if text, ok := nested.Attributes["read"].(schema.StringAttribute); ok {
			text.Validators = []validator.String{kit.TimeoutValidator{}}
			nested.Attributes["read"] = text
		}
		nested.MarkdownDescription = "How long to wait for the operation. Only of use with `wait`."
		return nested
	}
	return attribute
}

type operationDataModel struct {
	operationModel
	Wait     types.Bool     `tfsdk:"wait"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// Read reads the operation, and waits for its end where that is asked for.
func (d *operationDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model operationDataModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	timeout, problems := model.Timeouts.Read(ctx, operationTimeout)
	resp.Diagnostics.Append(problems...)
	api := d.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	operation, err := api.Operation(ctx, model.ProjectID.ValueString(), model.ID.ValueString())
	if client.IsAbsent(err) {
		kit.AddAttributeError(&resp.Diagnostics, path.Root("id"), "No such operation", err)
		return
	}
	if err == nil && model.Wait.ValueBool() {
		operation, err = endOf(ctx, api, operation)
	}
	var wait *client.WaitError
	switch {
	case errors.As(err, &wait):
		resp.Diagnostics.AddError("Unable to read operation", kit.Sentence(err.Error())+"\n\n"+kit.AdviceForEnd(wait.Err)+
			" The platform goes on by itself; reading has changed nothing, and can be done again.")
		return
	case err != nil:
		kit.AddError(&resp.Diagnostics, "Unable to read operation", err)
		return
	}
	model.operationModel = operationModelFrom(*operation)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// endOf waits for an operation, and gives it as it is then. How it ended is told
// by its status.
func endOf(ctx context.Context, api *client.Client, operation *client.Operation) (*client.Operation, error) {
	err := api.WaitForOperations(ctx, operation.ProjectID, []client.Operation{*operation})
	var ended *client.OperationError
	if err != nil && !errors.As(err, &ended) {
		return nil, err
	}
	return api.Operation(ctx, operation.ProjectID, operation.ID)
}
