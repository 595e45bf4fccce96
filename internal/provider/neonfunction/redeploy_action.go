package neonfunction

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewRedeployAction returns the action neon_redeploy_function.
func NewRedeployAction() action.Action {
	return kit.NewAction(kit.Action[redeployModel]{
		Name: "redeploy_function",
		Description: "Deploys a function again with its present code and variables, and waits until that has succeeded. A " +
			"`neon_function` with `source` can't tell who has deployed: its next apply deploys that once more.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"branch_id":  kit.RequiredID(branchText),
			"slug":       kit.RequiredText("Slug of the function.", slugRule),
		},
		Plan: kit.CheckInBranch[redeployModel],
		Invoke: func(ctx context.Context, api *client.Client, config redeployModel) (string, error) {
			branch := config.Branch()
			slug := config.Slug.ValueString()
			now, err := api.GetFunction(ctx, branch, slug)
			if err == nil {
				now, err = api.DeployFunction(ctx, branch, now, client.FunctionDeploy{})
			}
			if err == nil {
				now, err = api.WaitForDeployment(ctx, branch, slug, now.Current.ID)
			}
			if err != nil {
				return "", adviseDeployment(err)
			}
			return fmt.Sprintf("The function runs deployment %d. A neon_function with source can't tell who has deployed: its "+
				"next apply deploys that once more.", now.Current.ID), nil
		},
		Doubt: "Compare deployment_id of the function with what it was.",
	})
}

type redeployModel struct {
	kit.InBranch
	kit.Invocation

	Slug types.String `tfsdk:"slug"`
}
