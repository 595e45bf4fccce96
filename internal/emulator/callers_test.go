package emulator

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// doors are requests that change something, or show a secret, one for each part of
// what the emulator serves.
var doors = []struct{ method, path, body string }{
	{"POST", "/_emulator/members", `{"admin":true}`},
	{"GET", "/_emulator/objects", ""},
	{"POST", "/api/v2/api_keys", `{"key_name":"mine"}`},
	{"GET", "/api/v2/nothing", ""},
	{"POST", "/api/v1/database", `{"ref":"page"}`},
	{"GET", "/claim/0190a5f4-0000-7000-8000-000000000000", ""},
	{"POST", "/database/0190a5f4-0000-7000-8000-000000000000", ""},
	{"GET", "/elsewhere", ""},
}

// knock sends a request through each door, as a browser on this machine would, and
// reports which refused the caller.
func knock(t *testing.T, host string, header map[string]string) []bool {
	t.Helper()
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	var refused []bool
	for _, door := range doors {
		request := httptest.NewRequest(door.method, "http://"+host+door.path, strings.NewReader(door.body))
		request.RemoteAddr = "127.0.0.1:50000"
		request.Header.Set("Authorization", "Bearer "+e.FirstWorld().APIKey)
		request.Header.Set("Content-Type", "application/json")
		for name, value := range header {
			request.Header.Set(name, value)
		}
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, request)
		refused = append(refused, answer.Code == http.StatusForbidden &&
			strings.Contains(answer.Body.String(), "the emulator answers"))
	}
	return refused
}

func TestCallers(t *testing.T) {
	t.Parallel()
	type header = map[string]string
	for name, test := range map[string]struct {
		host    string
		header  header
		refused bool
	}{
		"this machine":                {"127.0.0.1:8473", nil, false},
		"another loopback address":    {"127.0.0.2:8473", nil, false},
		"by IPv6":                     {"[::1]:8473", nil, false},
		"by name":                     {"localhost:8473", nil, false},
		"by a name below localhost":   {"console.localhost:8473", nil, false},
		"in capitals":                 {"LOCALHOST", nil, false},
		"its own page":                {"localhost:8473", header{"Origin": "http://localhost:8473", "Sec-Fetch-Site": "same-origin"}, false},
		"a host with a command":       {"a;reboot;b.localhost:8473", nil, true},
		"a host with a quote":         {"a'b.localhost:8473", nil, true},
		"typed into a browser":        {"localhost:8473", header{"Sec-Fetch-Site": "none"}, false},
		"a name that leads here":      {"rebound.example.com:8473", nil, true},
		"a name that only begins so":  {"localhost.example.com", nil, true},
		"a name that only ends so":    {"evillocalhost", nil, true},
		"another address":             {"192.168.0.1:8473", nil, true},
		"every address":               {"0.0.0.0:8473", nil, true},
		"a foreign page":              {"localhost:8473", header{"Origin": "https://example.com"}, true},
		"a page of another server":    {"localhost:8473", header{"Origin": "http://localhost:3000"}, true},
		"a page without an origin":    {"localhost:8473", header{"Origin": "null"}, true},
		"a request of a foreign page": {"localhost:8473", header{"Sec-Fetch-Site": "cross-site"}, true},
	} {
		for i, refused := range knock(t, test.host, test.header) {
			if refused != test.refused {
				t.Errorf("%s: %s %s: refused is %t", name, doors[i].method, doors[i].path, refused)
			}
		}
	}
}

