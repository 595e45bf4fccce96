package emulator

// Who may act for a project of Claimable Neon: assertions, the tokens that they are exchanged for, and what a token
// may do.

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const (
	// assertionGrant is the one way to an access token (RFC 7523).
	assertionGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	// accessTokenLife is how long a token serves that an assertion was exchanged for.
	accessTokenLife = 15 * time.Minute
)

// sign returns a token that the keys of the world prove.
func (e *Emulator) sign(claims map[string]any) string {
	encode := base64.RawURLEncoding.EncodeToString
	header, _ := json.Marshal(map[string]string{"alg": "EdDSA", "typ": "JWT", "kid": "claimable"})
	payload, _ := json.Marshal(claims) // Texts and numbers.
	text := encode(header) + "." + encode(payload)
	return text + "." + encode(ed25519.Sign(e.signingKey(), []byte(text)))
}

func (e *Emulator) signingKey() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(e.world.SigningSeed)
}

// form reads a body that is encoded as a form, in what of it is valid.
func (c *call) form() url.Values {
	values, _ := url.ParseQuery(string(c.body))
	return values
}

// exchangeAssertion answers POST /v1/oauth2/token. Once a person has begun to claim the project, and until the service
// has noticed that it was claimed, a token serves for claims alone.
func (e *Emulator) exchangeAssertion(c *call) (reply, error) {
	form := c.form()
	if form.Get("grant_type") != assertionGrant || form.Get("assertion") == "" {
		return reply{}, refuseAs(codeInvalidRequest, "Token exchange request is not valid.")
	}
	// Whoever reached the emulator by another name of this machine asks for that one.
	if audience := e.baseURLFor(c.Request) + "/"; !slices.Contains([]string{"", audience, "http://" + c.Host + "/"},
		form.Get("resource")) {
		return reply{}, refuseAs(codeInvalidGrant, "Requested resource must be \""+audience+"\".")
	}
	r := e.registrationOf(form.Get("assertion"))
	if r == nil {
		return reply{}, refuseAs(codeInvalidGrant, "Identity assertion is not valid.")
	}
	if err := e.checkAlive(r, c.now); err != nil {
		return reply{}, err
	}
	scopes := anonymousScopes
	if r.Frozen {
		scopes = nil
	}
	token := e.world.secret(e.sign(map[string]any{"sub": r.ID, "project_id": r.ProjectID, "jti": wire.NewUUID(),
		"scope": strings.Join(scopes, " ")}))
	setIn(&r.Tokens, token, &accessToken{Scopes: scopes, ExpiresAt: c.now.Add(accessTokenLife)})
	return ok(map[string]any{
		"access_token": token, "token_type": "Bearer", "expires_in": int(accessTokenLife.Seconds()),
		"scope": strings.Join(scopes, " "),
	})
}

// checkAlive refuses an assertion that serves no more.
func (e *Emulator) checkAlive(r *registration, now time.Time) error {
	switch {
	case r.Revoked, r.isReconciled(now):
		return refuseAs(codeInvalidGrant, "Identity assertion was revoked.")
	case r.isAccepted():
		return nil
	case now.Before(r.ExpiresAt):
		return nil
	case e.plays(doubts.ClaimableNeonExpired, "project-expired"):
		return refuseAs(codeProjectExpired, "This project has expired.")
	}
	return refuseAs(codeInvalidGrant, "This identity assertion has expired.")
}

func (e *Emulator) registrationOf(assertion string) *registration {
	return findIn(e.world.Registrations, func(r *registration) bool { return r.Assertion == assertion })
}

// revokeToken answers POST /v1/oauth2/revoke, whatever the token is.
func (e *Emulator) revokeToken(c *call) (reply, error) {
	token := c.form().Get("token")
	if token == "" {
		return reply{}, refuseAs(codeInvalidRequest, "Token revocation request is not valid.")
	}
	if r := e.registrationOf(token); r != nil {
		r.revoke()
	}
	for _, r := range e.world.Registrations {
		if found := r.Tokens[token]; found != nil {
			found.Revoked = true
		}
	}
	return ok(nil)
}

