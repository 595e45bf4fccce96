// Package rootbranch is about branches without a parent, which alone have snapshots, be they taken once or by a
// schedule.
package rootbranch

import (
	"context"
	"errors"
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
		return kit.Advise(refusal, hasParent(branch)+", and "+needsRoot)
	}
	return kit.Advise(refusal, "Neon takes snapshots of root branches alone, which have no parent. "+otherwise)
}

const needsRoot = "Neon takes snapshots of root branches alone, which have none: set branch_id to such a branch. The " +
	"project's first one is, and the data source neon_branches shows which others are."

func hasParent(branch *client.Branch) string {
	return fmt.Sprintf("Branch %s has the parent %s", branch.ID, branch.ParentID)
}

// CheckNew says that a branch, where something is to be in place of what is deleted first, is none that can have it. A
// branch that can't be read is another look-up's to say.
func CheckNew(ctx context.Context, platform *kit.Platform, api *client.Client, ref client.BranchRef) error {
	if branch, err := platform.LookUpBranch(ctx, api, ref); err == nil && branch.ParentID != "" {
		return kit.Advise(errors.New(hasParent(branch)), needsRoot)
	}
	return nil
}