// A page on a name that leads to this machine must not be able to read the world
// nor to make a key.
func TestCallers_refusalsChangeNothing(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	before := p.control("GET", "/objects", "").text
	for _, header := range []http.Header{{"Origin": {"https://example.com"}}, {"Sec-Fetch-Site": {"cross-site"}}} {
		for _, door := range doors {
			request, err := http.NewRequest(door.method, p.url+door.path, strings.NewReader(door.body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header = header.Clone()
			response, err := p.client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusForbidden {
				t.Errorf("%v %s %s: %d, %v", header, door.method, door.path, response.StatusCode, err)
			}
		}
	}
	if after := p.control("GET", "/objects", "").text; after != before {
		t.Errorf("the world was changed:\n%s\n%s", before, after)
	}
}

// A link on another site leads to the page; what that site loads by itself is refused.
func TestCallers_followALink(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	for name, test := range map[string]struct {
		path, mode, target string
		status             int
	}{
		"a link to the page":         {"/", "navigate", "document", http.StatusOK},
		"a link to the control path": {"/_emulator/environment", "navigate", "document", http.StatusForbidden},
		"a frame":                    {"/", "navigate", "iframe", http.StatusForbidden},
		"a script":                   {"/", "no-cors", "script", http.StatusForbidden},
	} {
		r := httptest.NewRequest(http.MethodGet, test.path, nil)
		r.Host, r.RemoteAddr = "localhost:8473", "127.0.0.1:1234"
		r.Header = http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {test.mode},
			"Sec-Fetch-Dest": {test.target}}
		w := httptest.NewRecorder()
		p.e.ServeHTTP(w, r)
		if w.Code != test.status {
			t.Errorf("%s: %d, want %d", name, w.Code, test.status)
		}
	}
}

// A path that leads upwards names nothing: a redirect would have the client delete another object.
func TestCallers_upwards(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	b := p.e.FirstWorld().BranchID
	for _, path := range []string{"{p}/branches/" + b + "/roles/..", "{p}/branches/./" + b, "{p}//branches"} {
		p.api("DELETE", path, "").refused(http.StatusNotFound, "this route does not exist")
	}
	p.must("GET", "{p}/branches/"+b, "")
	p.api("GET", "{p}/branches/"+b+"/roles/%2E%2E", "").refused(http.StatusNotFound, "role not found")
}

// What a request could ask for that a machine hasn't got.
func TestControl_bounds(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.control("POST", "/clock", `{"advance":"876000h"}`)
	for body, message := range map[string]string{
		`{"advance":"1h"}`:       "the clock can be at most 876000h0m0s ahead",
		`{"advance":"2562047h"}`: "the clock can be at most 876000h0m0s ahead",
	} {
		p.send("POST", "/_emulator/clock", body).refused(http.StatusBadRequest, message)
	}
	p.send("POST", "/_emulator/projects", `{"count":20000,"branches":100000,"endpoints_per_branch":100}`).
		refused(http.StatusBadRequest, "one request creates at most 500000")
}

// A client that sends half a body and then nothing doesn't keep its connection.
func TestCallers_halfABody(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.e.bodyPatience = 50 * time.Millisecond
	for _, path := range []string{"/api/v2/api_keys", "/_emulator/clock"} {
		connection, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = connection.Close() })
		_, err = fmt.Fprintf(connection,
			"POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 100\r\n\r\n{", path, p.key)
		if err == nil {
			err = connection.SetReadDeadline(time.Now().Add(time.Minute))
		}
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(connection)
		if err != nil || !strings.HasPrefix(string(said), "HTTP/1.1 400") {
			t.Errorf("%s: %v, and the answer is %q", path, err, said)
		}
	}
}

