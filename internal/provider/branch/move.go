package branch

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ resource.ResourceWithMoveState = (*branchResource)(nil)

var movedBranches = []kit.MovedSource{
	{Provider: "kislerdm/neon", TypeName: "neon_branch", Version: 8},
	{Provider: "kenchan0130/neon", TypeName: "neon_branch", Version: 0},
	{Provider: "neondatabase/neon", TypeName: "neon_branch", Version: 0},
}

// MoveState takes over branches of other providers. All but the ids is read from
// the platform, as after an import: the endpoints, which other providers keep as
// resources of their own, come with the branch.
func (r *branchResource) MoveState(context.Context) []resource.StateMover {
	const importBlock = "import {\n  to = neon_branch.NAME\n  id = \"project_id/branch_id\"\n}"
	return []resource.StateMover{{StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
		var moved struct {
			ID        string `json:"id"`
			ProjectID string `json:"project_id"`
		}
		if !kit.ReadMoved(req, movedBranches, importBlock, &moved, &resp.Diagnostics) {
			return
		}
		if !kit.IDPattern.MatchString(moved.ID) || !kit.IDPattern.MatchString(moved.ProjectID) {
			kit.RefuseMove(movedBranches[0], "Its id or its project is missing.", importBlock, &resp.Diagnostics)
			return
		}
		resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("project_id"), moved.ProjectID)...)
		resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("id"), moved.ID)...)
		resp.Diagnostics.Append(resp.TargetPrivate.SetKey(ctx, importedKey, []byte("true"))...)
		identity := branchIdentity{types.StringValue(moved.ProjectID), types.StringValue(moved.ID)}
		kit.SetIdentity(ctx, resp.TargetIdentity, identity, &resp.Diagnostics)
	}}}
}
