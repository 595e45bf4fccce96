package emulator

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const memberPath = orgPath + "/members/{member_id}"

var memberRoutes = []route{
	{"GET " + orgPath + "/members", forOrgMembers, (*Emulator).listMembers},
	{"GET " + memberPath, forOrgMembers, about((*Emulator).member, (*Emulator).getMember)},
	{"PATCH " + memberPath, forOrgKeys, withBody((*Emulator).updateMember)},
	{"DELETE " + memberPath, forOrgUsers, (*Emulator).removeMember},
}

// memberRoles are the roles that a member can have; "member" is another name for "editor".
var memberRoles = []string{admin, "member", "editor", "viewer", "collaborator"}

// memberRole is one of these in a body.
type memberRole string

func (memberRole) Fits() wire.Schema { return wire.OneOf(memberRoles...) }

// addMember lets a user into an organization, unless it is there.
func (org *organization) addMember(u *user, role string, now time.Time) {
	if org.Members[u.ID] == nil {
		org.Members[u.ID] = &member{ID: wire.NewUUID(), UserID: u.ID, Role: storedRole(role), JoinedAt: now}
	}
}

func storedRole(role string) string {
	if role == "member" {
		return "editor"
	}
	return role
}

type memberView struct {
	ID       string `json:"id"`
	UserID   string `json:"user_id"`
	OrgID    string `json:"org_id"`
	Role     string `json:"role"`
	JoinedAt string `json:"joined_at"`
}

func (e *Emulator) memberView(org *organization, m *member) memberView {
	return memberView{m.ID, m.UserID, org.ID, e.shownRole(m.Role), wire.Seconds(m.JoinedAt)}
}

// shownRole is a role in an organization as answers have it.
func (e *Emulator) shownRole(role string) string {
	if role == "editor" && e.plays(doubts.MemberRoleMember) {
		return "member"
	}
	return role
}

// memberPosition is a place in a sorted list of members, in which no two are the same.
type memberPosition struct {
	Value    string `json:"value"`
	MemberID string `json:"member_id"`
}

func (p memberPosition) compare(other memberPosition) int {
	if order := strings.Compare(p.Value, other.Value); order != 0 {
		return order
	}
	return strings.Compare(p.MemberID, other.MemberID)
}

// memberCursor is what the list's cursors hold: recorded ones are base64 of an object.
type memberCursor struct {
	memberPosition
	SortBy    string `json:"sort_by"`
	SortOrder string `json:"sort_order"`
}

func (k memberCursor) encode() string {
	text, _ := json.Marshal(k) // It holds nothing that can't be encoded.
	return base64.StdEncoding.EncodeToString(text)
}

func decodeMemberCursor(cursor string) (k memberCursor, ok bool) {
	text, err := base64.StdEncoding.DecodeString(cursor)
	return k, err == nil && json.Unmarshal(text, &k) == nil && k.MemberID != ""
}

// position is the member's place in the order that is asked for.
func (k memberCursor) position(m *member, email string) memberPosition {
	switch k.SortBy {
	case "email":
		return memberPosition{email, m.ID}
	case "role":
		return memberPosition{m.Role, m.ID}
	default:
		return memberPosition{m.JoinedAt.UTC().Format("2006-01-02T15:04:05.000000000Z"), m.ID}
	}
}

// memberQuery reads the parameters of a list. A cursor goes on in the order that it
// came from.
func (c *call) memberQuery() (k memberCursor, limit int) {
	limit = c.queryInt("limit", mostMembers, 1, mostMembers)
	k.SortBy = c.queryOneOf("sort_by", "joined_at", "email", "role", "joined_at")
	k.SortOrder = c.queryOneOf("sort_order", "desc", "asc", "desc")
	return c.memberCursor(k), limit
}

// memberCursor is the one that the query has, or else the one given.
func (c *call) memberCursor(fallback memberCursor) memberCursor {
	text, given := c.query("cursor")
	if !given {
		return fallback
	}
	cursor, fits := decodeMemberCursor(text)
	if !fits {
		c.refuseQuery("cursor", "must be a cursor of an earlier answer")
	}
	return cursor
}

func (e *Emulator) listMembers(c *call) (reply, error) {
	cursor, limit := c.memberQuery()
	page, next := e.memberPage(c.org, cursor, limit, func(*member) bool { return true })
	views := make([]any, 0, len(page))
	for _, m := range page {
		views = append(views, map[string]any{
			"member": e.memberView(c.org, m), "user": map[string]any{"email": e.world.Users[m.UserID].Email, "has_mfa": false},
		})
	}
	pagination := map[string]string{"sort_by": cursor.SortBy, "sort_order": cursor.SortOrder}
	if next != "" {
		pagination["next"] = next
	}
	return ok(map[string]any{"members": views, "pagination": pagination})
}

// memberPage returns the members of a page, and the cursor of the next one.
func (e *Emulator) memberPage(org *organization, cursor memberCursor, limit int, shows func(*member) bool) (page []*member, next string) {
	direction := 1
	if cursor.SortOrder == "desc" {
		direction = -1
	}
	found := map[memberPosition]*member{}
	places := []memberPosition{}
	for _, m := range org.Members {
		at := cursor.position(m, e.world.Users[m.UserID].Email)
		if shows(m) && (cursor.MemberID == "" || direction*at.compare(cursor.memberPosition) > 0) {
			found[at], places = m, append(places, at)
		}
	}
	slices.SortFunc(places, func(a, b memberPosition) int { return direction * a.compare(b) })
	for _, at := range places[:min(limit, len(places))] {
		page = append(page, found[at])
	}
	if len(page) < len(places) {
		cursor.memberPosition = places[len(page)-1]
		next = cursor.encode()
	}
	return page, next
}

// memberOfPath finds the member of an organization that the path names.
func (c *call) memberOfPath(org *organization) (*member, error) {
	id := c.PathValue("member_id")
	if !uuidPattern.MatchString(id) {
		return nil, badPath("member_id", "must be a UUID")
	}
	for _, m := range org.Members {
		if m.ID == id {
			return m, nil
		}
	}
	return nil, wire.NotFound("member not found")
}

func (e *Emulator) getMember(c *call, m *member) (reply, error) {
	return ok(e.memberView(c.org, m))
}

// member finds the one of the organization in the path.
func (e *Emulator) member(c *call) (*member, error) { return c.memberOfPath(c.org) }

// memberToChange finds the member that the path names for an administrator. The last
// administrator remains one.
func (c *call) memberToChange(role string) (*member, error) {
	if err := c.checkAdmin(); err != nil {
		return nil, err
	}
	m, err := c.memberOfPath(c.org)
	if err != nil {
		return nil, err
	}
	for _, other := range c.org.Members {
		if role == admin || m.Role != admin || other != m && other.Role == admin {
			return m, nil
		}
	}
	return nil, wire.Unprocessable("organization must have at least one admin")
}

func (e *Emulator) updateMember(c *call, body struct {
	Role memberRole `json:"role" fits:"required"`
}) (reply, error) {
	m, err := c.memberToChange(string(body.Role))
	if err != nil {
		return reply{}, err
	}
	m.Role = storedRole(string(body.Role))
	return ok(e.memberView(c.org, m))
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

// byAge are the members by when they joined.
func (org *organization) byAge() []*member {
	return sorted(org.Members, func(m *member) (time.Time, string) { return m.JoinedAt, m.ID })
}
