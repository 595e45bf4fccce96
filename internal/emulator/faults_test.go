package emulator

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const branchCreation = "POST /api/v2/projects/{project_id}/branches"

// branchNamed is the branch of the first project that bears a name, or nil.
func (p *platform) branchNamed(name string) *branch {
	p.e.mu.Lock()
	defer p.e.mu.Unlock()
	for _, b := range p.e.world.Projects[p.project].Branches {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// inside sends a request without a network, as tests with a clock of their own must.
func inside(ctx context.Context, e *Emulator, method, path, body string) (int, string) {
	request := httptest.NewRequestWithContext(ctx, method, "http://localhost"+path, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:1"
	request.Header.Set("Authorization", "Bearer "+e.FirstWorld().APIKey)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	recorder := httptest.NewRecorder()
	e.ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.String()
}

// The effect of a request happens, and its answer is another one.
func TestFaultStatusAfter(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.control("POST", "/faults", `{"route":"`+branchCreation+`","kind":"status_after","status":504,"count":1}`)
	p.api("POST", "{p}/branches", `{"branch":{"name":"behind"}}`).refused(http.StatusGatewayTimeout, "Gateway Timeout")
	if p.branchNamed("behind") == nil {
		t.Error("the branch doesn't exist after the status")
	}
	if got := p.control("GET", "/requests", "").at("by_status", "504"); got != float64(1) {
		t.Errorf("504 was counted %v times", got)
	}
}

// The answer comes at once, and the effect later, though the client has long gone.
func TestFaultLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = e.Close() }()
		send := func(method, path, body string) (int, string) {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			return inside(ctx, e, method, path, body)
		}
		branches := "/api/v2/projects/" + e.FirstWorld().ProjectID + "/branches"
		send("POST", "/_emulator/faults", `{"route":"`+branchCreation+`","kind":"late","status":504,"delay":"3s","count":1}`)
		before := time.Now()
		status, text := send("POST", branches, `{"branch":{"name":"behind"}}`)
		if status != http.StatusGatewayTimeout || time.Since(before) > 0 {
			t.Fatalf("status %d after %s: %s", status, time.Since(before), text)
		}
		time.Sleep(2900 * time.Millisecond)
		if _, text := send("GET", branches, ""); strings.Contains(text, "behind") {
			t.Error("the effect came before its time")
		}
		time.Sleep(200 * time.Millisecond)
		if _, text := send("GET", branches, ""); !strings.Contains(text, "behind") {
			t.Error("the effect didn't come")
		}
	})
}

// The delay is by the world's clock, and moving that brings the effect about.
func TestFaultLate_byTheWorldsClock(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.control("POST", "/faults", `{"route":"`+branchCreation+`","kind":"late","status":504,"delay":"1m","count":1}`)
	p.api("POST", "{p}/branches", `{"branch":{"name":"behind"}}`).refused(http.StatusGatewayTimeout, "Gateway Timeout")
	p.control("POST", "/clock", `{"advance":"59s"}`)
	if p.control("GET", "/objects", ""); p.branchNamed("behind") != nil {
		t.Error("the effect came before its time")
	}
	p.control("POST", "/clock", `{"advance":"1s"}`)
	if p.control("GET", "/objects", ""); p.branchNamed("behind") == nil {
		t.Error("the effect didn't come")
	}
}

// Without a delay the effect comes with the next request of the route, right before its own.
func TestFaultLate_beforeTheNext(t *testing.T) {
	t.Parallel()
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	send := func(method, path, body string) (int, string) { return inside(t.Context(), e, method, path, body) }
	branches := "/api/v2/projects/" + e.FirstWorld().ProjectID + "/branches"
	send("POST", "/_emulator/faults", `{"route":"`+branchCreation+`","kind":"late","status":504,"count":1}`)
	if status, text := send("POST", branches, `{"branch":{"name":"behind"}}`); status != http.StatusGatewayTimeout {
		t.Fatalf("status %d: %s", status, text)
	}
	if _, text := send("GET", branches, ""); strings.Contains(text, "behind") {
		t.Error("a request of another route brought the effect about")
	}
	if status, text := send("POST", branches, `{"branch":{"name":"behind"}}`); status != http.StatusConflict {
		t.Errorf("the same name twice: status %d: %s", status, text)
	}
	if _, text := send("GET", branches, ""); strings.Count(text, `"name":"behind"`) != 1 {
		t.Errorf("the effect didn't come: %s", text)
	}
}

// Whoever comes while an effect happens waits for its end.
func TestFaultLate_beforeAllOthers(t *testing.T) {
	t.Parallel()
	e := start(t, Config{}).e
	happens, ends, isOver := make(chan struct{}), make(chan struct{}), atomic.Bool{}
	e.later(0, branchCreation, func() {
		close(happens)
		<-ends
		isOver.Store(true)
	})
	var requests sync.WaitGroup
	come := func() {
		e.lateFor(branchCreation)
		if !isOver.Load() {
			t.Error("a request overtakes the effect that comes before it")
		}
	}
	requests.Go(come)
	<-happens
	requests.Go(come)
	time.Sleep(10 * time.Millisecond) // What doesn't wait comes by.
	close(ends)
	requests.Wait()
}

