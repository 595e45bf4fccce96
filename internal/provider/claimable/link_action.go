package claimable

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewLinkAction returns the action neon_create_claim_link.
func NewLinkAction() action.Action {
	return kit.NewAction(kit.Action[linkModel]{
		Name:    "create_claim_link",
		Keyless: true,
		Description: "Shows a link with which a person takes a claimable database of the engine `claimable_neon` into an " +
			"account. The link works for 15 minutes and ends the one before it. Whoever opens it can claim the database, so " +
			"don't run this where others read along. Once the person continues to Neon, the database's password and all " +
			"tokens end, also if the claim is then given up: take new ones from the account.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID("`project_id` of the claimable database."),
			"identity_assertion": kit.RequiredText("`identity_assertion` of the claimable database. One of the engine " +
				"`instant` has none: its `claim_url` is the link."),
		},
		Invoke: createLink,
	})
}

type linkModel struct {
	kit.Invocation

	ProjectID         types.String `tfsdk:"project_id"`
	IdentityAssertion types.String `tfsdk:"identity_assertion"`
}

func createLink(ctx context.Context, api *client.Client, config linkModel) (string, error) {
	link, err := api.CreateClaimLink(ctx, client.ClaimableIdentity{
		ProjectID: config.ProjectID.ValueString(), Assertion: config.IdentityAssertion.ValueString(),
	})
	switch end := client.ClaimEndOf(err); {
	case client.HasCode(err, claimInProgress):
		return "", kit.Advise(err, "Somebody is claiming it. A new link is there once that is given up, after 15 minutes.")
	case end == client.ClaimExpired:
		return "", kit.Advise(err, "It has expired: the next apply creates a new database.")
	case end != client.ClaimNone:
		return "", kit.Advise(err, "It was claimed, has expired or was deleted. Run terraform plan, which says what is to "+
			"be done.")
	case client.HasStatus(err, http.StatusForbidden):
		return "", kit.Advise(err, "The action uses no API key, but the assertion: set identity_assertion and project_id of "+
			"the same claimable database.")
	case client.HasStatus(err, http.StatusLocked):
		return "", kit.Advise(err, "Other work was still running on the claimable database. Invoke the action again when it "+
			"is done.")
	case err != nil:
		return "", err
	}
	return fmt.Sprintf("To claim the database, open %s within %s (code %s). The next plan warns that it is being claimed.",
		link.URL, time.Duration(link.ExpiresIn)*time.Second, link.UserCode), nil
}
