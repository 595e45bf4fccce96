package branch

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// ownProtection is in the private state of a branch that this resource has protected. A protection
// that somebody else put on may be there against this very Terraform.
const ownProtection = "protection"

func isOwnProtection(ctx context.Context, private privateState) bool {
	mark, _ := private.GetKey(ctx, ownProtection)
	return len(mark) > 0
}

// markProtection remembers that the configuration protects the branch, or that it doesn't any
// more; where it says neither, all stays as it was.
func markProtection(ctx context.Context, configured types.Bool, private privateState, diags *diag.Diagnostics) {
	switch {
	case configured.ValueBool():
		diags.Append(private.SetKey(ctx, ownProtection, []byte("true"))...)
	case !configured.IsNull():
		diags.Append(private.SetKey(ctx, ownProtection, nil)...)
	}
}

// keepsProtection plans the protection that a branch has where none is configured. A new branch
// has none.
type keepsProtection struct{}

// Description says what it does.
func (keepsProtection) Description(context.Context) string {
	return "Left out, the protection stays as it is."
}

// MarkdownDescription says the same.
func (m keepsProtection) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

// PlanModifyBool plans the value.
func (keepsProtection) PlanModifyBool(_ context.Context, req planmodifier.BoolRequest, resp *planmodifier.BoolResponse) {
	switch {
	case !req.ConfigValue.IsNull() || !req.PlanValue.IsUnknown():
	case req.StateValue.IsNull():
		resp.PlanValue = types.BoolValue(false)
	default:
		resp.PlanValue = req.StateValue
	}
}

// checkDeletion refuses a plan to delete what Neon would refuse to delete later, when all that
// belongs to it is deleted already.
func checkDeletion(ctx context.Context, state branchModel, private privateState, diags *diag.Diagnostics) {
	called := fmt.Sprintf("Branch %s (%s)", state.ID.ValueString(), kit.Quoted(state.Name.ValueString()))
	forget := "To have Terraform forget the branch without deleting it, as where it goes with its project, replace its resource by this block, where NAME is its " +
		"name, and apply that first; or run terraform state rm neon_branch.NAME.\n\n" + kit.RemovedBlock("neon_branch.NAME")
	switch {
	case state.Default.ValueBool():
		diags.AddError("The default branch can't be deleted ("+state.ID.ValueString()+")", called+" is the default branch of project "+state.ProjectID.ValueString()+
			", which Neon never deletes. To delete only this branch, make another one the default first. "+forget)
	case state.Protected.ValueBool() && !isOwnProtection(ctx, private):
		diags.AddAttributeError(path.Root("protected"), "Somebody has protected the branch ("+state.ID.ValueString()+")", called+" is protected, and this resource hasn't put that on, so "+
			"it doesn't take it off to delete the branch. If the branch is meant to go, set\n\n  protected = false\n\nand apply that first. "+forget)
	}
}
