package emulator

import (
	"net/http"
	"slices"
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

// projectMemberFields are what a list and a change both tell of a member.
type projectMemberFields struct {
	MemberID  string `json:"member_id"`
	UserID    string `json:"user_id"`
	Email     string `json:"email"`
	Name      string `json:"name"`
	OrgRole   string `json:"org_role"`
	Role      string `json:"project_role,omitempty"`
	Default   string `json:"org_default_project_permission,omitempty"`
	Explicit  string `json:"explicit_project_permission,omitempty"`
	Effective string `json:"effective_project_permission,omitempty"`
}

type projectMemberView struct {
	projectMemberFields

	GrantSource string `json:"grant_source"`
}

type projectRoleView struct {
	projectMemberFields

	ProjectID         string `json:"project_id"`
	RotateCredentials bool   `json:"credential_rotation_recommended"`
	RotateAPIKeys     bool   `json:"org_api_key_rotation_recommended"`
}

func (e *Emulator) projectMemberFields(p *project, m *member) projectMemberFields {
	u := e.world.Users[m.UserID]
	role, _ := e.roleOf(p, m)
	return projectMemberFields{
		m.ID, u.ID, u.Email, u.Name, e.shownRole(m.Role), role,
		strings.ToUpper(roleByDefault(m.Role)), strings.ToUpper(p.Roles[m.ID]), strings.ToUpper(role),
	}
}

// callerIn is the member who calls, nil for a key that isn't a member's own.
func (c *call) callerIn(org *organization) *member {
	if c.key.Kind != personalKey {
		return nil
	}
	return org.Members[c.key.UserID]
}

// listProjectMembers answers GET /projects/{project_id}/members. Who doesn't administer the
// project sees no members without a role in it.
func (e *Emulator) listProjectMembers(c *call) (reply, error) {
	q := c.sortedQuery(memberCursors, c.queryInt("limit", mostMembers, 1, mostMembers), "joined_at", "asc")
	org := e.world.Orgs[c.project.OrgID]
	caller, seesAll := c.callerIn(org), true
	if caller != nil {
		role, _ := e.roleOf(c.project, caller)
		seesAll = role == admin
	}
	page, next := e.memberPage(org, q, func(m *member) bool {
		role, _ := e.roleOf(c.project, m)
		return seesAll || role != ""
	})
	views := viewsOf(page, func(m *member) projectMemberView {
		_, source := e.roleOf(c.project, m)
		return projectMemberView{e.projectMemberFields(c.project, m), source}
	})
	answer := map[string]any{"project_members": views}
	if next != "" {
		answer["pagination"] = map[string]string{"next": next}
	}
	return ok(answer)
}

// projectRole is one of these in a body.
type projectRole string

func (projectRole) Fits() wire.Schema { return wire.OneOf(projectRoles...) }

func (e *Emulator) setProjectRole(c *call, body struct {
	Role projectRole `json:"role" fits:"required"`
}) (reply, error) {
	return e.changeProjectRole(c, string(body.Role), "confirm_self_demotion")
}

// removeProjectRole answers DELETE /projects/{project_id}/members/{member_id}/role. A member
// without a role of its own in the project stays without.
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
	if caller != nil {
		if role, _ := e.roleOf(c.project, caller); role != admin {
			return reply{}, wire.Refuse(http.StatusForbidden, "project administrator permissions are required")
		}
	}
	if m.Role == admin && role != "" && role != admin && !e.plays(doubts.ProjectRoleOfAdminTaken) {
		return reply{}, e.doubtful(doubts.ProjectRoleOfAdmin,
			wire.Unprocessable("cannot set project-level role %q for an organization administrator", role))
	}
	lowers := slices.Index(projectRoles, role) < slices.Index(projectRoles, before)
	if m == caller && lowers && m.Role != admin && !confirmed {
		return reply{}, e.doubtful(doubts.OwnProjectRole, wire.Unprocessable("this requires %s=true", confirmation))
	}
	without := slices.Index(projectRoles, role) < slices.Index(projectRoles, roleByDefault(m.Role)) && e.plays(doubts.ProjectRoleBelowDropped)
	if c.project.Roles == nil {
		c.project.Roles = map[string]string{}
	}
	if c.project.Roles[m.ID] = role; role == "" || without {
		delete(c.project.Roles, m.ID)
	}
	hints := lowers && e.plays(doubts.RotationHintsGiven)
	return ok(projectRoleView{e.projectMemberFields(c.project, m), c.project.ID, hints, hints})
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
