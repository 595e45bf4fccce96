package branch

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewSetDefaultAction returns the action neon_set_default_branch.
func NewSetDefaultAction() action.Action {
	return kit.NewAction(kit.Action[branchActionModel]{
		Name: "set_default_branch",
		Description: "Makes a branch its project's default branch: new branches begin from it unless they name their " +
			"parent, and it can't be deleted. This doesn't show up in the next plan: `default_branch` of a `neon_project` " +
			"still manages the same branch, and a warning names both.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"branch_id":  kit.RequiredID("Id of the branch that becomes the default one."),
		},
		Plan:   kit.CheckInBranch[branchActionModel],
		Invoke: setDefault,
		Doubt:  "Look in the web console which branch is the default one.",
	})
}

// branchActionModel is that of an action which needs no more than a branch.
type branchActionModel struct {
	kit.InBranch
	kit.Invocation
}

func setDefault(ctx context.Context, api *client.Client, config branchActionModel) (string, error) {
	branch := config.Branch()
	operations, err := client.OperationsOf(api.SetDefaultBranch(ctx, branch))
	if err := kit.Finish(ctx, api, branch.ProjectID, operations, err); err != nil {
		return "", err
	}
	return fmt.Sprintf("Branch %s is the default one. This doesn't show up in the next plan: default_branch of a "+
		"neon_project goes on to stand for the branch that it stood for, and a warning names both. Branches that exist "+
		"keep their parents.", branch.ID), nil
}
