package acctest

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// RunEphemeral runs steps that use ephemeral resources, where terraform knows
// them. The provider echo writes what it is configured with to the state.
func RunEphemeral(t *testing.T, w *World, steps ...resource.TestStep) {
	t.Helper()
	NeedsTerraform(t, "1.10.0")
	factories := w.Factories()
	factories["echo"] = echoprovider.NewProviderServer()
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: steps})
}

// Echoed is a configuration that writes an expression to the state.
func Echoed(expression string) string {
	return fmt.Sprintf("provider \"echo\" {\n  data = %s\n}\nresource \"echo\" \"test\" {}\n", expression)
}

// Echoes checks an attribute of the ephemeral resource that the echo provider repeats.
func Echoes(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue("echo.test", tfjsonpath.New("data").AtMapKey(attribute), check)
}

// OpenAndClose opens an ephemeral resource and closes it, and returns the error that there was.
func (p Protocol) OpenAndClose(t *testing.T, name string, given map[string]tftypes.Value) (problem string) {
	t.Helper()
	kind := p.Schema.EphemeralResourceSchemas[name].ValueType()
	opened, err := p.OpenEphemeralResource(t.Context(), &tfprotov6.OpenEphemeralResourceRequest{
		TypeName: name, Config: Dynamic(t, kind, Object(kind, given)),
	})
	NoProblem(t, err, nil)
	for _, diagnostic := range opened.Diagnostics {
		if diagnostic.Severity == tfprotov6.DiagnosticSeverityError {
			problem += diagnostic.Summary + "\n" + diagnostic.Detail
		}
	}
	if problem != "" {
		return problem
	}
	closed, err := p.CloseEphemeralResource(t.Context(),
		&tfprotov6.CloseEphemeralResourceRequest{TypeName: name, Private: opened.Private})
	NoProblem(t, err, closed.Diagnostics)
	return ""
}
