package inprocess

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/zclconf/go-cty/cty"
)

// Supports reports why a test needs terraform; nil where it doesn't.
func Supports(test resource.TestCase) error {
	if len(test.ProtoV6ProviderFactories) != 1 || len(test.TerraformVersionChecks) > 0 || test.ErrorCheck != nil ||
		test.CheckDestroy != nil {
		return unsupported{"such a test"}
	}
	for _, step := range test.Steps {
		if err := supportsStep(step); err != nil {
			return err
		}
	}
	return nil
}

func supportsStep(step resource.TestStep) error {
	byIdentity := step.ImportState && step.ImportStateKind == resource.ImportBlockWithResourceIdentity
	if step.ConfigDirectory != nil || step.ConfigFile != nil || len(step.ConfigVariables) > 0 || len(step.Taint) > 0 ||
		step.RefreshState ||
		step.Query || step.Check != nil || step.ImportStateCheck != nil || step.ImportStateConfigExact ||
		step.GenerateConfig || byIdentity {
		return unsupported{"such a step"}
	}
	for _, check := range step.ConfigStateChecks {
		if strings.Contains(fmt.Sprintf("%T", check), "ensitive") {
			return unsupported{"what is sensitive"}
		}
	}
	_, err := parse(step.Config)
	return err
}

// Run runs the steps of a test as the testing framework does, and destroys at the end
// what there is. Its error is what the test should fail with.
func Run(ctx context.Context, test resource.TestCase) error {
	w, last := newWorkspace(test.ProtoV6ProviderFactories["neon"]), ""
	var failed error
	for i, step := range test.Steps {
		if step.PreConfig != nil {
			step.PreConfig()
		}
		if step.Config != "" {
			last = step.Config
		}
		if err := unexpected(step, w.step(ctx, step, last)); err != nil {
			failed = fmt.Errorf("step %d of %d: %w", i+1, len(test.Steps), err)
			break
		}
	}
	err := w.run(ctx, last, mode{destroy: true})
	if err != nil {
		err = fmt.Errorf("what is left can't be destroyed: %w", err)
	}
	return errors.Join(failed, err)
}

func newWorkspace(start func() (tfprotov6.ProviderServer, error)) *workspace {
	return &workspace{start: start, state: map[string]*instance{}, data: map[string]cty.Value{}}
}

func unexpected(step resource.TestStep, err error) error {
	switch {
	case step.ExpectError == nil:
		return err
	case err == nil:
		return fmt.Errorf("no error, and it should say %s", step.ExpectError)
	case !step.ExpectError.MatchString(err.Error()):
		return fmt.Errorf("it should say %s, and says:\n%w", step.ExpectError, err)
	}
	return nil
}

// run plans and applies.
func (w *workspace) run(ctx context.Context, text string, m mode) error {
	c, err := parse(text)
	if err != nil {
		return err
	}
	p, err := w.plan(ctx, c, m)
	if err != nil {
		return err
	}
	return w.apply(ctx, p)
}

func (w *workspace) step(ctx context.Context, step resource.TestStep, text string) error {
	if step.ImportState {
		return w.importStep(ctx, step, text)
	}
	c, err := parse(text)
	if err != nil {
		return err
	}
	if !step.PlanOnly {
		if err := w.applyStep(ctx, step, c); err != nil {
			return err
		}
	}
	return w.planAgain(ctx, step, c)
}

func (w *workspace) applyStep(ctx context.Context, step resource.TestStep, c *config) error {
	p, err := w.plan(ctx, c, mode{step.Destroy, true})
	if err != nil {
		return err
	}
	if err := p.check(ctx, step.ConfigPlanChecks.PreApply); err != nil {
		return err
	}
	if err := w.apply(ctx, p); err != nil {
		return err
	}
	return w.checkState(ctx, step.ConfigStateChecks)
}

// planAgain checks that nothing is left to do, by what is in the state and by what
// exists.
func (w *workspace) planAgain(ctx context.Context, step resource.TestStep, c *config) error {
	for _, refresh := range []bool{false, true} {
		p, err := w.plan(ctx, c, mode{step.Destroy, refresh})
		if err != nil {
			return err
		}
		checks := step.ConfigPlanChecks.PostApplyPreRefresh
		if refresh {
			checks = step.ConfigPlanChecks.PostApplyPostRefresh
		}
		if err := p.check(ctx, checks); err != nil {
			return err
		}
		switch unchanged := p.isEmpty(); {
		case !unchanged && !step.ExpectNonEmptyPlan:
			return fmt.Errorf("the plan after it isn't empty:\n%s", p)
		case unchanged && step.ExpectNonEmptyPlan && refresh:
			return errors.New("the plan after it is empty")
		}
	}
	return nil
}

// isEmpty reports whether a plan changes nothing, and reads nothing later.
func (p *plan) isEmpty() bool {
	for _, c := range p.changes {
		if !c.actions.NoOp() {
			return false
		}
	}
	return len(p.deferred) == 0
}

// String lists what a plan changes.
func (p *plan) String() string {
	var text strings.Builder
	for address, c := range p.changes {
		if !c.actions.NoOp() {
			fmt.Fprintf(&text, "%s: %v\n%#v\n%#v\n", address, c.actions, c.prior.value, c.planned.value)
		}
	}
	return text.String()
}