// An emulator that is closed has no effects any more.
func TestFaultLate_closed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		inside(t.Context(), e, "POST", "/_emulator/faults", `{"route":"*","kind":"late","status":504,"delay":"1h"}`)
		inside(t.Context(), e, "POST", "/api/v2/projects/"+e.FirstWorld().ProjectID+"/branches",
			`{"branch":{"name":"behind"}}`)
		before := time.Now()
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if time.Since(before) > 0 {
			t.Errorf("closing took %s", time.Since(before))
		}
		for _, b := range e.world.Projects[e.FirstWorld().ProjectID].Branches {
			if b.Name == "behind" {
				t.Error("the effect came after the end")
			}
		}
	})
}

// A silent connection takes a request, and never answers nor does anything.
func TestFaultHang(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.control("POST", "/faults", `{"route":"`+branchCreation+`","kind":"hang","count":1}`)
	p.client = &http.Client{Transport: p.client.Transport, Timeout: 200 * time.Millisecond}
	if a := p.api("POST", "{p}/branches", `{"branch":{"name":"behind"}}`); a.err == nil {
		t.Errorf("a silent connection answers %d %s", a.status, a.text)
	}
	if p.branchNamed("behind") != nil {
		t.Error("the request had an effect")
	}
	p.client.Timeout = 0
	p.control("DELETE", "/faults", "") // A request that was given up before it arrived has left it.
	p.control("POST", "/faults", `{"route":"`+branchCreation+`","kind":"hang","delay":"1ms","count":1}`)
	if a := p.api("POST", "{p}/branches", ""); a.err == nil || strings.Contains(a.err.Error(), "Timeout") {
		t.Errorf("a connection that breaks after a while: %v", a.err)
	}
}

// What stands between client and platform answers with bodies of its own.
func TestFaultBody(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]struct{ text, kind string }{
		`"<html>no such page</html>"`: {"<html>no such page</html>", "text/html"},
		`""`:                          {"", "text/html"},
		`{"status":"ok"}`:             {`{"status":"ok"}`, "application/json"},
	} {
		p := start(t, Config{})
		p.control("POST", "/faults", `{"route":"*","kind":"status","status":404,"body":`+body+`}`)
		if a := p.api("GET", "{p}", ""); a.status != 404 || a.text != want.text || a.header.Get("Content-Type") != want.kind {
			t.Errorf("%s: got %d %q of type %q", body, a.status, a.text, a.header.Get("Content-Type"))
		}
	}
}

func TestFaultRefusals(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	for body, message := range map[string]string{
		`{"route":"*","kind":"early"}`:                                `kind is "early"; it must be one of`,
		`{"route":"*","kind":"status_after"}`:                         "it must be from 200 to 599",
		`{"route":"*","kind":"late","delay":"3s"}`:                    "it must be from 200 to 599",
		`{"route":"*","kind":"late","status":504,"delay":"soon"}`:     "delay (must be a duration",
		`{"route":"*","kind":"slow"}`:                                 "it must be a duration",
		`{"route":"*","kind":"hang","delay":"-1s"}`:                   "delay (must be a duration",
		`{"kind":"lost_after"}`:                                       "it must be that of a route",
		`{"route":"POST /projects","kind":"lost_after"}`:              "it must be that of a route",
		`{"route":"*","kind":"lost_after","probability":2}`:           "probability",
		`{"route":"*","kind":"status","status":503,"statuses":[503]}`: "unknown member \"statuses\"; there are id, route, kind",
	} {
		p.send("POST", "/_emulator/faults", body).refused(http.StatusBadRequest, message)
	}
}

// A branch gets the parent that a restore of its parent leaves it with.
func TestReparent(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	first, second := p.named("first"), p.named("second")
	child := p.branch(`{"branch":{"name":"child","parent_id":"` + first + `"}}`)
	p.control("POST", "/parents", `{"branch_id":"`+child+`","parent_id":"`+second+`"}`)
	if got := p.must("GET", "{p}/branches/"+child, "").str("branch", "parent_id"); got != second {
		t.Errorf("the parent is %s, want %s", got, second)
	}
	p.clock.advance(10 * time.Second)
	p.must("DELETE", "{p}/branches/"+first, "")
	for _, body := range []string{
		`{"branch_id":"br-none","parent_id":"` + second + `"}`, `{"branch_id":"` + child + `","parent_id":"br-none"}`,
		`{"branch_id":"` + second + `","parent_id":"` + child + `"}`,
	} {
		p.send("POST", "/_emulator/parents", body).refused(http.StatusBadRequest, "")
	}
}
