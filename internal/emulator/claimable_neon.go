package emulator

import (
	"net/http"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const (
	// claimCodeLife is how long a code for the claim can be used, and then the transfer that it began.
	claimCodeLife = 15 * time.Minute
)

// claimableCode is one of Claimable Neon's errors.
type claimableCode struct {
	name   string
	status int
}

var (
	codeInvalidRequest  = claimableCode{"invalid_request", http.StatusBadRequest}
	codeInvalidGrant    = claimableCode{"invalid_grant", http.StatusBadRequest}
	codeUnauthorized    = claimableCode{"unauthorized", http.StatusUnauthorized}
	codeTokenExpired    = claimableCode{"token_expired", http.StatusUnauthorized}
	codeScope           = claimableCode{"scope_insufficient", http.StatusForbidden}
	codeRequiresClaim   = claimableCode{"capability_requires_claim", http.StatusForbidden}
	codeRouteNotAllowed = claimableCode{"route_not_allowed", http.StatusForbidden}
	codeNotFound        = claimableCode{"not_found", http.StatusNotFound}
	codeClaimRuns       = claimableCode{"claim_in_progress", http.StatusConflict}
	codeProjectClaimed  = claimableCode{"project_claimed", http.StatusConflict}
	codeProjectExpired  = claimableCode{"project_expired", http.StatusGone}
)

// resourcePath says where tokens are (RFC 9728).
const resourcePath = "/.well-known/oauth-protected-resource"

// capabilityScopes are what a capability that is granted before a claim lets its owner do. The others wait for the
// claim.
var capabilityScopes = map[string][]string{
	"postgres": {"postgres.read", "postgres.write"},
	"data_api": {"data_api.configure"},
	"auth":     {"auth.configure"},
}

// anonymousScopes are those of each token, whatever its project was made with: the rest can be enabled later.
var anonymousScopes = []string{"postgres.read", "postgres.write", "data_api.configure", "auth.configure"}

// state is what the service says of an attempt.
func (a *claimAttempt) state(now time.Time) string {
	switch {
	case !a.AcceptedAt.IsZero() && !now.Before(a.ReconciledAt):
		return "reconciled"
	case !a.AcceptedAt.IsZero():
		return "accepted"
	case !now.Before(a.ExpiresAt):
		return "expired"
	}
	return "pending"
}

// isAccepted reports whether a person has taken the project over.
func (r *registration) isAccepted() bool { return r.Claim != nil && !r.Claim.AcceptedAt.IsZero() }

// status is what the older API would call it.
func (r *registration) status() string {
	switch {
	case r.isAccepted():
		return claimed
	case r.Frozen:
		return claiming
	}
	return unclaimed
}

// isReconciled reports whether the project belongs to an account.
func (r *registration) isReconciled(now time.Time) bool {
	return r.Claim != nil && r.Claim.state(now) == "reconciled"
}

// anonymousAPI is Claimable Neon in what it differs from the other APIs.
var anonymousAPI = api{challenges: true, refusal: func(failure *wire.Error, requestID string) any {
	code := failure.Code
	if code == "" {
		code = map[int]string{
			http.StatusNotFound: codeNotFound.name, http.StatusBadRequest: codeInvalidRequest.name,
			http.StatusTooManyRequests: "quota_exceeded",
		}[failure.Status]
	}
	origin := "proxy"
	if code == "" && failure.Status != http.StatusInternalServerError {
		code, origin = "upstream_error", "upstream"
	} else if code == "" {
		code = "internal_error"
	}
	said := map[string]any{
		"code": code, "origin": origin, "message": failure.Message, "request_id": requestID,
		"retryable": slices.Contains([]string{codeTokenExpired.name, "quota_exceeded", "upstream_error"}, code),
	}
	if code == codeScope.name {
		said["required_scope"] = failure.Reason
	}
	return map[string]any{"error": said}
}}

// refuseAs is a refusal with one of these codes.
func refuseAs(code claimableCode, message string) error {
	return &wire.Error{Status: code.status, Code: code.name, Message: message}
}

var anonymousRoutes = map[string]func(*Emulator, *call) (reply, error){
	"POST /v1/agent/identity":                     (*Emulator).register,
	"POST /v1/oauth2/token":                       (*Emulator).exchangeAssertion,
	"POST /v1/oauth2/revoke":                      (*Emulator).revokeToken,
	"GET /v1/projects/{project_id}/credentials":   about((*Emulator).reading, (*Emulator).anonymousCredentials),
	"POST /v1/projects/{project_id}/claim":        about((*Emulator).claiming, (*Emulator).createClaimCode),
	"GET /v1/projects/{project_id}/claim":         about((*Emulator).claiming, (*Emulator).claimStatus),
	"DELETE /v1/projects/{project_id}":            about((*Emulator).writing, (*Emulator).deleteAnonymously),
	"GET " + resourcePath:                         (*Emulator).describeResource,
	"GET /.well-known/oauth-authorization-server": (*Emulator).describeAuthorization,
	"GET /.well-known/jwks.json":                  (*Emulator).assertionKeys,
}

// registrationBody has no other members: Claimable Neon ignores none.
type registrationBody struct {
	Type         string    `json:"type" fits:"required,=anonymous"`
	Capabilities []string  `json:"capabilities" fits:"..20,each,1..100"`
	Source       string    `json:"source" fits:"1..100"`
	DataAPI      *struct{} `json:"data_api"`
}

// register answers POST /v1/agent/identity: it makes a project that belongs to nobody.
func (e *Emulator) register(c *call) (reply, error) {
	var body registrationBody
	if err := wire.DecodeStrictly(c.body, &body); err != nil {
		return reply{}, refuseAs(codeInvalidRequest, err.Error())
	}
	if body.Source == "" {
		body.Source = "raw_api"
	}
	wished := append([]string{"postgres"}, slices.DeleteFunc(body.Capabilities,
		func(name string) bool { return name == "postgres" })...)
	p := e.addUnclaimedProject(projectSpec{Name: "claimable-neon"}, c.now)
	made := &registration{
		ID: "reg_" + wire.NewUUID(), ProjectID: p.ID, BranchID: p.DefaultBranchID, Source: body.Source,
		CreatedAt: c.now, ExpiresAt: c.now.Add(unclaimedLife),
	}
	decisions := []map[string]any{}
	for _, name := range wished {
		decision := map[string]any{"capability": name, "granted": capabilityScopes[name] != nil}
		if scopes := capabilityScopes[name]; scopes != nil {
			decision["scopes"], made.Capabilities = scopes, append(made.Capabilities, name)
		} else {
			decision["reason"], decision["message"] = "requires_claim", name+" requires a claimed project."
		}
		decisions = append(decisions, decision)
	}
	e.serveCapabilities(p, made, c.now)
	made.Assertion = e.world.secret(e.sign(map[string]any{
		"iss": e.baseURLFor(c.Request), "sub": made.ID, "jti": wire.NewUUID(), "exp": made.ExpiresAt.Unix(),
	}))
	e.world.Registrations[made.ID] = made
	e.world.expiresAt(made.ExpiresAt)
	return created(map[string]any{
		"registration_id": made.ID, "identity_assertion": made.Assertion, "assertion_expires": made.ExpiresAt.Unix(),
		"scopes": anonymousScopes,
		"project": map[string]any{"id": p.ID, "branch_id": p.DefaultBranchID,
			"expires_at": wire.Milliseconds(made.ExpiresAt)},
		"capabilities": decisions,
		"claim":        map[string]any{"start_url": e.baseURLFor(c.Request) + "/claim?registration_id=" + made.ID},
	})
}

// serveCapabilities enables what was granted beside the database.
func (e *Emulator) serveCapabilities(p *project, r *registration, now time.Time) {
	b := p.Branches[p.DefaultBranchID]
	if slices.Contains(r.Capabilities, "auth") {
		b.enableAuth("better_auth", b.Databases[0].Name, p.Name, now)
	}
	if slices.Contains(r.Capabilities, "data_api") {
		d := b.Databases[0]
		setIn(&b.DataAPIs, d.ID, &dataAPI{Host: p.computeHost(b), Database: d.Name})
	}
}

func (e *Emulator) anonymousCredentials(c *call, r *registration) (reply, error) {
	p := e.world.Projects[r.ProjectID]
	c.project = p
	b := p.Branches[r.BranchID]
	services := map[string]any{}
	if b.Auth != nil {
		base := e.authURL(c, b)
		services["auth"] = map[string]any{"base_url": base, "jwks_url": base + keysOfAuth}
	}
	if len(b.Databases) > 0 && b.DataAPIs[b.Databases[0].ID] != nil {
		services["data_api"] = map[string]any{"url": e.dataAPIURL(c, b.DataAPIs[b.Databases[0].ID])}
	}
	return ok(map[string]any{
		"project_id": p.ID, "branch_id": b.ID, "expires_at": wire.Milliseconds(r.ExpiresAt), "services": services,
		"database_url": e.claimableString(p),
	})
}

func (e *Emulator) deleteAnonymously(_ *call, r *registration) (reply, error) {
	delete(e.world.Projects, r.ProjectID)
	r.revoke()
	return reply{status: http.StatusNoContent}, nil
}

// endsAt is when the project goes that nobody claims: whoever has begun to take it over has time for that.
func (r *registration) endsAt() time.Time {
	if r.Claim != nil && r.Claim.TransferID != "" && r.Claim.ExpiresAt.After(r.ExpiresAt) {
		return r.Claim.ExpiresAt
	}
	return r.ExpiresAt
}

// expireRegistrations removes the projects that nobody claimed in time. The identities stay a while longer, so that
// they can be told.
func (w *world) expireRegistrations(now time.Time) {
	for id, r := range w.Registrations {
		if r.isAccepted() || !w.hasExpired(r.endsAt(), now) {
			continue
		}
		delete(w.Projects, r.ProjectID)
		if w.hasExpired(r.endsAt().Add(recoveryPeriod), now) {
			delete(w.Registrations, id)
		}
	}
}

// shownClaimables are those of both kinds.
var shownClaimables = shown{list: "claimable_databases", ofWorld: func(e *Emulator, now time.Time) []object {
	byAge := sorted(e.world.Claimables, func(d *claimable) (time.Time, string) { return d.CreatedAt, d.ID })
	all := objectsOf(byAge, func(d *claimable) object {
		return object{
			"id": d.ID, "status": d.Status, "ref": d.Referrer, "neon_project_id": d.ProjectID,
			"created_at": wire.Milliseconds(d.CreatedAt), "expires_at": wire.Milliseconds(d.ExpiresAt),
		}
	})
	registered := sorted(e.world.Registrations, func(r *registration) (time.Time, string) { return r.CreatedAt, r.ID })
	return append(all, objectsOf(registered, func(r *registration) object {
		if r.Revoked || !r.isAccepted() && !now.Before(r.endsAt()) {
			return nil
		}
		return object{
			"claim_links": r.Links, "id": r.ID, "status": r.status(), "ref": r.Source, "neon_project_id": r.ProjectID,
			"created_at": wire.Milliseconds(r.CreatedAt), "expires_at": wire.Milliseconds(r.ExpiresAt),
		}
	})...)
}}
