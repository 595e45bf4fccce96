package transfer

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

type acceptModel struct {
	kit.Invocation

	ProjectID types.String `tfsdk:"project_id"`
	RequestID types.String `tfsdk:"request_id"`
	OrgID     types.String `tfsdk:"org_id"`
}

// NewAcceptAction returns the action neon_accept_project_transfer.
func NewAcceptAction() action.Action {
	return kit.NewAction(kit.Action[acceptModel]{
		Name: "accept_project_transfer",
		Description: "Takes a project that somebody offers by a transfer request into an organization of yours. Connection " +
			"strings and passwords stay as they are: choose new passwords afterwards, since whoever offered it knows them. " +
			"Project-scoped API keys stop working. An `import` block takes the project into the configuration.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID("Id of the project that is offered: `p` of the claim link."),
			"request_id": kit.RequiredID("Id of the transfer request: `tr` of the claim link."),
			"org_id": kit.RequiredID("Id of the organization that receives the project. The key must be of a member, or the " +
				"organization's own."),
		},
		Invoke: accept,
	})
}

func accept(ctx context.Context, api *client.Client, config acceptModel) (string, error) {
	id, org := config.ProjectID.ValueString(), config.OrgID.ValueString()
	err := api.AcceptTransferRequest(ctx, client.Ref[client.TransferRequest]{ProjectID: id,
		ID: config.RequestID.ValueString()}, org)
	if err != nil && !client.IsLost(err) {
		if found, readErr := api.GetProject(ctx, id); readErr == nil && found.OrgID == org {
			return fmt.Sprintf("Project %s is organization %s's already.", id, org), nil
		}
	}
	switch {
	case client.HasStatus(err, http.StatusNotAcceptable):
		return "", kit.Advise(err, fmt.Sprintf("The plan of organization %s doesn't suffice for the project. Change the "+
			"plan, or make room in it, and invoke this again before the request expires; or accept it for another "+
			"organization.", org))
	case client.HasStatus(err, http.StatusUnprocessableEntity):
		return "", kit.Advise(err, "Ask whoever offers the project to disconnect its integration, and invoke this again "+
			"before the request expires.")
	case client.IsMissing(err), client.HasStatus(err, http.StatusForbidden), client.HasStatus(err, http.StatusGone):
		return "", kit.Advise(err, fmt.Sprintf("A transfer request can be accepted once, until it expires: ask whoever "+
			"offers the project for another one. Check project_id and request_id too (p and tr of the claim link), and that "+
			"the key is of a member of organization %s, or that organization's own.", org))
	case err != nil:
		return "", err
	}
	return fmt.Sprintf("Project %s is organization %s's. Import it to manage it here, and choose new passwords for "+
		"its roles.", id, org), nil
}
