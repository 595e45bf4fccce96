// Package transfer hands a project over to somebody whose organization one's own key doesn't see: by a transfer
// request, which whoever knows it accepts. Neon can't read, list or end one, so there is none that a state could keep.
package transfer

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	projectText  = "Id of the project that is offered."
	secondsText  = "How long the request can be accepted, in seconds, at least 1. Defaults to a day (86400)."
	redirectText = "https address that the web console leads to after the project was accepted."
	afterwards   = "Once it is accepted, your keys don't see the project any more: take it and what is in it out of the " +
		"configuration with `removed` blocks that have `destroy = false`."
)

// offer is what a request is created with.
type offer struct {
	ProjectID   types.String `tfsdk:"project_id"`
	Seconds     types.Int64  `tfsdk:"ttl_seconds"`
	RedirectURL types.String `tfsdk:"redirect_url"`
}

// create creates the request, and returns it with its link.
func (o offer) create(ctx context.Context, api *client.Client) (made *client.TransferRequest, link string, err error) {
	made, err = api.CreateTransferRequest(ctx, o.ProjectID.ValueString(), o.Seconds.ValueInt64())
	switch {
	case client.IsMissing(err):
		return nil, "", kit.Advise(err, "Only an administrator of the project, with a personal key, or a key of its "+
			"organization may offer it. If it was accepted already, it is somebody else's: take it out of the configuration "+
			"with a removed block that has destroy = false.")
	case err != nil:
		return nil, "", err
	}
	return made, api.ClaimURL(*made, o.RedirectURL.ValueString()), nil
}

func secondsValidators() []validator.Int64 { return []validator.Int64{int64validator.AtLeast(1)} }

type ephemeralModel struct {
	offer

	After     types.List        `tfsdk:"after"`
	ID        types.String      `tfsdk:"id"`
	ExpiresAt timetypes.RFC3339 `tfsdk:"expires_at"`
	ClaimURL  types.String      `tfsdk:"claim_url"`
}

// NewEphemeral returns the ephemeral resource neon_project_transfer_request.
func NewEphemeral() ephemeral.EphemeralResource {
	return kit.NewEphemeral(kit.Ephemeral[ephemeralModel]{
		Name: "project_transfer_request",
		Schema: schema.Schema{
			MarkdownDescription: "Offers a project to a customer: whoever gets the link, or the id, can take the project into " +
				"an organization of theirs, once and until it expires. Neither the state nor a plan file ever holds it: pass it " +
				"to a write-only attribute, such as that of a mail or of a secret. Each plan that knows all arguments, and each " +
				"apply, creates another request. Neon can't take one back. " + afterwards,
			Attributes: map[string]schema.Attribute{
				"project_id": kit.RequiredID(projectText),
				"ttl_seconds": schema.Int64Attribute{MarkdownDescription: secondsText, Optional: true,
					Validators: secondsValidators()},
				"redirect_url": kit.OptionalText(redirectText, kit.IsHTTPS()),
				"after":        kit.After("[neon_branch.staging.id]"),
				"id": kit.ReturnedSecret("Id of the request, a UUID. Anybody who has it can take the project, by " +
					"`neon_accept_project_transfer`."),
				"expires_at": kit.ReturnedTime("When the request expires."),
				"claim_url": kit.ReturnedSecret("URL to open in a browser to take the project. Anybody who has it can do so, " +
					"with an account of Neon's."),
			},
		},
		Open: func(ctx context.Context, run kit.Run, m *ephemeralModel) {
			made, link, err := m.create(ctx, run.API)
			if client.IsLost(err) {
				err = kit.Advise(err, "If it was created, nobody has its link, and it expires by itself. Run Terraform again.")
			}
			if err != nil {
				kit.AddError(run.Diags, "Unable to create transfer request", err)
				return
			}
			m.ID, m.ClaimURL, m.ExpiresAt = types.StringValue(made.ID), types.StringValue(link),
				timetypes.NewRFC3339TimeValue(made.ExpiresAt)
		},
	})
}

type requestModel struct {
	kit.Invocation
	offer
}

// NewRequestAction returns the action neon_create_project_transfer_request.
func NewRequestAction() action.Action {
	return kit.NewAction(kit.Action[requestModel]{
		Name: "create_project_transfer_request",
		Description: "Shows a link with which a customer takes a project into an organization of theirs, once and until it " +
			"expires. Whoever opens it can take the project, so don't run this where others read along. Neon can't take the " +
			"link back. Connection strings stay as they are, passwords too. " + afterwards,
		Attributes: map[string]actionschema.Attribute{
			"project_id": kit.RequiredID(projectText),
			"ttl_seconds": actionschema.Int64Attribute{MarkdownDescription: secondsText, Optional: true,
				Validators: secondsValidators()},
			"redirect_url": kit.OptionalText(redirectText, kit.IsHTTPS()),
		},
		Invoke: func(ctx context.Context, api *client.Client, config requestModel) (string, error) {
			made, link, err := config.create(ctx, api)
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("To take project %s, open %s until %s. Then take the project out of this configuration, with a "+
				"removed block that has destroy = false.", config.ProjectID.ValueString(), link,
				made.ExpiresAt.UTC().Format(time.RFC3339)), nil
		},
	})
}
