package kit

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// OwnProtection is in the private state of a resource that has protected a branch, with what it has
// protected. A protection that somebody else put on may be there against this very Terraform.
const OwnProtection = "protection"

// protectionPatience bounds how long putting a protection back takes after an interruption.
const protectionPatience = time.Minute

// ProtectAgain has a protection put back that was taken off for what then failed, also after an interruption. It
// returns the failure, with the error of that.
func ProtectAgain(ctx context.Context, failure error, protect func(context.Context) error) error {
	lasting, stop := outlast(ctx, protectionPatience)
	defer stop()
	return errors.Join(failure, protect(lasting))
}

// KeepsProtection keeps a branch's present protection if none is configured. A new branch is unprotected.
type KeepsProtection struct{ Unsaid }

// PlanModifyBool plans the value.
func (KeepsProtection) PlanModifyBool(
	_ context.Context, req planmodifier.BoolRequest, resp *planmodifier.BoolResponse,
) {
	switch {
	case !req.ConfigValue.IsNull() || !req.PlanValue.IsUnknown():
	case req.StateValue.IsNull():
		resp.PlanValue = types.BoolValue(false)
	default:
		resp.PlanValue = req.StateValue
	}
}

// markOwnProtection remembers that the configuration protects a branch, or that it has taken the protection off. If
// nothing is configured, the mark stays. A change that fails has done either all the same, if its state says so.
func (r *managed[M]) markOwnProtection(
	ctx context.Context, config tfsdk.Config, state tfsdk.State, private PrivateState, diags *diag.Diagnostics,
) {
	if r.spec.Protects == nil || state.Raw.IsNull() {
		return
	}
	at := r.spec.Protects.AtName("protected")
	configured, present := Get[types.Bool](ctx, config, at, diags), Get[types.Bool](ctx, state, at, diags)
	id := Get[types.String](ctx, state, r.spec.Protects.AtName("id"), diags)
	switch {
	case configured.ValueBool():
		SetMark(ctx, private, OwnProtection, id.ValueString(), diags)
	case !configured.IsNull() && !present.ValueBool():
		SetMark(ctx, private, OwnProtection, nil, diags)
	}
}

// moveOwnProtection has the mark follow from a branch to the one that was restored in its place, which
// has its protection, too.
func (r *managed[M]) moveOwnProtection(
	ctx context.Context, before, after tfsdk.State, private PrivateState, diags *diag.Diagnostics,
) {
	if r.spec.Protects == nil || after.Raw.IsNull() {
		return
	}
	was := Get[types.String](ctx, before, r.spec.Protects.AtName("id"), diags)
	is := Get[types.String](ctx, after, r.spec.Protects.AtName("id"), diags)
	if own := OwnProtected(ctx, private); own != "" && own == was.ValueString() && !is.Equal(was) {
		SetMark(ctx, private, OwnProtection, is.ValueString(), diags)
	}
}

// OwnProtected is the id of the branch that the resource with that private state has protected; empty
// for none.
func OwnProtected(ctx context.Context, private PrivateState) (id string) {
	id, _ = MarkOf[string](ctx, private, OwnProtection)
	return id
}
