package emulator

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var jwksRoutes = []route{
	{"GET " + projectPath + "/jwks", forProject, tells("jwks", (*Emulator).jwksViews)},
	{"POST " + projectPath + "/jwks", forProject, withBody((*Emulator).addJWKS)},
	{"DELETE " + projectPath + "/jwks/{jwks_id}", forProject, about((*Emulator).jwksOfPath, (*Emulator).deleteJWKS)},
}

// jwksRoles are those that tokens are for where no others are named.
var jwksRoles = []string{"authenticator", "authenticated", "anonymous"}

func (e *Emulator) jwksView(p *project, k *jwks) object {
	names := k.RoleNames
	switch {
	case len(names) > 0 || e.plays(doubts.JWKSRoleNames, "absent"):
	case e.plays(doubts.JWKSRoleNames, "defaults"):
		names = jwksRoles
	default:
		names = []string{}
	}
	return unlessEmpty(object{
		"id": k.ID, "project_id": p.ID, "branch_id": k.BranchID, "jwks_url": k.URL, "provider_name": k.Provider,
		"jwt_audience": k.Audience,
		"role_names":   names, "created_at": wire.Seconds(k.CreatedAt), "updated_at": wire.Seconds(k.UpdatedAt),
	}, "branch_id", "jwt_audience", "role_names")
}

// checkKeys refuses addresses where nothing can be: below .invalid (RFC 6761) there is no
// host, and a host alone has a page. The emulator doesn't go to the address.
func (e *Emulator) checkKeys(address string) error {
	at, err := url.Parse(address)
	switch {
	case e.plays(doubts.JWKSUnreadable, "taken"):
		return nil
	case err != nil || strings.HasSuffix(at.Hostname(), ".invalid"):
		return wire.BadRequest("unable to fetch JWKS; jwks_url:%q", address)
	case strings.Trim(at.Path, "/") == "":
		return wire.BadRequest("the URL returns no JSON Web Key Set; jwks_url:%q", address)
	}
	return nil
}

func (e *Emulator) jwksViews(c *call) []object {
	return viewsOf(c.project.JWKS, func(k *jwks) object { return e.jwksView(c.project, k) })
}

// addJWKS tells the computes of the branch, and creates roles for tokens that name no others.
func (e *Emulator) addJWKS(c *call, body struct {
	URL       string   `json:"jwks_url" fits:"required,https"`
	Provider  string   `json:"provider_name" fits:"required"`
	BranchID  string   `json:"branch_id" fits:"id"`
	Audience  string   `json:"jwt_audience"`
	RoleNames []string `json:"role_names" fits:"..10"`
	SkipRoles bool     `json:"skip_role_creation"`
}) (reply, error) {
	b := c.project.Branches[cmp.Or(body.BranchID, c.project.DefaultBranchID)]
	if b == nil {
		return reply{}, errNoBranch()
	}
	if err := e.checkKeys(body.URL); err != nil {
		return reply{}, err
	}
	like := slices.ContainsFunc(c.project.JWKS, func(k *jwks) bool {
		return k.URL == body.URL && k.Provider == body.Provider && k.BranchID == body.BranchID
	})
	if like && e.plays(doubts.JWKSSecond, "refused") {
		return reply{}, wire.Conflict("JWKS URL already exists")
	}
	if err := e.checkFree(c.project, c.now, b.ID); err != nil {
		return reply{}, err
	}
	operations := e.schedule(c.project, c.now, onEach(c.project.endpointsOf(b.ID), "apply_config")...)
	if !body.SkipRoles && len(body.RoleNames) == 0 && e.plays(doubts.JWKSOperations, "roles") {
		e.addJWKSRoles(b, c.now)
		e.configures(c, operations, postgres.Change{})
	}
	k := &jwks{
		ID: wire.NewUUID(), URL: body.URL, Provider: body.Provider, BranchID: body.BranchID, Audience: body.Audience,
		RoleNames: body.RoleNames, CreatedAt: c.now, UpdatedAt: c.now,
	}
	c.project.JWKS = append(c.project.JWKS, k)
	e.changedIn(c.project, b.ID)
	return created(map[string]any{"jwks": e.jwksView(c.project, k), "operations": operationViews(operations, c.now)})
}

// addJWKSRoles adds those of the roles that the branch lacks.
func (e *Emulator) addJWKSRoles(b *branch, now time.Time) {
	for _, name := range jwksRoles {
		if b.role(name) == nil {
			r := e.addRole(b, name, now)
			r.NoLogin, r.Password = true, ""
		}
	}
}

func (e *Emulator) jwksOfPath(c *call) (*jwks, error) {
	return named(c, c.project.JWKS, "jwks_id", func(k *jwks) string { return k.ID }, "JWKS not found")
}

func (e *Emulator) deleteJWKS(c *call, k *jwks) (reply, error) {
	c.project.JWKS = without(c.project.JWKS, k)
	return ok(e.jwksView(c.project, k))
}

var shownJWKS = shown{list: "jwks", ofProject: func(_ *Emulator, p *project, _ time.Time) []object {
	return objectsOf(p.JWKS, func(k *jwks) object {
		return object{"id": k.ID, "branch_id": k.BranchID, "name": k.Provider, "jwks_url": k.URL}
	})
}}
