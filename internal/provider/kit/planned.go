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
	state = ModelOf[M](ctx, req.State, &resp.Diagnostics)
	if !req.Plan.Raw.IsNull() {
		planned = ModelOf[M](ctx, resp.Plan, &resp.Diagnostics)
		config = ModelOf[M](ctx, req.Config, &resp.Diagnostics)
	}
	return state, planned, config
}
