package provider

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// briefServer is the framework's, but that it needs memory for a request only until it is
// answered. The framework keeps the context of each until the provider is stopped, and with it
// 10 KiB of loggers: 400 MiB in a plan over 10,000 resources. What is asked once for each object
// of a run is here.
type briefServer struct{ frameworkServer }

// briefContext is the context of a request until that is answered, then one that has ended.
type briefContext struct {
	current atomic.Pointer[context.Context]
}

// answered is what is left of a context.
var answered = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

func (c *briefContext) get() context.Context { return *c.current.Load() }

// Deadline is that of the request.
func (c *briefContext) Deadline() (time.Time, bool) { return c.get().Deadline() }

// Done is closed when the request is over.
func (c *briefContext) Done() <-chan struct{} { return c.get().Done() }

// Err says why the request is over.
func (c *briefContext) Err() error { return c.get().Err() }

// Value returns what the request's context has.
func (c *briefContext) Value(key any) any { return c.get().Value(key) }

// briefly answers a request with a context that lets go of the request's own afterwards.
func briefly[Q, A any](ctx context.Context, request Q, answer func(context.Context, Q) (A, error)) (A, error) {
	brief := &briefContext{}
	brief.current.Store(&ctx)
	defer brief.current.Store(&answered) //nolint:contextcheck // There is nothing left to inherit from.
	return answer(brief, request)        //nolint:contextcheck // It is the request's own.
}

func (s *briefServer) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return briefly(ctx, req, s.frameworkServer.UpgradeResourceState)
}

func (s *briefServer) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return briefly(ctx, req, s.frameworkServer.UpgradeResourceIdentity)
}

func (s *briefServer) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return briefly(ctx, req, s.frameworkServer.ValidateResourceConfig)
}

func (s *briefServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return briefly(ctx, req, s.frameworkServer.ReadResource)
}

func (s *briefServer) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return briefly(ctx, req, s.frameworkServer.PlanResourceChange)
}

func (s *briefServer) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return briefly(ctx, req, s.frameworkServer.ApplyResourceChange)
}

func (s *briefServer) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return briefly(ctx, req, s.frameworkServer.ImportResourceState)
}

func (s *briefServer) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return briefly(ctx, req, s.frameworkServer.ValidateDataResourceConfig)
}

func (s *briefServer) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return briefly(ctx, req, s.frameworkServer.ReadDataSource)
}
