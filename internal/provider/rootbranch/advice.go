// Package rootbranch has checks for what only root branches can have: snapshots and backup schedules.
package rootbranch

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// Advise explains a refusal of something that only root branches can have: the branch has a parent, or else otherwise.
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

const (
	// rootsAlone continues a sentence that names a parent.
	rootsAlone = "Neon takes snapshots of root branches alone, which have none"
	needsRoot  = rootsAlone + ": set branch_id to such a branch. The project's first one is, and the data source " +
		"neon_branches shows which others are."
)

func hasParent(branch *client.Branch) string {
	return fmt.Sprintf("Branch %s has the parent %s", branch.ID, branch.ParentID)
}

// CheckPlanned checks that the planned branch is a root, so that it can have a noun such as "snapshot". For a creation
// it adds a warning; for a replacement an error, since the present object would be deleted first. A branch that can't
// be read passes here: another look-up reports it.
func CheckPlanned(ctx context.Context, p kit.Planning, noun string) {
	stays := !p.IsCreation() && !p.Replaces()
	if stays || p.IsDestruction() {
		return
	}
	var in kit.InBranch
	if in.ReadFrom(ctx, p.Answer.Plan, p.Diags); !kit.IsSet(in.ProjectID) || !kit.IsSet(in.BranchID) {
		return
	}
	p.LookUps(func(run kit.Run) {
		if branch, err := p.LookUpBranch(ctx, in.Branch()); err == nil {
			Check(branch, noun, run.Diags)
		}
	})
}

// Check refuses a noun, such as "snapshot", on a branch with a parent.
func Check(branch *client.Branch, noun string, diags *diag.Diagnostics) {
	if branch.ParentID != "" {
		kit.AddAttributeError(diags, path.Root("branch_id"), "No "+noun+" of a branch with a parent",
			kit.Advise(errors.New(hasParent(branch)), needsRoot))
	}
}