func (p *plan) check(ctx context.Context, checks []plancheck.PlanCheck) error {
	shown, err := p.tfjson()
	if err != nil {
		return err
	}
	var problems []error
	for _, check := range checks {
		answer := plancheck.CheckPlanResponse{}
		check.CheckPlan(ctx, plancheck.CheckPlanRequest{Plan: shown}, &answer)
		if answer.Error != nil {
			problems = append(problems, fmt.Errorf("%w\nthe plan:\n%s", answer.Error, p))
		}
	}
	return errors.Join(problems...)
}

func (w *workspace) checkState(ctx context.Context, checks []statecheck.StateCheck) error {
	shown, err := w.tfjson()
	if err != nil {
		return err
	}
	var problems []error
	for _, check := range checks {
		answer := statecheck.CheckStateResponse{}
		check.CheckState(ctx, statecheck.CheckStateRequest{State: shown}, &answer)
		problems = append(problems, answer.Error)
	}
	return errors.Join(problems...)
}

// importStep imports what is in state once more, and compares.
func (w *workspace) importStep(ctx context.Context, step resource.TestStep, text string) error {
	before, err := w.attributes(step.ResourceName)
	if err != nil {
		return err
	}
	id, err := importID(step, before)
	if err != nil {
		return err
	}
	if step.ImportStateKind == resource.ImportBlockWithID {
		return w.importByBlock(ctx, step, text, id)
	}
	into := newWorkspace(w.start)
	if step.ImportStatePersist {
		into = w
	}
	if err := into.importCommand(ctx, text, step.ResourceName, id); err != nil {
		return err
	}
	if !step.ImportStateVerify {
		return nil
	}
	taken, err := into.attributes(step.ResourceName)
	if err != nil {
		return err
	}
	for _, name := range append(step.ImportStateVerifyIgnore, "timeouts") {
		forget(before, name)
		forget(taken, name)
	}
	if difference := gocmp.Diff(before, taken); difference != "" {
		return fmt.Errorf("what is imported differs (-state +import):\n%s", difference)
	}
	return nil
}

// forget removes an attribute, or the one that a path with dots leads to.
func forget(attributes map[string]any, path string) {
	name, rest, isNested := strings.Cut(path, ".")
	if inner, ok := attributes[name].(map[string]any); ok && isNested {
		forget(inner, rest)
		return
	}
	delete(attributes, name)
}

// attributes are those of what is at an address that are neither null nor empty, which the testing framework
// doesn't tell apart either.
func (w *workspace) attributes(address string) (map[string]any, error) {
	shown, err := w.tfjson()
	if err != nil {
		return nil, err
	}
	attributes := map[string]any{}
	for _, r := range shown.Values.RootModule.Resources {
		if r.Address == address {
			maps.Copy(attributes, r.AttributeValues)
		}
	}
	removeEmpty(attributes)
	return attributes, nil
}

func removeEmpty(attributes map[string]any) {
	maps.DeleteFunc(attributes, func(_ string, value any) bool {
		switch value := value.(type) {
		case nil:
			return true
		case map[string]any:
			removeEmpty(value)
			return len(value) == 0
		case []any:
			return len(value) == 0
		}
		return false
	})
}

// importID is what a step imports by: what it says, or the attribute id. A function gets no more of the
// state than the texts of its resource.
func importID(step resource.TestStep, attributes map[string]any) (string, error) {
	id, _ := attributes["id"].(string)
	if step.ImportStateIdFunc == nil {
		return cmp.Or(step.ImportStateId, id), nil
	}
	texts := map[string]string{}
	for name, value := range attributes {
		texts[name] = fmt.Sprint(value)
	}
	state := &terraform.ResourceState{Primary: &terraform.InstanceState{ID: id, Attributes: texts}}
	return step.ImportStateIdFunc(&terraform.State{Modules: []*terraform.ModuleState{
		{Path: []string{"root"}, Resources: map[string]*terraform.ResourceState{step.ResourceName: state}},
	}})
}

// importCommand does what `terraform import` does.
func (w *workspace) importCommand(ctx context.Context, text, address, id string) error {
	c, err := parse(text)
	if err != nil {
		return err
	}
	n := c.nodes[address]
	if n == nil || w.state[address] != nil {
		return fmt.Errorf("%s isn't in the configuration, or is in the state", address)
	}
	k, err := w.newWalk(ctx, c)
	if err != nil {
		return err
	}
	if _, err := k.configure(ctx, c.nodes[providerKey]); err != nil {
		return err
	}
	taken, err := k.server.take(ctx, n, id)
	if err == nil {
		w.state[address] = taken
	}
	return err
}

// importByBlock plans an import of what the state doesn't know, which must find nothing
// to change.
func (w *workspace) importByBlock(ctx context.Context, step resource.TestStep, text, id string) error {
	c, err := parse(text + fmt.Sprintf("\nimport {\n to = %s\n id = %q\n}\n", step.ResourceName, id))
	if err != nil {
		return err
	}
	into := newWorkspace(w.start)
	maps.Copy(into.state, w.state)
	delete(into.state, step.ResourceName)
	p, err := into.plan(ctx, c, mode{refresh: true})
	if err != nil {
		return err
	}
	planned := p.changes[step.ResourceName]
	if planned == nil || planned.imported == "" || !planned.actions.NoOp() && !step.ExpectNonEmptyPlan {
		return fmt.Errorf("the import changes something:\n%s", p)
	}
	return p.check(ctx, step.ImportPlanChecks.PreApply)
}
