package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"time"
)

// Credential is a service credential: what programs use storage, functions and the AI gateway of a branch with.
type Credential struct {
	TokenID string `json:"token_id"` // also the id of the access key of S3
	ShortID string `json:"token_id_short"`
	Name    string `json:"name"` // not unique
	// Scopes are an open set.
	Scopes []string `json:"scopes"`
	// Principal is "user" for those that people make.
	Principal  string     `json:"principal_type"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
	RevokedAt  *time.Time `json:"revoked_at"`
	ExpiresAt  *time.Time `json:"expires_at"`

	CredentialSecrets
}

// CredentialSecrets are those of a service credential, which lists don't have.
type CredentialSecrets struct {
	APIToken          string `json:"api_token,omitempty"`
	S3SecretAccessKey string `json:"s3_secret_access_key,omitempty"`
}

const userPrincipal = "user"

var credentialKind = kind[Credential]{
	noun: "service credential", route: "/projects/{project_id}/branches/{branch_id}/credentials", one: "/{token_id}",
	field: "credentials",
	id:    func(credential Credential) string { return credential.TokenID },
	isGone: func(credential Credential, now time.Time) bool {
		return credential.RevokedAt != nil || credential.ExpiresAt != nil && !credential.ExpiresAt.After(now)
	},
}

// CredentialCreate describes a service credential to make.
type CredentialCreate struct {
	Name   string
	Scopes []string
}

func (n CredentialCreate) matches(present Credential) bool {
	wanted, actual := slices.Clone(n.Scopes), slices.Clone(present.Scopes)
	slices.Sort(wanted)
	slices.Sort(actual)
	return present.Name == n.Name && present.Principal == userPrincipal && slices.Equal(slices.Compact(wanted), actual)
}

// CreateCredential creates a service credential. After a lost answer it is the new one of that name and these scopes,
// without its secrets, which RevealCredential returns.
// POST /projects/{project_id}/branches/{branch_id}/credentials: https://api-docs.neon.tech/reference/createcredential
func (c *Client) CreateCredential(
	ctx context.Context, branch BranchRef, create CredentialCreate,
) (*Answer[Credential], error) {
	request := credentialKind.call(http.MethodPost, "", branch.ProjectID, branch.ID)
	request.subject, request.by = fmt.Sprintf("a service credential named %q for branch %s", create.Name, branch.ID),
		unrepeatable
	request.body = struct {
		Name      string   `json:"name,omitempty"`
		Scopes    []string `json:"scopes"`
		Principal string   `json:"principal_type"`
	}{create.Name, create.Scopes, userPrincipal}
	created, err := creation[Credential]{
		kind: credentialKind, request: request, place: branch.ProjectID + "/" + branch.ID,
		isAlike: create.matches,
	}.run(ctx, c)
	if err == nil && create.Name == "" { // Those without a name are everybody's.
		created.Namesakes = nil
	}
	return created, err
}

// ListCredentials lists the live service credentials of a branch, Neon's own too.
// GET /projects/{project_id}/branches/{branch_id}/credentials: https://api-docs.neon.tech/reference/listcredentials
func (c *Client) ListCredentials(ctx context.Context, branch BranchRef) iter.Seq2[Credential, error] {
	return credentialKind.list(ctx, c, branch.ProjectID, branch.ID)
}

// GetSharedCredential reads one service credential.
// GET /projects/{project_id}/branches/{branch_id}/credentials: https://api-docs.neon.tech/reference/listcredentials
func (c *Client) GetSharedCredential(ctx context.Context, branch BranchRef, tokenID string) (*Credential, error) {
	return credentialKind.shared(ctx, c, branch.ProjectID, branch.ID, tokenID)
}

// RevealCredential returns the present secrets of a service credential, which may be asked for any number of times.
// POST /projects/{project_id}/branches/{branch_id}/credentials/{token_id}/reveal: https://api-docs.neon.tech/reference/revealcredential
func (c *Client) RevealCredential(ctx context.Context, branch BranchRef, tokenID string) (*CredentialSecrets, error) {
	request := credentialKind.of(http.MethodPost, "/reveal", branch.ProjectID, branch.ID, tokenID)
	request.subject, request.by = "the secrets of service credential "+tokenID, reading
	return receiveOnce[CredentialSecrets](ctx, c, request, "api_token")
}

// RotateCredential gives a service credential new secrets, which end the old ones.
// POST /projects/{project_id}/branches/{branch_id}/credentials/{token_id}/rotate: https://api-docs.neon.tech/reference/rotatecredential
// POST /projects/{project_id}/branches/{branch_id}/credentials/{token_id}/reveal: https://api-docs.neon.tech/reference/revealcredential
func (c *Client) RotateCredential(ctx context.Context, branch BranchRef, tokenID string) error {
	before, err := c.RevealCredential(ctx, branch, tokenID)
	if HasStatus(err, http.StatusConflict) { // It has none that Neon could reveal, and will have some.
		before, err = &CredentialSecrets{}, nil
	}
	if err != nil {
		return err
	}
	request := credentialKind.of(http.MethodPost, "/rotate", branch.ProjectID, branch.ID, tokenID)
	request.subject, request.by = "new secrets of service credential "+tokenID, replacing(request.path())
	return c.settle(ctx, request, "api_token", func(ctx context.Context) (bool, error) {
		now, err := c.RevealCredential(ctx, branch, tokenID)
		if HasStatus(err, http.StatusConflict) {
			return false, nil
		}
		return err == nil && *now != *before, err
	})
}

// RevokeCredential revokes a service credential, for good.
// DELETE /projects/{project_id}/branches/{branch_id}/credentials/{token_id}: https://api-docs.neon.tech/reference/revokecredential
func (c *Client) RevokeCredential(ctx context.Context, branch BranchRef, tokenID string) error {
	return credentialKind.end(ctx, c, branch.ProjectID, branch.ID, tokenID)
}

// CredentialRevocationCommand is a line of shell with which a person revokes a service credential.
func (c *Client) CredentialRevocationCommand(branch BranchRef, tokenID string) string {
	return c.shellCommand(credentialKind.of(http.MethodDelete, "", branch.ProjectID, branch.ID, tokenID))
}
