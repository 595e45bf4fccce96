package emulator

import (
	"net/http"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var projectMemberRoutes = []route{
	{"GET " + projectPath + "/members", forProject, (*Emulator).listProjectMembers},
	{"PUT " + projectPath + "/members/{member_id}/role", forProject, withBody((*Emulator).setProjectRole)},
	{"DELETE " + projectPath + "/members/{member_id}/role", forProject, (*Emulator).removeProjectRole},
}

// projectMemberView is what a list and a change both tell of a member.
func (e *Emulator) projectMemberView(p *project, m *member) object {
	u := e.world.Users[m.UserID]
	role, _ := e.roleOf(p, m)
	return unlessEmpty(object{
		"member_id": m.ID, "user_id": u.ID, "email": u.Email, "name": u.Name, "org_role": e.shownRole(m.Role),
		"project_role":                   role,
		"org_default_project_permission": strings.ToUpper(roleByDefault(m.Role)),
		"explicit_project_permission":    strings.ToUpper(p.Roles[m.ID]),
		"effective_project_permission":   strings.ToUpper(role),
	}, "project_role", "org_default_project_permission", "explicit_project_permission", "effective_project_permission")
}

// callerIn is the member who calls, nil for a key that isn't a member's own.
func (c *call) callerIn(org *organization) *member {
	if c.key.Kind != personalKey {
		return nil
	}
	return org.Members[c.key.UserID]
}

// setsRoles reports whether who calls may say who has which role in the project: keys of the organization or the
// project may, and of users those who administer it.
func (e *Emulator) setsRoles(c *call) bool {
	return c.key.Kind != personalKey || e.roleIn(c.key, c.project) == admin
}

// listProjectMembers shows who doesn't administer the project no members without a role in it.
func (e *Emulator) listProjectMembers(c *call) (reply, error) {
	q := c.sortedQuery(memberCursors, c.queryInt("limit", mostMembers, 1, mostMembers), "joined_at", "asc")
	org := e.world.Orgs[c.project.OrgID]
	seesAll := e.setsRoles(c)
	page, next := e.memberPage(org, q, func(m *member) bool {
		role, _ := e.roleOf(c.project, m)
		return seesAll || role != ""
	})
	views := viewsOf(page, func(m *member) object {
		view := e.projectMemberView(c.project, m)
		_, view["grant_source"] = e.roleOf(c.project, m)
		return view
	})
	answer := map[string]any{"project_members": views}
	if next != "" {
		answer["pagination"] = map[string]string{"next": next}
	}
	return ok(answer)
}

func (e *Emulator) setProjectRole(c *call, body struct {
	Role string `json:"role" fits:"required,=viewer|editor|admin"`
}) (reply, error) {
	return e.changeProjectRole(c, body.Role, "confirm_self_demotion")
}

// removeProjectRole leaves a member without a role of its own in the project as it is.
func (e *Emulator) removeProjectRole(c *call) (reply, error) {
	return e.changeProjectRole(c, "", "confirm_self_lockout")
}

func (e *Emulator) changeProjectRole(c *call, role, confirmation string) (reply, error) {
	confirmed := c.queryBool(confirmation)
	if c.queryRefusal != nil {
		return reply{}, c.queryRefusal
	}
	org := e.world.Orgs[c.project.OrgID]
	m, err := c.memberOfPath(org)
	if err != nil {
		return reply{}, err
	}
	caller, before := c.callerIn(org), c.project.Roles[m.ID]
	if !e.setsRoles(c) {
		return reply{}, wire.Refuse(http.StatusForbidden, "project administrator permissions are required")
	}
	if m.Role == admin && role != "" && role != admin && !e.plays(doubts.ProjectRoleOfAdmin, "taken") {
		return reply{}, e.doubtful(doubts.ProjectRoleOfAdmin,
			wire.Unprocessable("cannot set project-level role %q for an organization administrator", role))
	}
	lowers := isLess(role, before)
	if m == caller && lowers && m.Role != admin && !confirmed {
		return reply{}, e.doubtful(doubts.OwnProjectRole, wire.Unprocessable("this requires %s=true", confirmation))
	}
	without := isLess(role, roleByDefault(m.Role)) && e.plays(doubts.ProjectRoleBelow, "dropped")
	if setIn(&c.project.Roles, m.ID, role); role == "" || without {
		delete(c.project.Roles, m.ID)
	}
	hints := lowers && e.plays(doubts.RotationHints, "given")
	view := e.projectMemberView(c.project, m)
	view["project_id"], view["credential_rotation_recommended"], view["org_api_key_rotation_recommended"] = c.project.ID,
		hints, hints
	return ok(view)
}

// shownProjectRoles are those that members have in a project in place of the organization's.
var shownProjectRoles = shown{list: "member_roles", ofProject: func(e *Emulator, p *project, _ time.Time) []object {
	org := e.world.Orgs[p.OrgID]
	if org == nil {
		return nil
	}
	return objectsOf(org.byAge(), func(m *member) object {
		if p.Roles[m.ID] == "" {
			return nil
		}
		return object{"member_id": m.ID, "email": e.world.Users[m.UserID].Email, "role": p.Roles[m.ID]}
	})
}}