// An exposed emulator serves other machines what needs a key or a password, and the rest with the token.
func TestCallers_exposed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config       Config
		peer, host   string
		header       map[string]string
		api, control int
	}{
		"as it is":                           {Config{}, "10.0.0.9", "neon:8473", nil, 403, 403},
		"exposed, from elsewhere":            {Config{Exposed: true}, "10.0.0.9", "neon:8473", nil, 200, 403},
		"exposed, from here":                 {Config{Exposed: true}, "127.0.0.1", "localhost:8473", nil, 200, 200},
		"exposed, by a name that leads here": {Config{Exposed: true}, "127.0.0.1", "rebound.example.com", nil, 200, 403},
		"by a foreign page":                  {Config{Exposed: true}, "127.0.0.1", "localhost:8473", map[string]string{"Origin": "http://evil.example"}, 403, 403},
		"without the token":                  {Config{Exposed: true, Token: "t"}, "127.0.0.1", "localhost:8473", nil, 200, 401},
		"with the token":                     {Config{Exposed: true, Token: "t"}, "10.0.0.9", "neon:8473", map[string]string{"Authorization": "Bearer t"}, 401, 200},
		"with it as a password":              {Config{Exposed: true, Token: "t"}, "10.0.0.9", "neon:8473", map[string]string{"Authorization": "Basic eDp0"}, 401, 200},
		"with another":                       {Config{Exposed: true, Token: "t"}, "10.0.0.9", "neon:8473", map[string]string{"Authorization": "Bearer x"}, 401, 401},
	} {
		e, err := New(test.config)
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]int{"/api/v2/users/me": test.api, "/_emulator/objects": test.control,
			"/": test.control} {
			request := httptest.NewRequest(http.MethodGet, "http://"+test.host+path, http.NoBody)
			request.RemoteAddr = test.peer + ":50000"
			request.Header.Set("Authorization", "Bearer "+e.FirstWorld().APIKey)
			if path != "/api/v2/users/me" {
				request.Header.Del("Authorization")
			}
			for name, value := range test.header {
				request.Header.Set(name, value)
			}
			answer := httptest.NewRecorder()
			e.ServeHTTP(answer, request)
			if answer.Code != want || (want == http.StatusUnauthorized &&
				path == "/") != (answer.Header().Get("WWW-Authenticate") != "" && path == "/") {
				t.Errorf("%s: %s: %d, want %d: %.100s", name, path, answer.Code, want, answer.Body)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A page whose origin was named may use what bears a secret of its own in each request, and nothing else.
func TestCallers_allowedOrigins(t *testing.T) {
	t.Parallel()
	const own, other = "http://localhost:5173", "http://localhost:3000"
	p := start(t, Config{AllowedOrigins: []string{own}})
	for _, test := range []struct {
		method, path, origin string
		allowed              bool
	}{
		{"POST", "/sql", own, true},
		{"OPTIONS", "/sql", own, true},
		{"POST", "/sql", other, false},
		{"OPTIONS", "/_storage/p/b/media/a.png", own, true},
		{"PUT", "/_storage/p/b/media/a.png", own, true},
		{"PUT", "/_storage/p/b/media/a.png", other, false},
		{"GET", "/v2", own, true},
		{"GET", "/v2", other, false},
		{"GET", "/api/v2/projects", own, false},
		{"POST", "/api/v1/database", own, false},
		{"GET", "/_emulator/objects", own, false},
		{"GET", "/", own, false},
	} {
		request, err := http.NewRequestWithContext(t.Context(), test.method, p.url+test.path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"Origin": {test.origin}, "Sec-Fetch-Site": {"cross-site"},
			"Access-Control-Request-Headers": {"content-type"}}
		response, err := p.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		if closeErr := response.Body.Close(); err != nil || closeErr != nil {
			t.Fatal(err, closeErr)
		}
		if allowed := !strings.Contains(string(text), "the emulator answers no web pages"); allowed != test.allowed {
			t.Errorf("%s %s from %s: allowed is %t: %d %s", test.method, test.path, test.origin, allowed,
				response.StatusCode, text)
		}
		if isFile := strings.HasPrefix(test.path, "/_storage"); isFile && test.allowed &&
			response.Header.Get("Access-Control-Allow-Origin") != own {
			t.Errorf("%s %s: a page can't read the answer: %v", test.method, test.path, response.Header)
		}
		if test.method == "OPTIONS" && strings.HasPrefix(test.path, "/_storage") &&
			(response.StatusCode >= 300 || !strings.Contains(strings.ToLower(
				response.Header.Get("Access-Control-Allow-Headers")), "content-type")) {
			t.Errorf("%s %s: %d %v", test.method, test.path, response.StatusCode, response.Header)
		}
	}
}
