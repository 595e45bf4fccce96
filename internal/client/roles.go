package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"time"
)

// AuthenticationNoLogin is the authentication method of a role that can't log in.
const AuthenticationNoLogin = "no_login"

// Role is a PostgreSQL role of a branch.
type Role struct {
	BranchID string `json:"branch_id"`
	Name     string `json:"name"`
	// Protected roles are Neon's own and can't be deleted.
	Protected bool `json:"protected"`
	// AuthenticationMethod is an open set: "password", "oauth" and "no_login" are
	// published.
	AuthenticationMethod string    `json:"authentication_method"`
	CreatedAt            time.Time `json:"created_at"`
	UpdatedAt            time.Time `json:"updated_at"`
}

type roleAnswer struct {
	Role       Role        `json:"role"`
	Operations []Operation `json:"operations"`
}

// RoleCreate describes a role to create.
type RoleCreate struct {
	Name string `json:"name"`
	// NoLogin has Neon choose no password.
	NoLogin bool `json:"no_login,omitempty"`
}

// CreateRole creates a role, with a password that Neon chooses. The role can log in when the
// returned operations have finished.
func (c *Client) CreateRole(ctx context.Context, projectID, branchID string, create RoleCreate) (*Role, []Operation, error) {
	request := roleCall(http.MethodPost, "", projectID, branchID)
	request.named = roleCall(http.MethodDelete, "/{role_name}", projectID, branchID, create.Name).path()
	request.subject = fmt.Sprintf("role %q on branch %s", create.Name, branchID)
	request.body = map[string]any{"role": create}
	answer, _, err := creation[Role, roleAnswer]{
		request: request,
		place:   request.named,
		list: func(ctx context.Context) ([]Role, error) {
			return oneOrNone(c.role(ctx, nil, projectID, branchID, create.Name))
		},
		id:      func(Role) string { return "" },
		isAlike: func(Role) bool { return true },
		send:    func(request call) (*roleAnswer, error) { return c.roleCall(ctx, request) },
		object:  func(answer *roleAnswer) Role { return answer.Role },
		adopt: func(ctx context.Context, role Role) (*roleAnswer, error) {
			operations, err := c.branchOperations(ctx, projectID, branchID)
			return &roleAnswer{role, operations}, err
		},
	}.run(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	return &answer.Role, answer.Operations, nil
}

// ResetRolePassword has Neon choose a new password for a role. It takes the place of the
// old one when the returned operations have finished. It drops the role's connections.
// Whether a lost answer had its effect shows in the time of the role's last change alone.
func (c *Client) ResetRolePassword(ctx context.Context, projectID, branchID, name string) (*Role, []Operation, error) {
	request := roleCall(http.MethodPost, "/{role_name}/reset_password", projectID, branchID, name)
	request.subject = fmt.Sprintf("the new password of role %q on branch %s", name, branchID)
	request.looks = settlingLooks
	var seen timing
	before, err := present(c.role(ctx, &seen, projectID, branchID, name))
	if err != nil {
		return nil, nil, err
	}
	if before != nil {
		// Neon's times are to the second: a second change in one couldn't be told from the first.
		if err := sleep(ctx, time.Second-seen.since(before.UpdatedAt)); err != nil {
			return nil, nil, request.endedError(nil, err)
		}
	}
	answer, err := writeOnce(ctx, c, request,
		func() (*roleAnswer, error) { return c.roleCall(ctx, request) },
		func(ctx context.Context) (*roleAnswer, error) {
			now, err := present(c.role(ctx, nil, projectID, branchID, name))
			if now == nil || before == nil || !now.UpdatedAt.After(before.UpdatedAt) {
				return nil, err
			}
			operations, err := c.branchOperations(ctx, projectID, branchID)
			return &roleAnswer{*now, operations}, err
		})
	if err != nil {
		return nil, nil, err
	}
	return &answer.Role, answer.Operations, nil
}

// SharedRole reads one role, without its password. IsAbsent is true for the error about one that
// doesn't exist. Reads that come close together share one list.
func (c *Client) SharedRole(ctx context.Context, projectID, branchID, name string) (*Role, error) {
	roles, err := c.reads.roles.share(ctx, branchScope(projectID, branchID))
	if err != nil {
		return nil, err
	}
	if role, found := roles[name]; found && !role.isBroken {
		return &role.object, nil
	}
	return c.role(ctx, nil, projectID, branchID, name)
}

// role is Role by a request of its own, whose times it keeps.
func (c *Client) role(ctx context.Context, seen *timing, projectID, branchID, name string) (*Role, error) {
	request := roleCall(http.MethodGet, "/{role_name}", projectID, branchID, name)
	request.timing = seen
	answer, err := c.roleCall(ctx, request)
	if provesNothing(err) {
		roles, listErr := All(c.Roles(ctx, projectID, branchID))
		return findInList(request, err, roles, listErr, func(role Role) bool { return role.Name == name })
	}
	if err != nil {
		return nil, err
	}
	return &answer.Role, nil
}

// Roles: a role that can't be decoded comes with an error of its own.
func (c *Client) Roles(ctx context.Context, projectID, branchID string) iter.Seq2[Role, error] {
	return eachOf(ctx, c, rolesCall(branchScope(projectID, branchID)), "roles", "role", func(role Role) string { return role.Name })
}

// listRoles returns the roles of a branch by name.
func (c *Client) listRoles(ctx context.Context, request call) (map[string]element[Role], error) {
	return listByName(ctx, c, request, "roles", func(role Role) string { return role.Name })
}

// RolePassword reveals the password of a role. A project that doesn't store passwords
// refuses with 412.
func (c *Client) RolePassword(ctx context.Context, projectID, branchID, name string) (string, error) {
	request := roleCall(http.MethodGet, "/{role_name}/reveal_password", projectID, branchID, name)
	type passwordAnswer struct {
		Password string `json:"password"`
	}
	answer, err := receive(ctx, c, request, "password", func(a *passwordAnswer) bool { return a.Password != "" })
	if err != nil {
		return "", err
	}
	return answer.Password, nil
}

// DeleteRole deletes a role. One that is gone already is no error; one that owns a database
// can't be deleted.
func (c *Client) DeleteRole(ctx context.Context, projectID, branchID, name string) ([]Operation, error) {
	request := roleCall(http.MethodDelete, "/{role_name}", projectID, branchID, name)
	request.subject = fmt.Sprintf("the deletion of role %q on branch %s", name, branchID)
	request.named = request.path()
	return c.delete(ctx, request,
		func(ctx context.Context) error { _, err := c.role(ctx, nil, projectID, branchID, name); return err },
		func(ctx context.Context) ([]Operation, error) { return c.branchOperations(ctx, projectID, branchID) })
}

func (c *Client) roleCall(ctx context.Context, request call) (*roleAnswer, error) {
	return receive(ctx, c, request, "role.name", func(answer *roleAnswer) bool { return answer.Role.Name != "" })
}

func roleCall(method, suffix string, params ...string) call {
	return call{
		method: method, route: "/projects/{project_id}/branches/{branch_id}/roles" + suffix, params: params, noun: "role",
	}
}

func rolesCall(scope string) call { return roleCall(http.MethodGet, "", strings.Split(scope, "/")...) }

// branchScope is the scope of what is listed by branch.
func branchScope(projectID, branchID string) string { return projectID + "/" + branchID }
