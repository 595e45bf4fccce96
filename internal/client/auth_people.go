package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"strings"
)

// AuthOAuthProvider is a provider by which people sign in with Neon Auth. Neon may say its client
// secret, too, which isn't kept.
type AuthOAuthProvider struct {
	ID string `json:"id"`
	// Type is "standard", or "shared" for Neon's own application.
	Type     string `json:"type"`
	ClientID string `json:"client_id"`
}

var oauthKind = kind[AuthOAuthProvider]{
	noun: "OAuth provider", route: "/projects/{project_id}/branches/{branch_id}/auth/oauth_providers", field: "providers",
	id: func(provider AuthOAuthProvider) string { return provider.ID },
}

// AuthOAuthSettings are those of a provider. Empty ones aren't sent, and leave what is there.
type AuthOAuthSettings struct {
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
	TenantID     string `json:"microsoft_tenant_id,omitempty"`
}

// ListAuthOAuthProviders lists those of a branch: none where it doesn't have Neon Auth.
// GET /projects/{project_id}/branches/{branch_id}/auth/oauth_providers: https://api-docs.neon.tech/reference/listbranchneonauthoauthproviders
func (c *Client) ListAuthOAuthProviders(ctx context.Context, branch BranchRef) iter.Seq2[AuthOAuthProvider, error] {
	return listInAuth(ctx, c, oauthKind, branch)
}

// listInAuth lists what Neon Auth of a branch has.
func listInAuth[T any](ctx context.Context, c *Client, of kind[T], branch BranchRef) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for object, err := range of.list(ctx, c, branch.ProjectID, branch.ID) {
			lacks, err := c.lacksAuth(ctx, branch, err)
			if lacks || !yield(object, err) {
				return
			}
		}
	}
}

// GetAuthOAuthProvider reads one.
// GET /projects/{project_id}/branches/{branch_id}/auth/oauth_providers: https://api-docs.neon.tech/reference/listbranchneonauthoauthproviders
func (c *Client) GetAuthOAuthProvider(ctx context.Context, branch BranchRef, id string) (*AuthOAuthProvider, error) {
	found, err := oauthKind.find(ctx, c, id, func(provider AuthOAuthProvider) bool { return provider.ID == id }, branch.ProjectID, branch.ID)
	return found, c.judgeAuth(ctx, branch, err)
}

// GetSharedAuthOAuthProvider is GetAuthOAuthProvider, by a list that reads share which come close together.
// GET /projects/{project_id}/branches/{branch_id}/auth/oauth_providers: https://api-docs.neon.tech/reference/listbranchneonauthoauthproviders
func (c *Client) GetSharedAuthOAuthProvider(ctx context.Context, branch BranchRef, id string) (*AuthOAuthProvider, error) {
	if found, err := oauthKind.amongShared(ctx, c, branch.ProjectID, branch.ID, id); found != nil && err == nil {
		return found, nil
	}
	return c.GetAuthOAuthProvider(ctx, branch, id)
}

// CreateAuthOAuthProvider adds a provider that the branch doesn't have. It may be sent twice: the second time changes nothing.
// POST /projects/{project_id}/branches/{branch_id}/auth/oauth_providers: https://api-docs.neon.tech/reference/addbranchneonauthoauthprovider
func (c *Client) CreateAuthOAuthProvider(ctx context.Context, branch BranchRef, id string, settings AuthOAuthSettings) error {
	request := authCall(http.MethodPost, "/oauth_providers", branch)
	request.subject = fmt.Sprintf("OAuth provider %s of Neon Auth on branch %s", id, branch.ID)
	request.by = named(request.path() + "/" + id) // as its removal has it
	request.body = struct {
		ID string `json:"id"`
		AuthOAuthSettings
	}{id, settings}
	return c.addInAuth(ctx, request, "id", func(ctx context.Context) error {
		_, err := c.GetAuthOAuthProvider(ctx, branch, id)
		return err
	})
}

// addInAuth sends a creation. After a lost answer it looks for its effect, which an interruption leaves the time for.
func (c *Client) addInAuth(ctx context.Context, request call, field string, read func(context.Context) error) error {
	err := c.settle(ctx, request, field, func(ctx context.Context) (bool, error) {
		found, err := present(&struct{}{}, read(ctx))
		return found != nil, err
	})
	return c.judgeAuth(ctx, BranchRef{ProjectID: request.params[0], ID: request.params[1]}, err)
}

// UpdateAuthOAuthProvider changes a provider.
// PATCH /projects/{project_id}/branches/{branch_id}/auth/oauth_providers/{oauth_provider_id}: https://api-docs.neon.tech/reference/updatebranchneonauthoauthprovider
func (c *Client) UpdateAuthOAuthProvider(ctx context.Context, branch BranchRef, id string, settings AuthOAuthSettings) error {
	request := authCall(http.MethodPatch, "/oauth_providers/{oauth_provider_id}", branch, id)
	request.subject, request.body = fmt.Sprintf("the change of OAuth provider %s of Neon Auth on branch %s", id, branch.ID), settings
	return c.setAuth(ctx, request, "id")
}

