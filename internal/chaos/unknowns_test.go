package chaos

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Each text of a configuration is the unknown one in turn; what isn't configured stays so.
func TestWithUnknown(t *testing.T) {
	t.Parallel()
	config := objectValue(map[string]tftypes.Value{"a": text("x"), "b": tftypes.NewValue(tftypes.String, nil),
		"c": text("y"), "d": tftypes.NewValue(tftypes.Bool, true)})
	for n, want := range []string{"a", "c", "a"} {
		name, unknown := withUnknown(config, n)
		for attribute, value := range elements(unknown) {
			if value.IsKnown() == (attribute == want) || name != want {
				t.Errorf("%d: %s is unknown in %s, want %s", n, name, unknown, want)
			}
		}
	}
	if name, _ := withUnknown(objectValue(map[string]tftypes.Value{"d": tftypes.NewValue(tftypes.Bool, true)}),
		0); name != "" {
		t.Errorf("%s is unknown", name)
	}
	if len(elements(config)) != 4 || !config.IsFullyKnown() {
		t.Errorf("the configuration is %s now", config)
	}
}
