package credential

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewRotateAction returns the action neon_rotate_service_credential.
func NewRotateAction() action.Action {
	return kit.NewAction(kit.Action[rotateModel]{
		Name: "rotate_service_credential",
		Description: "Makes Neon choose new secrets for a service credential, under the same id. The old ones stop working " +
			"at once. Read the new ones with the ephemeral resource `neon_service_credential_secret`. This doesn't show up in " +
			"the next plan.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"branch_id":  kit.RequiredID("Id of the branch that the credential was created for."),
			"token_id":   kit.RequiredText(tokenText),
		},
		Plan: kit.CheckInBranch[rotateModel],
		Invoke: func(ctx context.Context, api *client.Client, config rotateModel) (string, error) {
			if err := api.RotateCredential(ctx, config.Branch(), config.TokenID.ValueString()); err != nil {
				return "", err
			}
			return "The credential has new secrets, which neon_service_credential_secret reveals. This doesn't show up in the " +
				"next plan.", nil
		},
		Doubt: "Compare what neon_service_credential_secret reveals with what programs use.",
	})
}

type rotateModel struct {
	kit.InBranch
	kit.Invocation

	TokenID types.String `tfsdk:"token_id"`
}
