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

var permissionKind = kind[ProjectPermission]{
	noun: "permission", route: "/projects/{project_id}/permissions", one: "/{permission_id}", field: "project_permissions",
	deleted: "id",
	id:      func(permission ProjectPermission) string { return permission.ID },
	isGone:  func(permission ProjectPermission, _ time.Time) bool { return permission.RevokedAt != nil },
}

// GrantProjectPermission gives an email address access to a project. Neon compares addresses without regard to case.
// POST /projects/{project_id}/permissions: https://api-docs.neon.tech/reference/grantpermissiontoproject
func (c *Client) GrantProjectPermission(ctx context.Context, projectID, email string) (*ProjectPermission, error) {
	request := permissionKind.call(http.MethodPost, "", projectID)
	request.subject = fmt.Sprintf("the permission of %s for project %s", email, projectID)
	request.body, request.by = map[string]string{"email": email}, harmless
	return creation[ProjectPermission]{
		kind: permissionKind, request: request, place: projectID + " " + strings.ToLower(email),
		isAlike: func(permission ProjectPermission) bool { return strings.EqualFold(permission.Email, email) },
	}.object(ctx, c)
}

// GetSharedProjectPermission reads one permission.
// GET /projects/{project_id}/permissions: https://api-docs.neon.tech/reference/listprojectpermissions
func (c *Client) GetSharedProjectPermission(
	ctx context.Context, permission Ref[ProjectPermission],
) (*ProjectPermission, error) {
	return permissionKind.shared(ctx, c, permission.ProjectID, permission.ID)
}

// ListProjectPermissions lists the permissions of a project that hold.
// GET /projects/{project_id}/permissions: https://api-docs.neon.tech/reference/listprojectpermissions
func (c *Client) ListProjectPermissions(ctx context.Context, projectID string) iter.Seq2[ProjectPermission, error] {
	return permissionKind.list(ctx, c, projectID)
}

// RevokeProjectPermission takes a permission back.
// DELETE /projects/{project_id}/permissions/{permission_id}: https://api-docs.neon.tech/reference/revokepermissionfromproject
func (c *Client) RevokeProjectPermission(ctx context.Context, permission Ref[ProjectPermission]) error {
	return permissionKind.end(ctx, c, permission.ProjectID, permission.ID)
}
