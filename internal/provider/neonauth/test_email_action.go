package neonauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/people"
)

// NewTestMailAction returns the action neon_send_auth_test_email.
func NewTestMailAction() action.Action {
	return kit.NewAction(kit.Action[testMailModel]{
		Name: "send_auth_test_email",
		Description: "Sends a test mail by the email provider of Neon Auth, which must be your own (`standard`). Nothing " +
			"changes.",
		Attributes: map[string]schema.Attribute{
			"project_id":      kit.RequiredID(kit.ProjectText),
			"branch_id":       kit.RequiredID(branchText),
			"recipient_email": kit.RequiredText("Address to send the mail to.", people.EmailValidators()...),
		},
		Plan:   kit.CheckInBranch[testMailModel],
		Invoke: sendTestMail,
		Doubt:  "Look whether the mail came.",
	})
}

type testMailModel struct {
	kit.InBranch
	kit.Invocation

	Recipient types.String `tfsdk:"recipient_email"`
}

func sendTestMail(ctx context.Context, api *client.Client, config testMailModel) (string, error) {
	err := api.SendAuthTestMail(ctx, config.Branch(), config.Recipient.ValueString())
	if errors.Is(err, client.ErrMailNotSent) || client.HasStatus(err, http.StatusBadRequest) {
		err = kit.Advise(err, "Check email_provider of neon_auth: host, port, username and the password, which is sent "+
			"again when its version changes.")
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("A mail was sent to %s. This doesn't show up in the next plan.",
		config.Recipient.ValueString()), nil
}
