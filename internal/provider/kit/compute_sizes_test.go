package kit_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// Neon's documented sizes are silent, sizes that it doesn't document are warned of, and only
// what no compute can have is refused.
func TestComputeUnits_sizes(t *testing.T) {
	t.Parallel()
	for units, want := range map[float64]string{
		0.25: "", 0.5: "", 1: "", 7: "", 16: "", 18: "", 56: "",
		0.1: "refused", 0.3: "0.25 and 0.5", 1.5: "1 and 2", 17: "16 and 18", 57: "the largest that it has is 56",
	} {
		resp := &validator.Float64Response{}
		for _, v := range kit.ComputeUnits("").Validators {
			v.ValidateFloat64(t.Context(), validator.Float64Request{Path: path.Root("autoscaling_limit_min_cu"), ConfigValue: types.Float64Value(units)}, resp)
		}
		warned := ""
		for _, warning := range resp.Diagnostics.Warnings() {
			warned += warning.Detail()
		}
		if resp.Diagnostics.HasError() != (want == "refused") || (want == "" || want == "refused") != (warned == "") || want != "refused" && !strings.Contains(warned, want) {
			t.Errorf("%v: %v, want %q", units, resp.Diagnostics, want)
		}
	}
}
