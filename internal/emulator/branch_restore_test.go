package emulator

import (
	"fmt"
	"testing"
	"time"
)

// parent is the id of a branch's parent.
func (p *platform) parent(id string) string {
	p.t.Helper()
	parent, _ := p.must("GET", "{p}/branches/"+id, "").at("branch", "parent_id").(string)
	return parent
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	main := p.e.FirstWorld().BranchID
	parent := p.named("parent")
	child := p.branch(`{"branch":{"name":"child","parent_id":"` + parent + `"}}`)
	expiring := p.branch(`{"branch":{"name":"expiring","expires_at":"2026-03-09T12:00:00Z"}}`)
	protected := p.branch(`{"branch":{"name":"protected","protected":true}}`)
	for _, test := range []struct {
		target, body, message string
		status                int
	}{
		{"br-none-none-12345678", `{"source_branch_id":"` + main + `"}`, "branch not found", 404},
		{child, `{}`, "source_branch_id", 400},
		{child, `{"source_branch_id":"br-none-none-12345678"}`, "source branch not found", 404},
		{child, `{"source_branch_id":"` + child + `"}`, "source_lsn or source_timestamp is required", 400},
		{child, `{"source_branch_id":"` + child + `","source_lsn":"0/1"}`, "preserve_under_name is required", 422},
		{child, `{"source_branch_id":"` + main + `","source_lsn":"0/1","source_timestamp":"2026-03-01T11:00:00Z"}`, "together", 400},
		{child, `{"source_branch_id":"` + main + `","source_timestamp":"2027-03-01T11:00:00Z"}`, "future", 400},
		{child, `{"source_branch_id":"` + main + `","source_timestamp":"2026-02-28T11:00:00Z"}`, "before the project was created", 400},
		{child, `{"source_branch_id":"` + expiring + `"}`, "expires", 422},
		{child, `{"source_branch_id":"` + main + `","preserve_under_name":"parent"}`, "branch already exists", 409},
		{parent, `{"source_branch_id":"` + main + `"}`, "Branch has children, preserve_under_name is required", 422},
		{protected, `{"source_branch_id":"` + main + `"}`, "protected", 422},
	} {
		p.api("POST", "{p}/branches/"+test.target+"/restore", test.body).refused(test.status, test.message)
	}
}

// A restored branch keeps its id and passwords, and is another in all else; what it was
// goes on under another name, above it and its children.
func TestRestore(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	main := p.e.FirstWorld().BranchID
	parent := p.branch(`{"branch":{"name":"parent"},"endpoints":[{"type":"read_write"}]}`)
	child := p.branch(`{"branch":{"name":"child","parent_id":"` + parent + `"}}`)
	at := "{p}/branches/" + parent
	password := p.must("POST", at+"/roles/neondb_owner/reset_password", "").str("role", "password")
	p.clock.advance(time.Minute)
	p.must("POST", at+"/databases", `{"database":{"name":"extra","owner_name":"neondb_owner"}}`)
	p.clock.advance(time.Minute)
	before := p.must("GET", at+"/databases/neondb", "").at("database", "id")

	restored := p.must("POST", at+"/restore", `{"source_branch_id":"`+main+`","preserve_under_name":"old"}`)
	if restored.str("branch", "id") != parent || restored.str("branch", "current_state") != "resetting" ||
		restored.str("branch", "last_reset_at") != p.ahead(0) || restored.str("operations", 1, "action") != "create_branch" {
		t.Errorf("restored: %s", restored.text)
	}
	p.api("POST", at+"/restore", `{"source_branch_id":"`+main+`","preserve_under_name":"older"}`).refused(423,
		"conflicting operations")
	p.clock.advance(time.Minute)
	old := restored.str("branch", "parent_id")
	if got := p.must("GET", "{p}/branches/"+old, "").str("branch", "name"); got != "old" || p.parent(old) != main ||
		p.parent(child) != old {
		t.Errorf("%s has the parent %s, the child %s", got, p.parent(old), p.parent(child))
	}
	if state := p.must("GET", at, "").str("branch", "current_state"); state != "ready" {
		t.Errorf("the branch is %s", state)
	}
	p.api("GET", at+"/databases/extra", "").refused(404, "database not found")
	p.must("GET", "{p}/branches/"+old+"/databases/extra", "")
	if got := p.must("GET", at+"/databases/neondb", "").at("database", "id"); got != before {
		t.Errorf("the database's id is %v, was %v", got, before)
	}
	if got := p.must("GET", at+"/roles/neondb_owner/reveal_password", "").str("password"); got != password {
		t.Error("the branch's own password is another")
	}

	// Its own past is a branch of what it was; a root stays a root.
	own := `{"source_branch_id":%q,"source_timestamp":"2026-03-01T11:59:00Z","preserve_under_name":%q}`
	restored = p.must("POST", "{p}/branches/"+main+"/restore", fmt.Sprintf(own, main, "past"))
	root := p.must("GET", "{p}/branches?search=past", "").str("branches", 0, "id")
	if restored.at("branch", "parent_id") != nil || p.parent(root) != "" ||
		p.must("GET", "{p}/branches/"+main, "").at("branch", "default") != true {
		t.Errorf("the root's past has the parent %s", p.parent(root))
	}
	p.clock.advance(time.Minute)
	// Resetting to the parent leaves no other branch.
	reset := p.must("POST", "{p}/branches/"+child+"/restore", `{"source_branch_id":"`+old+`"}`)
	if reset.str("branch", "parent_id") != old {
		t.Errorf("reset: %s", reset.text)
	}
	if count := p.must("GET", "{p}/branches/count", "").at("count"); count != 5.0 {
		t.Errorf("there are %v branches", count)
	}
}
