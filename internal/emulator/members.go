package emulator

import (
	"maps"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const memberPath = orgPath + "/members/{member_id}"

var memberRoutes = []route{
	{"GET " + orgPath + "/members", forOrgMembers, (*Emulator).listMembers},
	{"GET " + memberPath, forOrgMembers, about((*Emulator).member,
		func(e *Emulator, c *call, m *member) (reply, error) { return ok(e.memberView(c, m)) })},
	{"PATCH " + memberPath, forOrgKeys, checked(withBody((*Emulator).updateMember), (*Emulator).administers)},
	{"DELETE " + memberPath, forOrgUsers, checked((*Emulator).removeMember, (*Emulator).administers)},
}

// addMember lets a user into an organization, unless it is there.
func (org *organization) addMember(u *user, role string, now time.Time) {
	if org.Members[u.ID] == nil {
		org.Members[u.ID] = &member{ID: wire.NewUUID(), UserID: u.ID, Role: storedRole(role), JoinedAt: now}
	}
}

// storedRole is what is kept of a role: "member" is another name for "editor".
func storedRole(role string) string {
	if role == "member" {
		return "editor"
	}
	return role
}

func (e *Emulator) memberView(c *call, m *member) object {
	return object{"id": m.ID, "user_id": m.UserID, "org_id": c.org.ID, "role": e.shownRole(m.Role),
		"joined_at": wire.Seconds(m.JoinedAt)}
}

// shownRole is a role in an organization as answers have it.
func (e *Emulator) shownRole(role string) string {
	if role == "editor" && e.plays(doubts.MemberRole, "member") {
		return "member"
	}
	return role
}

// memberCursors are those of lists of members.
var memberCursors = cursorFields{id: "member_id", value: "value"}

func (e *Emulator) listMembers(c *call) (reply, error) {
	q := c.sortedQuery(memberCursors, c.queryInt("limit", mostMembers, 1, mostMembers),
		c.queryOneOf("sort_by", "joined_at", "email", "role", "joined_at"), c.queryOneOf("sort_order", "desc", "asc", "desc"))
	page, next := e.memberPage(c.org, q, func(*member) bool { return true })
	views := viewsOf(page, func(m *member) object {
		return object{
			"member": e.memberView(c, m), "user": map[string]any{"email": e.world.Users[m.UserID].Email, "has_mfa": false},
		}
	})
	return ok(map[string]any{"members": views,
		"pagination": unlessEmpty(object{"sort_by": q.sortBy, "sort_order": q.sortOrder, "next": next}, "next")})
}

// memberPage returns the members of a page, and the cursor of the next one.
func (e *Emulator) memberPage(
	org *organization, q sortedQuery, shows func(*member) bool,
) (page []*member, next string) {
	return sortedPage(q, maps.Values(org.Members), shows, func(m *member) place {
		switch q.sortBy {
		case "email":
			return place{text: e.world.Users[m.UserID].Email, id: m.ID}
		case "role":
			return place{text: m.Role, id: m.ID}
		}
		return place{at: m.JoinedAt.UnixNano(), id: m.ID}
	})
}

// memberOfPath finds the member of an organization that the path names.
func (c *call) memberOfPath(org *organization) (*member, error) {
	id := c.PathValue("member_id")
	if !uuidPattern.MatchString(id) {
		return nil, badPath("member_id", "must be a UUID")
	}
	if m := findIn(org.Members, func(m *member) bool { return m.ID == id }); m != nil {
		return m, nil
	}
	return nil, wire.NotFound("member not found")
}

// member finds the one of the organization in the path.
func (e *Emulator) member(c *call) (*member, error) { return c.memberOfPath(c.org) }

// memberToChange finds the member that the path names. The last administrator remains one.
func (c *call) memberToChange(role string) (*member, error) {
	m, err := c.memberOfPath(c.org)
	if err != nil {
		return nil, err
	}
	isOther := func(other *member) bool { return other != m && other.Role == admin }
	if role != admin && m.Role == admin && findIn(c.org.Members, isOther) == nil {
		return nil, wire.Unprocessable("organization must have at least one admin")
	}
	return m, nil
}

func (e *Emulator) updateMember(c *call, body struct {
	Role string `json:"role" fits:"required,role"`
}) (reply, error) {
	m, err := c.memberToChange(body.Role)
	if err != nil {
		return reply{}, err
	}
	m.Role = storedRole(body.Role)
	return ok(e.memberView(c, m))
}

func (e *Emulator) removeMember(c *call) (reply, error) {
	m, err := c.memberToChange("")
	if err != nil {
		return reply{}, err
	}
	delete(c.org.Members, m.UserID)
	for _, p := range e.world.Projects {
		delete(p.Roles, m.ID)
	}
	return ok(map[string]any{})
}

var shownMembers = shown{list: "members", ofOrganization: func(e *Emulator, org *organization) []object {
	return objectsOf(org.byAge(), func(m *member) object {
		return object{"id": m.ID, "user_id": m.UserID, "email": e.world.Users[m.UserID].Email, "role": m.Role}
	})
}}

func (org *organization) byAge() []*member {
	return sorted(org.Members, func(m *member) (time.Time, string) { return m.JoinedAt, m.ID })
}
