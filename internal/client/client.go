package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// The official addresses, and what a client does unless it is told otherwise.
const (
	DefaultBaseURL      = "https://console.neon.tech"
	DefaultClaimBaseURL = "https://neon.new"
	DefaultMaxRetries   = 10
	// DefaultOperationGrace is how long a failed operation is left to recover.
	DefaultOperationGrace = 2 * time.Minute
)

var errNoToken = errors.New("no API key is configured")

// Config has the addresses, the key and the limits of a client.
type Config struct {
	// BaseURL and ClaimBaseURL take the address with or without the path
	// prefix. Empty means the official one.
	BaseURL      string
	ClaimBaseURL string
	// APIKey is needed for the control API only.
	APIKey    string
	UserAgent string
	// RequestsPerMinute limits the client; 0 means Neon's limit.
	RequestsPerMinute int
	// MaxRetries is how many attempts may follow the first; those after 429 don't count.
	// Where the context of a call has no deadline, its attempts end after five minutes.
	MaxRetries int
	// OperationGrace is how long a failed operation may stay unchanged before it is given
	// up; 0 means DefaultOperationGrace.
	OperationGrace time.Duration
	// Logger receives every attempt, with secrets masked. Nil logs nothing.
	Logger *slog.Logger
	// Transport carries the requests; nil means a transport of our own. It must report
	// its connections (httptrace.ClientTrace.GotConn), which distinguishes a request that
	// was never sent from one whose answer was lost.
	Transport http.RoundTripper
}

// Client calls both APIs. It is safe for concurrent use.
type Client struct {
	apiKey       ownKey
	userAgent    string
	baseURL      *url.URL
	claimBaseURL *url.URL
	maxRetries   int
	grace        time.Duration
	logger       *slog.Logger
	transport    http.RoundTripper
	limits       *limits
	waits        operationWaits
	writes       projectWrites
	keys         keyCreations
	reads        sharedReads
}

// New returns a client, or an error about an address (see ValidateBaseURL) or the key.
func New(config Config) (*Client, error) {
	control, err := parseBaseURL(cmp.Or(config.BaseURL, DefaultBaseURL), controlAPI.prefix())
	if err != nil {
		return nil, fmt.Errorf("control API address: %w", err)
	}
	claim, err := parseBaseURL(cmp.Or(config.ClaimBaseURL, DefaultClaimBaseURL), claimAPI.prefix())
	if err != nil {
		return nil, fmt.Errorf("claimable API address: %w", err)
	}
	if strings.ContainsFunc(config.APIKey, unicode.IsControl) {
		return nil, errors.New("the API key has a line break or another control character, which no request can carry")
	}
	client := &Client{
		apiKey: ownKey(config.APIKey), userAgent: cmp.Or(config.UserAgent, "terraform-provider-neon"),
		baseURL: control, claimBaseURL: claim,
		maxRetries: config.MaxRetries, grace: cmp.Or(config.OperationGrace, DefaultOperationGrace),
		logger:    cmp.Or(config.Logger, slog.New(slog.DiscardHandler)),
		transport: config.Transport, limits: newLimits(cmp.Or(config.RequestsPerMinute, DefaultRequestsPerMinute)),
		waits:  operationWaits{projects: map[string]*projectWaits{}, newest: map[projectAction]Operation{}},
		writes: projectWrites{lines: map[string][]chan struct{}{}},
		keys:   newKeyCreations(),
	}
	if client.transport == nil {
		client.transport = newTransport(defaultPings)
	}
	client.reads = newSharedReads(client)
	return client, nil
}

// HasAPIKey reports whether the client can call the control API at all.
func (c *Client) HasAPIKey() bool { return c.apiKey != "" }

// do sends a request when its turn has come: writes to a project pass through the
// project's line, and invalidate what was read of it.
func (c *Client) do(ctx context.Context, request call, into any) error {
	if request.method == http.MethodGet {
		return c.send(ctx, request, into)
	}
	defer c.reads.forget(request)
	c.reads.forget(request)
	if !request.queues() {
		return c.send(ctx, request, into)
	}
	return c.write(ctx, request, func() error { return c.send(ctx, request, into) })
}

// send sends a request, again where that is safe, and decodes the answer. Every request
// of the package passes through it.
func (c *Client) send(ctx context.Context, request call, into any) error {
	state := &attempts{call: request, requestID: rand.Text(), left: c.maxRetries}
	built, err := c.build(ctx, state)
	if err != nil {
		return err
	}
	for attempt := 0; ; attempt++ {
		answer, err := c.attempt(ctx, state, built)
		if err == nil {
			return state.decode(answer, into)
		}
		switch judge(request.method, err) {
		case ambiguous:
			return request.lost(state.requestID, cause(err))
		case final:
			return c.judgeAbsence(ctx, request, err)
		}
		if err := c.pause(ctx, state, attempt, err); err != nil {
			return err
		}
	}
}

func (c *Client) build(ctx context.Context, request *attempts) (*http.Request, error) {
	for _, param := range request.params {
		if param == "" || param == "." || param == ".." {
			return nil, fmt.Errorf("%s %s: an id in the path is empty", request.method, request.route)
		}
	}
	address := c.base(request.api).String() + request.path()
	if request.api == controlAPI && !c.HasAPIKey() {
		return nil, &NotSentError{Method: request.method, URL: address, Err: errNoToken}
	}
	if len(request.query) > 0 {
		address += "?" + request.query.Encode()
	}
	header := http.Header{"Accept": {"application/json"}, "User-Agent": {c.userAgent}, "X-Request-Id": {request.requestID}}
	if request.api == controlAPI {
		header.Set("Authorization", "Bearer "+cmp.Or(request.token, string(c.apiKey)))
	}
	var body io.Reader
	if request.body != nil {
		encoded, err := json.Marshal(request.body)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", request.method, request.route, err)
		}
		body = bytes.NewReader(encoded)
		header.Set("Content-Type", "application/json")
	}
	built, err := http.NewRequestWithContext(ctx, request.method, address, body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", request.method, request.route, err)
	}
	built.Header = header
	return built, nil
}

// receive sends a request and returns its answer. One that lacks a field, as has
// reports, can't be used.
func receive[T any](ctx context.Context, c *Client, request call, field string, has func(*T) bool) (*T, error) {
	var answer T
	if err := c.do(ctx, request, &answer); err != nil {
		return nil, err
	}
	if !has(&answer) {
		return nil, request.incomplete(field)
	}
	return &answer, nil
}

func (r *attempts) decode(answer *answer, into any) error {
	if len(answer.body) > 0 && json.Unmarshal(answer.body, into) != nil {
		return r.unusable(r.badAnswer(answer.status, r.requestID, "a field has an unexpected type"))
	}
	return nil
}

// base is the address of an API, with its prefix.
func (c *Client) base(api api) *url.URL {
	if api == claimAPI {
		return c.claimBaseURL
	}
	return c.baseURL
}

// sleep waits, or returns the context's error at once when it ends.
func sleep(ctx context.Context, duration time.Duration) error {
	if duration <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// await returns when done is closed, or with the context's error.
func await(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
