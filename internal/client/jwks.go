package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"time"
)

// JWKS is the address of keys with which a project's Data API and Neon RLS verify an authentication provider's tokens.
type JWKS struct {
	ID           string `json:"id"`
	URL          string `json:"jwks_url"`
	ProviderName string `json:"provider_name"`
	// BranchID is empty where it counts for all branches, Audience where that isn't checked.
	BranchID string `json:"branch_id"`
	Audience string `json:"jwt_audience"`
	// RoleNames are deprecated, and nil where Neon doesn't say.
	RoleNames []string  `json:"role_names"`
	CreatedAt time.Time `json:"created_at"`
}

var jwksKind = kind[JWKS]{
	noun: "JWKS URL", route: "/projects/{project_id}/jwks", one: "/{jwks_id}", field: "jwks", object: "jwks",
	deleted: "id",
	id:      func(jwks JWKS) string { return jwks.ID },
}

// JWKSAdd describes an address to add. Empty fields aren't sent.
type JWKSAdd struct {
	URL          string   `json:"jwks_url"`
	ProviderName string   `json:"provider_name"`
	BranchID     string   `json:"branch_id,omitempty"`
	Audience     string   `json:"jwt_audience,omitempty"`
	RoleNames    []string `json:"role_names,omitempty"`
}

func (a JWKSAdd) matches(jwks JWKS) bool {
	return jwks.URL == a.URL && jwks.ProviderName == a.ProviderName && jwks.BranchID == a.BranchID &&
		jwks.Audience == a.Audience
}

// CreateJWKS adds an address to a project. Neon reads it first, and refuses one that has no keys.
// POST /projects/{project_id}/jwks: https://api-docs.neon.tech/reference/addprojectjwks
func (c *Client) CreateJWKS(ctx context.Context, projectID string, add JWKSAdd) (*Answer[JWKS], error) {
	request := jwksKind.call(http.MethodPost, "", projectID)
	request.subject, request.body, request.by = fmt.Sprintf("the JWKS URL %s of project %s", add.URL, projectID), add,
		unrepeatable
	return creation[JWKS]{
		kind: jwksKind, request: request, place: projectID,
		isAlike: add.matches,
		operations: func(ctx context.Context, _ JWKS) ([]Operation, error) {
			return c.operationsWhere(ctx, projectID, func(o Operation) bool {
				return c.isUnfinished(o) && (add.BranchID == "" || o.BranchID == add.BranchID)
			})
		},
	}.run(ctx, c)
}

// GetSharedJWKS reads one address.
// GET /projects/{project_id}/jwks: https://api-docs.neon.tech/reference/getprojectjwks
func (c *Client) GetSharedJWKS(ctx context.Context, jwks Ref[JWKS]) (*JWKS, error) {
	return jwksKind.shared(ctx, c, jwks.ProjectID, jwks.ID)
}

// ListJWKS lists the addresses of a project.
// GET /projects/{project_id}/jwks: https://api-docs.neon.tech/reference/getprojectjwks
func (c *Client) ListJWKS(ctx context.Context, projectID string) iter.Seq2[JWKS, error] {
	return jwksKind.list(ctx, c, projectID)
}

// DeleteJWKS removes an address.
// DELETE /projects/{project_id}/jwks/{jwks_id}: https://api-docs.neon.tech/reference/deleteprojectjwks
func (c *Client) DeleteJWKS(ctx context.Context, jwks Ref[JWKS]) error {
	return jwksKind.end(ctx, c, jwks.ProjectID, jwks.ID)
}
