package branch

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewAnonymizeAction returns the action neon_anonymize_branch.
func NewAnonymizeAction() action.Action {
	return kit.NewAction(kit.Action[branchActionModel]{
		Name: "anonymize_branch",
		Description: "Masks the data of an anonymized branch again, for example after you added data. It copies nothing " +
			"from the parent. Meanwhile the branch accepts no connections. This doesn't show up in the next plan.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"branch_id":  kit.RequiredID("Id of the anonymized branch."),
		},
		Plan: kit.CheckInBranch[branchActionModel],
		Invoke: func(ctx context.Context, api *client.Client, config branchActionModel) (string, error) {
			branch := config.Branch()
			if err := api.Anonymize(ctx, branch, nil); err != nil {
				return "", unlessOrdinary(ctx, api, branch, err, "Its data was never masked. A neon_anonymized_branch that is "+
					"created from it has masked data.")
			}
			return fmt.Sprintf("The data of branch %s is masked. This doesn't show up in the next plan.", branch.ID), nil
		},
		Doubt:    "Look with the data source neon_anonymized_branch when the data was last masked.",
		Patience: maskingPatience,
	})
}
