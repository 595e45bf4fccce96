package branch

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// longestExpiry is how far ahead a branch may expire.
const longestExpiry = 30 * 24 * time.Hour

// ValidateConfig checks what takes more than one attribute to see. What is not
// known yet is checked by the plan.
func (r *branchResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var config branchModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if config.Protected.ValueBool() && kit.IsSet(config.ExpiresAt) {
		resp.Diagnostics.AddAttributeError(path.Root("expires_at"), "Protected branches can't expire",
			"A protected branch can't expire: remove expires_at, or set protected to false.")
	}
	kit.CheckPast("parent_timestamp", config.ParentTimestamp, time.Now(), &resp.Diagnostics)
	endpoints := endpointModels(config.Endpoints)
	checkEndpoints(endpoints, &resp.Diagnostics)
	first := ""
	for _, label := range sortedLabels(endpoints) {
		switch {
		case endpoints[label].Type.ValueString() != client.EndpointReadWrite:
		case first == "":
			first = label
		default:
			resp.Diagnostics.AddAttributeError(endpointPath(label, "type"), "More than one read_write endpoint", fmt.Sprintf(
				"A branch can have only one read_write endpoint, and %q is one already; any number can be read_only.", first))
		}
	}
}

// checkEndpoints compares the limits where both are known, be they configured or
// kept.
func checkEndpoints(endpoints map[string]kit.Endpoint, diags *diag.Diagnostics) {
	for _, label := range sortedLabels(endpoints) {
		endpoints[label].Check(func(attribute string) path.Path { return endpointPath(label, attribute) }, diags)
	}
}

// checkExpiry refuses times that Neon refuses.
func checkExpiry(expiry timetypes.RFC3339, now time.Time, diags *diag.Diagnostics) {
	kit.CheckFuture(expiry, now, diags)
	if moment := kit.Instant(expiry); moment != nil && moment.After(now.Add(longestExpiry)) {
		diags.AddAttributeError(path.Root("expires_at"), "Expiry too far ahead", fmt.Sprintf(
			"expires_at is %s; a branch can expire at most 30 days ahead.", expiry.ValueString()))
	}
}

func endpointPath(label, attribute string) path.Path {
	return path.Root("endpoints").AtMapKey(label).AtName(attribute)
}
