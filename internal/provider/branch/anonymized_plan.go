package branch

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// planAnonymized plans data that is masked, and refuses what Neon would refuse later.
func planAnonymized(ctx context.Context, platform *kit.Platform, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var config, plan, state anonymizedModel
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if req.Plan.Raw.IsNull() {
		planDeletion(ctx, platform, "neon_anonymized_branch", state.branch(), req, &resp.Diagnostics)
		return
	}
	if len(resp.RequiresReplace) > 0 {
		checkDeletionOf("neon_anonymized_branch", ctx, state.branch(), req.Private, &resp.Diagnostics)
	}
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("state"), plannedState(plan, state))...)
	checkAnonymized(config, plan, state, len(resp.RequiresReplace) > 0, &resp.Diagnostics)
	if kit.IsSet(config.ParentID) && (state.ID.IsNull() || !plan.ParentID.Equal(state.ParentID)) {
		platform.LookUps(req.State, &resp.Diagnostics, func(api *client.Client, diags *diag.Diagnostics) {
			if err := checkParent(ctx, platform, api, plan.ProjectID.ValueString(), plan.ParentID.ValueString()); err != nil {
				kit.AddAttributeError(diags, path.Root("parent_id"), "Unable to create a branch from this parent", err)
			}
		})
	}
}

// plannedState is what the state is to be: an apply that succeeds leaves masked data.
func plannedState(plan, state anonymizedModel) types.String {
	switch {
	case plan.Anonymize.ValueBool():
		return types.StringValue(client.Anonymized)
	case plan.Anonymize.IsUnknown(), state.ID.IsNull():
		return types.StringUnknown()
	case !plan.MaskingRules.Equal(state.MaskingRules):
		return types.StringValue(outdated)
	}
	return state.State
}

// checkAnonymized refuses an expiry that can't be, and sizes.
func checkAnonymized(config, plan, state anonymizedModel, replaces bool, diags *diag.Diagnostics) {
	now := time.Now()
	for name, expiry := range map[string]attr.Value{"expires_at": config.ExpiresAt, "expires_in": config.ExpiresIn} {
		if config.Protected.ValueBool() && kit.IsSet(expiry) {
			diags.AddAttributeError(path.Root(name), "Protected branches can't expire", "A protected branch can't expire: remove "+name+", or set protected to false.")
		}
	}
	kit.CheckPast("parent_timestamp", config.ParentTimestamp, now, diags)
	if !kit.AtSameInstant(plan.ExpiresAt, state.ExpiresAt) {
		checkExpiry(plan.ExpiresAt, now, diags)
	}
	if !plan.ExpiresIn.Equal(state.ExpiresIn) {
		checkLifetime(plan.branch(), state.branch(), now, diags)
	}
	if !replaces {
		checkProtectedExpiry(config.branch(), plan.branch(), state.branch(), diags)
	}
	decodeEndpoint(plan.Endpoint).CheckSizes(decodeEndpoint(state.Endpoint), func(attribute string) path.Path { return path.Root("endpoint").AtName(attribute) }, diags)
}
