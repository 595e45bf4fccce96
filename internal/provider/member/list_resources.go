package member

import (
	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewProjectRoleList returns the list resource neon_project_member_role: the members with their own role in a project.
func NewProjectRoleList() framework.ListResource {
	return kit.NewListIn(kit.OfProject, "project_member_role", projectRoleKey,
		"Lists the members of an organization who have a role of their own in a project, in Neon's order.",
		(*client.Client).ListProjectMemberRoles, projectRoleModel.with,
		func(member client.ProjectMember) (id, name string) {
			return member.ID, member.Email + " (" + member.ExplicitRole() + ")"
		})
}

// NewOrgRoleList returns the list resource neon_org_member_role: the members of an
// organization.
func NewOrgRoleList() framework.ListResource {
	return kit.NewListIn(kit.OfOrganization, "org_member_role", orgRoleKey,
		"Lists the members of an organization with their roles, in the order in which they joined.",
		(*client.Client).ListMembers, orgRoleModel.with,
		func(member client.Member) (id, name string) {
			return member.Member.ID, member.User.Email + " (" + member.Member.Role + ")"
		})
}
