package organization

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewMembersDataSource returns neon_org_members: the members of an organization.
func NewMembersDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfOrganization, kit.ListSource[client.Member]{
		Name: "org_members", Called: "members", Attribute: "members", Returns: returnedMember,
		Text: "The members of an organization, in the order in which they joined.",
	}, (*client.Client).ListMembers)
}

func returnedMember(found client.Member) kit.Returned {
	return kit.Returned{
		"id":      kit.Returns("Id of the member in this organization, a UUID.", types.StringValue(found.Member.ID)),
		"user_id": kit.Returns("Id of the user, a UUID.", types.StringValue(found.Member.UserID)),
		"email":   kit.Returns("Email address of the user.", kit.OptionalString(found.User.Email)),
		"role": kit.Returns("What the member may do: `admin`, `editor`, `viewer` or `collaborator`.",
			types.StringValue(found.Member.Role)),
		"has_mfa": kit.Returns("Whether the user logs in with a second factor.", types.BoolValue(found.User.HasMFA)),
		"joined_at": kit.Returns("When the user joined the organization. Null if Neon doesn't say.",
			kit.OptionalTime(found.Member.JoinedAt)),
		"deactivated_at": kit.Returns("When the user was deactivated. Null for one who is active.",
			kit.OptionalTime(found.User.DeactivatedAt)),
	}
}
