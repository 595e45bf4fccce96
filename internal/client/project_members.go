package client

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ProjectMember is a member of a project's organization, and what it may do with the project.
type ProjectMember struct {
	ID     string `json:"member_id"`
	UserID string `json:"user_id"`
	Email  string `json:"email"`
	Name   string `json:"name"`
	// OrgRole is the member's role in the organization.
	OrgRole string `json:"org_role"`
	// Role is "viewer", "editor", "admin", or empty. GrantSource is "explicit" where it was set in this project.
	Role        string `json:"project_role"`
	GrantSource string `json:"grant_source"`
	// The permissions are upper-case roles, by other names in older answers: the organization's, and what was set.
	OrgDefaultPermission string `json:"org_default_project_permission"`
	ExplicitPermission   string `json:"explicit_project_permission"`
}

var projectMemberKind = kind[ProjectMember]{
	noun: "member", route: "/projects/{project_id}/members", one: "/{member_id}", field: "project_members",
	isNamed: true, isPaged: true, // The most that a page may have isn't published.
	id: func(member ProjectMember) string { return member.ID },
}

// olderPermissions are the names of permissions in the older published description.
var olderPermissions = map[string]string{"can_view": "viewer", "can_edit": "editor", "can_manage": "admin"}

// ExplicitRole is the role that was set for the member in the project; empty where none was.
func (m ProjectMember) ExplicitRole() string {
	if m.ExplicitPermission == "" && m.GrantSource == "explicit" {
		return m.Role
	}
	return roleNamed(m.ExplicitPermission)
}

// roleNamed is the role that a permission is.
func roleNamed(permission string) string {
	role := strings.ToLower(permission)
	return cmp.Or(olderPermissions[role], role)
}

// DefaultRole is the member's role in all projects of the organization; empty for none, or where Neon doesn't say.
func (m ProjectMember) DefaultRole() string {
	return roleNamed(m.OrgDefaultPermission)
}

// ProjectRoleSet is the answer to a change of a role.
type ProjectRoleSet struct {
	ID string `json:"member_id"`
	// RotateCredentials is true where the member may know passwords that it shouldn't have, RotateAPIKeys of keys.
	RotateCredentials bool `json:"credential_rotation_recommended"`
	RotateAPIKeys     bool `json:"org_api_key_rotation_recommended"`
}

// SetProjectMemberRole sets the role of a member in a project. Whoever lowers its own role has to confirm that.
// PUT /projects/{project_id}/members/{member_id}/role: https://api-docs.neon.tech/reference/setprojectmemberrole
func (c *Client) SetProjectMemberRole(
	ctx context.Context, member Ref[ProjectMember], role string, confirm bool,
) (*ProjectRoleSet, error) {
	request := projectMemberKind.of(http.MethodPut, "/role", member.ProjectID, member.ID)
	request.subject = fmt.Sprintf("the role %s of member %s in project %s", role, member.ID, member.ProjectID)
	request.body = map[string]string{"role": role}
	if confirm {
		request.query = url.Values{"confirm_self_demotion": {"true"}}
	}
	return writeOnce(ctx, c, request,
		func() (*ProjectRoleSet, error) { return receive[ProjectRoleSet](ctx, c, request, "member_id") },
		func(ctx context.Context) (*ProjectRoleSet, error) { return c.setProjectRole(ctx, member, role) })
}

// DeleteProjectMemberRole takes a member's role in a project back, after which that of its role in the organization
// counts. A member without one is no error. Whoever locks itself out has to confirm that.
// DELETE /projects/{project_id}/members/{member_id}/role: https://api-docs.neon.tech/reference/removeprojectmemberrole
func (c *Client) DeleteProjectMemberRole(
	ctx context.Context, member Ref[ProjectMember], confirm bool,
) (*ProjectRoleSet, error) {
	request := projectMemberKind.of(http.MethodDelete, "/role", member.ProjectID, member.ID)
	request.subject = fmt.Sprintf("the end of the role of member %s in project %s", member.ID, member.ProjectID)
	if confirm {
		request.query = url.Values{"confirm_self_lockout": {"true"}}
	}
	return removeOnce(ctx, c, request,
		func() (*ProjectRoleSet, error) { return receive[ProjectRoleSet](ctx, c, request, "member_id") },
		func(ctx context.Context) (*ProjectRoleSet, error) { return c.setProjectRole(ctx, member, "") })
}

// setProjectRole returns the effect of a lost change, nil unless the member has that role. Who isn't one has none.
func (c *Client) setProjectRole(ctx context.Context, ref Ref[ProjectMember], role string) (*ProjectRoleSet, error) {
	member, err := present(projectMemberKind.read(ctx, c, ref.ProjectID, ref.ID))
	if member == nil {
		member = &ProjectMember{}
	}
	if err != nil || member.ExplicitRole() != role {
		return nil, err
	}
	return &ProjectRoleSet{ID: ref.ID}, nil
}

// GetSharedProjectMember reads one member.
// GET /projects/{project_id}/members: https://api-docs.neon.tech/reference/listprojectmembers
func (c *Client) GetSharedProjectMember(ctx context.Context, member Ref[ProjectMember]) (*ProjectMember, error) {
	return projectMemberKind.shared(ctx, c, member.ProjectID, member.ID)
}

// ListProjectMembers lists the members of a project's organization with what they may do with the
// project. Who doesn't administer the project sees only those who may do something with it.
// GET /projects/{project_id}/members: https://api-docs.neon.tech/reference/listprojectmembers
func (c *Client) ListProjectMembers(ctx context.Context, projectID string) iter.Seq2[ProjectMember, error] {
	return projectMemberKind.list(ctx, c, projectID)
}

// ListProjectMemberRoles is ListProjectMembers without those who have no role of their own in the project.
// GET /projects/{project_id}/members: https://api-docs.neon.tech/reference/listprojectmembers
func (c *Client) ListProjectMemberRoles(ctx context.Context, projectID string) iter.Seq2[ProjectMember, error] {
	kind := projectMemberKind
	kind.isGone = func(member ProjectMember, _ time.Time) bool { return member.ExplicitRole() == "" }
	return kind.list(ctx, c, projectID)
}
