package walks_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Terraform validates an action before it knows what comes from resources. Whatever comes of that later is refused, by
// the plan where it knows the value, else by the invocation, before anything is sent.
func TestActions_refuseWhatIsKnownLate(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		t.Helper()
		protocol := acctest.NewProtocol(t, w)
		w.ForgetRequests(t)
		kind, _ := protocol.Schema.ActionSchemas[a.Type].Schema.ValueType().(tftypes.Object)
		for name, value := range refusedValues(protocol.Schema.ActionSchemas[a.Type].Schema, kind) {
			late := acctest.Action{Type: a.Type, Given: maps.Clone(a.Given)}
			late.Given[name] = value
			if problem := protocol.PlanUnvalidated(t, late); !strings.Contains(problem, name) {
				t.Errorf("the plan of %s = %s says %q", name, value, problem)
			}
			if invoked := protocol.InvokeUnplanned(t, late, nil); !strings.Contains(invoked.Problem, name) {
				t.Errorf("%s = %s: the invocation says %q and %q", name, value, invoked.Progress, invoked.Problem)
			}
		}
		if sent := w.Requests(t).Total; sent != 0 {
			t.Errorf("%d requests were sent", sent)
		}
	})
}

// refusedValues are values that no attribute of these takes: none where one is required, and the empty text.
func refusedValues(schema *tfprotov6.Schema, kind tftypes.Object) map[string]tftypes.Value {
	refused := map[string]tftypes.Value{}
	for _, attribute := range schema.Block.Attributes {
		switch of := kind.AttributeTypes[attribute.Name]; {
		case attribute.Required:
			refused[attribute.Name] = tftypes.NewValue(of, nil)
		case of.Is(tftypes.String):
			refused[attribute.Name] = acctest.Text("")
		}
	}
	return refused
}
