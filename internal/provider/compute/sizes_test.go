package compute_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
)

// Neon's documented sizes are silent, sizes that it doesn't document are warned of, and only
// what no compute can have is refused.
func TestUnits_sizes(t *testing.T) {
	t.Parallel()
	for units, want := range map[float64]string{
		0.25: "", 0.5: "", 1: "", 7: "", 16: "", 18: "", 56: "",
		0.1: "refused", 0.3: "0.25 and 0.5", 1.5: "1 and 2", 17: "16 and 18", 57: "the largest that it has is 56",
	} {
		resp := &validator.Float64Response{}
		for _, v := range compute.Units("").Validators {
			v.ValidateFloat64(t.Context(), validator.Float64Request{Path: path.Root("autoscaling_limit_min_cu"),
				ConfigValue: types.Float64Value(units)}, resp)
		}
		warned := ""
		for _, warning := range resp.Diagnostics.Warnings() {
			warned += warning.Detail()
		}
		if resp.Diagnostics.HasError() != (want == "refused") || (want == "" || want == "refused") != (warned == "") ||
			want != "refused" && !strings.Contains(warned, want) {
			t.Errorf("%v: %v, want %q", units, resp.Diagnostics, want)
		}
	}
}

// Limits that all of Neon's documentation forbids are refused, and those are warned of which a
// page forbids and another allows; but nothing that an endpoint has already.
func TestEndpoint_sizesApart(t *testing.T) {
	t.Parallel()
	endpoint := func(least, most float64) compute.Endpoint {
		return compute.Endpoint{AutoscalingLimitMinCU: types.Float64Value(least),
			AutoscalingLimitMaxCU: types.Float64Value(most)}
	}
	for _, test := range []struct {
		least, most float64
		want        string
	}{
		{0.25, 0.25, ""}, {0.25, 8, ""}, {0.25, 8.25, ""}, {8, 16, ""}, {56, 56, ""}, {0.25, 10, "warned 2 to 10 is safe"}, {2, 16, "warned 8 to 16 is safe"},
		{16, 18, "warned 8 to 16 is safe"}, {3, 24, "warned 8 to 16 is safe"}, {1, 24, "refused 8 to 16 is safe"},
		{0.25, 16, "refused 8 to 16 is safe"}, {1, 9.5, "warned"}, {1, 11, "refused 3 to 11"}, {2, 1, "refused can't be above"}, {1, 1000, "refused"},
	} {
		var said diag.Diagnostics
		endpoint(test.least, test.most).CheckSizes(compute.Endpoint{}, path.Root, &said)
		got := ""
		for _, each := range said {
			got += map[diag.Severity]string{diag.SeverityError: "refused ", diag.SeverityWarning: "warned "}[each.Severity()] +
				each.Detail()
		}
		verdict, part, _ := strings.Cut(test.want, " ")
		if (test.want == "") != (got == "") || !strings.HasPrefix(got, verdict) || !strings.Contains(got, part) {
			t.Errorf("%g to %g: %q, want %q", test.least, test.most, got, test.want)
		}
		said = nil
		if endpoint(test.least, test.most).CheckSizes(endpoint(test.least, test.most), path.Root, &said); len(said) > 0 {
			t.Errorf("%g to %g as before: %v", test.least, test.most, said)
		}
	}
}
