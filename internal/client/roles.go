package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"time"
)

// AuthenticationNoLogin is the authentication method of a role that can't log in.
const AuthenticationNoLogin = "no_login"

// Role is a PostgreSQL role of a branch.
type Role struct {
	Name string `json:"name"`
	// Protected roles are Neon's own and can't be deleted.
	Protected bool `json:"protected"`
	// AuthenticationMethod is an open set: "password", "oauth" and "no_login" are published.
	AuthenticationMethod string    `json:"authentication_method"`
	CreatedAt            time.Time `json:"created_at"`
	UpdatedAt            time.Time `json:"updated_at"`
}

var roleKind = kind[Role]{
	noun: "role", isSaid: true, route: "/projects/{project_id}/branches/{branch_id}/roles", one: "/{role_name}",
	isRead: true, isNamed: true,
	field: "roles", object: "role", deleted: "role",
	id: func(role Role) string { return role.Name }, isAbout: ofBranch,
	madeAt: func(role Role) time.Time { return role.CreatedAt },
}

// RoleCreate describes a role to create.
type RoleCreate struct {
	Name string `json:"name"`
	// NoLogin has Neon choose no password.
	NoLogin bool `json:"no_login,omitempty"`
}

// CreateRole creates a role, with a password that Neon chooses.
// POST /projects/{project_id}/branches/{branch_id}/roles: https://api-docs.neon.tech/reference/createprojectbranchrole
func (c *Client) CreateRole(ctx context.Context, branch BranchRef, create RoleCreate) (*Answer[Role], error) {
	return roleKind.creation(branch, create.Name, map[string]any{"role": create}).run(ctx, c)
}

// ResetRolePassword has Neon choose a new password for a role, which drops its connections. After a lost answer, only
// the time of the role's last change shows whether there is a new one.
// POST /projects/{project_id}/branches/{branch_id}/roles/{role_name}/reset_password: https://api-docs.neon.tech/reference/resetprojectbranchrolepassword
func (c *Client) ResetRolePassword(ctx context.Context, branch BranchRef, name string) (*Answer[Role], error) {
	request := roleKind.of(http.MethodPost, "/reset_password", branch.ProjectID, branch.ID, name)
	request.subject = fmt.Sprintf("the new password of role %q on branch %s", name, branch.ID)
	request.by = replacing(roleKind.named(request.params...).path)
	request.by.repeats = true // Nobody has seen the first password, so a second one does no harm.
	before, err := present(roleKind.read(ctx, c, request.params...))
	if err != nil {
		return nil, err
	}
	if before != nil {
		// Neon's times are to the second: a second change in one couldn't be told from the first.
		if err := sleep(ctx, time.Second-c.clock.since(before.UpdatedAt)); err != nil {
			return nil, request.endedError(nil, err)
		}
	}
	return roleKind.change(ctx, c, request, effect[Role]{
		isDone: func(now *Role) bool { return before != nil && now.UpdatedAt.After(before.UpdatedAt) },
	})
}

// GetSharedRole reads one role, without its password.
// GET /projects/{project_id}/branches/{branch_id}/roles/{role_name}: https://api-docs.neon.tech/reference/getprojectbranchrole
// GET /projects/{project_id}/branches/{branch_id}/roles: https://api-docs.neon.tech/reference/listprojectbranchroles
func (c *Client) GetSharedRole(ctx context.Context, branch BranchRef, name string) (*Role, error) {
	return roleKind.shared(ctx, c, branch.ProjectID, branch.ID, name)
}

// ListRoles lists the roles of a branch.
// GET /projects/{project_id}/branches/{branch_id}/roles: https://api-docs.neon.tech/reference/listprojectbranchroles
func (c *Client) ListRoles(ctx context.Context, branch BranchRef) iter.Seq2[Role, error] {
	return roleKind.list(ctx, c, branch.ProjectID, branch.ID)
}

// GetRolePassword reveals the password of a role. A project that doesn't store passwords refuses with 412.
// GET /projects/{project_id}/branches/{branch_id}/roles/{role_name}/reveal_password: https://api-docs.neon.tech/reference/getprojectbranchrolepassword
func (c *Client) GetRolePassword(ctx context.Context, branch BranchRef, name string) (string, error) {
	request := roleKind.of(http.MethodGet, "/reveal_password", branch.ProjectID, branch.ID, name)
	return receiveField[string](ctx, c, request, "password")
}

// DeleteRole deletes a role, which may own no database.
// DELETE /projects/{project_id}/branches/{branch_id}/roles/{role_name}: https://api-docs.neon.tech/reference/deleteprojectbranchrole
func (c *Client) DeleteRole(ctx context.Context, branch BranchRef, name string) ([]Operation, error) {
	return roleKind.delete(ctx, c, branch.ProjectID, branch.ID, name)
}
