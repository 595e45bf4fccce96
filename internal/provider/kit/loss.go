package kit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// WarnOfLoss says what goes with an object that holds no data where a plan replaces it because of a
// change of one of the attributes. A value that isn't known yet may turn out to be the same.
func WarnOfLoss(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse, attributes []string, summary, loss string) {
	if req.State.Raw.IsNull() || req.Plan.Raw.IsNull() || resp.Diagnostics.HasError() {
		return
	}
	for _, at := range resp.RequiresReplace { // Those that the resource itself has found.
		attributes = append(slices.Clone(attributes), at.String())
	}
	var changed []string
	for _, name := range attributes {
		var planned, present attr.Value
		resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root(name), &planned)...)
		resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root(name), &present)...)
		if !resp.Diagnostics.HasError() && !planned.IsUnknown() && !planned.Equal(present) {
			changed = append(changed, name)
		}
	}
	if len(changed) > 0 {
		resp.Diagnostics.AddAttributeWarning(path.Root(changed[0]), summary, fmt.Sprintf("The change of %s replaces it: %s", strings.Join(changed, " and "), loss))
	}
}

// TextOf is a text of the state that a plan begins with; empty for none.
func TextOf(ctx context.Context, req resource.ModifyPlanRequest, name string) string {
	var value attr.Value
	if req.State.Raw.IsNull() || req.State.GetAttribute(ctx, path.Root(name), &value).HasError() {
		return ""
	}
	return Text(value)
}
