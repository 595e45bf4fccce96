package acctest

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// Heard is what the provider says of resources in the steps of a test, warnings too, which no step can expect.
type Heard struct {
	mu   sync.Mutex
	said strings.Builder
}

// Take returns what was said since the last time, one after another.
func (h *Heard) Take() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.said.Reset()
	return h.said.String()
}

func (h *Heard) listen(diagnostics []*tfprotov6.Diagnostic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, diagnostic := range diagnostics {
		h.said.WriteString(diagnostic.Summary + "\n" + diagnostic.Detail + "\n\n")
	}
}

// HearSteps is RunSteps that writes down what the provider says.
func HearSteps(t *testing.T, w *World, heard *Heard, steps ...resource.TestStep) {
	t.Helper()
	factories := w.Factories()
	start := factories["neon"]
	factories["neon"] = func() (tfprotov6.ProviderServer, error) {
		server, err := start()
		return heardServer{server, heard}, err
	}
	Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: steps})
}

type heardServer struct {
	tfprotov6.ProviderServer
	heard *Heard
}

func (s heardServer) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	answer, err := s.ProviderServer.ReadResource(ctx, req)
	s.heard.listen(answer.Diagnostics)
	return answer, err
}

func (s heardServer) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	answer, err := s.ProviderServer.PlanResourceChange(ctx, req)
	s.heard.listen(answer.Diagnostics)
	return answer, err
}

func (s heardServer) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	answer, err := s.ProviderServer.ApplyResourceChange(ctx, req)
	s.heard.listen(answer.Diagnostics)
	return answer, err
}
