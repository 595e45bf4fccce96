package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// ModelsOf are the models of a resource in a plan: what it is, what it is planned to be so far, and what is configured.
// The first is empty for a creation, the others for a destruction.
func ModelsOf[M any](
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) (state, planned, config M) {
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if !req.Plan.Raw.IsNull() {
		resp.Diagnostics.Append(resp.Plan.Get(ctx, &planned)...)
		resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	}
	return state, planned, config
}
