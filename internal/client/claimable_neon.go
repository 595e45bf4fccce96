package client

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ClaimableNeonSourceLength is the most characters that say who asks for a project.
const ClaimableNeonSourceLength = 100

// tokenReserve is how long before its end an access token isn't used any more.
const tokenReserve = 30 * time.Second

// ClaimableProject is a project of Claimable Neon, which needs no account and expires unless somebody claims it.
type ClaimableProject struct {
	RegistrationID string `json:"registration_id"`
	// IdentityAssertion is the secret with which everything about the project is asked for.
	IdentityAssertion string `json:"identity_assertion"`
	Project           struct {
		ID        string     `json:"id"`
		ExpiresAt *time.Time `json:"expires_at"`
	} `json:"project"`
	Capabilities []ClaimableCapability `json:"capabilities"`
	Claim        struct {
		StartURL string `json:"start_url"`
	} `json:"claim"`
}

// ClaimableCapability is what was decided about one of the services that were asked for.
type ClaimableCapability struct {
	Name    string `json:"capability"`
	Granted bool   `json:"granted"`
	// Reason is why it wasn't granted, such as "requires_claim".
	Reason string `json:"reason"`
}

// ClaimableProjectCreate describes a project of Claimable Neon to create.
type ClaimableProjectCreate struct {
	Type string `json:"type"`
	// Capabilities are the services that are wanted beside PostgreSQL, such as "data_api" and "auth".
	Capabilities []string `json:"capabilities"`
	// Source says who asks for the project, in 1 to 100 characters.
	Source string `json:"source"`
}

// ClaimableCredentials are the ways into a project of Claimable Neon.
type ClaimableCredentials struct {
	// DatabaseURL is the pooled URL, a secret.
	DatabaseURL string `json:"database_url"`
	Services    struct {
		DataAPI struct {
			URL string `json:"url"`
		} `json:"data_api"`
		Auth struct {
			BaseURL string `json:"base_url"`
			JWKSURL string `json:"jwks_url"`
		} `json:"auth"`
	} `json:"services"`
}

// ClaimLink is where a person takes a project over, for a quarter of an hour.
type ClaimLink struct {
	// UserCode and URL are secrets: whoever has one can claim the project.
	UserCode string `json:"user_code"`
	URL      string `json:"verification_uri_complete"`
	// ExpiresIn is in seconds.
	ExpiresIn int64 `json:"expires_in"`
}

// ClaimableIdentity says which project of Claimable Neon is meant.
type ClaimableIdentity struct {
	ProjectID string
	// Assertion is the secret of [ClaimableProject].
	Assertion string
}

// ClaimEnd is what Claimable Neon says of a project that it serves no more.
type ClaimEnd string

// The ends of a project.
const (
	// ClaimNone is that of a project that goes on, or of another error.
	ClaimNone ClaimEnd = ""
	// ClaimClaimed: it belongs to an account.
	ClaimClaimed ClaimEnd = "claimed"
	// ClaimExpired: nobody claimed it in time.
	ClaimExpired ClaimEnd = "expired"
	// ClaimRevoked: the assertion is dead, since the project was claimed, deleted or has expired.
	ClaimRevoked ClaimEnd = "revoked"
)

// ClaimEndOf returns the end of a project that an error tells. No other error may make anybody forget an assertion.
func ClaimEndOf(err error) ClaimEnd {
	answer := neons(err)
	if answer == nil {
		return ClaimNone
	}
	return map[string]ClaimEnd{
		"project_claimed": ClaimClaimed, "project_expired": ClaimExpired, "invalid_grant": ClaimRevoked,
	}[answer.Code]
}

// CreateClaimableProject registers an anonymous identity with a project of its own. Nothing can be found again without
// its answer, so the error about a lost one says that a project may exist; it expires by itself.
// POST /v1/agent/identity: https://neon.com/docs/reference/claimable-neon
func (c *Client) CreateClaimableProject(ctx context.Context, create ClaimableProjectCreate) (*ClaimableProject, error) {
	create.Type = "anonymous"
	if create.Capabilities == nil {
		create.Capabilities = []string{} // Null is no list.
	}
	request := call{
		api: claimableNeonAPI, method: http.MethodPost, route: "/agent/identity", body: create, by: unrepeatable,
		subject: "a claimable project (it expires by itself within 72 hours)",
	}
	created, err := receive[ClaimableProject](ctx, c, request, "identity_assertion", "registration_id")
	if err == nil && created.Project.ID == "" {
		return nil, request.incomplete("project")
	}
	return created, err
}