func (r *registration) revoke() {
	r.Revoked = true
	for _, token := range r.Tokens {
		token.Revoked = true
	}
}

// bearer finds the registration whose token a request bears, for the project in the path.
func (e *Emulator) bearer(c *call, duringClaim bool) (*registration, *accessToken, error) {
	_, text, _ := strings.Cut(c.Header.Get("Authorization"), "Bearer ")
	for _, r := range e.world.Registrations {
		token := r.Tokens[strings.TrimSpace(text)]
		switch {
		case token == nil:
			continue
		case duringClaim && r.isReconciled(c.now):
			// Who kept a token may read how the claim ended.
		case token.Revoked, r.isReconciled(c.now):
			return nil, nil, refuseAs(codeUnauthorized, "This access token was revoked.")
		case !c.now.Before(token.ExpiresAt):
			return nil, nil, refuseAs(codeTokenExpired, "The access token has expired; exchange the identity assertion again.")
		case r.Frozen && !duringClaim:
			return nil, nil, refuseAs(codeClaimRuns, "This project is being claimed. Only claim-status polling is available.")
		}
		if r.ProjectID != c.PathValue("project_id") {
			return nil, nil, refuseAs(codeRouteNotAllowed, "An agent token can act only on its own project.")
		}
		if duringClaim {
			return r, token, nil
		}
		return r, token, e.checkAlive(r, c.now)
	}
	return nil, nil, refuseAs(codeUnauthorized, "Present an access token as `Authorization: Bearer <token>`.")
}

// mayUse refuses a token without a scope; every token has the empty one.
func (t *accessToken) mayUse(scope string) error {
	if scope == "" || slices.Contains(t.Scopes, scope) {
		return nil
	}
	return &wire.Error{Status: codeScope.status, Code: codeScope.name, Message: "This operation requires " + scope + ".",
		Reason: scope}
}

// reading and writing are bearer with the scope for that.
func (e *Emulator) reading(c *call) (*registration, error) { return e.scoped(c, "postgres.read") }
func (e *Emulator) writing(c *call) (*registration, error) { return e.scoped(c, "postgres.write") }

// claiming is bearer for what a token does during a claim, too.
func (e *Emulator) claiming(c *call) (*registration, error) {
	r, _, err := e.bearer(c, true)
	return r, err
}

func (e *Emulator) scoped(c *call, scope string) (*registration, error) {
	r, token, err := e.bearer(c, false)
	if err == nil {
		err = token.mayUse(scope)
	}
	return r, err
}

// describeResource is RFC 9728.
func (e *Emulator) describeResource(c *call) (reply, error) {
	base := e.baseURLFor(c.Request)
	return ok(map[string]any{
		"resource": base + "/", "authorization_servers": []string{base}, "bearer_methods_supported": []string{"header"},
		"scopes_supported": anonymousScopes,
	})
}

// describeAuthorization is RFC 8414.
func (e *Emulator) describeAuthorization(c *call) (reply, error) {
	base := e.baseURLFor(c.Request)
	return ok(map[string]any{
		"issuer": base, "token_endpoint": base + "/v1/oauth2/token", "revocation_endpoint": base + "/v1/oauth2/revoke",
		"jwks_uri": base + "/.well-known/jwks.json", "grant_types_supported": []string{assertionGrant},
		"token_endpoint_auth_methods_supported": []string{"none"}, "response_types_supported": []string{},
		"agent_auth": map[string]any{
			"identity_endpoint": base + "/v1/agent/identity", "identity_types_supported": []string{"anonymous"},
		},
	})
}

func (e *Emulator) assertionKeys(*call) (reply, error) {
	public, _ := e.signingKey().Public().(ed25519.PublicKey)
	return ok(map[string]any{"keys": []any{map[string]any{
		"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": "claimable",
		"x": base64.RawURLEncoding.EncodeToString(public),
	}}})
}
