package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// validatingServer wraps the framework's server, and validates actions again when they are planned and invoked.
// Terraform (as of 1.16) validates an action once, before values of other blocks are known. Without this, a prefix that
// turns out to be empty would delete all branches.
type validatingServer struct {
	frameworkServer
}

// refusal returns the errors in an action's configuration, or nil.
func (s *validatingServer) refusal(
	ctx context.Context, actionType string, config *tfprotov6.DynamicValue,
) ([]*tfprotov6.Diagnostic, error) {
	resp, err := s.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: actionType,
		Config: config})
	if err != nil || !hasError(resp.Diagnostics) {
		return nil, err
	}
	return resp.Diagnostics, nil
}

func (s *validatingServer) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	if refused, err := s.refusal(ctx, req.ActionType, req.Config); err != nil || refused != nil {
		return &tfprotov6.PlanActionResponse{Diagnostics: refused}, err
	}
	return s.frameworkServer.PlanAction(ctx, req)
}

func (s *validatingServer) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	refused, err := s.refusal(ctx, req.ActionType, req.Config)
	switch {
	case err != nil:
		return nil, err
	case refused != nil:
		return &tfprotov6.InvokeActionServerStream{Events: func(push func(tfprotov6.InvokeActionEvent) bool) {
			push(tfprotov6.InvokeActionEvent{Type: tfprotov6.CompletedInvokeActionEventType{Diagnostics: refused}})
		}}, nil
	}
	return s.frameworkServer.InvokeAction(ctx, req)
}
