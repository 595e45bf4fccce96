package compute

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// computeSizes are the compute sizes in Neon's documentation, in compute units (Computes, "Compute size and autoscaling
// configuration").
var computeSizes = func() []float64 {
	sizes := []float64{0.25, 0.5}
	for units := 1.0; units <= 16; units++ {
		sizes = append(sizes, units)
	}
	for units := 18.0; units <= 56; units += 2 {
		sizes = append(sizes, units)
	}
	return sizes
}()

// SizesText lists the compute sizes.
const SizesText = "0.25, 0.5, or 1 to 16; also 18 to 56 in steps of 2 if minimum and maximum are equal. A maximum " +
	"above 10 may be at most 8 times the minimum. The plan warns of any that is more than 8 above it, as Neon may " +
	"refuse it."

// LimitText links to the page with the compute sizes.
const LimitText = " compute units: [sizes](../guides/sizes-and-costs.md)."

// computeSizeValidator warns of sizes that aren't in Neon's documentation. It refuses none, since Neon may have added
// some.
type computeSizeValidator struct{ kit.Unsaid }

// ValidateFloat64 checks a value that is known.
func (computeSizeValidator) ValidateFloat64(
	_ context.Context, req validator.Float64Request, resp *validator.Float64Response,
) {
	if advice := computeSizeAdvice(req.ConfigValue.ValueFloat64()); kit.IsSet(req.ConfigValue) && advice != "" {
		resp.Diagnostics.AddAttributeWarning(req.Path, "Unknown compute size", advice+" Neon decides when the "+
			"configuration is applied.")
	}
}

// computeSizeAdvice names the documented sizes next to one that isn't documented. It returns "" for a documented size,
// and for one below the smallest.
func computeSizeAdvice(units float64) string {
	next, found := slices.BinarySearch(computeSizes, units)
	if found || next == 0 {
		return ""
	}
	shown := func(units float64) string { return strconv.FormatFloat(units, 'f', -1, 64) }
	nearest := "the largest that it has is " + shown(computeSizes[next-1])
	if next < len(computeSizes) {
		nearest = "the nearest that it has are " + shown(computeSizes[next-1]) + " and " + shown(computeSizes[next])
	}
	return "Neon's documentation has no computes of " + shown(units) + " compute units: " + nearest + "."
}

// Neon's documentation limits the range of autoscaling twice: maximum minus minimum is at most 8 (Computes), and a
// maximum above 10 is at most 8 times the minimum (Autoscaling guide).
const (
	farthestApart = 8
	freelyAbove   = 10
)

// largestScaled is the largest documented maximum for autoscaling. Larger computes have a fixed size (Computes).
const largestScaled = 16

// CheckSizes refuses planned limits if the minimum exceeds the maximum, or if they break both rules above. It warns if
// they break one, or if the maximum of a range exceeds largestScaled. Unchanged limits pass: Neon has accepted them. At
// returns the path of an endpoint's attribute.
func (m Endpoint) CheckSizes(before Endpoint, at func(attribute string) path.Path, diags *diag.Diagnostics) {
	smallest, largest := m.AutoscalingLimitMinCU, m.AutoscalingLimitMaxCU
	isAsBefore := smallest.Equal(before.AutoscalingLimitMinCU) && largest.Equal(before.AutoscalingLimitMaxCU)
	if isAsBefore || !kit.IsSet(smallest) || !kit.IsSet(largest) {
		return
	}
	least, most := smallest.ValueFloat64(), largest.ValueFloat64()
	scaled := min(most, largestScaled)
	safe := fmt.Sprintf("%g to %g is safe.", scaled-farthestApart, scaled)
	const kept = " Where one of them isn't configured, the endpoint keeps the value that it has."
	switch where := at("autoscaling_limit_min_cu"); {
	case least > most:
		diags.AddAttributeError(where, "Autoscaling minimum above the maximum",
			fmt.Sprintf("autoscaling_limit_min_cu (%g) can't be above autoscaling_limit_max_cu (%g).", least, most)+kept)
	case most > freelyAbove && least < most/farthestApart:
		diags.AddAttributeError(where, "Autoscaling limits too far apart", fmt.Sprintf("With autoscaling_limit_max_cu = %g, "+
			"autoscaling_limit_min_cu must be at least an eighth of it, got: %g. ", most, least)+safe+kept)
	case most > largestScaled && least < most:
		diags.AddAttributeWarning(where, fmt.Sprintf("Autoscaling above %d (%s, %g to %g)", largestScaled, where, least,
			most), fmt.Sprintf("Neon's documentation has autoscaling up to %d compute units; a larger compute has one size, "+
			"with autoscaling_limit_min_cu = autoscaling_limit_max_cu. Neon decides when the configuration is applied; ",
			largestScaled)+safe)
	case most-least > farthestApart:
		diags.AddAttributeWarning(where, fmt.Sprintf("Autoscaling limits far apart (%s, %g to %g)", where, least, most),
			"One page of Neon's documentation has autoscaling_limit_max_cu at most 8 above autoscaling_limit_min_cu, another "+
				"one allows these. Neon decides when the configuration is applied; "+safe)
	}
}
