package emulator

import (
	"cmp"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// authenticate finds the key that a request bears, and
// notes its use.
func (e *Emulator) authenticate(c *call) error {
	scheme, token, _ := strings.Cut(c.Header.Get("Authorization"), " ")
	key := e.world.byToken[strings.TrimSpace(token)]
	if !strings.EqualFold(scheme, "Bearer") || key == nil {
		return wire.Refuse(http.StatusUnauthorized, "supplied credentials do not pass authentication")
	}
	key.LastUsedAt = c.now
	key.LastUsedFrom = c.RemoteAddr
	if host, _, err := net.SplitHostPort(c.RemoteAddr); err == nil {
		key.LastUsedFrom = host
	}
	c.key = key
	return nil
}

// authorize decides whether the key may use the route, and finds what the path
// names. What a key may not see is not found.
func (e *Emulator) authorize(c *call, needs access) error {
	if needs == forEverybody {
		return nil
	}
	if c.key.Kind == projectKey && needs != forProject {
		switch {
		case needs == forUsers:
			return errNotForOrganizationKeys()
		case needs == forProjectOwners && c.PathValue("project_id") == c.key.ProjectID:
			return wire.NotFound("not allowed for project-scoped API keys")
		}
		return errOutsideProject(c.key)
	}
	users := needs == forUsers || needs == forOrgUsers || needs == forOrgKeys && e.plays(doubts.OrgKeyRights, "reads")
	if users && c.key.Kind != personalKey {
		return errNotForOrganizationKeys()
	}
	switch needs {
	case forOrgMembers, forOrgUsers, forOrgKeys:
		return e.findOrganization(c, c.PathValue("org_id"))
	case forProject:
		if c.Method == http.MethodGet {
			return e.findProject(c, projectRoles[0])
		}
		return e.findProject(c, projectRoles[1])
	case forProjectOwners:
		if err := e.findProject(c, admin); err != nil {
			return err
		}
		if !e.owns(c.key, c.project) {
			return wire.NotFound("not allowed for users that the project is shared with")
		}
	}
	return nil
}

func errNotForOrganizationKeys() error {
	return wire.NotFound("not allowed for organization API keys")
}

func errOutsideProject(key *apiKey) error {
	return wire.NotFound("not allowed to perform actions outside the project this key is scoped to; "+
		"subject_project_id:%q", key.ProjectID)
}

// findOrganization finds an organization that the key's owner belongs to.
func (e *Emulator) findOrganization(c *call, id string) error {
	org := e.world.Orgs[id]
	if org == nil || !c.key.belongsTo(org) {
		return wire.NotFound("organization not found")
	}
	c.org = org
	return nil
}

func (key *apiKey) belongsTo(org *organization) bool {
	if key.Kind == personalKey {
		_, member := org.Members[key.UserID]
		return member
	}
	return key.OrgID == org.ID
}

// findProject finds the project in the path, for a caller with a role in it.
func (e *Emulator) findProject(c *call, role string) error {
	id := c.PathValue("project_id")
	if c.key.Kind == projectKey && c.key.ProjectID != id {
		return errOutsideProject(c.key)
	}
	p := e.world.Projects[id]
	if p == nil || e.roleIn(c.key, p) == "" {
		return wire.NotFound("project not found")
	}
	if e.owns(c.key, p) && isLess(e.roleIn(c.key, p), role) {
		return e.errRole(role, "project")
	}
	c.project = p
	return nil
}

// errRole refuses who has a lesser role somewhere than one that is required.
func (e *Emulator) errRole(role, where string) error {
	return e.doubtful(doubts.WhatRolesMay, wire.Refuse(http.StatusForbidden, "the role %s in the %s is required", role,
		where))
}

// roleIn is what a key's owner may do with a project; empty for nothing.
func (e *Emulator) roleIn(key *apiKey, p *project) string {
	role := ""
	switch org := e.world.Orgs[p.OrgID]; {
	case org == nil || !key.belongsTo(org):
	case key.Kind == organizationKey:
		role = admin
	case key.Kind == projectKey:
		role = projectRoles[1]
	default:
		role, _ = e.roleOf(p, org.Members[key.UserID])
	}
	if role != admin && e.sharedWith(key, p) {
		role = projectRoles[1]
	}
	return role
}

// roleByDefault is the role in all projects of an organization of those with a role in the
// organization; empty for none.
func roleByDefault(orgRole string) string {
	if slices.Contains(projectRoles, orgRole) {
		return orgRole
	}
	return ""
}

// roleOf is the role of a member in a project, empty for none, and where it is from: the
// higher of the organization's and its own counts.
func (e *Emulator) roleOf(p *project, m *member) (role, source string) {
	own := p.Roles[m.ID]
	switch role = roleByDefault(m.Role); {
	case role == admin:
		return role, "org_admin_override"
	case m.UserID == p.OwnerID && e.plays(doubts.CreatorRole, "admin"):
		return admin, "creator"
	case own != "" && !isLess(own, role):
		return own, "explicit"
	case role != "":
		return role, "org_role_default"
	}
	return "", "unassigned"
}

// sharedWith reports whether a key's owner has access to the project by its address.
func (e *Emulator) sharedWith(key *apiKey, p *project) bool {
	owner := e.world.Users[key.UserID]
	return key.Kind == personalKey && owner != nil && p.permission(owner.Email) != nil
}

// owns reports whether a project is of an organization that the key's owner belongs to.
func (e *Emulator) owns(key *apiKey, p *project) bool {
	org := e.world.Orgs[p.OrgID]
	return org != nil && key.belongsTo(org)
}

// organization is the one that projects are listed or created in: the key's own,
// and for a personal key the one that it names.
func (e *Emulator) organization(c *call, id string) (*organization, error) {
	if id == "" && c.key.Kind == personalKey {
		return nil, wire.BadRequest("org_id is required, you can find it on your organization settings page")
	}
	err := e.findOrganization(c, cmp.Or(id, c.key.OrgID))
	return c.org, err
}

// administers refuses a member who doesn't administer the organization of the call. Its own keys do.
func (e *Emulator) administers(c *call) error {
	if c.key.Kind != organizationKey && !c.org.administers(c.key.UserID) {
		return wire.Refuse(http.StatusForbidden, "organization administrator permissions are required")
	}
	return nil
}

// callerName says which key a request bears. The caller holds the lock.
func (e *Emulator) callerName(r *http.Request) string {
	token, bears := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	key := e.world.byToken[token]
	switch {
	case !bears:
		return ""
	case key == nil:
		return "unknown"
	default:
		return key.Name + " (" + key.Kind + ")"
	}
}
