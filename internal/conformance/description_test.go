package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

const (
	clientsFolder   = "../../tools/clients/node_modules"
	descriptionFile = clientsFolder + "/@neondatabase/api-client/public-v2-for-users.gen.yaml"
)

// needClients skips a test where the clients aren't installed. CI must have them.
func needClients(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs(clientsFolder)
	if err == nil {
		_, err = os.Stat(folder)
	}
	if err != nil {
		without(t, "the clients that tools/clients pins: run make clients, with npm", err)
	}
	return folder
}

// needNode skips a test where there is no Node that the clients run on.
func needNode(t *testing.T) {
	t.Helper()
	version, err := exec.CommandContext(t.Context(), "node", "--version").Output()
	var major, minor int
	if err == nil {
		_, err = fmt.Sscanf(string(version), "v%d.%d.", &major, &minor)
	}
	if err == nil && (major < 20 || major == 20 && minor < 19) {
		err = fmt.Errorf("this is %s", version)
	}
	if err != nil {
		without(t, "Node 20.19 or later", err)
	}
}

// without skips a test that can't run, except in CI, which must have all.
func without(t *testing.T, what string, err error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("CI must have %s: %v", what, err)
	}
	t.Skipf("this needs %s: %v", what, err)
}

// description is the published one, with what only its newer copy has. Reading it takes
// seconds.
var description = sync.OnceValues(func() (*openapi3.T, error) {
	// The library knows these formats, and checks them when told to.
	openapi3.DefineStringFormatValidator("uuid", openapi3.NewRegexpFormatValidator(
		openapi3.FormatOfStringForUUIDOfRFC9562))
	openapi3.DefineStringFormatValidator("email", openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForEmail))
	loader := openapi3.NewLoader()
	text, err := os.ReadFile(descriptionFile)
	if err != nil {
		return nil, err
	}
	// Go's regular expressions have no repetition that comes to more than 1,000.
	document, err := loader.LoadFromData(bytes.ReplaceAll(text, []byte("(,[a-z0-9-]{1,60}){0,99}"),
		[]byte("(,[a-z0-9-]{1,60})*")))
	if err != nil {
		return nil, err
	}
	document.Servers = nil // Ours is at an address of its own.
	newer, err := newerDescription()
	if err != nil {
		return nil, err
	}
	addNewer(document, newer)
	return document, nil
})

// descriptionRouter finds the call of the description that a request is.
var descriptionRouter = sync.OnceValues(func() (routers.Router, error) {
	document, err := description()
	if err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(document)
})

// checker is a server that holds each request, and the answer that it gets, against
// the description.
type checker struct {
	t       *testing.T
	handler http.Handler
	router  routers.Router
	// strict says that requests have to conform as well: not those that a test sends
	// to be refused.
	strict bool
	// complain tells of what doesn't conform.
	complain func(format string, values ...any)

	mu     sync.Mutex
	served map[string]int
	// sent is what clients have sent, in small letters.
	sent string
}

func newChecker(t *testing.T, handler http.Handler, strict bool) *checker {
	t.Helper()
	needClients(t)
	router, err := descriptionRouter()
	if err != nil {
		t.Fatal(err)
	}
	return &checker{t: t, handler: handler, router: router, strict: strict, complain: t.Errorf, served: map[string]int{}}
}

// start serves on loopback, and gives the address.
func (c *checker) start() string {
	server := httptest.NewServer(c)
	c.t.Cleanup(server.Close)
	return server.URL
}

// ServeHTTP serves the request, and checks it where it is one to the control API.
func (c *checker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, control := strings.CutPrefix(r.URL.Path, "/api/v2")
	if !control {
		c.handler.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		c.t.Error(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	recorded := httptest.NewRecorder()
	c.handler.ServeHTTP(recorded, r)
	c.check(r, path, body, recorded)
	maps.Copy(w.Header(), recorded.Header())
	w.WriteHeader(recorded.Code)
	_, _ = w.Write(recorded.Body.Bytes())
}

func (c *checker) check(r *http.Request, path string, body []byte, answer *httptest.ResponseRecorder) {
	described := r.Clone(context.WithoutCancel(r.Context()))
	described.URL.Path, described.URL.RawPath = path, ""
	if escaped := r.URL.EscapedPath(); strings.Contains(escaped, "%2F") { // The router would take it for two segments.
		described.URL.Path = strings.ReplaceAll(strings.TrimPrefix(escaped, strings.TrimSuffix(r.URL.Path, path)), "%2F", "-")
	}
	described.Body = io.NopCloser(bytes.NewReader(body))
	route, parameters, err := c.router.FindRoute(described)
	if err != nil {
		c.complain("%s %s: %v", r.Method, r.URL.Path, err)
		return
	}
	c.mu.Lock()
	c.served[route.Method+" "+route.Path]++
	c.mu.Unlock()
	options := &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true, MultiError: true,
	}
	request := &openapi3filter.RequestValidationInput{Request: described, PathParams: parameters, Route: route,
		Options: options}
	refused := openapi3filter.ValidateRequest(r.Context(), request)
	switch {
	case c.strict:
		c.hold(r, answer, "the request", refused)
		unknown := undeclaredParameters(route, described.URL.Query())
		if route.Operation.RequestBody != nil {
			unknown = append(unknown, undeclaredFields(route.Operation.RequestBody.Value.Content, body)...)
		}
		c.declared(r, answer, "the request", unknown)
	case refused != nil && answer.Code < http.StatusBadRequest:
		c.hold(r, answer, "a request that is let through", refused)
	}
	response := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: request, Status: answer.Code, Header: answer.Header(), Options: options,
	}
	response.SetBodyBytes(answer.Body.Bytes())
	c.leadsHere(r, body, answer)
	c.hold(r, answer, "the answer", openapi3filter.ValidateResponse(r.Context(), response))
	c.declared(r, answer, "the answer", undeclaredFields(declaredAnswer(route, answer.Code), answer.Body.Bytes()))
}

