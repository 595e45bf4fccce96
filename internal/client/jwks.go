package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"time"
)

// JWKS is the address of a set of keys, with which a project's Data API and Neon RLS verify
// the tokens of an authentication provider.
type JWKS struct {
	ID           string `json:"id"`
	ProjectID    string `json:"project_id"`
	URL          string `json:"jwks_url"`
	ProviderName string `json:"provider_name"`
	// BranchID is empty where it counts for all branches, Audience where that isn't checked.
	BranchID string `json:"branch_id"`
	Audience string `json:"jwt_audience"`
	// RoleNames are deprecated, and nil where Neon doesn't say.
	RoleNames []string  `json:"role_names"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
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
	return jwks.URL == a.URL && jwks.ProviderName == a.ProviderName && jwks.BranchID == a.BranchID && jwks.Audience == a.Audience
}

// JWKSAdded is the answer to an addition.
type JWKSAdded struct {
	JWKS       JWKS        `json:"jwks"`
	Operations []Operation `json:"operations"`
	// Namesakes are the same and were there before.
	Namesakes []JWKS `json:"-"`
}

// AddJWKS adds an address to a project. It is used when the returned operations have
// finished. Neon reads it first, and refuses one that has no keys.
func (c *Client) AddJWKS(ctx context.Context, projectID string, add JWKSAdd) (*JWKSAdded, error) {
	request := jwksCall(http.MethodPost, "", projectID)
	request.subject, request.body, request.once = fmt.Sprintf("the JWKS URL %s of project %s", add.URL, projectID), add, true
	added, before, err := creation[JWKS, JWKSAdded]{
		request: request,
		place:   projectID,
		list:    func(ctx context.Context) ([]JWKS, error) { return All(c.JWKSURLs(ctx, projectID)) },
		id:      func(jwks JWKS) string { return jwks.ID },
		isAlike: add.matches,
		send: func(request call) (*JWKSAdded, error) {
			return receive(ctx, c, request, "jwks.id", func(answer *JWKSAdded) bool { return answer.JWKS.ID != "" })
		},
		object: func(added *JWKSAdded) JWKS { return added.JWKS },
		adopt: func(ctx context.Context, jwks JWKS) (*JWKSAdded, error) {
			operations, err := c.unfinishedOperations(ctx, projectID, func(o Operation) bool { return add.BranchID == "" || o.BranchID == add.BranchID })
			return &JWKSAdded{JWKS: jwks, Operations: operations}, err
		},
	}.run(ctx, c)
	if err != nil {
		return nil, err
	}
	added.Namesakes = slices.DeleteFunc(before, func(old JWKS) bool { return !add.matches(old) })
	return added, nil
}

// SharedJWKS reads one address. IsAbsent is true for the error about one that doesn't exist. Reads
// that come close together share one list.
func (c *Client) SharedJWKS(ctx context.Context, projectID, id string) (*JWKS, error) {
	if jwks, err := readShared(ctx, c.reads.jwks, projectID, id); jwks != nil || err != nil {
		return jwks, err
	}
	return c.jwks(ctx, projectID, id)
}

// jwks is JWKS by a list of its own: Neon has no call that reads one.
func (c *Client) jwks(ctx context.Context, projectID, id string) (*JWKS, error) {
	all, err := All(c.JWKSURLs(ctx, projectID))
	return listed(all, err, "project "+projectID, "JWKS URL", id, func(jwks JWKS) bool { return jwks.ID == id })
}

// JWKSURLs: a address that can't be decoded comes with an error of its
// own.
func (c *Client) JWKSURLs(ctx context.Context, projectID string) iter.Seq2[JWKS, error] {
	return eachOf(ctx, c, allJWKSCall(projectID), "jwks", "JWKS URL", func(jwks JWKS) string { return jwks.ID })
}

// listJWKS returns the addresses of a project by id.
func (c *Client) listJWKS(ctx context.Context, request call) (map[string]element[JWKS], error) {
	return listByName(ctx, c, request, "jwks", func(jwks JWKS) string { return jwks.ID })
}

// DeleteJWKS removes an address. One that is gone already is no error.
func (c *Client) DeleteJWKS(ctx context.Context, projectID, id string) error {
	request := jwksCall(http.MethodDelete, "/{jwks_id}", projectID, id)
	request.subject = fmt.Sprintf("the deletion of JWKS URL %s of project %s", id, projectID)
	_, err := deleteOnce(ctx, c, request,
		func() (*JWKS, error) {
			return receive(ctx, c, request, "id", func(jwks *JWKS) bool { return jwks.ID != "" })
		},
		func(ctx context.Context) (*JWKS, error) {
			_, err := c.jwks(ctx, projectID, id)
			if IsAbsent(err) {
				return &JWKS{}, nil
			}
			return nil, err
		})
	return err
}

func jwksCall(method, suffix string, params ...string) call {
	return call{method: method, route: "/projects/{project_id}/jwks" + suffix, params: params}
}

func allJWKSCall(projectID string) call { return jwksCall(http.MethodGet, "", projectID) }
