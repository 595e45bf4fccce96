package emulator

import (
	"testing"
	"time"
)

// A deleted project is in the list of recoverable ones for seven days, and answers are
// dated by the world's clock.
func TestDeletedProjectsAreListed(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	id := p.must("POST", "/projects", `{"project":{"name":"short","org_id":"`+p.org+`"}}`).str("project", "id")
	deleted := "/projects?recoverable=true&org_id=" + p.org
	if listed := p.must("GET", deleted, "").size("projects"); listed != 0 {
		t.Errorf("%d projects are recoverable before one was deleted", listed)
	}
	p.must("DELETE", "/projects/"+id, "")
	p.api("GET", "/projects/"+id, "").refused(404, "project not found")
	list := p.must("GET", deleted, "")
	if list.size("projects") != 1 || list.str("projects", 0, "id") != id ||
		list.str("projects", 0, "deleted_at") != "2026-03-01T12:00:00Z" ||
		list.str("projects", 0, "recoverable_until") != "2026-03-08T12:00:00Z" {
		t.Errorf("listed: %s", list.text)
	}
	if date := list.header.Get("Date"); date != "Sun, 01 Mar 2026 12:00:00 GMT" {
		t.Errorf("dated %s", date)
	}
	p.clock.advance(7 * 24 * time.Hour)
	if listed := p.must("GET", deleted, "").size("projects"); listed != 0 {
		t.Errorf("%d projects are recoverable after seven days", listed)
	}
}

// A recovered project is what it was, but for its keys.
func TestRecoverProject(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	keys := p.keys()
	branch := p.branch(`{"branch":{"name":"expiring","expires_at":"2026-03-05T12:00:00Z"}}`)
	uri := p.must("GET", "{p}/connection_uri?database_name=neondb&role_name=neondb_owner", "").str("uri")
	p.api("POST", "{p}/recover", "").refused(404, "project not found")
	p.must("DELETE", "{p}", "")
	keys["project"].api("POST", "{p}/recover", "").refused(401, "")
	p.as(p.control("POST", "/organizations", `{"email":"eve@example.com"}`).str("api_key")).api("POST", "{p}/recover",
		"").refused(404, "project not found")
	p.clock.advance(3 * 24 * time.Hour)
	recovered := p.must("POST", "{p}/recover", "")
	if recovered.str("project", "id") != p.project || recovered.size("branches") != 2 ||
		recovered.at("project", "deleted_at") != nil {
		t.Errorf("recovered: %s", recovered.text)
	}
	if state := p.must("GET", "{p}/endpoints", "").str("endpoints", 0, "current_state"); state != "idle" {
		t.Errorf("a compute is %s", state)
	}
	if again := p.must("GET", "{p}/connection_uri?database_name=neondb&role_name=neondb_owner",
		"").str("uri"); again != uri {
		t.Error("the connection string is another")
	}
	if p.must("GET", "/projects?recoverable=true&org_id="+p.org, "").size("projects") != 0 {
		t.Error("the project is still among the deleted ones")
	}
	keys["project"].api("GET", "{p}", "").refused(401, badCredentials)
	p.clock.advance(24 * time.Hour)
	p.api("GET", "{p}/branches/"+branch, "").refused(404, "branch not found")

	p.must("DELETE", "{p}", "")
	p.clock.advance(7 * 24 * time.Hour)
	p.api("POST", "{p}/recover", "").refused(404, "project not found")
}

// What has expired while a project was deleted doesn't come back with it.
func TestRecoverProject_expired(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.branch(`{"branch":{"name":"expiring","expires_at":"2026-03-02T12:00:00Z"}}`)
	p.must("DELETE", "{p}", "")
	p.clock.advance(3 * 24 * time.Hour)
	if recovered := p.must("POST", "{p}/recover", ""); recovered.size("branches") != 1 {
		t.Errorf("recovered: %s", recovered.text)
	}
}
