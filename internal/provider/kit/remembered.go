package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// rememberedMark is in the private state of what remembers an attribute.
const rememberedMark = "remembered"

// remember keeps the first value of the attribute that the resource remembers, of its creation or its import.
func (r *managed[M]) remember(ctx context.Context, state tfsdk.State, private PrivateState, diags *diag.Diagnostics) {
	if r.spec.Remembers == "" || state.Raw.IsNull() || diags.HasError() {
		return
	}
	if _, isKnown := MarkOf[string](ctx, private, rememberedMark); isKnown {
		return
	}
	value := Get[types.String](ctx, state, path.Root(r.spec.Remembers), diags)
	SetMark(ctx, private, rememberedMark, value.ValueString(), diags)
}

// Remembered is the first value of the attribute that a resource remembers; empty for one that isn't there yet.
func (p Planning) Remembered(ctx context.Context) (value string) {
	value, _ = MarkOf[string](ctx, p.Private, rememberedMark)
	return value
}

// IsReplacedByForce reports whether a plan of a creation, of what remembers an attribute, replaces an object because of
// -replace or replace_triggered_by, which Terraform doesn't tell otherwise.
func (p Planning) IsReplacedByForce(ctx context.Context) bool {
	return p.IsCreation() && !p.IsDestruction() && p.Remembered(ctx) != ""
}

// ForgetReplaced removes the remembered value if the configuration replaces the object. Terraform passes it on to the
// plan of the new object, which would otherwise look like a replacement by -replace.
func (p Planning) ForgetReplaced(ctx context.Context) {
	SetMark(ctx, p.Private, rememberedMark, nil, p.Diags)
}

// RefuseForce refuses -replace and replace_triggered_by for an object that Neon can't create a second time, for the
// given reason. A change of one of the parts is allowed: it creates a different object.
func (p Planning) RefuseForce(ctx context.Context, noun, reason string, parts ...string) {
	switch {
	case p.IsReplacedByForce(ctx):
		p.Diags.AddError("The "+noun+" can't be created again", "-replace or replace_triggered_by would destroy "+
			"it, and its creation would then fail: "+reason+" Leave that out. Nothing was changed.")
	case p.IsChange() && p.Changed(ctx, parts...) != "":
		p.ForgetReplaced(ctx)
	}
}
