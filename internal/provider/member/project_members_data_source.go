package member

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewProjectMembersDataSource returns neon_project_members: the members and their roles in a project.
func NewProjectMembersDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfProject, kit.ListSource[client.ProjectMember]{
		Name: "project_members", Attribute: "members", Objects: "The members.", Returns: returned,
		Text: "The members of a project's organization, and what each may do with the project, in Neon's order. A key that " +
			"doesn't administer the project sees only members with access to it. Neon answers with 404 if roles in projects " +
			"aren't enabled for the organization.",
	}, listProjectMembers)
}

func listProjectMembers(api *client.Client, ctx context.Context, projectID string) iter.Seq2[client.ProjectMember, error] { //nolint:revive // Like the client's methods.
	return func(yield func(client.ProjectMember, error) bool) {
		for member, err := range api.ListProjectMembers(ctx, projectID) {
			if !yield(member, adviseNoRoles(err)) {
				return
			}
		}
	}
}

func returned(member client.ProjectMember) kit.Returned {
	return kit.Returned{
		"id":       kit.Returns("Id of the member in the organization, a UUID.", types.StringValue(member.ID)),
		"user_id":  kit.Returns("Id of the user, a UUID.", kit.OptionalString(member.UserID)),
		"email":    kit.Returns("Email address of the user.", kit.OptionalString(member.Email)),
		"name":     kit.Returns("Name of the user.", kit.OptionalString(member.Name)),
		"org_role": kit.Returns("The member's role in the organization.", kit.OptionalString(member.OrgRole)),
		"role":     kit.Returns(projectRoleText+" Null for nothing.", kit.OptionalString(member.Role)),
		"explicit_role": kit.Returns("The member's own role in this project. Null for none.",
			kit.OptionalString(member.ExplicitRole())),
		"grant_source": kit.Returns("Origin of the role: `explicit` for one that is set in this project, "+
			"`org_role_default` or `org_admin_override` for one that follows from the role in the organization, or "+
			"`unassigned`.", kit.OptionalString(member.GrantSource)),
	}
}
