package client

import (
	"context"
	"iter"
	"net/http"
	"time"
)

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

// Organization reads one organization. IsAbsent is true for the error about one that Neon
// doesn't find, which may be one that the key can't see.
func (c *Client) Organization(ctx context.Context, orgID string) (*Organization, error) {
	request := call{method: http.MethodGet, route: "/organizations/{org_id}", params: []string{orgID}, noun: "organization"}
	return receive(ctx, c, request, "id", func(organization *Organization) bool { return organization.ID != "" })
}

// Organizations lists those of the user whose personal key the client has, or the one that
// owns another kind of key.
func (c *Client) Organizations(ctx context.Context) iter.Seq2[Organization, error] {
	return eachOf(ctx, c, organizationsCall(), "organizations", "organization", func(organization Organization) string { return organization.ID })
}

func organizationsCall() call {
	return call{method: http.MethodGet, route: "/users/me/organizations"}
}
