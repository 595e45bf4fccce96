package emulator

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// claimCodeAlphabet has no characters that look alike.
const claimCodeAlphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

// createClaimCode answers POST /v1/projects/{project_id}/claim: a code for a person, which replaces an unused one.
func (e *Emulator) createClaimCode(c *call, r *registration) (reply, error) {
	switch {
	case r.isAccepted():
		return reply{}, refuseAs(codeProjectClaimed, "This project was claimed.")
	case r.Frozen && r.Claim.state(c.now) == "pending":
		return reply{}, refuseAs(codeClaimRuns, "A claim ceremony is already in progress for this project.")
	case !c.now.Before(r.ExpiresAt):
		return reply{}, refuseAs(codeProjectExpired, "This project has expired.")
	}
	code := wire.UnguessableOf(claimCodeAlphabet, 8)
	r.Claim, r.Links = &claimAttempt{Code: code, ExpiresAt: c.now.Add(claimCodeLife)}, r.Links+1
	address, shown := e.baseURLFor(c.Request)+"/claim", code[:4]+"-"+code[4:]
	return ok(map[string]any{
		"user_code": e.world.secret(shown), "verification_uri": address,
		"verification_uri_complete": address + "?user_code=" + shown,
		"expires_in":                int(claimCodeLife.Seconds()), "interval": 5,
	})
}

func (e *Emulator) claimStatus(c *call, r *registration) (reply, error) {
	if r.Claim == nil {
		return reply{}, refuseAs(codeNotFound, "No claim attempt exists for this project.")
	}
	state := r.Claim.state(c.now)
	return ok(map[string]any{"state": state, "expires_at": wire.Milliseconds(r.Claim.ExpiresAt),
		"reconciled": state == "reconciled"})
}

// claimWithCode finds the attempt that a person's code is of, while it can be used.
func (e *Emulator) claimWithCode(code string, now time.Time) *registration {
	code = strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(code))
	return findIn(e.world.Registrations, func(r *registration) bool {
		return r.Claim != nil && r.Claim.Code == code && r.Claim.TransferID == "" && r.Claim.state(now) == "pending" &&
			!r.Revoked && now.Before(r.ExpiresAt)
	})
}

// beginClaim freezes a project for the person who entered its code: the tokens and the password of its database end,
// and don't come back where the claim is given up.
func (e *Emulator) beginClaim(r *registration, now time.Time) {
	r.Frozen, r.Claim.TransferID, r.Claim.ExpiresAt = true, wire.NewUUID(), now.Add(claimCodeLife)
	for _, token := range r.Tokens {
		token.Revoked = true
	}
	e.rotatePassword(e.world.Projects[r.ProjectID], now)
}

// acceptClaim gives the project to the organization of the first world.
func (e *Emulator) acceptClaim(r *registration, now time.Time) {
	r.Claim.AcceptedAt, r.Claim.ReconciledAt = now, now.Add(e.config.OperationDuration)
	if p := e.world.Projects[r.ProjectID]; p != nil {
		e.adopt(p)
	}
}

// claimAnonymously goes through the ceremony for a project at once, as a person does on the page.
func (e *Emulator) claimAnonymously(r *registration, status string, now time.Time) {
	if r.Claim == nil || r.Claim.state(now) != "pending" {
		r.Claim = &claimAttempt{Code: wire.UnguessableOf(claimCodeAlphabet, 8), ExpiresAt: now.Add(claimCodeLife)}
	}
	if r.Claim.TransferID == "" {
		e.beginClaim(r, now)
	}
	if status == claimed {
		e.acceptClaim(r, now)
	}
}

// showCeremony is where a person enters a code, with which the transfer begins.
func (e *Emulator) showCeremony(w http.ResponseWriter, r *http.Request) {
	writePage(w, http.StatusOK, personPage{
		Title: "Claim your Neon project", Button: "Continue to Neon", Code: &fact{Value: r.URL.Query().Get("user_code")},
		Text: "Continuing ends the tokens of whoever created the project, and the password of its database.",
	})
}

// continueCeremony takes the code, and then the person's word that the project is to be theirs.
func (e *Emulator) continueCeremony(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, largestBody)
	code, transfer := r.PostFormValue("user_code"), r.PostFormValue("transfer")
	shown, status := personPage{Title: "This code is unknown, has expired or was used"}, http.StatusBadRequest
	_, _, err := e.changeAndKeep(&call{Request: r}, func(e *Emulator, c *call) (reply, error) {
		switch found := e.claimWithCode(code, c.now); {
		case transfer != "":
			for _, r := range e.world.Registrations {
				if r.Claim != nil && r.Claim.TransferID == transfer && r.Claim.state(c.now) == "pending" {
					e.acceptClaim(r, c.now)
					shown, status = personPage{Title: "This project is yours",
						Text: "It is project " + r.ProjectID + " of your organization."}, http.StatusOK
				}
			}
		case found != nil:
			e.beginClaim(found, c.now)
			shown, status = personPage{
				Title: "Take this project over?", Button: "Accept", Transfer: found.Claim.TransferID,
				Text: "Project " + found.ProjectID + " moves into the organization " + e.world.Orgs[e.world.First.OrgID].Name + ".",
			}, http.StatusOK
		}
		return reply{status: status}, nil
	})
	if err != nil {
		shown, status = personPage{Title: err.Error()}, wire.StatusOf(err)
	}
	writePage(w, status, shown)
}

