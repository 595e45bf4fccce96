package emulator

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// stillClock stands still unless a test moves it, so that operations take as long
// as the test says.
type stillClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *stillClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *stillClock) advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// platform is an emulator that a test speaks to over HTTP.
type platform struct {
	t       *testing.T
	e       *Emulator
	clock   *stillClock
	url     string
	key     string
	org     string
	project string
	client  *http.Client
}

// start begins a world in which an operation takes one second.
func start(t *testing.T, config Config) *platform {
	t.Helper()
	clock := &stillClock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	config.OperationDuration = time.Second
	config.Now = clock.Now
	return startBy(t, clock, config)
}

// startBy begins a world that goes by the real clock where there is no other.
func startBy(t *testing.T, clock *stillClock, config Config) *platform {
	t.Helper()
	config.RecordSecrets = true
	if config.StateFile == "" && config.DataFolder == "" {
		config.StateFile = filepath.Join(t.TempDir(), "world.db")
	}
	e, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	t.Cleanup(func() {
		server.Close()
		checkKept(t, e)
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	w := e.FirstWorld()
	// A client of the test's own doesn't send again on connections that others lost.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	return &platform{t, e, clock, server.URL, w.APIKey, w.OrgID, w.ProjectID, client}
}

// checkKept fails where the state file isn't what the world has become.
func checkKept(t *testing.T, e *Emulator) {
	t.Helper()
	e.mu.Lock()
	version := e.version
	e.mu.Unlock()
	if err := e.keep(version); err != nil {
		t.Errorf("keeping the world: %v", err)
		return
	}
	e.state.mu.Lock()
	defer e.state.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.version != version {
		return // Work on databases has ended in this moment, and is being written.
	}
	err := e.state.file.View(func(tx *bbolt.Tx) error {
		forgotten, err := e.world.difference(changes{anywhere: true}, tx)
		for part, text := range forgotten {
			if part.kind == keyPart && text != nil && keptText(tx, part) != nil {
				continue // A read has used it, which the next change writes along.
			}
			t.Errorf("the state file hasn't got the %s %s as it is: %s", part.kind, part.key, text)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// as is the same platform with another key.
func (p *platform) as(key string) *platform {
	other := *p
	other.key = key
	return &other
}

// answer is what Neon said.
type answer struct {
	t       *testing.T
	request string
	status  int
	header  http.Header
	text    string
	err     error
}

// object gives the answer's body, in which numbers are float64.
func (a answer) object() map[string]any {
	a.t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(a.text), &object); err != nil {
		a.t.Fatalf("%s: %v in %q", a.request, err, a.text)
	}
	return object
}

func (a answer) list() []map[string]any {
	a.t.Helper()
	var list []map[string]any
	if err := json.Unmarshal([]byte(a.text), &list); err != nil {
		a.t.Fatalf("%s: %v in %q", a.request, err, a.text)
	}
	return list
}

// at gives a value inside the body: a name or an index a step.
func (a answer) at(path ...any) any {
	a.t.Helper()
	var value any = a.object()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, ok := value.(map[string]any)
			if !ok {
				a.t.Fatalf("%s: no %v in %s", a.request, path, a.text)
			}
			value = object[step]
		case int:
			list, ok := value.([]any)
			if !ok || len(list) <= step {
				a.t.Fatalf("%s: no %v in %s", a.request, path, a.text)
			}
			value = list[step]
		}
	}
	return value
}

func (a answer) str(path ...any) string {
	a.t.Helper()
	text, ok := a.at(path...).(string)
	if !ok {
		a.t.Fatalf("%s: %v isn't a string in %s", a.request, path, a.text)
	}
	return text
}

func (a answer) size(path ...any) int {
	a.t.Helper()
	list, ok := a.at(path...).([]any)
	if !ok {
		a.t.Fatalf("%s: %v isn't an array in %s", a.request, path, a.text)
	}
	return len(list)
}

// refused checks a refusal: its status, its shape and a part of its message.
func (a answer) refused(status int, message string) {
	a.t.Helper()
	if a.status != status || !strings.Contains(a.text, strings.Trim(strconvQuote(message), `"`)) {
		a.t.Errorf("%s: %d %s, want %d %q", a.request, a.status, a.text, status, message)
	}
}

func strconvQuote(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

// send makes a request whose answer may be anything.
func (p *platform) send(method, path, body string) answer {
	p.t.Helper()
	request, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if p.key != "" {
		request.Header.Set("Authorization", "Bearer "+p.key)
	}
	a := answer{t: p.t, request: method + " " + path}
	response, err := p.client.Do(request)
	if err != nil {
		a.err = err
		return a
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	a.status, a.header, a.text, a.err = response.StatusCode, response.Header, string(text), err
	if method != http.MethodGet && response.StatusCode < 300 && p.e.state != nil {
		checkKept(p.t, p.e)
	}
	return a
}

// api makes a request below /api/v2. In its path, {p} is the first project and
// {o} the first organization.
func (p *platform) api(method, path, body string) answer {
	p.t.Helper()
	path = strings.NewReplacer("{p}", "/projects/"+p.project, "{o}", "/organizations/"+p.org).Replace(path)
	return p.send(method, "/api/v2"+path, body)
}

// must makes one that has to succeed.
func (p *platform) must(method, path, body string) answer {
	p.t.Helper()
	return p.api(method, path, body).success()
}

// success fails the test unless it is one.
func (a answer) success() answer {
	a.t.Helper()
	if a.status < 200 || a.status > 299 {
		a.t.Fatalf("%s: %d %s", a.request, a.status, a.text)
	}
	return a
}

// control speaks to the control path.
func (p *platform) control(method, path, body string) answer {
	p.t.Helper()
	return p.send(method, "/_emulator"+path, body).success()
}

// branch makes a branch and waits until it is ready.
func (p *platform) branch(body string) string {
	p.t.Helper()
	id := p.must("POST", "{p}/branches", body).str("branch", "id")
	p.clock.advance(10 * time.Second)
	return id
}

func (p *platform) named(name string) string {
	p.t.Helper()
	return p.branch(fmt.Sprintf(`{"branch":{"name":%q}}`, name))
}

func (p *platform) ahead(by time.Duration) string {
	return p.clock.Now().Add(by).Format(time.RFC3339)
}

func TestNewRefusesWhatItCannotBe(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]Config{
		"conflicts": {Conflicts: "some"},
		"duration":  {OperationDuration: -1},
		"page":      {BranchPage: -1},
		"state":     {StateFile: t.TempDir()},
		"plan":      {Plan: "business"},
	} {
		if _, err := New(config); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestFirstWorld(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	w := p.e.FirstWorld()
	branches := p.must("GET", "{p}/branches", "")
	if got := branches.str("branches", 0, "name"); got != "main" || branches.size("branches") != 1 {
		t.Errorf("branches: %s", branches.text)
	}
	endpoints := p.must("GET", "{p}/branches/"+w.BranchID+"/endpoints", "")
	if endpoints.str("endpoints", 0, "type") != readWrite || endpoints.str("endpoints", 0, "id") != w.EndpointID {
		t.Errorf("endpoints: %s", endpoints.text)
	}
	uri := p.must("GET", "{p}/connection_uri?database_name="+w.DatabaseName+"&role_name="+w.RoleName+"&pooled=true",
		"").str("uri")
	if !strings.Contains(uri, w.EndpointID+
		"-pooler.us-east-2.aws.neon.localhost/neondb?sslmode=require&channel_binding=require") {
		t.Errorf("uri %s", uri)
	}
	// Nothing of the world is being worked on.
	p.must("POST", "{p}/branches", "")
	secrets := strings.Join(p.e.Secrets(), "\n")
	if !strings.Contains(secrets, uri) || !strings.Contains(secrets, w.APIKey) {
		t.Error("the secrets miss what was handed out")
	}
	if p.must("GET", "/users/me/organizations", "").str("organizations", 0, "id") != w.OrgID ||
		p.must("GET", "{o}", "").str("id") != w.OrgID || p.must("GET", "/users/me", "").str("email") == "" {
		t.Error("the user or the organization is another")
	}
}

func TestErrorShape(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	request, err := http.NewRequest(http.MethodGet, p.url+"/api/v2/nothing", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Request-ID", "mine")
	response, err := p.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, _ := io.ReadAll(response.Body)
	if want := `{"code":"","message":"this route does not exist","request_id":"mine"}` + "\n"; string(text) != want {
		t.Errorf("body %s", text)
	}
	if response.StatusCode != http.StatusNotFound || response.Header.Get("X-Neon-Ret-Request-Id") != "mine" {
		t.Errorf("%d %v", response.StatusCode, response.Header)
	}
}
