package emulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"testing"
)

// A write that others don't spoil could change something before it is refused.
func TestRefusedWritesHaveBodies(t *testing.T) {
	t.Parallel()
	for _, route := range writeRoutes() {
		method, pattern, _ := strings.Cut(route, " ")
		if hasBody := len(writes[strings.TrimPrefix(pattern, apiRoot)]) > 0; method != "DELETE" &&
			hasBody == slices.Contains(bodiless, path.Base(pattern)) {
			t.Errorf("%s: writes in crowd_test.go needs a body of it, or bodiless the last part of a route that takes none", route)
		}
	}
}

// wrong are values that few fields take.
var wrong = []any{nil, true, -1.0, "", strings.Repeat("x", 300), []any{1.0}, map[string]any{"a": 1.0}}

// spoil gives variants of a JSON value in which one thing isn't as it was.
func spoil(value any) []any {
	variants := slices.Clone(wrong)
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			without := maps.Clone(value)
			delete(without, name)
			variants = append(variants, without)
			for _, variant := range spoil(field) {
				with := maps.Clone(value)
				with[name] = variant
				variants = append(variants, with)
			}
		}
	case []any:
		for i, element := range value {
			for _, variant := range spoil(element) {
				with := slices.Clone(value)
				with[i] = variant
				variants = append(variants, with)
			}
		}
	}
	return variants
}

// bodies are what a route is sent: at a path that leads somewhere, all of it.
func (c *crowd) bodies(method, pattern string, everything bool) []string {
	if method == "DELETE" {
		return []string{""}
	}
	known := writes[strings.TrimPrefix(pattern, apiRoot)]
	if !everything || len(known) == 0 {
		return append([]string{"", "{"}, known...)
	}
	bodies := append([]string{"", "{", "[]", `{"a":1}{"b":2}`}, known...)
	for _, body := range known {
		var value any
		if err := json.Unmarshal([]byte(body), &value); err != nil {
			c.t.Fatalf("%s: %v", body, err)
		}
		for _, variant := range spoil(value) {
			text, _ := json.Marshal(variant)
			bodies = append(bodies, string(text))
		}
	}
	return bodies
}

// writeRoutes are the routes of both APIs that change something.
func writeRoutes() []string {
	routes := slices.Collect(maps.Keys(claimableRoutes))
	for _, r := range controlRoutes {
		routes = append(routes, r.pattern)
	}
	routes = slices.DeleteFunc(routes, func(route string) bool { return strings.HasPrefix(route, "GET") })
	slices.Sort(routes)
	return routes
}

// write is a request that changes something unless it is refused.
type write struct {
	method, pattern, body string
	// path is one of the pattern's, and key one of the crowd's, by their numbers: each crowd has
	// others in the same order.
	path, key int
}

// routeWrites are those that a route is sent.
func (c *crowd) routeWrites(route string, busy bool) (all []write) {
	method, pattern, _ := strings.Cut(route, " ")
	for path := range c.paths(pattern) {
		everything, keys := path == 0 && !busy, len(c.keys)
		if everything {
			keys = 1
		}
		for _, body := range c.bodies(method, pattern, everything) {
			for key := range keys {
				all = append(all, write{method, pattern, body, path, key})
			}
		}
	}
	return all
}

func (c *crowd) send(w write) *httptest.ResponseRecorder {
	body := strings.Replace(w.body, "{branch_id}", c.named["branch_id"][0], 1)
	return c.ask(c.keys[w.key], w.method, c.paths(w.pattern)[w.path], body)
}

// atATime is how many refused writes are sent before the crowd is looked at, which takes
// longer than they do.
const atATime = 10

// unchanged is a crowd that nothing but refused writes has been sent to.
type unchanged struct {
	*crowd
	busy      bool
	before    string
	unchecked []write
}

// renew begins with another crowd.
func (u *unchanged) renew(t *testing.T) {
	t.Helper()
	u.crowd = newCrowd(t, u.busy)
	u.before = u.snapshot()
}

// refuses sends a write, and reports whether it is refused. After one that isn't, the writes
// that aren't checked yet are refused by another crowd.
func (u *unchanged) refuses(t *testing.T, w write) bool {
	t.Helper()
	if u.send(w).Code < 300 {
		u.renew(t)
		for _, earlier := range u.unchecked {
			u.send(earlier)
		}
		return false
	}
	if u.unchecked = append(u.unchecked, w); len(u.unchecked) == atATime {
		u.check(t)
	}
	return true
}

// check fails where refused writes have changed something, and names the first that does.
func (u *unchanged) check(t *testing.T) {
	t.Helper()
	if after := u.snapshot(); after != u.before {
		together := fmt.Sprintf("%+v\nbefore: %s\nafter:  %s", u.unchecked, u.before, after)
		u.renew(t)
		for _, w := range u.unchecked {
			answer := u.send(w)
			if after := u.snapshot(); after != u.before {
				t.Fatalf("%s %s %s\n%d %s\nbefore: %s\nafter:  %s",
					w.method, u.paths(w.pattern)[w.path], w.body, answer.Code, answer.Body, u.before, after)
			}
		}
		t.Fatalf("one after another: %s", together)
	}
	u.unchecked = nil
}

func TestRefusedWritesChangeNothing(t *testing.T) {
	t.Parallel()
	for _, busy := range []bool{false, true} {
		u := &unchanged{busy: busy}
		u.renew(t)
		for _, route := range writeRoutes() {
			refused := 0
			for _, w := range u.routeWrites(route, busy) {
				if u.refuses(t, w) {
					refused++
				}
			}
			if refused == 0 {
				t.Errorf("%s was never refused", route)
			}
		}
		u.check(t)
	}
}
