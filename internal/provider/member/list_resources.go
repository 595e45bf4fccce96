package member

import (
	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewProjectRoleList returns the list resource neon_project_member_role: the members with a
// role of their own in a project.
func NewProjectRoleList() framework.ListResource {
	return kit.NewListInProject("project_member_role", projectRoleKey,
		"Lists the members of an organization who have a role of their own in a project, in Neon's order.",
		(*client.Client).ListProjectMemberRoles,
		func(projectID string, member client.ProjectMember) kit.Listed[projectRoleModel] {
			return kit.Listed[projectRoleModel]{
				Key: []string{projectID, member.ID}, DisplayName: member.Email + " (" + member.ExplicitRole() + ")",
				Read: func(imported projectRoleModel) (projectRoleModel, error) { return imported.with(&member), nil },
			}
		})
}

// NewOrgRoleList returns the list resource neon_org_member_role: the members of an
// organization.
func NewOrgRoleList() framework.ListResource {
	return kit.NewListInOrganization("org_member_role", orgRoleKey,
		"Lists the members of an organization with their roles, in the order in which they joined.",
		(*client.Client).ListMembers,
		func(orgID string, member client.Member) kit.Listed[orgRoleModel] {
			return kit.Listed[orgRoleModel]{
				Key: []string{orgID, member.Member.ID}, DisplayName: member.User.Email + " (" + member.Member.Role + ")",
				Read: func(imported orgRoleModel) (orgRoleModel, error) { return imported.with(&member), nil },
			}
		})
}
