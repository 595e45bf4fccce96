package provider

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// Server is the provider as a program serves it. It also revokes the keys that Terraform doesn't close: after an
// interruption, or when an operation that used the key failed, Terraform just ends the program.
type Server struct {
	// Transport is the client's transport; nil is the default.
	Transport http.RoundTripper

	version string
	opened  kit.Opened
}

// NewServer returns the provider of a version.
func NewServer(version string) *Server {
	return &Server{version: version}
}

// New returns the provider as Terraform calls it.
func (s *Server) New() tfprotov6.ProviderServer {
	neon := &neonProvider{version: s.version, transport: s.Transport, opened: &s.opened,
		platform: new(atomic.Pointer[kit.Platform])}
	framework := providerserver.NewProtocol6(neon)()
	complete, ok := framework.(frameworkServer)
	if !ok {
		return framework
	}
	unknown := &unknownServer{frameworkServer: &validatingServer{complete}, platform: neon.platform}
	protecting := &protectingServer{frameworkServer: unknown, platform: neon.platform}
	return &stoppableServer{frameworkServer: &redactingServer{frameworkServer: protecting}, opened: &s.opened,
		idle: sync.NewCond(new(sync.Mutex))}
}

// Close revokes the open keys, and returns which may still be valid. Terraform kills the program two seconds after it
// tells it to end.
func (s *Server) Close(ctx context.Context) []string {
	return s.opened.CloseAll(ctx)
}

// frameworkServer has all services of the framework's server, optional ones included.
type frameworkServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// stoppableServer wraps the framework's server. On an interruption it revokes open keys, and waits for actions and
// lists, which Terraform would otherwise count as complete.
type stoppableServer struct {
	frameworkServer

	opened *kit.Opened
	// running counts running actions and lists. idle, which has its lock, signals each end. A sync.Cond, since waiting
	// for a lock that an action holds doesn't count as blocked in testing/synctest.
	running int
	idle    *sync.Cond
}

// runs adds to the number of running actions and lists.
func (s *stoppableServer) runs(more int) {
	s.idle.L.Lock()
	defer s.idle.L.Unlock()
	s.running += more
	s.idle.Broadcast()
}

func (s *stoppableServer) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := s.frameworkServer.InvokeAction(ctx, req)
	if err != nil {
		return nil, err
	}
	s.runs(1)
	return &tfprotov6.InvokeActionServerStream{Events: func(push func(tfprotov6.InvokeActionEvent) bool) {
		defer s.runs(-1)
		stream.Events(push)
	}}, nil
}

func (s *stoppableServer) ListResource(
	ctx context.Context, req *tfprotov6.ListResourceRequest,
) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := s.frameworkServer.ListResource(ctx, req)
	if err != nil {
		return nil, err
	}
	s.runs(1)
	return &tfprotov6.ListResourceServerStream{Results: func(push func(tfprotov6.ListResourceResult) bool) {
		defer s.runs(-1)
		stream.Results(push)
	}}, nil
}

// StopProvider waits for running actions and lists, and then revokes the open keys. Terraform waits for it without
// limit. Once it has returned, Terraform ignores their results: an action without an end counts as successful, and a
// list as complete.
func (s *stoppableServer) StopProvider(
	ctx context.Context, req *tfprotov6.StopProviderRequest,
) (*tfprotov6.StopProviderResponse, error) {
	resp, err := s.frameworkServer.StopProvider(ctx, req)
	s.idle.L.Lock()
	for s.running > 0 {
		s.idle.Wait()
	}
	s.idle.L.Unlock()
	for _, problem := range s.opened.CloseAll(ctx) {
		tflog.Error(ctx, problem)
	}
	return resp, err
}
