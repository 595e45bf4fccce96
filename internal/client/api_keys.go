package client

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// APIKey is what the platform tells of a key after its creation: everything
// but the token (API document, section 2.1).
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
}

// CreatedAPIKey is the answer to a creation, the only one that holds the token.
type CreatedAPIKey struct {
	APIKey
	// Key is the secret token. The platform never shows it again.
	Key string `json:"key"`
	// Namesakes are the live keys of the same name and scope that were there
	// before and that this client did not make: what a run that was killed may
	// have left behind, used or not.
	Namesakes []APIKey `json:"-"`
	// Lost says that a key of an earlier attempt exists whose token was lost and
	// that could not be revoked; nil where there is none.
	Lost error `json:"-"`
}

// Creator is the identifier of the user who made a key. The platform sends it
// as a string in answers to create and revoke, and as an object in lists.
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

// APIKeyScope tells whose keys are meant. The zero value means the personal
// keys of the caller.
type APIKeyScope struct {
	// OrgID names the organization whose keys are meant.
	OrgID string
	// ProjectID makes a new organization key project-scoped. Lists ignore it.
	ProjectID string
}

func (s APIKeyScope) route() string {
	if s.OrgID == "" {
		return "/api_keys"
	}
	return "/organizations/{org_id}/api_keys"
}

func (s APIKeyScope) call(method string) call {
	request := call{method: method, route: s.route()}
	if s.OrgID != "" {
		request.params = []string{s.OrgID}
	}
	return request
}

// CreateAPIKey makes a key with a name of 1 to 64 characters. It needs a
// personal key; an organization key also needs an organization administrator
// (API document, section 5).
//
// A token that is lost with its answer can't be had again. The key that it
// belonged to is then revoked and another one made; see keyCreation.
func (c *Client) CreateAPIKey(ctx context.Context, scope APIKeyScope, name string) (*CreatedAPIKey, error) {
	// Keys have no unique names. One creation of a name at a time leaves no
	// doubt about which of our own keys is which.
	done, err := c.keys.begin(ctx, scope, name)
	if err != nil {
		return nil, err
	}
	defer done()
	creation := &keyCreation{client: c, scope: scope, name: name}
	return creation.run(ctx)
}

func (c *Client) createAPIKey(ctx context.Context, scope APIKeyScope, name string) (*CreatedAPIKey, error) {
	request := scope.call(http.MethodPost)
	request.subject = fmt.Sprintf("an API key named %q", name)
	request.body = struct {
		KeyName   string `json:"key_name"`
		ProjectID string `json:"project_id,omitempty"`
	}{name, scope.ProjectID}
	var created CreatedAPIKey
	if err := c.do(ctx, request, &created); err != nil {
		return nil, err
	}
	if created.ID == 0 || created.Key == "" {
		return nil, request.incomplete("id or key")
	}
	if created.Name == "" {
		created.Name = name
	}
	return &created, nil
}

// APIKeys lists the live keys of a scope. The platform sends them in one
// answer, without pages.
func (c *Client) APIKeys(ctx context.Context, scope APIKeyScope) ([]APIKey, error) {
	var keys []APIKey
	if err := c.do(ctx, scope.call(http.MethodGet), &keys); err != nil {
		return nil, err
	}
	return keys, nil
}

// APIKey finds one key by its id. The platform has no call that reads a single
// key, so the list is searched, and shared by reads that come close together; a
// key that isn't in it was revoked, and the error is then one for which
// IsNotFound is true.
func (c *Client) APIKey(ctx context.Context, scope APIKeyScope, id int64) (*APIKey, error) {
	shared, err := c.reads.keys.share(ctx, scope.OrgID)
	if err != nil {
		return nil, err
	}
	if key, found := shared[strconv.FormatInt(id, 10)]; found {
		return &key, nil
	}
	keys, err := c.APIKeys(ctx, scope)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if key.ID == id && !key.Revoked {
			return &key, nil
		}
	}
	return nil, &Error{
		StatusCode: http.StatusNotFound,
		Message:    fmt.Sprintf("API key %d is not in the list of live keys", id),
		Method:     http.MethodGet,
		Path:       controlAPI.prefix() + scope.call(http.MethodGet).path(),
	}
}

// sharedKeys lists the keys of a scope, from a list that others may share.
func (c *Client) sharedKeys(ctx context.Context, scope APIKeyScope) ([]APIKey, error) {
	shared, err := c.reads.keys.share(ctx, scope.OrgID)
	if err != nil {
		return nil, err
	}
	if shared == nil {
		return c.APIKeys(ctx, scope)
	}
	return slices.Collect(maps.Values(shared)), nil
}

func (s APIKeyScope) revocation(id int64) call {
	request := s.call(http.MethodDelete)
	request.route += "/{key_id}"
	request.params = append(request.params, strconv.FormatInt(id, 10))
	return request
}

// RevocationCommand is a line of shell with which a person revokes a key. The
// API key that it needs is taken from the environment.
func (c *Client) RevocationCommand(scope APIKeyScope, id int64) string {
	return c.deletionCommand(scope.revocation(id))
}

func (c *Client) deletionCommand(request call) string {
	return `curl -X DELETE -H "Authorization: Bearer $NEON_API_KEY" ` + c.baseURL.String() + request.path()
}

// DescribeAPIKeys says of each key its id, when it was made, and with what
// command it is revoked, each on a line of its own.
func (c *Client) DescribeAPIKeys(scope APIKeyScope, keys []APIKey) string {
	var text strings.Builder
	for _, key := range keys {
		fmt.Fprintf(&text, "\n  API key %d, made at %s:\n  %s\n", key.ID, key.CreatedAt.UTC().Format(time.RFC3339), c.RevocationCommand(scope, key.ID))
	}
	return text.String()
}

// RevokeAPIKey revokes a key at once and for good. A key that is gone already
// gives an error for which IsNotFound is true.
func (c *Client) RevokeAPIKey(ctx context.Context, scope APIKeyScope, id int64) (*APIKey, error) {
	request := scope.revocation(id)
	request.subject = fmt.Sprintf("the revocation of API key %d", id)
	return surely(ctx, c, oneLook,
		func() (*APIKey, error) {
			var revoked APIKey
			err := c.do(ctx, request, &revoked)
			return &revoked, err
		},
		func() (*APIKey, error) {
			_, err := c.APIKey(ctx, scope, id)
			if IsNotFound(err) {
				return &APIKey{ID: id, Revoked: true}, nil
			}
			return nil, err
		})
}
