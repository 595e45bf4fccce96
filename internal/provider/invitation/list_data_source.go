package invitation

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_org_invitations: who was invited to an organization.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceInOrganization(kit.ListSource[client.Invitation, listedInvitation]{
		Name: "org_invitations", Called: "invitations", Attribute: "invitations", Objects: "The invitations.",
		Model: newListed,
		Text: "The invitations to an organization, accepted ones too, in Neon's order. Neon doesn't say which were " +
			"accepted: `neon_org_members` returns who is a member.",
		Schema: map[string]schema.Attribute{
			"id":         kit.ReturnedString(idText),
			"email":      kit.ReturnedString(emailText),
			"role":       kit.ReturnedString(roleText),
			"invited_at": kit.ReturnedTime(invitedText),
			"invited_by": kit.ReturnedString(byText),
		},
	}, (*client.Client).ListInvitations)
}

type listedInvitation struct {
	ID        types.String      `tfsdk:"id"`
	Email     types.String      `tfsdk:"email"`
	Role      types.String      `tfsdk:"role"`
	InvitedAt timetypes.RFC3339 `tfsdk:"invited_at"`
	InvitedBy types.String      `tfsdk:"invited_by"`
}

func newListed(invitation client.Invitation) listedInvitation {
	return listedInvitation{
		ID:        types.StringValue(invitation.ID),
		Email:     types.StringValue(invitation.Email),
		Role:      types.StringValue(invitation.Role),
		InvitedAt: kit.OptionalTime(&invitation.InvitedAt),
		InvitedBy: kit.OptionalString(invitation.InvitedBy),
	}
}
