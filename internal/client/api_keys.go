package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// APIKey is a key of Neon's API.
type APIKey struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	ProjectID string    `json:"project_id,omitempty"` // only on project-scoped keys
	CreatedAt time.Time `json:"created_at"`
	CreatedBy Creator   `json:"created_by"`
	// LastUsedAt is nil for a key that was never used.
	LastUsedAt       *time.Time `json:"last_used_at"`
	LastUsedFromAddr string     `json:"last_used_from_addr"`
	Revoked          bool       `json:"revoked"`
	// Key is the secret token. Neon shows it in the answer to the creation alone.
	Key string `json:"key,omitempty"`
}

// Creator is the id of the user who created a key. In lists Neon sends it as an object, else as a string.
type Creator string

// UnmarshalJSON reads both shapes.
func (c *Creator) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err == nil {
		*c = Creator(text)
		return nil
	}
	var object struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return fmt.Errorf("created_by is neither a string nor an object: %w", err)
	}
	*c = Creator(object.ID)
	return nil
}

// APIKeyScope selects the owner of keys. The zero value selects the caller's personal keys.
type APIKeyScope struct {
	// OrgID selects the keys of an organization.
	OrgID string
	// ProjectID makes a new organization key project-scoped. Lists ignore it.
	ProjectID string
	// UserID is the owner of personal keys, of which another user's list proves nothing; empty for any caller.
	UserID string
}

// kind has the keys that a list of the scope has.
func (s APIKeyScope) kind() kind[APIKey] {
	keys := kind[APIKey]{
		noun: "API key", route: "/api_keys", one: "/{key_id}",
		id:     APIKey.id,
		isGone: func(key APIKey, _ time.Time) bool { return key.Revoked },
	}
	if s.OrgID != "" {
		keys.route = "/organizations/{org_id}/api_keys"
	}
	return keys
}

func (k APIKey) id() string { return numberID(k.ID) }

// numberID is empty for a number that couldn't be decoded.
func numberID(number int64) string {
	if number == 0 {
		return ""
	}
	return strconv.FormatInt(number, 10)
}

// params are those of the kind's route, and of more.
func (s APIKeyScope) params(more ...string) []string {
	if s.OrgID == "" {
		return more
	}
	return append([]string{s.OrgID}, more...)
}

func (s APIKeyScope) call(method string) call { return s.kind().call(method, "", s.params()...) }

// CreateAPIKey creates a key with a name of 1 to 64 characters. The client needs a
// personal key, for organization keys that of an administrator.
// POST /api_keys: https://api-docs.neon.tech/reference/createapikey
// POST /organizations/{org_id}/api_keys: https://api-docs.neon.tech/reference/createorgapikey
func (c *Client) CreateAPIKey(ctx context.Context, scope APIKeyScope, name string) (*Answer[APIKey], error) {
	return (&keyCreation{client: c, scope: scope, name: name}).run(ctx)
}

// ListAPIKeys lists the live keys of a scope.
// GET /api_keys: https://api-docs.neon.tech/reference/listapikeys
// GET /organizations/{org_id}/api_keys: https://api-docs.neon.tech/reference/listorgapikeys
func (c *Client) ListAPIKeys(ctx context.Context, scope APIKeyScope) iter.Seq2[APIKey, error] {
	return scope.kind().list(ctx, c, scope.params()...)
}

// GetSharedAPIKey reads a key. A list without it proves that it was revoked.
// GET /api_keys: https://api-docs.neon.tech/reference/listapikeys
// GET /organizations/{org_id}/api_keys: https://api-docs.neon.tech/reference/listorgapikeys
func (c *Client) GetSharedAPIKey(ctx context.Context, scope APIKeyScope, id int64) (*APIKey, error) {
	read := func() (*APIKey, error) { return c.listedAPIKey(ctx, scope, id) }
	return scope.kind().sharedOr(ctx, c, numberID(id), nil, read, scope.params()...)
}

// listedAPIKey is GetSharedAPIKey by a list of its own.
func (c *Client) listedAPIKey(ctx context.Context, scope APIKeyScope, id int64) (*APIKey, error) {
	request := scope.call(http.MethodGet)
	isUsers := scope.OrgID != "" || scope.UserID == ""
	key, err := scope.kind().first(ctx, c, request, func(key APIKey) bool {
		isUsers = isUsers || string(key.CreatedBy) == scope.UserID // The list has the very key that it was read with.
		return key.ID == id
	})
	switch {
	case key != nil || err != nil:
		return key, err
	case !isUsers:
		return nil, fmt.Errorf("API key %d belongs to user %s, and the keys that can be listed belong to another user; "+
			"use an API key of that user", id, scope.UserID)
	}
	noun := "API key"
	if scope.OrgID != "" {
		noun = "organization API key"
	}
	return nil, &AbsentError{What: fmt.Sprintf("API key %d is not in the list of live keys (GET %s)", id,
		controlAPI.prefix()+request.path()), Noun: noun}
}

func (s APIKeyScope) revocation(id string) call {
	return s.kind().of(http.MethodDelete, "", s.params(id)...)
}

// RevocationCommand is a line of shell with which a person revokes a key.
func (c *Client) RevocationCommand(scope APIKeyScope, id int64) string {
	return c.shellCommand(scope.revocation(numberID(id)))
}

// shellCommand is a line of shell with which a person sends a request, with the API key from the environment.
func (c *Client) shellCommand(request call) string {
	return "curl -X " + request.method + ` -H "Authorization: Bearer $NEON_API_KEY" ` + c.bases[controlAPI].String() +
		request.path()
}

// DescribeAPIKeys lists keys for a person. They may be somebody else's, so that no command to revoke them is printed.
func DescribeAPIKeys(keys []APIKey) string {
	described := make([]string, len(keys))
	for i, key := range keys {
		described[i] = fmt.Sprintf("API key %d, made at %s", key.ID, key.CreatedAt.UTC().Format(time.RFC3339))
	}
	return strings.Join(described, ", ")
}

// RevokeAPIKey revokes a key.
// DELETE /api_keys/{key_id}: https://api-docs.neon.tech/reference/revokeapikey
// DELETE /organizations/{org_id}/api_keys/{key_id}: https://api-docs.neon.tech/reference/revokeorgapikey
func (c *Client) RevokeAPIKey(ctx context.Context, scope APIKeyScope, id int64) error {
	request := scope.revocation(numberID(id))
	return end(ctx, c, request, "id", func(ctx context.Context) (*APIKey, error) { return c.listedAPIKey(ctx, scope, id) })
}

// NeverUsed reports whether nothing has used the key but its creation; see useOnce.
func (k APIKey) NeverUsed() bool {
	return k.LastUsedAt == nil || k.LastUsedAt.Sub(k.CreatedAt) <= firstUse
}

// firstUse is how long useOnce tries.
const firstUse = 10 * time.Second

// useOnce sends one request with a new key, so that the key counts as used. Another run that lost the answer to a
// creation of the same name then won't revoke this key as its own. The answer doesn't matter. An interruption doesn't
// end it: the key is kept, and must not stay unused.
func (c *Client) useOnce(ctx context.Context, scope APIKeyScope, token string) {
	request := call{method: http.MethodGet, route: "/users/me", token: token}
	switch {
	case scope.ProjectID != "":
		request.route, request.params = "/projects/{project_id}", []string{scope.ProjectID}
	case scope.OrgID != "":
		request.route, request.params = "/organizations/{org_id}", []string{scope.OrgID}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), firstUse)
	defer cancel()
	for range 3 { // A proxy may have answered.
		if _, err := c.do(ctx, request); err == nil {
			return
		}
	}
}