// passedRoutes are the calls of the control API that Claimable Neon passes on before a claim, as `neon deploy` needs
// them, with the scope that each takes, and the fields that a body may have.
var passedRoutes = map[string]passed{
	"GET " + projectPath: {fields: []string{"id", "name", "region_id", "created_at",
		"pg_version", "branch_logical_size_limit_bytes"}},
	"GET " + projectPath + "/branches":                {},
	"GET " + branchPath:                               {},
	"GET " + projectPath + "/endpoints":               {},
	"GET " + projectPath + "/connection_uri":          {scope: "postgres.read"},
	"GET " + branchPath + "/databases":                {},
	"GET " + branchPath + "/roles":                    {scope: "postgres.read"},
	"GET " + branchPath + "/auth":                     {},
	"GET " + branchPath + "/data-api/{database_name}": {},
	"GET " + branchPath + "/credentials":              {},
	"PATCH " + branchPath: {scope: "postgres.write", within: "branch",
		body: []string{"name"}},
	"PATCH " + endpointPath: {scope: "postgres.write", within: "endpoint",
		body: []string{"autoscaling_limit_min_cu", "autoscaling_limit_max_cu", "suspend_timeout_seconds"}},
	"POST " + branchPath + "/auth": {scope: "auth.configure",
		body: []string{"auth_provider", "database_name"}},
	"POST " + branchPath + "/data-api/{database_name}": {scope: "data_api.configure",
		body: []string{"auth_provider"}},
	"PATCH " + branchPath + "/data-api/{database_name}": {scope: "data_api.configure",
		body: []string{"auth_provider"}},
	"GET " + branchPath + "/storage":                         {waits: "storage"},
	"GET " + branchPath + "/buckets":                         {waits: "storage"},
	"POST " + branchPath + "/buckets":                        {waits: "storage"},
	"GET " + branchPath + "/functions":                       {waits: "functions"},
	"GET " + branchPath + "/ai_gateway":                      {waits: "ai_gateway"},
	"POST " + branchPath + "/functions/{slug}" + deployments: {waits: "functions"},
}

// passed says how a call is passed on.
type passed struct {
	scope string
	// within is the object that the fields of the body are in, empty for the body itself.
	within string
	body   []string
	// fields are those of the answer's project that are told; nil for all of the answer.
	fields []string
	// waits is the capability that is there after a claim alone; empty for none.
	waits string
}

// passOn answers a call of the control API below /v1/projects for the project of the token.
func (e *Emulator) passOn(c *call, r route, how passed) (reply, error) {
	registered, token, err := e.bearer(c, false)
	switch {
	case err != nil:
		return reply{}, err
	case how.waits != "":
		return reply{}, refuseAs(codeRequiresClaim, how.waits+" requires a claimed project.")
	}
	if err := cmp.Or(token.mayUse(how.scope), c.checkMembers(how)); err != nil {
		return reply{}, err
	}
	c.project = e.world.Projects[registered.ProjectID]
	c.key = &apiKey{Kind: projectKey, ProjectID: registered.ProjectID}
	if c.PathValue("branch_id") != "" {
		if err := e.findBranch(c); err != nil {
			return reply{}, err
		}
	}
	said, err := r.handle(e, c)
	if err == nil && how.fields != nil {
		said.body = onlyFields(said.body, how.fields)
	}
	return said, err
}

// onlyFields is an answer about one object without the fields that aren't named.
func onlyFields(body any, names []string) any {
	var said map[string]map[string]any
	if json.Unmarshal(wire.Encode(body), &said) != nil {
		return body
	}
	for _, object := range said {
		maps.DeleteFunc(object, func(name string, _ any) bool { return !slices.Contains(names, name) })
	}
	return said
}

// checkMembers refuses what a body mustn't have before a claim.
func (c *call) checkMembers(how passed) error {
	if c.Method == http.MethodGet {
		return nil
	}
	var body map[string]any
	if err := wire.Decode(c.body, &body); err != nil && len(c.body) > 0 {
		return refuseAs(codeInvalidRequest, err.Error())
	}
	members := body
	if how.within != "" {
		members, _ = body[how.within].(map[string]any)
	}
	for name := range members {
		if !slices.Contains(how.body, name) {
			return refuseAs(codeInvalidRequest, "Proxy request body contains unsupported fields or values.")
		}
	}
	if provider, given := members["auth_provider"]; given && provider != "neon_auth" && provider != "better_auth" {
		return refuseAs(codeInvalidRequest, "Proxy request body contains unsupported fields or values.")
	}
	return nil
}
