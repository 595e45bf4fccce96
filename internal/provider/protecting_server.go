package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// protectingServer is around the framework's server, so that no plan deletes or replaces what protect of the provider
// block names, whatever the resource itself says: also what only Terraform replaces, and what only the apply deletes.
type protectingServer struct {
	frameworkServer

	platform *atomic.Pointer[kit.Platform]
}

// existsMark is the private data of an object that has no other. Where Terraform plans the creation of what is to
// replace an object because of -replace or replace_triggered_by, the private data alone tells that there is one.
var existsMark = []byte(`{"exists":"dHJ1ZQ=="}`)

// protectedBy is the kind of what a resource manages, and who protects all of that kind; empty for nobody.
func (s *protectingServer) protectedBy(typeName string) (kind, by string) {
	kind = protectable[typeName]
	if platform := s.platform.Load(); platform != nil {
		by = platform.Protects[kind]
	}
	return kind, by
}

// PlanResourceChange plans a change, and refuses one that deletes or replaces what is protected.
func (s *protectingServer) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.frameworkServer.PlanResourceChange(ctx, req)
	kind, by := s.protectedBy(req.TypeName)
	if err != nil || by == "" || hasError(resp.Diagnostics) {
		return resp, err
	}
	prior, err := req.PriorState.Unmarshal(kindOf(req.TypeName))
	if err != nil {
		return nil, err
	}
	planned, err := req.ProposedNewState.Unmarshal(kindOf(req.TypeName))
	if err != nil {
		return nil, err
	}
	what := called(kind, prior)
	switch {
	case prior.IsNull() && len(req.PriorPrivate) > 0:
		resp.Diagnostics = append(resp.Diagnostics, protected(kind, by, fmt.Sprintf("The %s would be replaced, by -replace "+
			"or replace_triggered_by", what)))
	case prior.IsNull():
	case planned.IsNull():
		resp.Diagnostics = append(resp.Diagnostics, protected(kind, by, fmt.Sprintf("The %s would be destroyed", what)))
	case len(resp.RequiresReplace) > 0:
		resp.Diagnostics = append(resp.Diagnostics, protected(kind, by,
			fmt.Sprintf("The change of %s replaces the %s", inWords(resp.RequiresReplace[0]), what)))
	case len(resp.PlannedPrivate) == 0:
		resp.PlannedPrivate = existsMark
	}
	return resp, nil
}

// ApplyResourceChange carries out a change, and refuses to delete what is protected and no plan has refused to: a plan
// made without the protection, or a tainted object.
func (s *protectingServer) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	kind, by := s.protectedBy(req.TypeName)
	if by == "" {
		return s.frameworkServer.ApplyResourceChange(ctx, req)
	}
	planned, err := req.PlannedState.Unmarshal(kindOf(req.TypeName))
	if err != nil || !planned.IsNull() {
		return s.frameworkServer.ApplyResourceChange(ctx, req)
	}
	prior, err := req.PriorState.Unmarshal(kindOf(req.TypeName))
	if err != nil {
		return nil, err
	}
	refusal := protected(kind, by, fmt.Sprintf("The %s wasn't destroyed. What the same run has created or destroyed "+
		"before stays created or destroyed. If it is only marked as tainted, run terraform untaint", called(kind, prior)))
	return &tfprotov6.ApplyResourceChangeResponse{
		NewState: req.PriorState, Private: req.PlannedPrivate, NewIdentity: req.PlannedIdentity,
		Diagnostics: []*tfprotov6.Diagnostic{refusal},
	}, nil
}

// called is what an object is called: its kind, its id and its name, as far as it has them.
func called(kind string, state tftypes.Value) string {
	at := tftypes.NewAttributePath()
	if id := textOf(state, at.WithAttributeName("id")); id != "" {
		kind += " " + id
	}
	if name := textOf(state, at.WithAttributeName("name")); name != "" {
		kind += fmt.Sprintf(" (%q)", name)
	}
	return kind
}

func protected(kind, by, what string) *tfprotov6.Diagnostic {
	summary, detail := kit.Protected(kind, by, what)
	return &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityError, Summary: summary,
		Detail: detail + " To have Terraform forget it without deleting it, write a removed block with lifecycle { destroy " +
			"= false }.",
	}
}

// inWords is the attribute that a path begins with.
func inWords(at *tftypes.AttributePath) string {
	var names []string
	for _, step := range at.Steps() {
		if name, is := step.(tftypes.AttributeName); is {
			names = append(names, string(name))
		}
	}
	return strings.Join(names, ".")
}

func hasError(diagnostics []*tfprotov6.Diagnostic) bool {
	return slices.ContainsFunc(diagnostics, func(d *tfprotov6.Diagnostic) bool {
		return d.Severity == tfprotov6.DiagnosticSeverityError
	})
}
