package branch

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var movedBranches = []kit.MovedSource{
	{Provider: "kislerdm/neon", TypeName: "neon_branch", Version: 8},
	{Provider: "kenchan0130/neon", TypeName: "neon_branch", Version: 0},
	{Provider: "neondatabase/neon", TypeName: "neon_branch", Version: 0},
}

// MoveState takes over branches of other providers. Only the ids are kept; the rest is read
// from Neon, as after an import. The endpoints, which are separate resources of other
// providers, come with the branch.
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
		resp.Diagnostics.Append(saveImported(ctx, moved.ProjectID, moved.ID, &resp.TargetState, resp.TargetIdentity, resp.TargetPrivate)...)
	}}}
}