// ofPages is what Neon's pages about lists of projects have, and its description doesn't.
const ofPages = "/projects/*/locked"

func (c *checker) declared(r *http.Request, answer *httptest.ResponseRecorder, what string, unknown []string) {
	for _, name := range unknown {
		if name == ofPages {
			continue
		}
		c.complain("%s %s, status %d: %s has %s, which isn't declared", r.Method, r.URL.Path, answer.Code, what, name)
	}
}

func (c *checker) hold(r *http.Request, answer *httptest.ResponseRecorder, what string, err error) {
	for _, problem := range flatten(err) {
		c.complain("%s %s, status %d: %s doesn't conform: %s", r.Method, r.URL.Path, answer.Code, what, problem)
	}
}

// flatten gives each problem as a line.
func flatten(err error) []string {
	var several openapi3.MultiError
	if err == nil {
		return nil
	}
	if errors.As(err, &several) {
		var all []string
		for _, one := range several {
			all = append(all, flatten(one)...)
		}
		return all
	}
	var schema *openapi3.SchemaError
	if errors.As(err, &schema) {
		return []string{fmt.Sprintf("/%s: %s", strings.Join(schema.JSONPointer(), "/"), schema.Reason)}
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return []string{line}
}

// What doesn't conform is told: an answer of the wrong shape, one of an unknown
// status, a request that lacks something, and a route that isn't described.
func TestChecker(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		method, path, body string
		status             int
		answer             string
		complains          bool
	}{
		"conforms":        {"GET", "/api_keys", "", 200, `[]`, false},
		"wrong shape":     {"GET", "/api_keys", "", 200, `{}`, true},
		"wrong type":      {"GET", "/projects/p/branches/b", "", 200, `{"branch":{"id":7}}`, true},
		"bad request":     {"POST", "/api_keys", `{"name":"x"}`, 400, `{"code":"","message":"m"}`, true},
		"bad error":       {"GET", "/projects/p", "", 404, `{"error":"no"}`, true},
		"unknown route":   {"GET", "/nowhere", "", 200, `{}`, true},
		"wrong parameter": {"GET", "/projects?limit=many", "", 400, `{"code":"","message":"m"}`, true},
		"no uuid":         {"GET", "/projects/p/operations/o", "", 404, `{"code":"","message":"m"}`, true},
		"slip in answer":  {"GET", "/projects/p", "", 404, `{"code":"","message":"m","reqest_id":"r"}`, true},
		"slip in list":    {"GET", "/projects", "", 200, `{"projects":[],"applications":{},"integrations":{},"pagination":{"curser":"c"}}`, true},
		"free fields":     {"POST", "/projects/p/branches", `{"annotation_value":{"any":"thing"}}`, 422, `{"code":"","message":"m"}`, false},
		"slip in request": {"POST", "/projects/p/branches", `{"branch":{"nam":"b"}}`, 422, `{"code":"","message":"m"}`, true},
		"slip in query":   {"GET", "/projects?lmit=1", "", 400, `{"code":"","message":"m"}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChecker(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.answer)
			}), true)
			var complaints []string
			c.complain = func(format string, values ...any) { complaints = append(complaints, fmt.Sprintf(format, values...)) }
			request := httptest.NewRequest(test.method, "/api/v2"+test.path, strings.NewReader(test.body))
			if test.body != "" {
				request.Header.Set("Content-Type", "application/json")
			}
			c.ServeHTTP(httptest.NewRecorder(), request)
			if len(complaints) > 0 != test.complains {
				t.Errorf("complaints: %q", complaints)
			}
		})
	}
}
