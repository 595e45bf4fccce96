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
		list.str("projects", 0, "deleted_at") != "2026-03-01T12:00:00Z" || list.str("projects", 0, "recoverable_until") != "2026-03-08T12:00:00Z" {
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