// GetClaimableCredentials reads the ways into a project.
// GET /v1/projects/{id}/credentials: https://neon.com/docs/reference/claimable-neon
// POST /v1/oauth2/token: https://neon.com/docs/reference/claimable-neon
func (c *Client) GetClaimableCredentials(ctx context.Context, of ClaimableIdentity) (*ClaimableCredentials, error) {
	return receiveAnonymously[ClaimableCredentials](ctx, c, of, of.call(http.MethodGet, "/credentials"), "database_url")
}

// GetClaimableClaimState reads how far the claim of a project is: "pending", "accepted",
// "reconciled", "expired", "cancelled" or "failed_plan"; empty where nobody has begun one.
// GET /v1/projects/{id}/claim: https://neon.com/docs/reference/claimable-neon
// POST /v1/oauth2/token: https://neon.com/docs/reference/claimable-neon
func (c *Client) GetClaimableClaimState(ctx context.Context, of ClaimableIdentity) (string, error) {
	found, err := receiveAnonymously[struct{ State string }](ctx, c, of, of.call(http.MethodGet, "/claim"), "state")
	if HasCode(err, "not_found") {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return found.State, nil
}

// CreateClaimLink makes a link for a person who takes the project over. It ends the link before it.
// POST /v1/projects/{id}/claim: https://neon.com/docs/reference/claimable-neon
// POST /v1/oauth2/token: https://neon.com/docs/reference/claimable-neon
func (c *Client) CreateClaimLink(ctx context.Context, of ClaimableIdentity) (*ClaimLink, error) {
	request := of.call(http.MethodPost, "/claim")
	request.subject, request.by = "a claim link", unrepeatable
	return receiveAnonymously[ClaimLink](ctx, c, of, request, "verification_uri_complete")
}

// DeleteClaimableProject deletes a project that nobody has claimed. [ClaimEndOf] knows the error about an ended one.
// DELETE /v1/projects/{id}: https://neon.com/docs/reference/claimable-neon
// POST /v1/oauth2/token: https://neon.com/docs/reference/claimable-neon
func (c *Client) DeleteClaimableProject(ctx context.Context, of ClaimableIdentity) error {
	request := of.call(http.MethodDelete, "")
	request.subject, request.by = "the deletion", harmless
	_, err := writeOnce(ctx, c, request, func() (*fields, error) {
		answer, err := receiveAnonymously[fields](ctx, c, of, request)
		if err == nil && len(*answer) > 0 {
			err = request.malformed("it isn't Neon's answer to this")
		}
		return answer, err
	}, nil)
	if IsLost(err) && ClaimEndOf(err) == ClaimRevoked { // Its first attempt had its effect.
		return nil
	}
	return err
}

// call is a request about the project.
func (i ClaimableIdentity) call(method, suffix string) call {
	return call{api: claimableNeonAPI, method: method, route: "/projects/{id}" + suffix, params: []string{i.ProjectID}}
}

// receiveAnonymously sends a call about a project with an access token. One that was ended early is exchanged once.
func receiveAnonymously[T any](
	ctx context.Context, c *Client, of ClaimableIdentity, request call, needed ...string,
) (*T, error) {
	for again := false; ; again = true {
		token, err := c.accessToken(ctx, of.Assertion)
		if err != nil {
			return nil, err
		}
		request.token = token
		answer, err := receive[T](ctx, c, request, needed...)
		if again || !HasStatus(err, http.StatusUnauthorized) {
			return answer, err
		}
		c.anonymous.Delete(of.Assertion)
	}
}

// accessToken is what an assertion was exchanged for.
type accessToken struct {
	Text      string `json:"access_token"`
	ExpiresIn int64  `json:"expires_in"`

	ends time.Time
}

// accessToken exchanges an assertion for a token, unless there is one that serves.
func (c *Client) accessToken(ctx context.Context, assertion string) (string, error) {
	noted, _ := c.anonymous.Load(assertion)
	if known, is := noted.(accessToken); is && time.Until(known.ends) > tokenReserve {
		return known.Text, nil
	}
	base := strings.TrimSuffix(c.bases[claimableNeonAPI].String(), claimableNeonAPI.prefix())
	form := url.Values{
		"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {assertion}, "resource": {base + "/"},
	}
	request := call{
		api: claimableNeonAPI, method: http.MethodPost, route: "/oauth2/token", subject: "an access token", by: reading,
		body: encodedForm{data: []byte(form.Encode()), contentType: "application/x-www-form-urlencoded"},
	}
	// A token more does no harm: it ends by itself.
	answer, err := receiveOnce[accessToken](ctx, c, request, "access_token")
	if err != nil {
		return "", err
	}
	answer.ends = time.Now().Add(time.Duration(answer.ExpiresIn) * time.Second)
	c.anonymous.Store(assertion, *answer)
	return answer.Text, nil
}
