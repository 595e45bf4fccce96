package client

import (
	"context"
	"iter"
	"net/http"
	"strings"
)

// AuthOAuthProvider is a provider by which people sign in with Neon Auth. Its client secret isn't kept.
type AuthOAuthProvider struct {
	ID       string `json:"id"`
	ClientID string `json:"client_id"`
}

var oauthKind = kind[AuthOAuthProvider]{
	noun: "OAuth provider", route: "/projects/{project_id}/branches/{branch_id}/auth/oauth_providers",
	one: "/{oauth_provider_id}", isNamed: true, endsSilently: true, field: "providers", lacks: (*Client).judgeAuth,
	id: func(provider AuthOAuthProvider) string { return provider.ID },
}

// AuthOAuthSettings are those of a provider. Empty ones aren't sent, and leave what is there.
type AuthOAuthSettings struct {
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
	TenantID     string `json:"microsoft_tenant_id,omitempty"`
}

// ListAuthOAuthProviders lists the OAuth providers of a branch: none if it has no Neon Auth.
// GET /projects/{project_id}/branches/{branch_id}/auth/oauth_providers: https://api-docs.neon.tech/reference/listbranchneonauthoauthproviders
func (c *Client) ListAuthOAuthProviders(ctx context.Context, branch BranchRef) iter.Seq2[AuthOAuthProvider, error] {
	return oauthKind.list(ctx, c, branch.ProjectID, branch.ID)
}

// GetAuthOAuthProvider reads one OAuth provider.
// GET /projects/{project_id}/branches/{branch_id}/auth/oauth_providers: https://api-docs.neon.tech/reference/listbranchneonauthoauthproviders
func (c *Client) GetAuthOAuthProvider(ctx context.Context, branch BranchRef, id string) (*AuthOAuthProvider, error) {
	return oauthKind.read(ctx, c, branch.ProjectID, branch.ID, id)
}

// GetSharedAuthOAuthProvider is GetAuthOAuthProvider, by a list that reads share which come close together.
// GET /projects/{project_id}/branches/{branch_id}/auth/oauth_providers: https://api-docs.neon.tech/reference/listbranchneonauthoauthproviders
func (c *Client) GetSharedAuthOAuthProvider(
	ctx context.Context, branch BranchRef, id string,
) (*AuthOAuthProvider, error) {
	return oauthKind.shared(ctx, c, branch.ProjectID, branch.ID, id)
}

// CreateAuthOAuthProvider adds a provider. The error is ErrTaken if the branch has it already.
// POST /projects/{project_id}/branches/{branch_id}/auth/oauth_providers: https://api-docs.neon.tech/reference/addbranchneonauthoauthprovider
func (c *Client) CreateAuthOAuthProvider(
	ctx context.Context, branch BranchRef, id string, settings AuthOAuthSettings,
) error {
	making := oauthKind.creation(branch, id, struct {
		ID string `json:"id"`
		AuthOAuthSettings
	}{id, settings})
	making.meets = oauthKind.taken
	_, err := making.run(ctx, c)
	return c.judgeAuth(ctx, making.request, err)
}

// UpdateAuthOAuthProvider changes a provider.
// PATCH /projects/{project_id}/branches/{branch_id}/auth/oauth_providers/{oauth_provider_id}: https://api-docs.neon.tech/reference/updatebranchneonauthoauthprovider
func (c *Client) UpdateAuthOAuthProvider(
	ctx context.Context, branch BranchRef, id string, settings AuthOAuthSettings,
) error {
	request := oauthKind.of(http.MethodPatch, "", branch.ProjectID, branch.ID, id)
	request.body = settings
	return c.setAuth(ctx, request, "id")
}

// DeleteAuthOAuthProvider removes a provider.
// DELETE /projects/{project_id}/branches/{branch_id}/auth/oauth_providers/{oauth_provider_id}: https://api-docs.neon.tech/reference/deletebranchneonauthoauthprovider
func (c *Client) DeleteAuthOAuthProvider(ctx context.Context, branch BranchRef, id string) error {
	return oauthKind.end(ctx, c, branch.ProjectID, branch.ID, id)
}

