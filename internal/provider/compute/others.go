package compute

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// CheckOthers refuses a setting of an endpoint if a resource of another kind plans another value for it: each apply
// would change it to and fro. Kind is the caller's kind, such as neon_endpoint; settings that aren't configured are
// null.
func CheckOthers(p kit.Planning, id, kind string, configured Endpoint, at func(string) path.Path) {
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
		if other, differs := p.Other(name+" of endpoint "+id, kit.Planned{Kind: kind, Value: value}); differs {
			p.Diags.AddAttributeError(at(name), "Two settings for one endpoint ("+id+", "+name+")", fmt.Sprintf(
				"%s of endpoint %s is to be %s here, and %s by a %s of this configuration, so that each apply would change it. "+
					"Manage the endpoint in one place: leave its settings out of the other one.", name, id, value, other.Value,
				other.Kind))
		}
	}
}

// CheckStay refuses a change of a neon_branch that would delete an endpoint which a neon_endpoint manages, as after an
// import of both. Either resource may be planned first.
func CheckStay(p kit.Planning, id, kind string, stays bool, at path.Path) {
	_, differs := p.Other("stay of endpoint "+id, kit.Planned{Kind: kind, Value: types.BoolValue(stays)})
	if !differs {
		return
	}
	p.Diags.AddAttributeError(at, "Two resources for one endpoint ("+id+")", fmt.Sprintf(
		"A neon_endpoint manages endpoint %s, and a change of a neon_branch would delete it: its state has the endpoint, "+
			"like all that an import finds, and its attribute endpoints doesn't. Remove endpoints from that neon_branch and "+
			"apply: its endpoints stay as they are. Then add endpoints again, with those that no neon_endpoint manages: "+
			"Terraform takes the read_write endpoint that is there.", id))
}

// WarnOfTwo warns of a second read_write endpoint that the same plan creates for a branch.
func WarnOfTwo(p kit.Planning, projectID, branchID types.String, at path.Path) {
	p.WarnOfTwo("read_write endpoint of a branch", at, projectID.ValueString(), branchID.ValueString())
}
