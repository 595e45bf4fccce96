package emulator

import (
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var organizationRoutes = []route{
	{"GET " + apiRoot + "/users/me", forUsers, (*Emulator).getUser},
	{"GET " + apiRoot + "/users/me/organizations", forEverybody, tells("organizations",
		func(e *Emulator, c *call) []object { return viewsOf(e.organizationsOf(c.key), e.organizationView) })},
	{"GET " + orgPath, forOrgMembers, answers(
		func(e *Emulator, c *call) object { return e.organizationView(c.org) })},
}

func (e *Emulator) organizationView(org *organization) object {
	of := e.planOf(org)
	return object{
		"id": org.ID, "name": org.Name, "handle": strings.ToLower(org.Name) + "-" + org.ID, "plan": of.name,
		"created_at": wire.Seconds(org.CreatedAt),
		"updated_at": wire.Seconds(org.CreatedAt), "managed_by": "console", "allow_hipaa_projects": of.hipaa,
		"require_mfa": false,
	}
}

// organizationsOf are those that a key's owner belongs to, or that own the key.
func (e *Emulator) organizationsOf(key *apiKey) []*organization {
	found := which(e.world.Orgs, key.belongsTo)
	slices.SortFunc(found, func(a, b *organization) int { return strings.Compare(a.ID, b.ID) })
	return found
}

func (e *Emulator) getUser(c *call) (reply, error) {
	u, of := e.world.Users[c.key.UserID], planNamed(e.config.Plan)
	first, last, _ := strings.Cut(u.Name, " ")
	return ok(map[string]any{
		"id": u.ID, "email": u.Email, "login": u.Email, "name": first, "last_name": last, "image": "", "plan": of.name,
		"active_seconds_limit": 0, "projects_limit": of.projects, "branches_limit": of.branches,
		"max_autoscaling_limit": of.largestCU,
		"auth_accounts": []map[string]string{
			{"email": u.Email, "login": u.Email, "name": u.Name, "image": "", "provider": "keycloak"},
		},
	})
}
