package organization

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewMembersDataSource returns neon_org_members: the members of an organization.
func NewMembersDataSource() datasource.DataSource {
	return kit.NewListSourceInOrganization(kit.ListSource[client.Member, member]{
		Name: "org_members", Called: "members", Attribute: "members", Objects: "The members.", Model: newMember,
		Text: "The members of an organization, in the order in which they joined.",
		Schema: map[string]schema.Attribute{
			"id":        kit.ReturnedString("Id of the member in this organization, a UUID."),
			"user_id":   kit.ReturnedString("Id of the user, a UUID."),
			"email":     kit.ReturnedString("Email address of the user."),
			"role":      kit.ReturnedString("What the member may do: `admin`, `editor`, `viewer` or `collaborator`."),
			"has_mfa":   kit.ReturnedBool("Whether the user logs in with a second factor."),
			"joined_at": kit.ReturnedTime("When the user joined the organization. Null if Neon doesn't say."),
			"deactivated_at": kit.ReturnedTime(
				"When the user was deactivated. Null for one who is active."),
		},
	}, (*client.Client).ListMembers)
}

type member struct {
	ID            types.String      `tfsdk:"id"`
	UserID        types.String      `tfsdk:"user_id"`
	Email         types.String      `tfsdk:"email"`
	Role          types.String      `tfsdk:"role"`
	HasMFA        types.Bool        `tfsdk:"has_mfa"`
	JoinedAt      timetypes.RFC3339 `tfsdk:"joined_at"`
	DeactivatedAt timetypes.RFC3339 `tfsdk:"deactivated_at"`
}

func newMember(found client.Member) member {
	return member{
		ID:            types.StringValue(found.Member.ID),
		UserID:        types.StringValue(found.Member.UserID),
		Email:         kit.OptionalString(found.User.Email),
		Role:          types.StringValue(found.Member.Role),
		HasMFA:        types.BoolValue(found.User.HasMFA),
		JoinedAt:      kit.OptionalTime(found.Member.JoinedAt),
		DeactivatedAt: kit.OptionalTime(found.User.DeactivatedAt),
	}
}
