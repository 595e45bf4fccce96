package acctest

import (
	"fmt"
	"testing"

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
