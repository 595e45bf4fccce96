package branch

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

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
	checkConfiguredExpiry(config, &resp.Diagnostics)
	kit.CheckPast("parent_timestamp", config.ParentTimestamp, time.Now(), &resp.Diagnostics)
	endpoints := endpointModels(config.Endpoints)
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

func endpointPath(label, attribute string) path.Path {
	return path.Root("endpoints").AtMapKey(label).AtName(attribute)
}
