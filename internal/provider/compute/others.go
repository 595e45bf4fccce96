package compute

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// CheckOthers refuses a setting of an endpoint for which a resource of another kind than this one, such as
// neon_endpoint, plans another value: each apply would change it, to and fro. What isn't configured is null.
func CheckOthers(
	platform *kit.Platform, id, kind string, configured Endpoint, at func(string) path.Path, diags *diag.Diagnostics,
) {
	if id == "" {
		return
	}
	for name, value := range map[string]attr.Value{
		"autoscaling_limit_min_cu": configured.AutoscalingLimitMinCU,
		"autoscaling_limit_max_cu": configured.AutoscalingLimitMaxCU,
		"suspend_timeout_seconds":  configured.SuspendTimeoutSeconds, "disabled": configured.Disabled,
		"name": configured.Name,
	} {
		if !kit.IsSet(value) {
			continue
		}
		if other, differs := platform.Other(name+" of endpoint "+id, kit.Planned{Kind: kind, Value: value}); differs {
			diags.AddAttributeError(at(name), "Two settings for one endpoint ("+id+", "+name+")", fmt.Sprintf(
				"%s of endpoint %s is to be %s here, and %s by a %s of this configuration, so that each apply would change it. "+
					"Manage the endpoint in one place: leave its settings out of the other one.", name, id, value, other.Value,
				other.Kind))
		}
	}
}