// AuthDomain is a domain to which Neon Auth may send people back.
type AuthDomain struct {
	Domain   string `json:"domain"`
	Provider string `json:"auth_provider"`
}

var domainKind = kind[AuthDomain]{
	noun: "trusted domain", route: "/projects/{project_id}/branches/{branch_id}/auth/domains",
	one: "/{domain}", field: "domains", lacks: (*Client).judgeAuth,
	id: func(domain AuthDomain) string { return normalDomain(domain.Domain) },
}

// IsDomain reports whether both are the same: Neon keeps the host in lower case, and no slash at the end.
func (d AuthDomain) IsDomain(domain string) bool {
	return normalDomain(d.Domain) == normalDomain(domain)
}

func normalDomain(domain string) string {
	scheme, rest, hasScheme := strings.Cut(domain, "://")
	if !hasScheme {
		return domain
	}
	host, path, hasPath := strings.Cut(strings.TrimSuffix(rest, "/"), "/")
	if hasPath {
		path = "/" + path
	}
	return strings.ToLower(scheme+"://"+host) + path
}

// ListAuthDomains lists the trusted domains of a branch: none if it has no Neon Auth.
// GET /projects/{project_id}/branches/{branch_id}/auth/domains: https://api-docs.neon.tech/reference/listbranchneonauthtrusteddomains
func (c *Client) ListAuthDomains(ctx context.Context, branch BranchRef) iter.Seq2[AuthDomain, error] {
	return domainKind.list(ctx, c, branch.ProjectID, branch.ID)
}

// GetSharedAuthDomain reads one trusted domain.
// GET /projects/{project_id}/branches/{branch_id}/auth/domains: https://api-docs.neon.tech/reference/listbranchneonauthtrusteddomains
func (c *Client) GetSharedAuthDomain(ctx context.Context, branch BranchRef, domain string) (*AuthDomain, error) {
	return domainKind.shared(ctx, c, branch.ProjectID, branch.ID, normalDomain(domain))
}

// CreateAuthDomain adds a trusted domain. The error is ErrTaken if the branch has it already.
// POST /projects/{project_id}/branches/{branch_id}/auth/domains: https://api-docs.neon.tech/reference/addbranchneonauthtrusteddomain
func (c *Client) CreateAuthDomain(ctx context.Context, branch BranchRef, domain AuthDomain) error {
	making := domainKind.creation(branch, normalDomain(domain.Domain), domain)
	making.meets, making.request.answersNothing = domainKind.taken, true
	making.send = func(request call) (*Answer[AuthDomain], error) {
		_, err := c.ownAnswer(ctx, request, "")
		return &Answer[AuthDomain]{Object: domain}, err
	}
	_, err := making.run(ctx, c)
	return c.judgeAuth(ctx, making.request, err)
}

// DeleteAuthDomain removes a domain.
// DELETE /projects/{project_id}/branches/{branch_id}/auth/domains: https://api-docs.neon.tech/reference/deletebranchneonauthtrusteddomain
func (c *Client) DeleteAuthDomain(ctx context.Context, branch BranchRef, domain AuthDomain) error {
	request := authCall(http.MethodDelete, "/domains", branch)
	request.subject = "the removal of trusted domain " + domain.Domain + " of Neon Auth on branch " + branch.ID
	request.by = removal(domainKind.named(branch.ProjectID, branch.ID, normalDomain(domain.Domain)).path)
	request.body = map[string]any{"auth_provider": domain.Provider,
		"domains": []map[string]string{{"domain": domain.Domain}}}
	return end(ctx, c, request, "", func(ctx context.Context) (*AuthDomain, error) {
		return domainKind.read(ctx, c, branch.ProjectID, branch.ID, normalDomain(domain.Domain))
	})
}
