package emulator

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
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
		refused = append(refused, answer.Code == http.StatusForbidden && strings.Contains(answer.Body.String(), "the emulator answers"))
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
