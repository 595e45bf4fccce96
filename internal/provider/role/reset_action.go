package role

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewResetPasswordAction returns the action neon_reset_role_password.
func NewResetPasswordAction() action.Action {
	return kit.NewAction(kit.Action[resetModel]{
		Name: "reset_role_password",
		Description: "Makes Neon choose a new password for a role. The old one stops working, and the role's connections " +
			"are dropped. Read the new one with the ephemeral resource `neon_role_password`. Child branches keep the old " +
			"password. This doesn't show up in the next plan.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"branch_id":  kit.RequiredID(branchText),
			"role_name":  kit.RequiredText("Name of the role, which can log in.", kit.PostgresName()...),
		},
		// The role may be created by the same apply, so only its branch is looked up.
		Plan:   kit.CheckInBranch[resetModel],
		Invoke: resetPassword,
		Doubt:  "Look whether the old password still lets in.",
	})
}

type resetModel struct {
	kit.InBranch
	kit.Invocation

	RoleName types.String `tfsdk:"role_name"`
}

func resetPassword(ctx context.Context, api *client.Client, config resetModel) (string, error) {
	branch := config.Branch()
	name := config.RoleName.ValueString()
	operations, err := client.OperationsOf(api.ResetRolePassword(ctx, branch, name))
	switch {
	case client.IsAbsent(err):
		return "", kit.Advise(err, "Check role_name and branch_id: a role is of one branch, and other branches may have "+
			"it or not.")
	case client.HasStatus(err, http.StatusUnprocessableEntity):
		return "", kit.Advise(err, "A role without login has no password.")
	case err == nil:
		err = api.WaitForOperations(ctx, branch.ProjectID, operations)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("This doesn't show up in the next plan of role %q. The next apply writes the new password "+
		"wherever the configuration uses it, such as with the data source neon_connection_uri.", name), nil
}
