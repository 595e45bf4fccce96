package invitation

import (
	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_org_invitation: the invitations to an
// organization.
func NewListResource() framework.ListResource {
	return kit.NewListInOrganization("org_invitation", key, "Lists the invitations to an organization, accepted ones "+
		"too, in Neon's order.",
		(*client.Client).ListInvitations, func(orgID string, invitation client.Invitation) kit.Listed[model] {
			return kit.Listed[model]{
				Key: []string{orgID, invitation.ID}, DisplayName: invitation.Email,
				Read: func(imported model) (model, error) { return imported.with(&invitation), nil },
			}
		})
}
