package acctest

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// Action is an action with its configuration, for a provider that is called without
// Terraform.
type Action struct {
	Type  string
	Given map[string]tftypes.Value
}

// Invoked is what an action said: its progress while it ran, and its errors.
type Invoked struct {
	Progress []string
	Problem  string
}

// Says reports whether any of its progress has all the words.
func (i Invoked) Says(words ...string) bool {
	all := strings.Join(i.Progress, "\n")
	for _, word := range words {
		if !strings.Contains(all, word) {
			return false
		}
	}
	return true
}

func (p Protocol) actions(t *testing.T) tfprotov6.ActionServer {
	t.Helper()
	actions, ok := p.ProviderServer.(tfprotov6.ActionServer)
	if !ok {
		t.Fatal("the provider serves no actions")
	}
	return actions
}

func (p Protocol) actionConfig(t *testing.T, a Action) *tfprotov6.DynamicValue {
	t.Helper()
	schema := p.Schema.ActionSchemas[a.Type]
	if schema == nil {
		t.Fatalf("the provider has no action %s", a.Type)
	}
	kind := schema.Schema.ValueType()
	return Dynamic(t, kind, Object(kind, a.Given))
}

// ValidateAction returns the errors about a configuration.
func (p Protocol) ValidateAction(t *testing.T, a Action) string {
	t.Helper()
	validated, err := p.actions(t).ValidateActionConfig(t.Context(), &tfprotov6.ValidateActionConfigRequest{
		ActionType: a.Type, Config: p.actionConfig(t, a),
	})
	if err != nil {
		t.Fatal(err)
	}
	return problems(validated.Diagnostics)
}

// PlanAction validates and plans an action, and returns the errors.
func (p Protocol) PlanAction(t *testing.T, a Action) string {
	t.Helper()
	if problem := p.ValidateAction(t, a); problem != "" {
		return problem
	}
	return p.PlanUnvalidated(t, a)
}

// PlanUnvalidated plans an action as Terraform does, which has validated it before it knew its values.
func (p Protocol) PlanUnvalidated(t *testing.T, a Action) string {
	t.Helper()
	planned, err := p.actions(t).PlanAction(t.Context(), &tfprotov6.PlanActionRequest{
		ActionType: a.Type, Config: p.actionConfig(t, a), ClientCapabilities: &tfprotov6.PlanActionClientCapabilities{},
	})
	if err != nil {
		t.Fatal(err)
	}
	return problems(planned.Diagnostics)
}

// Invoke invokes an action that can be planned. It calls heard, where there is one, with all
// that the action says.
func (p Protocol) Invoke(t *testing.T, a Action, heard func(text string)) Invoked {
	t.Helper()
	if problem := p.PlanAction(t, a); problem != "" {
		t.Fatal(problem)
	}
	return p.InvokeUnplanned(t, a, heard)
}

// InvokeUnplanned invokes an action as an apply does that alone knows its values: Terraform neither validates nor plans
// it once more.
func (p Protocol) InvokeUnplanned(t *testing.T, a Action, heard func(text string)) Invoked {
	t.Helper()
	stream, err := p.actions(t).InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{
		ActionType: a.Type, Config: p.actionConfig(t, a), ClientCapabilities: &tfprotov6.InvokeActionClientCapabilities{},
	})
	if err != nil {
		t.Fatal(err)
	}
	var invoked Invoked
	for event := range stream.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			invoked.Progress = append(invoked.Progress, event.Message)
			if heard != nil {
				heard(event.Message)
			}
		case tfprotov6.CompletedInvokeActionEventType:
			invoked.Problem = problems(event.Diagnostics)
		}
	}
	return invoked
}

func problems(diagnostics []*tfprotov6.Diagnostic) string {
	var texts []string
	for _, problem := range diagnostics {
		text := problem.Summary + "\n" + problem.Detail
		if problem.Attribute != nil {
			text += "\n" + problem.Attribute.String()
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n\n")
}

// ActionOf is an action with its configuration, as names and texts in turn.
func ActionOf(name string, given ...string) Action {
	a := Action{"neon_" + name, map[string]tftypes.Value{}}
	for i := 0; i < len(given); i += 2 {
		a.Given[given[i]] = Text(given[i+1])
	}
	return a
}

// ActionBranch is a branch with a read-write endpoint that runs, for actions to work on.
type ActionBranch struct {
	ProjectID, ID, EndpointID string
}

// Action is an action in the branch's project.
func (b ActionBranch) Action(name string, given ...string) Action {
	return ActionOf(name, append(given, "project_id", b.ProjectID)...)
}

// ActionBranch creates such a branch.
func (w *World) ActionBranch(t *testing.T, name string) ActionBranch {
	t.Helper()
	api := w.Client(t)
	created, err := api.CreateBranch(t.Context(), w.ProjectID, client.BranchCreate{
		Name: name, Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}},
	})
	if err == nil {
		err = api.WaitForOperations(t.Context(), w.ProjectID, created.Operations)
	}
	if err != nil {
		t.Fatal(err)
	}
	return ActionBranch{w.ProjectID, created.Object.ID, created.Object.Endpoints[0].ID}
}
