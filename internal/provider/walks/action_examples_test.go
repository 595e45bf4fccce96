package walks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Every action of the examples is as its schema wants it, with the references of its
// configuration as values that aren't known yet. TestAccTerraform_actionExamples invokes them.
func TestActions_examples(t *testing.T) {
	protocol := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	files := []string{"restore-point/main.tf"}
	for _, name := range acctest.ExampleEntries(t, "actions") {
		files = append(files, "actions/"+name+"/action.tf")
	}
	for _, file := range files {
		actions := actionsIn(t, protocol, file)
		if len(actions) == 0 {
			t.Errorf("%s has no action", file)
		}
		for _, action := range actions {
			if problem := protocol.ValidateAction(t, action); problem != "" {
				t.Errorf("%s: %s", file, problem)
			}
		}
	}
}

// No action of an example refers to the resource that triggers it, which Terraform 1.16 refuses as a cycle.
func TestActions_examplesHaveNoCycle(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"actions/*/*.tf", "*/*.tf"} {
		for _, path := range acctest.ExampleFiles(t, pattern) {
			file, problems := hclsyntax.ParseConfig([]byte(acctest.ReadExample(t, path)), path, hcl.InitialPos)
			if problems.HasErrors() {
				t.Fatal(problems)
			}
			refersTo := map[string][]string{}
			for _, block := range file.Body.(*hclsyntax.Body).Blocks {
				refersTo[strings.Join(append([]string{block.Type}, block.Labels...), ".")] = references(block.Body)
			}
			for from, targets := range refersTo {
				resource, isResource := strings.CutPrefix(from, "resource.")
				for _, target := range targets {
					if isResource && strings.HasPrefix(target, "action.") && slices.Contains(refersTo[target], resource) {
						t.Errorf("%s: %s refers to %s, which triggers it", path, target, resource)
					}
				}
			}
		}
	}
}

// references are the resources and actions that a block refers to, such as neon_branch.main and
// action.neon_reset_branch.main.
func references(body *hclsyntax.Body) []string {
	var found []string
	for _, attribute := range body.Attributes {
		for _, traversal := range attribute.Expr.Variables() {
			parts := []string{traversal.RootName()}
			for _, step := range traversal[1:] {
				if name, is := step.(hcl.TraverseAttr); is {
					parts = append(parts, name.Name)
				}
			}
			length := 2
			if parts[0] == "action" {
				length = 3
			}
			found = append(found, strings.Join(parts[:min(length, len(parts))], "."))
		}
	}
	for _, block := range body.Blocks {
		found = append(found, references(block.Body)...)
	}
	return found
}

// actionsIn are the actions of an example.
func actionsIn(t *testing.T, protocol acctest.Protocol, path string) []acctest.Action {
	t.Helper()
	file, problems := hclsyntax.ParseConfig([]byte(acctest.ReadExample(t, path)), path, hcl.InitialPos)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	var actions []acctest.Action
	for _, block := range file.Body.(*hclsyntax.Body).Blocks {
		if block.Type == "action" {
			actions = append(actions, actionOfBlock(t, protocol, block))
		}
	}
	return actions
}

func actionOfBlock(t *testing.T, protocol acctest.Protocol, block *hclsyntax.Block) acctest.Action {
	t.Helper()
	action := acctest.Action{Type: block.Labels[0], Given: map[string]tftypes.Value{}}
	schema := protocol.Schema.ActionSchemas[action.Type]
	if schema == nil {
		t.Fatalf("there is no action %s", action.Type)
	}
	kinds := schema.Schema.ValueType().(tftypes.Object).AttributeTypes
	for name, attribute := range block.Body.Blocks[0].Body.Attributes {
		value, problems := attribute.Expr.Value(nil)
		switch {
		case kinds[name] == nil:
			t.Errorf("%s has no %s", action.Type, name)
		case problems.HasErrors():
			action.Given[name] = tftypes.NewValue(kinds[name], tftypes.UnknownValue)
		case value.Type() == cty.Bool:
			action.Given[name] = tftypes.NewValue(tftypes.Bool, value.True())
		case value.Type() == cty.Number:
			action.Given[name] = tftypes.NewValue(tftypes.Number, value.AsBigFloat())
		case value.CanIterateElements():
			var texts []tftypes.Value
			for _, text := range value.AsValueSlice() {
				texts = append(texts, acctest.Text(text.AsString()))
			}
			action.Given[name] = tftypes.NewValue(kinds[name], texts)
		default:
			action.Given[name] = acctest.Text(value.AsString())
		}
	}
	return action
}
