package emulator

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

// What the page copies leads to the database, whatever its name is, also where a browser has
// cleaned the path.
func TestPage_connectionsOfAnyName(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Conflicts: ConflictsNone})
	first := p.e.FirstWorld()
	for _, name := range []string{"...", "..a", "a/b?c#d", "-", "a b"} {
		p.must("POST", "{p}/branches/"+first.BranchID+"/roles", `{"role":{"name":`+inJSON(name)+`}}`)
		p.must("POST", "{p}/branches/"+first.BranchID+"/databases",
			`{"database":{"name":`+inJSON(name)+`,"owner_name":`+inJSON(name)+`}}`)
		p.clock.advance(time.Minute)
		link, err := url.Parse("http://localhost" + connectionPath(first.EndpointID, name, name))
		if err != nil {
			t.Fatal(err)
		}
		cleaned := link.JoinPath().RequestURI() // As a browser does.
		got := p.control("GET", strings.TrimPrefix(cleaned, "/_emulator"), "").str("uri")
		if uri, err := url.Parse(got); err != nil || uri.Path != "/"+name || uri.User.Username() != name {
			t.Errorf("%q: %s leads to %s: %v", name, cleaned, got, err)
		}
	}
}
