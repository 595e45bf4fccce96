package provider

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// redactingServer wraps the framework's server and mends two of its faults.
//
// It redacts. The framework's validators and types repeat refused values, even of sensitive attributes
// (https://github.com/hashicorp/terraform-plugin-framework/issues/1006). Here, no diagnostic about a configuration
// repeats a possible secret, and each names its attribute (rewording.go).
//
// It releases memory. The framework keeps the context of each request until the provider stops (registerContext in its
// internal/proto6server/serve.go, as of 1.19). Each holds 10 KiB of loggers: 400 MiB in a plan over 10,000 resources.
// Requests that come once per object release their context when they are answered.
type redactingServer struct {
	frameworkServer

	// isConfigured is false in a process that only validates.
	isConfigured atomic.Bool
}

// schemas are computed once for all servers: the framework computes them anew for each request, which takes most of its
// time in a short run.
var schemas = sync.OnceValue(func() *tfprotov6.GetProviderSchemaResponse {
	all, _ := providerserver.NewProtocol6(&neonProvider{})().GetProviderSchema(context.Background(),
		&tfprotov6.GetProviderSchemaRequest{})
	return all
})

func (*redactingServer) GetProviderSchema(
	context.Context, *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	return schemas(), nil
}

func (s *redactingServer) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	s.isConfigured.Store(true)
	return s.frameworkServer.ConfigureProvider(ctx, req)
}

// requestContext is the context of a request until it is answered, and a cancelled one afterwards.
type requestContext struct {
	current atomic.Pointer[context.Context]
}

// answered is the cancelled context without values that replaces the context of an answered request.
var answered = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

func (c *requestContext) get() context.Context { return *c.current.Load() }

func (c *requestContext) Deadline() (time.Time, bool) { return c.get().Deadline() }

func (c *requestContext) Done() <-chan struct{} { return c.get().Done() }

func (c *requestContext) Err() error { return c.get().Err() }

func (c *requestContext) Value(key any) any { return c.get().Value(key) }

// released calls answer with a context that releases the request's own context when answer returns.
func released[Q, A any](ctx context.Context, request Q, answer func(context.Context, Q) (A, error)) (A, error) {
	held := &requestContext{}
	held.current.Store(&ctx)
	defer held.current.Store(&answered) //nolint:contextcheck // There is nothing left to inherit from.
	return answer(held, request)        //nolint:contextcheck // It is the request's own.
}

func (s *redactingServer) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return released(ctx, req, s.frameworkServer.UpgradeResourceState)
}

func (s *redactingServer) UpgradeResourceIdentity(
	ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest,
) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return released(ctx, req, s.frameworkServer.UpgradeResourceIdentity)
}

func (s *redactingServer) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return released(ctx, req, s.frameworkServer.ReadResource)
}

func (s *redactingServer) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	return released(ctx, req, s.frameworkServer.ImportResourceState)
}

func (s *redactingServer) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateProviderConfig(ctx, req)
	resp.Diagnostics = reword(resp.Diagnostics, req.Config, schemas().Provider)
	return resp, err
}

func (s *redactingServer) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := released(ctx, req, s.frameworkServer.ValidateResourceConfig)
	resp.Diagnostics = s.reworded(resp.Diagnostics, req.Config, schemas().ResourceSchemas[req.TypeName])
	return resp, err
}

func (s *redactingServer) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := released(ctx, req, s.frameworkServer.PlanResourceChange)
	resp.Diagnostics = reword(resp.Diagnostics, req.Config, schemas().ResourceSchemas[req.TypeName])
	return resp, err
}

func (s *redactingServer) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := released(ctx, req, s.frameworkServer.ApplyResourceChange)
	resp.Diagnostics = reword(resp.Diagnostics, req.Config, schemas().ResourceSchemas[req.TypeName])
	return resp, err
}

func (s *redactingServer) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	resp, err := released(ctx, req, s.frameworkServer.ValidateDataResourceConfig)
	resp.Diagnostics = s.reworded(resp.Diagnostics, req.Config, schemas().DataSourceSchemas[req.TypeName])
	return resp, err
}

func (s *redactingServer) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := released(ctx, req, s.frameworkServer.ReadDataSource)
	resp.Diagnostics = reword(resp.Diagnostics, req.Config, schemas().DataSourceSchemas[req.TypeName])
	return resp, err
}

func (s *redactingServer) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateEphemeralResourceConfig(ctx, req)
	resp.Diagnostics = s.reworded(resp.Diagnostics, req.Config, schemas().EphemeralResourceSchemas[req.TypeName])
	return resp, err
}

func (s *redactingServer) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	resp, err := s.frameworkServer.OpenEphemeralResource(ctx, req)
	resp.Diagnostics = reword(resp.Diagnostics, req.Config, schemas().EphemeralResourceSchemas[req.TypeName])
	return resp, err
}

func (s *redactingServer) ValidateListResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest,
) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateListResourceConfig(ctx, req)
	resp.Diagnostics = reword(resp.Diagnostics, req.Config, schemas().ListResourceSchemas[req.TypeName])
	return resp, err
}

func (s *redactingServer) ListResource(
	ctx context.Context, req *tfprotov6.ListResourceRequest,
) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := s.frameworkServer.ListResource(ctx, req)
	return &tfprotov6.ListResourceServerStream{Results: func(yield func(tfprotov6.ListResourceResult) bool) {
		for result := range stream.Results {
			result.Diagnostics = reword(result.Diagnostics, req.Config, schemas().ListResourceSchemas[req.TypeName])
			if !yield(result) {
				return
			}
		}
	}}, err
}

func (s *redactingServer) ValidateActionConfig(
	ctx context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateActionConfig(ctx, req)
	resp.Diagnostics = s.reworded(resp.Diagnostics, req.Config, s.actionSchema(req.ActionType))
	return resp, err
}

func (s *redactingServer) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	resp, err := s.frameworkServer.PlanAction(ctx, req)
	resp.Diagnostics = reword(resp.Diagnostics, req.Config, s.actionSchema(req.ActionType))
	return resp, err
}

func (s *redactingServer) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := s.frameworkServer.InvokeAction(ctx, req)
	if err != nil {
		return nil, err
	}
	return &tfprotov6.InvokeActionServerStream{Events: func(push func(tfprotov6.InvokeActionEvent) bool) {
		stream.Events(func(event tfprotov6.InvokeActionEvent) bool {
			if end, isEnd := event.Type.(tfprotov6.CompletedInvokeActionEventType); isEnd {
				end.Diagnostics = reword(end.Diagnostics, req.Config, s.actionSchema(req.ActionType))
				event.Type = end
			}
			return push(event)
		})
	}}, nil
}

func (s *redactingServer) actionSchema(name string) *tfprotov6.Schema {
	if action := schemas().ActionSchemas[name]; action != nil {
		return action.Schema
	}
	return nil
}
