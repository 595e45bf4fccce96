package chaos

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// Each text of a configuration is the unknown one in turn; what isn't configured stays so.
func TestWithUnknown(t *testing.T) {
	t.Parallel()
	config := cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("x"), "b": cty.NullVal(cty.String),
		"c": cty.StringVal("y"), "d": cty.True})
	for n, want := range []string{"a", "c", "a"} {
		name, unknown := withUnknown(config, n)
		for attribute, value := range elements(unknown) {
			if value.IsKnown() == (attribute == want) || name != want {
				t.Errorf("%d: %s is unknown in %#v, want %s", n, name, unknown, want)
			}
		}
	}
	if name, _ := withUnknown(cty.ObjectVal(map[string]cty.Value{"d": cty.True}),
		0); name != "" {
		t.Errorf("%s is unknown", name)
	}
	if len(elements(config)) != 4 || !config.IsWhollyKnown() {
		t.Errorf("the configuration is %#v now", config)
	}
}
