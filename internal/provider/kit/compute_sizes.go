package kit

import (
	"context"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// computeSizes are the sizes of computes, in compute units, that Neon's documentation has
// (Computes, "Compute size and autoscaling configuration").
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

// ComputeSizesText says which sizes there are.
const ComputeSizesText = "Neon has 0.25, 0.5 and 1 to 16; and 18 to 56 in steps of 2 where minimum and maximum are the same. The maximum is at most 8 " +
	"above the minimum."

// computeSizeValidator warns of sizes that Neon's documentation doesn't have. It refuses none,
// as Neon may have more by now.
type computeSizeValidator struct{}

// Description says what is expected.
func (computeSizeValidator) Description(context.Context) string {
	return "should be a size that Neon's documentation has"
}

// MarkdownDescription says the same.
func (v computeSizeValidator) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

// ValidateFloat64 checks a value that is known.
func (computeSizeValidator) ValidateFloat64(_ context.Context, req validator.Float64Request, resp *validator.Float64Response) {
	if advice := computeSizeAdvice(req.ConfigValue.ValueFloat64()); IsSet(req.ConfigValue) && advice != "" {
		resp.Diagnostics.AddAttributeWarning(req.Path, "Unknown compute size", advice+" Neon decides when the configuration is applied.")
	}
}

// computeSizeAdvice says which sizes are nearest to one that Neon's documentation doesn't
// have; empty for one that it has, and for one that is too small to be a size.
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
