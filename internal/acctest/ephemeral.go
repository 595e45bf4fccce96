package acctest

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// RunEphemeral runs steps that use ephemeral resources, where terraform knows
// them. The provider echo writes what it is configured with to the state.
func RunEphemeral(t *testing.T, w *World, steps ...resource.TestStep) {
	t.Helper()
	factories := w.Factories()
	factories["echo"] = echoprovider.NewProviderServer()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_10_0)},
		Steps:                    steps,
	})
}

// Echoed is a configuration that writes an expression to the state.
func Echoed(expression string) string {
	return fmt.Sprintf("provider \"echo\" {\n  data = %s\n}\nresource \"echo\" \"test\" {}\n", expression)
}

// Echoes checks an attribute of the ephemeral resource that the echo provider repeats.
func Echoes(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue("echo.test", tfjsonpath.New("data").AtMapKey(attribute), check)
}
