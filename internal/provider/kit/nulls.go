package kit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// NoNulls refuses elements that are null, which Neon has none of. Each collection that can be
// configured has it, unless null elements count as absent there.
type NoNulls struct{ Unsaid }

// ValidateSet checks the elements that are known.
func (NoNulls) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	refuseNull(req.Path, req.ConfigValue.Elements(), &resp.Diagnostics)
}

// ValidateList checks the elements that are known.
func (NoNulls) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	refuseNull(req.Path, req.ConfigValue.Elements(), &resp.Diagnostics)
}

// ValidateMap checks the elements that are known.
func (NoNulls) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	elements := req.ConfigValue.Elements()
	for _, name := range slices.Sorted(maps.Keys(elements)) {
		if elements[name].IsNull() {
			resp.Diagnostics.AddAttributeError(req.Path.AtMapKey(name), "Null element", fmt.Sprintf(
				"%s is null. Leave it out, as this does with all that are null:\n\n  { for name, value in ... : name => value if "+
					"value != null }",
				req.Path.AtMapKey(name)))
		}
	}
}

func refuseNull(at path.Path, elements []attr.Value, diags *diag.Diagnostics) {
	if slices.ContainsFunc(elements, attr.Value.IsNull) {
		diags.AddAttributeError(at, "Null element", fmt.Sprintf(
			"%s has an element that is null. Leave it out, as this does with all that are null:\n\n  [for value in ... : "+
				"value if value != null]", at))
	}
}
