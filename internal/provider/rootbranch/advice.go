// Package rootbranch is about branches without a parent, which alone have snapshots, be they taken once or by a
// schedule.
package rootbranch

import (
	"context"
	"fmt"
	"net/http"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// Advise says why Neon may have refused what only root branches can have: that the
// branch is none, else the other reason.
func Advise(ctx context.Context, api *client.Client, ref client.BranchRef, refusal error, otherwise string) error {
	if !client.IsRefused(refusal) {
		return refusal
	}
	branch, err := api.GetSharedBranch(ctx, ref)
	switch {
	case err == nil && branch.ParentID == "" && client.HasStatus(refusal, http.StatusUnprocessableEntity):
		return kit.Advise(refusal, otherwise)
	case err == nil && branch.ParentID == "":
		return refusal
	case err == nil:
		return kit.Advise(refusal, fmt.Sprintf("Branch %s has the parent %s, and Neon takes snapshots of root branches "+
			"alone, which have none: set branch_id to such a branch. The project's first one is, and the data source "+
			"neon_branches shows which others are.",
			ref.ID, branch.ParentID))
	}
	return kit.Advise(refusal, "Neon takes snapshots of root branches alone, which have no parent. "+otherwise)
}
