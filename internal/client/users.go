package client

import (
	"context"
	"net/http"
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

// CurrentUser reads the user. Neon answers 404 to keys that belong to an organization.
func (c *Client) CurrentUser(ctx context.Context) (*User, error) {
	request := call{method: http.MethodGet, route: "/users/me"}
	return receive(ctx, c, request, "id", func(user *User) bool { return user.ID != "" })
}
