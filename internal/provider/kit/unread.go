package kit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// RefusesUnread refuses to change or replace an object of which the state has nothing but what was taken over from
// another provider: what differs from the configuration isn't known before a read.
func (b *KeyedBase) RefusesUnread(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) bool {
	if req.State.Raw.IsNull() || req.Plan.Raw.IsNull() || b.wasRead(req.State) || req.Plan.Raw.Equal(req.State.Raw) {
		return false
	}
	diags.AddError("Not read yet", fmt.Sprintf("The state of neon_%s %s was taken over and hasn't been read yet: plan "+
		"without -refresh=false first.",
		b.Name, strings.Join(b.Key.values(ctx, req.State, diags), "/")))
	return true
}

// wasRead reports whether the state has more than what an import or another provider's state gives.
func (b *KeyedBase) wasRead(state tfsdk.State) bool {
	var values map[string]tftypes.Value
	if state.Raw.As(&values) != nil {
		return false
	}
	for name, value := range values {
		isGiven := name == protectionName || slices.Contains(b.MovedTexts, name) ||
			slices.ContainsFunc(b.Key.Parts, func(part KeyPart) bool { return part.Name == name })
		if !isGiven && !value.IsNull() {
			return true
		}
	}
	return false
}
