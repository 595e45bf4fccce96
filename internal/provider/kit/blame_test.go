package kit_test

import (
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ = kit.Introduce(kit.Noun{
	Called: "size", InMessages: map[string]string{"autoscaling_limit_max_cu": "compute size",
		"org_id": "organization not found"},
})

// Each time, the attribute is blamed that Neon quotes or names first.
func TestAddConfigError_blames(t *testing.T) {
	t.Parallel()
	config := object(map[string]tftypes.Value{
		"name": text("b"), "region_id": text("us-east-1"), "org_id": tftypes.NewValue(tftypes.String, nil),
		"endpoints": tftypes.NewValue(tftypes.Map{ElementType: sizes(1, 1).Type()},
			map[string]tftypes.Value{"a": sizes(1.5, 2)}),
	})
	for message, want := range map[string]string{
		"wrong sizes: autoscaling_limit_min_cu:1.5, autoscaling_limit_max_cu:2": `endpoints["a"].autoscaling_limit_min_cu`,
		"wrong sizes: autoscaling_limit_max_cu:2, autoscaling_limit_min_cu:1.5": `endpoints["a"].autoscaling_limit_max_cu`,
		"the compute size is too large":                                         `endpoints["a"].autoscaling_limit_max_cu`,
		`region "us-east-1" is unknown`:                                         "region_id",
		"region_id and org_id don't fit":                                        "region_id",
		"organization not found":                                                "org_id",
		`"b" isn't allowed in us-east-1`:                                        "name",
		"this name isn't possible":                                              "",
	} {
		for range 20 {
			var diags diag.Diagnostics
			kit.AddConfigError(&diags, tfsdk.Config{Raw: config}, "Unable to create branch",
				&client.Error{StatusCode: http.StatusBadRequest, Message: message})
			got := ""
			if at, ok := diags[0].(diag.DiagnosticWithPath); ok {
				got = at.Path().String()
			}
			if got != want {
				t.Fatalf("%s: blamed is %q, want %q", message, got, want)
			}
		}
	}
}

func text(value string) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }

func sizes(least, most float64) tftypes.Value {
	return object(map[string]tftypes.Value{
		"autoscaling_limit_min_cu": tftypes.NewValue(tftypes.Number, least),
		"autoscaling_limit_max_cu": tftypes.NewValue(tftypes.Number, most),
	})
}

func object(values map[string]tftypes.Value) tftypes.Value {
	types := map[string]tftypes.Type{}
	for name, value := range values {
		types[name] = value.Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, values)
}
