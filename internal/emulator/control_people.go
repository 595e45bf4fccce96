package emulator

import (
	"cmp"
	"net/http"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// person is whom the control path makes a user of, with a personal key.
type person struct {
	Admin bool   `json:"admin" says:"true is the same as the role admin"`
	Role  string `json:"role" fits:"role,empty" says:"their role: admin, editor (the default), viewer or collaborator"`
	Email string `json:"email" says:"their email address; max@example.com by default"`
	OrgID string `json:"org_id" says:"the organization; the first one by default"`
}

// createMember makes a user of an organization: by default of the first one, in which it
// is no administrator.
func (e *Emulator) createMember(c *call, asked person) (reply, error) {
	org := e.world.Orgs[cmp.Or(asked.OrgID, e.world.First.OrgID)]
	if org == nil {
		return reply{}, wire.BadRequest("there is no organization %q", asked.OrgID)
	}
	role := cmp.Or(asked.Role, "editor")
	if asked.Admin {
		if role = cmp.Or(asked.Role, admin); role != admin {
			return reply{}, wire.BadRequest("admin is true, and role is %q; leave one of them out", role)
		}
	}
	u := e.world.addUser("Max Member", cmp.Or(asked.Email, "max@example.com"))
	org.addMember(u, role, c.now)
	return ok(e.withKey(c, u))
}

func (e *Emulator) withKey(c *call, u *user) map[string]any {
	key := e.world.addKey(&apiKey{Kind: personalKey, Name: "member", UserID: u.ID, CreatedAt: c.now})
	return map[string]any{"user_id": u.ID, "key_id": key.ID, "api_key": key.Token}
}

// forgetInvitations has no organization list the invitations that were sent so far.
func (e *Emulator) forgetInvitations(*call) (reply, error) {
	for _, org := range e.world.Orgs {
		org.Invitations = nil
	}
	return alreadyGone()
}

type integrationSpec struct {
	ProjectID   string `json:"project_id" says:"the project"`
	Integration string `json:"integration" says:"what it is connected with, such as github or vercel; empty disconnects it"`
}

// setIntegration connects a project with something, such as "github", or disconnects it.
func (e *Emulator) setIntegration(_ *call, asked integrationSpec) (reply, error) {
	p := e.world.Projects[asked.ProjectID]
	if p == nil {
		return reply{}, errNoProject(asked.ProjectID)
	}
	p.Integration = asked.Integration
	return ok(map[string]any{})
}

type organizationSpec struct {
	Name  string `json:"name" says:"its name"`
	Email string `json:"email" says:"email address of a new user who administers it; by default the first member of the first organization does"`
	Plan  string `json:"plan" says:"free, launch or scale; by default that of all organizations"`
}

// createOrganization makes an organization. Who has been in the first one longest
// administers it, or a new user with the address that is given.
func (e *Emulator) createOrganization(c *call, asked organizationSpec) (reply, error) {
	if err := checkPlan(asked.Plan); err != nil {
		return reply{}, wire.BadRequest("%v", err)
	}
	u := e.world.Users[e.world.Orgs[e.world.First.OrgID].byAge()[0].UserID]
	if asked.Email != "" {
		u = e.world.addUser("Eve Else", asked.Email)
	}
	org := e.world.addOrganization(cmp.Or(asked.Name, "Other"), c.now)
	org.Plan = asked.Plan
	org.addMember(u, admin, c.now)
	answer := e.withKey(c, u)
	answer["org_id"] = org.ID
	return reply{http.StatusCreated, answer}, nil
}
