package branch

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// pendingKey holds, in private state, what a creation was interrupted at.
const pendingKey = "pending_creation"

// pendingCreation is the creation of a branch that was interrupted after the
// platform had accepted it. The branch isn't tainted: the next run goes on with
// it, and replaces it only where the platform could not finish it.
type pendingCreation struct {
	// Operations are the ids of those that had not finished.
	Operations []string `json:"operations"`
	Failed     bool     `json:"failed,omitempty"`
}

// privateReader is the private state of a request.
type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// privateWriter is the private state of an answer.
type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// pendingCreationOf gives nil where the branch was made to the end.
func pendingCreationOf(ctx context.Context, private privateReader, diags *diag.Diagnostics) *pendingCreation {
	text, problems := private.GetKey(ctx, pendingKey)
	diags.Append(problems...)
	if len(text) == 0 {
		return nil
	}
	var pending pendingCreation
	if err := json.Unmarshal(text, &pending); err != nil {
		diags.AddError("Unable to read private state", "What is known of the interrupted creation of the branch can't be read: "+err.Error()+".")
		return nil
	}
	return &pending
}

// save keeps what is pending, or forgets it where nothing is.
func (p *pendingCreation) save(ctx context.Context, private privateWriter, diags *diag.Diagnostics) {
	if p == nil {
		diags.Append(private.SetKey(ctx, pendingKey, nil)...)
		return
	}
	text, err := json.Marshal(p)
	if err != nil {
		diags.AddError("Unable to write private state", err.Error())
		return
	}
	diags.Append(private.SetKey(ctx, pendingKey, text)...)
}

// refreshed is what is still pending according to the platform.
func (p *pendingCreation) refreshed(ctx context.Context, api *client.Client, projectID string) (*pendingCreation, error) {
	still := &pendingCreation{}
	for _, id := range p.Operations {
		operation, err := api.Operation(ctx, projectID, id)
		switch {
		case client.IsAbsent(err):
			continue
		case err != nil:
			return nil, err
		}
		switch operation.Status {
		case client.StatusFinished, client.StatusSkipped:
			continue
		case client.StatusCancelled:
			still.Failed = true
		default:
			still.Failed = still.Failed || operation.GivenUp(client.DefaultOperationGrace)
		}
		still.Operations = append(still.Operations, id)
	}
	if len(still.Operations) == 0 {
		return nil, nil
	}
	return still, nil
}

// operations are what a wait needs to know of them.
func (p *pendingCreation) operations(projectID string) []client.Operation {
	if p == nil {
		return nil
	}
	operations := make([]client.Operation, len(p.Operations))
	for i, id := range p.Operations {
		operations[i] = client.Operation{ID: id, ProjectID: projectID, Status: client.StatusRunning}
	}
	return operations
}

// plan has the next apply finish the branch, or replace it where the platform
// could not.
func (p *pendingCreation) plan(ctx context.Context, resp *resource.ModifyPlanResponse) {
	switch {
	case p == nil:
	case p.Failed:
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("id"), types.StringUnknown())...)
		resp.RequiresReplace.Append(path.Root("id"))
	default:
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("current_state"), types.StringUnknown())...)
	}
}
