package invitation

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_org_invitations: who was invited to an organization.
func NewListDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[listModel]{
		Name: "org_invitations",
		Schema: schema.Schema{
			MarkdownDescription: "The invitations to an organization, accepted ones too, in Neon's order. Neon doesn't say which were accepted: " +
				"`neon_org_members` returns who is a member.",
			Attributes: map[string]schema.Attribute{
				"org_id": kit.OrganizationID("Id of the organization. Defaults to the provider's `org_id`."),
				"invitations": kit.ReturnedObjects("The invitations.", map[string]schema.Attribute{
					"id":         kit.ReturnedString(idText),
					"email":      kit.ReturnedString(emailText),
					"role":       kit.ReturnedString(roleText),
					"invited_at": kit.ReturnedTime(invitedText),
					"invited_by": kit.ReturnedString(byText),
				}),
			},
		},
		Read: list,
	})
}

type listModel struct {
	OrgID       types.String       `tfsdk:"org_id"`
	Invitations []listedInvitation `tfsdk:"invitations"`
}

type listedInvitation struct {
	ID        types.String      `tfsdk:"id"`
	Email     types.String      `tfsdk:"email"`
	Role      types.String      `tfsdk:"role"`
	InvitedAt timetypes.RFC3339 `tfsdk:"invited_at"`
	InvitedBy types.String      `tfsdk:"invited_by"`
}

func list(ctx context.Context, platform *kit.Platform, m *listModel, diags *diag.Diagnostics) {
	api := platform.Control(diags)
	m.OrgID = platform.NeedOrganization(m.OrgID, diags)
	if diags.HasError() {
		return
	}
	invitations, err := client.All(api.ListInvitations(ctx, m.OrgID.ValueString()))
	m.Invitations = kit.ReturnedList(invitations, err, "Unable to list invitations", diags, func(invitation client.Invitation) listedInvitation {
		return listedInvitation{
			ID:        types.StringValue(invitation.ID),
			Email:     types.StringValue(invitation.Email),
			Role:      types.StringValue(invitation.Role),
			InvitedAt: kit.OptionalTime(&invitation.InvitedAt),
			InvitedBy: kit.OptionalString(invitation.InvitedBy),
		}
	})
}
