package emulator

import (
	"slices"
	"strings"
)

type organizationView struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Handle     string `json:"handle"`
	Plan       string `json:"plan"`
	CreatedAt  string `json:"created_at"`
	ManagedBy  string `json:"managed_by"`
	UpdatedAt  string `json:"updated_at"`
	AllowHIPAA bool   `json:"allow_hipaa_projects"`
	RequireMFA bool   `json:"require_mfa"`
}

func (org *organization) view() organizationView {
	return organizationView{
		ID: org.ID, Name: org.Name, Handle: strings.ToLower(org.Name) + "-" + org.ID, Plan: "scale",
		CreatedAt: seconds(org.CreatedAt), UpdatedAt: seconds(org.CreatedAt), ManagedBy: "console", AllowHIPAA: true,
	}
}

// organizationsOf are those that a key's owner belongs to, or that own the key.
func (e *Emulator) organizationsOf(key *apiKey) []*organization {
	var found []*organization
	for _, org := range e.world.Orgs {
		if key.belongsTo(org) {
			found = append(found, org)
		}
	}
	slices.SortFunc(found, func(a, b *organization) int { return strings.Compare(a.ID, b.ID) })
	return found
}

// getOrganization answers GET /organizations/{org_id}.
func (e *Emulator) getOrganization(c *call) (reply, error) { return ok(c.org.view()) }

// listOrganizations answers GET /users/me/organizations.
func (e *Emulator) listOrganizations(c *call) (reply, error) {
	views := []organizationView{}
	for _, org := range e.organizationsOf(c.key) {
		views = append(views, org.view())
	}
	return ok(map[string]any{"organizations": views})
}

// getUser answers GET /users/me.
func (e *Emulator) getUser(c *call) (reply, error) {
	u := e.world.Users[c.key.UserID]
	first, last, _ := strings.Cut(u.Name, " ")
	return ok(map[string]any{
		"id": u.ID, "email": u.Email, "login": u.Email, "name": first, "last_name": last, "image": "", "plan": "scale",
		"active_seconds_limit": 0, "projects_limit": 1000, "branches_limit": 5000, "max_autoscaling_limit": 16,
		"auth_accounts": []map[string]string{
			{"email": u.Email, "login": u.Email, "name": u.Name, "image": "", "provider": "keycloak"},
		},
	})
}
