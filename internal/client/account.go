package client

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// User is the person whose personal key the client has, without what concerns payments.
type User struct {
	ID                  string  `json:"id"`
	Email               string  `json:"email"`
	Name                string  `json:"name"`
	LastName            string  `json:"last_name"`
	ProjectsLimit       int64   `json:"projects_limit"`
	BranchesLimit       int64   `json:"branches_limit"`
	MaxAutoscalingLimit float64 `json:"max_autoscaling_limit"` // in compute units; 0 for none
}

// GetCurrentUser reads the user. Neon answers 404 to keys that belong to an organization.
// GET /users/me: https://api-docs.neon.tech/reference/getcurrentuserinfo
func (c *Client) GetCurrentUser(ctx context.Context) (*User, error) {
	request := call{method: http.MethodGet, route: "/users/me"}
	return receive[User](ctx, c, request, "id")
}

// Organization is what projects belong to.
type Organization struct {
	ID                 string    `json:"id"`
	Name               string    `json:"name"`
	Handle             string    `json:"handle"`
	Plan               string    `json:"plan"`
	ManagedBy          string    `json:"managed_by"`
	AllowHIPAAProjects bool      `json:"allow_hipaa_projects"`
	RequireMFA         bool      `json:"require_mfa"`
	CreatedAt          time.Time `json:"created_at"`
	UpdatedAt          time.Time `json:"updated_at"`
}

// GetOrganization reads one organization. IsAbsent is true for one that doesn't exist or that the key can't see.
// GET /organizations/{org_id}: https://api-docs.neon.tech/reference/getorganization
func (c *Client) GetOrganization(ctx context.Context, orgID string) (*Organization, error) {
	request := call{method: http.MethodGet, route: "/organizations/{org_id}", params: []string{orgID},
		noun: "organization"}
	return receive[Organization](ctx, c, request, "id")
}

// ListOrganizations lists the organizations of a personal key's user, or the one that owns another kind of key.
// GET /users/me/organizations: https://api-docs.neon.tech/reference/getcurrentuserorganizations
func (c *Client) ListOrganizations(ctx context.Context) iter.Seq2[Organization, error] {
	organizations := kind[Organization]{
		noun: "organization", route: "/users/me/organizations", field: "organizations",
		id: func(organization Organization) string { return organization.ID },
	}
	return organizations.list(ctx, c)
}
