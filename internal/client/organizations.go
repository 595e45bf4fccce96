package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
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
func (c *Client) Organizations(ctx context.Context) ([]Organization, error) {
	return listOf[Organization](ctx, c, organizationsCall(), "organizations")
}

func organizationsCall() call {
	return call{method: http.MethodGet, route: "/users/me/organizations"}
}

// Member is a user in an organization.
type Member struct {
	Member struct {
		ID       string     `json:"id"`
		UserID   string     `json:"user_id"`
		Role     string     `json:"role"` // an open set: admin, editor, viewer, collaborator are published
		JoinedAt *time.Time `json:"joined_at"`
	} `json:"member"`
	User struct {
		Email         string     `json:"email"`
		HasMFA        bool       `json:"has_mfa"`
		DeactivatedAt *time.Time `json:"deactivated_at"`
	} `json:"user"`
}

// Members lists the members of an organization, who joined first before the others.
func (c *Client) Members(ctx context.Context, orgID string) iter.Seq2[Member, error] {
	type membersPage struct {
		Members    listField[Member] `json:"members"`
		Pagination struct {
			Next string `json:"next"`
		} `json:"pagination"`
	}
	request := call{
		method: http.MethodGet, route: "/organizations/{org_id}/members", params: []string{orgID},
		query: url.Values{"limit": {"500"}, "sort_by": {"joined_at"}, "sort_order": {"asc"}},
	}
	return pages(ctx, c, request, func(member Member) string { return member.Member.ID },
		func(answer *membersPage) (page[Member], error) {
			return page[Member]{answer.Members, answer.Pagination.Next}, nil
		})
}
