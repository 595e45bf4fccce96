package client

import (
	"context"
	"net/http"
)

// Auth is Neon Auth on a branch, which keeps the users of applications in the branch's own data.
type Auth struct {
	Provider          string `json:"auth_provider"`
	ProviderProjectID string `json:"auth_provider_project_id"`
	DatabaseName      string `json:"db_name"`
	JWKSURL           string `json:"jwks_url"`
	BaseURL           string `json:"base_url"` // empty where Neon doesn't say it
	Name              string `json:"name"`
}

var authKind = kind[Auth]{
	noun: "Neon Auth", route: "/projects/{project_id}/branches/{branch_id}", one: "/auth", isRead: true,
	lacks: (*Client).lacksAuth,
	id:    func(auth Auth) string { return auth.Provider },
}

// AuthEnable describes how to enable Neon Auth. An empty database is Neon's choice.
type AuthEnable struct {
	Provider     string `json:"auth_provider"`
	DatabaseName string `json:"database_name,omitempty"`
}

// matches reports whether there is what was asked for.
func (e AuthEnable) matches(present Auth) bool {
	return present.Provider == e.Provider && (e.DatabaseName == "" || present.DatabaseName == e.DatabaseName)
}

// EnableAuth enables Neon Auth on a branch, which has it once at most. The answer has neither its database nor name.
// POST /projects/{project_id}/branches/{branch_id}/auth: https://api-docs.neon.tech/reference/createneonauth
func (c *Client) EnableAuth(ctx context.Context, branch BranchRef, enable AuthEnable) (*Auth, error) {
	request := authCall(http.MethodPost, "", branch)
	request.subject, request.body, request.by = "Neon Auth on branch "+branch.ID, enable, named(request.path())
	return creation[Auth]{kind: authKind, request: request, isAlike: enable.matches}.object(ctx, c)
}

// GetAuth reads Neon Auth of a branch. IsAbsent is true for the error about a branch that has none.
// GET /projects/{project_id}/branches/{branch_id}/auth: https://api-docs.neon.tech/reference/getneonauth
func (c *Client) GetAuth(ctx context.Context, branch BranchRef) (*Auth, error) {
	return authKind.read(ctx, c, branch.ProjectID, branch.ID)
}

// GetAuthBefore is GetAuth for what is created in it, sent once for all such creations of a second.
// GET /projects/{project_id}/branches/{branch_id}/auth: https://api-docs.neon.tech/reference/getneonauth
func (c *Client) GetAuthBefore(ctx context.Context, branch BranchRef) (*Auth, error) {
	auth, _, err := shareAmong(ctx, &c.creations.before, authCall(http.MethodGet, "", branch).question(), oldestBefore,
		func(ctx context.Context) (*Auth, error) { return c.GetAuth(ctx, branch) })
	return auth, err
}

// lacksAuth makes a 404 of Neon's own the proof that a branch which the key sees doesn't have Neon Auth.
func (c *Client) lacksAuth(ctx context.Context, request call, err error) error {
	branch := BranchRef{ProjectID: request.params[0], ID: request.params[1]}
	return provedAbsent(err, "branch "+branch.ID+" doesn't have Neon Auth", func() error {
		_, err := c.GetBranch(ctx, branch)
		return err
	})
}

// judgeAuth checks after a 404 about a part of Neon Auth, such as an OAuth provider, whether all of it is missing.
func (c *Client) judgeAuth(ctx context.Context, request call, err error) error {
	if !provesNothing(err) || neons(err) == nil {
		return err
	}
	_, authErr := c.GetAuth(ctx, BranchRef{ProjectID: request.params[0], ID: request.params[1]})
	if authErr == nil || provesNothing(authErr) {
		return err
	}
	return authErr
}

// DisableAuth ends Neon Auth on a branch. DeleteData deletes its users, sessions and settings, and their schema.
// DELETE /projects/{project_id}/branches/{branch_id}/auth: https://api-docs.neon.tech/reference/disableneonauth
func (c *Client) DisableAuth(ctx context.Context, branch BranchRef, deleteData bool) error {
	request := authCall(http.MethodDelete, "", branch)
	request.subject, request.body = "the end of Neon Auth on branch "+branch.ID, map[string]bool{"delete_data": deleteData}
	return end(ctx, c, request, "", func(ctx context.Context) (*Auth, error) { return c.GetAuth(ctx, branch) })
}

func authCall(method, suffix string, branch BranchRef) call {
	return call{
		method: method, route: "/projects/{project_id}/branches/{branch_id}/auth" + suffix,
		params:         []string{branch.ProjectID, branch.ID},
		answersNothing: method == http.MethodDelete,
	}.identified(true)
}
