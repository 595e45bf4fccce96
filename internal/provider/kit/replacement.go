package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// CheckReplacement has a plan that replaces an object, since one of these attributes changes or its branch is another,
// look whether the new one can be created, before the old one goes. Look returns an error where it can't, which is
// about the attribute.
func CheckReplacement(
	ctx context.Context, platform *Platform, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse, noun,
	attribute string,
	parts []string, look func(*client.Client) error,
) {
	if req.State.Raw.IsNull() || req.Plan.Raw.IsNull() || resp.Diagnostics.HasError() ||
		Changed(ctx, req, parts, &resp.Diagnostics) == "" && len(resp.RequiresReplace) == 0 {
		return
	}
	for _, name := range append([]string{"project_id", "branch_id"}, parts...) {
		var planned attr.Value
		resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root(name), &planned)...)
		if planned == nil || planned.IsUnknown() {
			return // Nobody can have it yet.
		}
	}
	platform.LookUps(req.State, &resp.Diagnostics, func(api *client.Client, _ *diag.Diagnostics) {
		if err := look(api); err != nil {
			AddAttributeError(&resp.Diagnostics, path.Root(attribute), "Unable to replace "+noun, err)
		}
	})
}
