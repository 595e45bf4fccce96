package branch

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// ModifyPlan finds out which endpoints stay, so that what is known of them stays
// known, and checks what only the plan tells.
func (r *branchResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	pending := pendingCreationOf(ctx, req.Private, &resp.Diagnostics)
	// To decode a thousand branches that are as they should be takes seconds.
	if pending == nil && req.Plan.Raw.Equal(req.State.Raw) {
		return
	}
	var config, plan branchModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	var state branchModel
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	r.planOrigin(ctx, branchChange{config, plan, state}, resp)
	if !atSameInstant(plan.ExpiresAt, state.ExpiresAt) {
		checkExpiry(plan.ExpiresAt, time.Now(), &resp.Diagnostics)
	}
	pending.plan(ctx, resp)
	current := existingEndpoints(state.Endpoints)
	if plan.Endpoints.IsNull() && len(current) > 0 {
		resp.Diagnostics.AddAttributeWarning(path.Root("endpoints"), "Endpoints will be deleted", fmt.Sprintf(
			"The configuration no longer has the attribute endpoints, so applying it deletes these endpoints of branch %s: %s.",
			state.ID.ValueString(), strings.Join(describeEndpoints(current), ", ")))
	}
	if !kit.IsSet(plan.Endpoints) {
		return
	}
	planned := endpointModels(plan.Endpoints)
	if !req.State.Raw.IsNull() {
		configured := endpointModels(config.Endpoints)
		planned = planEndpoints(configured, planned, current, unknownLabels(plan.Endpoints, planned))
		elements := plan.Endpoints.Elements()
		for label, element := range endpointsValue(ctx, planned, &resp.Diagnostics).Elements() {
			elements[label] = element
		}
		value, problems := types.MapValue(endpointType, elements)
		resp.Diagnostics.Append(problems...)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("endpoints"), value)...)
	}
	checkEndpoints(planned, &resp.Diagnostics)
}

func describeEndpoints(endpoints map[string]endpointModel) []string {
	var texts []string
	for _, label := range sortedLabels(endpoints) {
		texts = append(texts, fmt.Sprintf("%s (%s)", label, endpoints[label].ID.ValueString()))
	}
	return texts
}

// unknownLabels are those whose type can't be told yet. What bears such a label
// now may turn out to stay.
func unknownLabels(endpoints types.Map, known map[string]endpointModel) map[string]bool {
	labels := map[string]bool{}
	for label := range endpoints.Elements() {
		if model, ok := known[label]; !ok || model.Type.IsUnknown() {
			labels[label] = true
		}
	}
	return labels
}

// planEndpoints fills in what is known of the endpoints that stay, and that the
// configuration leaves open.
func planEndpoints(configured, planned, current map[string]endpointModel, unknown map[string]bool) map[string]endpointModel {
	kept := keptEndpoints(configured, current, unknown)
	result := map[string]endpointModel{}
	for label, endpoint := range planned {
		if before, ok := kept[label]; ok {
			result[label] = endpoint.keeping(configured[label], current[before])
		} else {
			result[label] = endpoint.unmade(configured[label])
		}
	}
	return result
}

// keptEndpoints tells for each label which label its endpoint has now. A label
// keeps its endpoint as long as the type stays; an endpoint without a label goes
// to a new label of its type: a read_write endpoint always, a read_only one if it
// has all that is configured.
func keptEndpoints(configured, current map[string]endpointModel, unknown map[string]bool) map[string]string {
	kept := map[string]string{}
	free := map[string]bool{}
	for label, endpoint := range current {
		if wanted, ok := configured[label]; ok && wanted.Type.Equal(endpoint.Type) {
			kept[label] = label
		} else if !unknown[label] {
			free[label] = true
		}
	}
	undecided := len(unknown) > 0
	for label, wanted := range configured {
		if _, ok := kept[label]; !ok && wanted.hasUnknown() {
			undecided = true
		}
	}
	for _, label := range sortedLabels(configured) {
		if _, ok := kept[label]; ok {
			continue
		}
		wanted := configured[label]
		for _, before := range sortedLabels(free) {
			sameType := wanted.Type.Equal(current[before].Type)
			readWrite := wanted.Type.ValueString() == client.EndpointReadWrite
			if sameType && (readWrite || !undecided && wanted.fits(current[before])) {
				kept[label] = before
				delete(free, before)
				break
			}
		}
	}
	return kept
}

func (m endpointModel) hasUnknown() bool {
	for _, value := range []attr.Value{
		m.Type, m.AutoscalingLimitMinCU, m.AutoscalingLimitMaxCU, m.SuspendTimeoutSeconds, m.Disabled, m.Name,
	} {
		if value.IsUnknown() {
			return true
		}
	}
	return false
}

// keeping gives the planned endpoint with the values of the one that it is now,
// wherever the configuration says nothing.
func (m endpointModel) keeping(configured, current endpointModel) endpointModel {
	m.AutoscalingLimitMinCU = configuredOr(configured.AutoscalingLimitMinCU, m.AutoscalingLimitMinCU, current.AutoscalingLimitMinCU)
	m.AutoscalingLimitMaxCU = configuredOr(configured.AutoscalingLimitMaxCU, m.AutoscalingLimitMaxCU, current.AutoscalingLimitMaxCU)
	m.SuspendTimeoutSeconds = configuredOr(configured.SuspendTimeoutSeconds, m.SuspendTimeoutSeconds, current.SuspendTimeoutSeconds)
	m.Disabled = configuredOr(configured.Disabled, m.Disabled, current.Disabled)
	m.Name = configuredOr(configured.Name, m.Name, current.Name)
	m.ID, m.Host, m.PoolerHost = current.ID, current.Host, current.PoolerHost
	return m
}

// unmade gives the planned endpoint with all that the platform will fill in
// open. State may hold an endpoint that an interrupted creation didn't come to.
func (m endpointModel) unmade(configured endpointModel) endpointModel {
	if !m.ID.IsNull() {
		return m
	}
	m.AutoscalingLimitMinCU = configuredOr(configured.AutoscalingLimitMinCU, m.AutoscalingLimitMinCU, types.Float64Unknown())
	m.AutoscalingLimitMaxCU = configuredOr(configured.AutoscalingLimitMaxCU, m.AutoscalingLimitMaxCU, types.Float64Unknown())
	m.SuspendTimeoutSeconds = configuredOr(configured.SuspendTimeoutSeconds, m.SuspendTimeoutSeconds, types.Int64Unknown())
	m.Disabled = configuredOr(configured.Disabled, m.Disabled, types.BoolUnknown())
	m.Name = configuredOr(configured.Name, m.Name, types.StringUnknown())
	m.ID, m.Host, m.PoolerHost = types.StringUnknown(), types.StringUnknown(), types.StringUnknown()
	return m
}

func configuredOr[T attr.Value](configured, planned, current T) T {
	if configured.IsNull() {
		return current
	}
	return planned
}

// sameInstant plans no change where only the writing of a moment differs.
type sameInstant struct{}

// Description says what the modifier does.
func (sameInstant) Description(context.Context) string {
	return "The same moment written differently is no change."
}

// MarkdownDescription says the same.
func (m sameInstant) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

// PlanModifyString keeps the writing in state.
func (sameInstant) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if atSameInstant(req.ConfigValue, req.StateValue) {
		resp.PlanValue = req.StateValue
	}
}
