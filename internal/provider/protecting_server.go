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

// protectingServer wraps the framework's server. No plan deletes or replaces an object whose kind protect names,
// whatever causes it: also -replace, replace_triggered_by, and a deletion that only the apply knows.
type protectingServer struct {
	frameworkServer

	platform *atomic.Pointer[kit.Platform]
}

// existsMark is the private data of objects that have no other. For -replace and replace_triggered_by, Terraform plans
// a creation without a prior state: only the private data shows that the object exists.
var existsMark = []byte(`{"exists":"dHJ1ZQ=="}`)

// protectedBy returns the kind of a resource's objects, and the setting that protects them, or "".
func (s *protectingServer) protectedBy(typeName string) (kind, by string) {
	kind = protectable[typeName]
	if platform := s.platform.Load(); platform != nil {
		by = platform.Protects[kind]
	}
	return kind, by
}

// PlanResourceChange refuses plans that delete or replace a protected object.
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

// ApplyResourceChange refuses to delete a protected object that a plan let pass: a plan from before the protection, or
// a tainted object.
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

// called names an object in messages by kind, id and name, as far as it has them.
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

// inWords returns the names of a path's attributes, with dots between them.
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
