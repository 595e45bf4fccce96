package client

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
	"time"
)

// seen is a request that reached the fake platform.
type seen struct {
	method, uri, body string
	header            http.Header
	host              string
	at                time.Time
}

// fakePlatform answers requests by a function, and keeps them.
type fakePlatform struct {
	answer func(nth int, request *http.Request) (*http.Response, error)

	mu       sync.Mutex
	requests []seen
}

func (p *fakePlatform) RoundTrip(request *http.Request) (*http.Response, error) {
	arrived := seen{
		method: request.Method, uri: request.URL.RequestURI(), header: request.Header.Clone(),
		host: request.URL.Host, at: time.Now(),
	}
	if request.Body != nil {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		arrived.body = string(body)
	}
	p.mu.Lock()
	nth := len(p.requests)
	p.requests = append(p.requests, arrived)
	p.mu.Unlock()
	return p.answer(nth, request)
}

func (p *fakePlatform) all() []seen {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests[:len(p.requests):len(p.requests)]
}

func (p *fakePlatform) count() int { return len(p.all()) }

// always answers every request alike.
func always(status int, body string, headers ...string) *fakePlatform {
	return &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
		return respond(request, status, body, headers...), nil
	}}
}

// inTurn gives the bodies one after the other, and the last one from then on.
func inTurn(bodies ...string) *fakePlatform {
	return &fakePlatform{answer: func(nth int, request *http.Request) (*http.Response, error) {
		return respond(request, http.StatusOK, bodies[min(nth, len(bodies)-1)]), nil
	}}
}

func respond(request *http.Request, status int, body string, headers ...string) *http.Response {
	response := &http.Response{
		StatusCode: status,
		Header: http.Header{
			"Content-Type": {"application/json"}, "Date": {time.Now().UTC().Format(http.TimeFormat)},
		},
		Body: io.NopCloser(strings.NewReader(body)), Request: request,
	}
	for i := 0; i+1 < len(headers); i += 2 {
		response.Header.Set(headers[i], headers[i+1])
	}
	return response
}

// connected tells the client what net/http tells it once it has a connection:
// from here on the platform may have received the request.
func connected(request *http.Request) {
	if trace := httptrace.ContextClientTrace(request.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
}

// answersAfter connects and answers after a delay, unless the request is given
// up before.
func answersAfter(delay time.Duration, status int, body string) *fakePlatform {
	return &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
		connected(request)
		select {
		case <-time.After(delay):
			return respond(request, status, body), nil
		case <-request.Context().Done():
			return nil, request.Context().Err()
		}
	}}
}

const testKey = "napi_testkey0123456789"

// aBranch is the branch of most tests.
var aBranch = BranchRef{ProjectID: "p", ID: "b"}

func newClient(t testing.TB, transport http.RoundTripper, change ...func(*Config)) *Client {
	t.Helper()
	config := Config{APIKey: testKey, Transport: transport, MaxRetries: 3}
	for _, apply := range change {
		apply(&config)
	}
	client, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q doesn't say %q", text, part)
		}
	}
}

func numbered(kind string, from, to int, extra string) string {
	items := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		items = append(items, fmt.Sprintf(`{"id":"%s-%05d"%s}`, kind, i, extra))
	}
	return "[" + strings.Join(items, ",") + "]"
}
