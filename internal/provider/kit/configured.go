package kit

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// configuredMark names in private state those of the attributes that are left alone which the last
// apply had configured.
const configuredMark = "configured"

// Configured are the names of the attributes that are left alone unless they were configured, and were.
func Configured(ctx context.Context, private PrivateState) (names []string) {
	text, _ := private.GetKey(ctx, configuredMark)
	_ = json.Unmarshal(text, &names) // Without a mark, none.
	return names
}

// PlanLeftAlone plans attributes that aren't configured: to stay as they are where they never were, so that nothing
// that somebody has set elsewhere is undone; and to go back to their default, which is null, where they were.
func PlanLeftAlone(ctx context.Context, names []string, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	were := Configured(ctx, req.Private)
	for _, name := range names {
		var planned, present attr.Value
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(name), &planned)...)
		if resp.Diagnostics.HasError() || !planned.IsNull() {
			continue
		}
		if !req.State.Raw.IsNull() && !slices.Contains(were, name) {
			resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root(name), &present)...)
			planned = present
		}
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root(name), planned)...)
	}
}

// keepConfigured remembers which of the attributes that are left alone are configured. After a failure, those that
// were may still have to go back to their default.
func (r *managed[M]) keepConfigured(ctx context.Context, config tfsdk.Config, failed bool, private PrivateState, diags *diag.Diagnostics) {
	if len(r.spec.LeftAlone) == 0 {
		return
	}
	were := Configured(ctx, private)
	kept := slices.DeleteFunc(slices.Clone(r.spec.LeftAlone), func(name string) bool {
		var configured attr.Value
		diags.Append(config.GetAttribute(ctx, path.Root(name), &configured)...)
		isConfigured := configured != nil && !configured.IsNull()
		return !isConfigured && (!failed || !slices.Contains(were, name))
	})
	if !slices.Equal(kept, were) {
		text, _ := json.Marshal(kept) // It is made of strings.
		diags.Append(private.SetKey(ctx, configuredMark, text)...)
	}
}
