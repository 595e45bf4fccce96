package planning_test

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
)

// What wasn't known to a plan may be anything afterwards, but it is known; all else is as planned.
func TestApplied(t *testing.T) {
	t.Parallel()
	text, unknown := cty.StringVal, cty.UnknownVal(cty.String)
	for name, test := range map[string]struct {
		planned, actual cty.Value
		said            string
	}{
		"as planned":    {text("a"), text("a"), ""},
		"turned out":    {unknown, text("a"), ""},
		"never known":   {unknown, unknown, "invalid result object"},
		"other":         {text("a"), text("b"), "inconsistent result"},
		"vanished":      {text("a"), cty.NullVal(cty.String), "inconsistent result"},
		"in a set":      {cty.SetVal([]cty.Value{unknown}), cty.SetVal([]cty.Value{text("a")}), ""},
		"more in a set": {cty.SetVal([]cty.Value{text("a")}), cty.SetVal([]cty.Value{text("a"), text("b")}), "inconsistent result"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			planned, actual := cty.ObjectVal(map[string]cty.Value{"v": test.planned}), cty.ObjectVal(map[string]cty.Value{"v": test.actual})
			err := planning.Applied("neon_branch", planned, actual)
			if (err != nil) != (test.said != "") || err != nil && !strings.Contains(err.Error(), test.said) {
				t.Errorf("it says %v, want %q", err, test.said)
			}
		})
	}
}
