package branch

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// What takes more than one attribute to see is checked by validators of attributes all the same: a ValidateConfig
// decodes the whole configuration, which is slow, and each plan validates each branch.

// protectedStays is the rule of protected that such a branch has no expiry.
type protectedStays struct{ kit.Unsaid }

// ValidateBool refuses an expiry of a branch that the configuration protects.
func (protectedStays) ValidateBool(ctx context.Context, req validator.BoolRequest, resp *validator.BoolResponse) {
	if !req.ConfigValue.ValueBool() {
		return
	}
	for _, name := range []string{"expires_at", "expires_in"} {
		expiry := kit.Get[attr.Value](ctx, req.Config, path.Root(name), &resp.Diagnostics)
		if expiry != nil && kit.IsSet(expiry) {
			resp.Diagnostics.AddAttributeError(path.Root(name), "Protected branches can't expire",
				"A protected branch can't expire: remove "+name+", or set protected to false.")
		}
	}
}

// oneReadWrite is the rule of endpoints that one of them can be read_write.
type oneReadWrite struct{ kit.Unsaid }

// ValidateMap checks the types that are known. What is not known yet is checked by the plan.
func (oneReadWrite) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	endpoints := endpointModels(req.ConfigValue)
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
