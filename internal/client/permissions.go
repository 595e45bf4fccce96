package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"time"
)

// ProjectPermission is access to a project for whoever has an account of an email address.
type ProjectPermission struct {
	ID        string    `json:"id"`
	Email     string    `json:"granted_to_email"`
	GrantedAt time.Time `json:"granted_at"`
	// RevokedAt is nil while the permission holds.
	RevokedAt *time.Time `json:"revoked_at"`
}

// GrantProjectPermission gives an email address access to a project. Neon compares
// addresses without regard to case.
func (c *Client) GrantProjectPermission(ctx context.Context, projectID, email string) (*ProjectPermission, error) {
	request := permissionCall(http.MethodPost, "", projectID)
	request.subject = fmt.Sprintf("the permission of %s for project %s", email, projectID)
	request.body = map[string]string{"email": email}
	granted, _, err := creation[ProjectPermission, ProjectPermission]{
		request: request,
		place:   projectID + " " + strings.ToLower(email),
		list: func(ctx context.Context) ([]ProjectPermission, error) {
			return All(c.ProjectPermissions(ctx, projectID))
		},
		id:      func(permission ProjectPermission) string { return permission.ID },
		isAlike: func(permission ProjectPermission) bool { return strings.EqualFold(permission.Email, email) },
		send:    func(request call) (*ProjectPermission, error) { return c.permissionCall(ctx, request) },
		object:  func(permission *ProjectPermission) ProjectPermission { return *permission },
		adopt: func(_ context.Context, permission ProjectPermission) (*ProjectPermission, error) {
			return &permission, nil
		},
	}.run(ctx, c)
	return granted, err
}

// SharedProjectPermission reads one permission. IsAbsent is true for the error about one that
// doesn't exist or was revoked. Reads that come close together share one list.
func (c *Client) SharedProjectPermission(ctx context.Context, projectID, id string) (*ProjectPermission, error) {
	permission, err := readShared(ctx, c.reads.permissions, projectID, id)
	if err != nil || permission != nil && permission.RevokedAt == nil {
		return permission, err
	}
	return c.permission(ctx, projectID, id)
}

// permission is ProjectPermission by a list of its own: Neon has no call that reads one.
func (c *Client) permission(ctx context.Context, projectID, id string) (*ProjectPermission, error) {
	permissions, err := All(c.ProjectPermissions(ctx, projectID))
	return listed(permissions, err, "project "+projectID, "permission", id, func(permission ProjectPermission) bool { return permission.ID == id })
}

// ProjectPermissions: a permission that can't be decoded
// comes with an error of its own.
func (c *Client) ProjectPermissions(ctx context.Context, projectID string) iter.Seq2[ProjectPermission, error] {
	permissions := eachOf(ctx, c, permissionsCall(projectID), "project_permissions", "permission", func(p ProjectPermission) string { return p.ID })
	return without(permissions, func(permission ProjectPermission) bool { return permission.RevokedAt != nil })
}

// listPermissions returns the permissions of a project by id.
func (c *Client) listPermissions(ctx context.Context, request call) (map[string]element[ProjectPermission], error) {
	return listByName(ctx, c, request, "project_permissions", func(permission ProjectPermission) string { return permission.ID })
}

// RevokeProjectPermission takes a permission back. One that doesn't hold any more is no error.
func (c *Client) RevokeProjectPermission(ctx context.Context, projectID, id string) error {
	request := permissionCall(http.MethodDelete, "/{permission_id}", projectID, id)
	request.subject = fmt.Sprintf("the end of permission %s for project %s", id, projectID)
	_, err := deleteOnce(ctx, c, request,
		func() (*ProjectPermission, error) { return c.permissionCall(ctx, request) },
		func(ctx context.Context) (*ProjectPermission, error) {
			_, err := c.permission(ctx, projectID, id)
			if IsAbsent(err) {
				return &ProjectPermission{}, nil
			}
			return nil, err
		})
	return err
}

func (c *Client) permissionCall(ctx context.Context, request call) (*ProjectPermission, error) {
	return receive(ctx, c, request, "id", func(permission *ProjectPermission) bool { return permission.ID != "" })
}

func permissionCall(method, suffix string, params ...string) call {
	return call{method: method, route: "/projects/{project_id}/permissions" + suffix, params: params}
}

func permissionsCall(projectID string) call { return permissionCall(http.MethodGet, "", projectID) }
