package branch

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// hasNoPlace reports whether another branch may have replaced the one in the state: that one is gone or has lost its
// name, which a restore gives to its replacement.
func hasNoPlace(branch *client.Branch, err error, state branchModel) bool {
	return !state.isImported() && (client.IsAbsent(err) || err == nil && branch.Name != state.Name.ValueString())
}

// readSuccessor reads the branch that has replaced the one in the state, and reports the replacement. If there is none,
// it returns its arguments.
func readSuccessor(
	ctx context.Context, api *client.Client, state branchModel, branch *client.Branch, endpoints []client.Endpoint,
	err error, diags *diag.Diagnostics,
) (*client.Branch, []client.Endpoint, error) {
	ref := state.ref()
	successor, lookupErr := api.GetSuccessor(ctx, ref, state.Name.ValueString())
	if successor == nil || lookupErr != nil {
		return branch, endpoints, cmp.Or(lookupErr, err)
	}
	diags.AddWarning("A restored branch has taken the place of "+ref.ID, fmt.Sprintf(
		"Branch %s (%s) was restored from a snapshot and has replaced branch %s, which this resource stood for. From now "+
			"on the resource stands for branch %s; nothing is planned because of it. Terraform doesn't manage the replaced "+
			"branch any more: delete it once nobody needs what it holds.",
		successor.ID, kit.Quoted(successor.Name), kit.DescribeBranch(ctx, api, ref), successor.ID))
	state.ID = types.StringValue(successor.ID)
	return readBranch(ctx, api, state)
}