// DeleteAuthOAuthProvider removes a provider.
// DELETE /projects/{project_id}/branches/{branch_id}/auth/oauth_providers/{oauth_provider_id}: https://api-docs.neon.tech/reference/deletebranchneonauthoauthprovider
func (c *Client) DeleteAuthOAuthProvider(ctx context.Context, branch BranchRef, id string) error {
	request := authCall(http.MethodDelete, "/oauth_providers/{oauth_provider_id}", branch, id)
	request.subject = fmt.Sprintf("the removal of OAuth provider %s of Neon Auth on branch %s", id, branch.ID)
	return end(ctx, c, request, "", func(ctx context.Context) (*AuthOAuthProvider, error) {
		return c.GetAuthOAuthProvider(ctx, branch, id)
	})
}

// AuthDomain is a domain to which Neon Auth may send people back.
type AuthDomain struct {
	Domain   string `json:"domain"`
	Provider string `json:"auth_provider"`
}

var domainKind = kind[AuthDomain]{
	noun: "trusted domain", route: "/projects/{project_id}/branches/{branch_id}/auth/domains", field: "domains",
	id:      func(domain AuthDomain) string { return domain.Domain },
	shareBy: func(domain AuthDomain) string { return normalDomain(domain.Domain) },
}

// IsDomain reports whether both are the same: Neon keeps the host in lower case, and no slash at the end.
func (d AuthDomain) IsDomain(domain string) bool {
	return normalDomain(d.Domain) == normalDomain(domain)
}

func normalDomain(domain string) string {
	domain = strings.TrimSuffix(domain, "/")
	scheme, rest, _ := strings.Cut(domain, "://")
	host, path, hasPath := strings.Cut(rest, "/")
	if hasPath {
		path = "/" + path
	}
	return strings.ToLower(scheme+"://"+host) + path
}

// ListAuthDomains lists those of a branch: none where it doesn't have Neon Auth.
// GET /projects/{project_id}/branches/{branch_id}/auth/domains: https://api-docs.neon.tech/reference/listbranchneonauthtrusteddomains
func (c *Client) ListAuthDomains(ctx context.Context, branch BranchRef) iter.Seq2[AuthDomain, error] {
	return listInAuth(ctx, c, domainKind, branch)
}

// GetAuthDomain reads one.
// GET /projects/{project_id}/branches/{branch_id}/auth/domains: https://api-docs.neon.tech/reference/listbranchneonauthtrusteddomains
func (c *Client) GetAuthDomain(ctx context.Context, branch BranchRef, domain string) (*AuthDomain, error) {
	found, err := domainKind.find(ctx, c, domain, func(d AuthDomain) bool { return d.IsDomain(domain) }, branch.ProjectID, branch.ID)
	return found, c.judgeAuth(ctx, branch, err)
}

// GetSharedAuthDomain is GetAuthDomain, by a list that reads share which come close together.
// GET /projects/{project_id}/branches/{branch_id}/auth/domains: https://api-docs.neon.tech/reference/listbranchneonauthtrusteddomains
func (c *Client) GetSharedAuthDomain(ctx context.Context, branch BranchRef, domain string) (*AuthDomain, error) {
	if found, err := domainKind.amongShared(ctx, c, branch.ProjectID, branch.ID, normalDomain(domain)); found != nil && err == nil {
		return found, nil
	}
	return c.GetAuthDomain(ctx, branch, domain)
}

// CreateAuthDomain adds a domain that the branch doesn't trust. It may be sent twice: the second time changes nothing.
// POST /projects/{project_id}/branches/{branch_id}/auth/domains: https://api-docs.neon.tech/reference/addbranchneonauthtrusteddomain
func (c *Client) CreateAuthDomain(ctx context.Context, branch BranchRef, domain AuthDomain) error {
	request := authCall(http.MethodPost, "/domains", branch)
	request.subject, request.body, request.answersNothing = "trusted domain "+domain.Domain+" of Neon Auth on branch "+branch.ID, domain, true
	request.by = named(request.path() + "/" + normalDomain(domain.Domain))
	return c.addInAuth(ctx, request, "", func(ctx context.Context) error {
		_, err := c.GetAuthDomain(ctx, branch, domain.Domain)
		return err
	})
}

// DeleteAuthDomain removes a domain.
// DELETE /projects/{project_id}/branches/{branch_id}/auth/domains: https://api-docs.neon.tech/reference/deletebranchneonauthtrusteddomain
func (c *Client) DeleteAuthDomain(ctx context.Context, branch BranchRef, domain AuthDomain) error {
	request := authCall(http.MethodDelete, "/domains", branch)
	request.subject = "the removal of trusted domain " + domain.Domain + " of Neon Auth on branch " + branch.ID
	request.by.path += "/" + normalDomain(domain.Domain)
	request.body = map[string]any{"auth_provider": domain.Provider, "domains": []map[string]string{{"domain": domain.Domain}}}
	return end(ctx, c, request, "", func(ctx context.Context) (*AuthDomain, error) {
		return c.GetAuthDomain(ctx, branch, domain.Domain)
	})
}
