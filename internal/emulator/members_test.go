package emulator

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// addresses are those of an organization's members, by pages of one.
func (p *platform) addresses(t *testing.T, query string) string {
	t.Helper()
	var found []string
	for cursor := ""; ; {
		page := p.must("GET", "{o}/members?limit=1"+query+cursor, "")
		found = append(found, page.str("members", 0, "user", "email"))
		next, more := page.at("pagination").(map[string]any)["next"]
		if !more {
			return strings.Join(found, " ")
		}
		cursor = "&cursor=" + strings.ReplaceAll(next.(string), "=", "%3D")
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.control("POST", "/members", `{"email":"zoe@example.com"}`)
	p.clock.advance(time.Second)
	viewer := p.as(p.control("POST", "/members", `{"email":"max@example.com","role":"viewer"}`).str("api_key"))
	for query, want := range map[string]string{
		"":                              "max@example.com zoe@example.com ada@example.com",
		"&sort_order=asc":               "ada@example.com zoe@example.com max@example.com",
		"&sort_by=email&sort_order=asc": "ada@example.com max@example.com zoe@example.com",
		"&sort_by=role":                 "max@example.com zoe@example.com ada@example.com",
	} {
		if got := p.addresses(t, query); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	p.api("GET", "{o}/members?limit=501", "").refused(400, "limit")

	members := p.must("GET", "{o}/members?sort_order=asc", "")
	ada, zoe := members.str("members", 0, "member", "id"), members.str("members", 1, "member", "id")
	one := p.must("GET", "{o}/members/"+zoe, "")
	if one.str("role") != "editor" || one.str("joined_at") == "" || one.str("org_id") != p.org ||
		strings.Contains(one.text, "email") {
		t.Errorf("one: %s", one.text)
	}
	p.api("GET", "{o}/members/00000000-0000-4000-8000-000000000000", "").refused(404, "member not found")
	p.api("GET", "{o}/members/zoe", "").refused(400, "member_id")
	viewer.api("PATCH", "{o}/members/"+zoe, `{"role":"admin"}`).refused(403, "administrator")
	if changed := p.must("PATCH", "{o}/members/"+zoe, `{"role":"member"}`).str("role"); changed != "editor" {
		t.Errorf("a member is %s, want editor", changed)
	}
	p.api("PATCH", "{o}/members/"+ada, `{"role":"viewer"}`).refused(422, "at least one admin")
	p.api("DELETE", "{o}/members/"+ada, "").refused(422, "at least one admin")
	p.must("PATCH", "{o}/members/"+zoe, `{"role":"admin"}`)
	p.must("DELETE", "{o}/members/"+ada, "")
	p.api("GET", "{p}", "").refused(404, "project not found")
}

// Whoever has an account joins when invited; others don't.
func TestInvitations(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.control("POST", "/organizations", `{"email":"eve@example.com"}`)
	asked := `{"invitations":[{"email":"eve@example.com","role":"viewer"},{"email":"nobody@example.com","role":"admin"}]}`
	if made := p.must("POST", "{o}/invitations", asked); made.size("invitations") != 2 ||
		made.str("invitations", 0, "role") != "viewer" {
		t.Errorf("invited: %s", made.text)
	}
	if listed := p.must("GET", "{o}/invitations", ""); listed.size("invitations") != 2 {
		t.Errorf("listed: %s", listed.text)
	}
	got := strings.Fields(p.addresses(t, ""))
	if slices.Sort(got); strings.Join(got, " ") != "ada@example.com eve@example.com" {
		t.Errorf("members: %s", got)
	}
	p.as(p.control("POST", "/members", `{}`).str("api_key")).api("POST", "{o}/invitations", asked).refused(403,
		"administrator")
}
