package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/hashicorp/go-retryablehttp"
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

// Config says which platform to speak to, and how.
type Config struct {
	// BaseURL and ClaimBaseURL take the address with or without the path
	// prefix. Empty means the official one.
	BaseURL      string
	ClaimBaseURL string
	// APIKey is needed for the control API only.
	APIKey    string
	UserAgent string
	// RequestsPerMinute is kept on our side; 0 means the platform's limit.
	RequestsPerMinute int
	// MaxRetries is how many attempts may follow the first. Refusals for the
	// rate limit don't count. Where the context of a call has no deadline, its
	// attempts end after five minutes.
	MaxRetries int
	// OperationGrace is how long a failed operation may stay without any change
	// before it is given up; 0 means DefaultOperationGrace.
	OperationGrace time.Duration
	// Logger gets every attempt, with secrets masked. Nil logs nothing.
	Logger *slog.Logger
	// Transport carries the requests; nil means a transport of our own. It must
	// report its connections (httptrace.ClientTrace.GotConn): that is how a
	// request that was never sent is told from one whose answer was lost.
	Transport http.RoundTripper
}

// Client speaks to both APIs. It is safe for concurrent use.
type Client struct {
	apiKey       string
	secrets      secrets
	userAgent    string
	baseURL      *url.URL
	claimBaseURL *url.URL
	maxRetries   int
	grace        time.Duration
	logger       *slog.Logger
	http         *retryablehttp.Client
	waits        operationWaits
	writes       projectWrites
	keys         keyCreations
	reads        sharedReads
}

// New makes a client. It fails where an address can't be used; see
// ValidateBaseURL.
func New(config Config) (*Client, error) {
	base, err := parseBaseURL(orDefault(config.BaseURL, DefaultBaseURL), controlAPI.prefix())
	if err != nil {
		return nil, fmt.Errorf("control API address: %w", err)
	}
	claim, err := parseBaseURL(orDefault(config.ClaimBaseURL, DefaultClaimBaseURL), claimAPI.prefix())
	if err != nil {
		return nil, fmt.Errorf("claimable API address: %w", err)
	}
	if strings.ContainsFunc(config.APIKey, unicode.IsControl) {
		return nil, errors.New("the API key has a line break or another control character, which no request can carry")
	}
	logger := config.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	transport := config.Transport
	if transport == nil {
		transport = newTransport(defaultPings)
	}
	client := &Client{
		apiKey: config.APIKey, secrets: secretsOf(config.APIKey), userAgent: orDefault(config.UserAgent, "terraform-provider-neon"),
		baseURL: base, claimBaseURL: claim,
		maxRetries: config.MaxRetries, grace: orDefault(config.OperationGrace, DefaultOperationGrace),
		logger: logger,
		waits:  operationWaits{projects: map[string]*projectWaits{}, durations: map[projectAction]actionDuration{}},
	}
	client.keys = newKeyCreations()
	client.writes.lines = map[string][]chan struct{}{}
	client.reads = newSharedReads(client)
	client.http = &retryablehttp.Client{
		HTTPClient: &http.Client{
			Transport: &exchange{
				next: transport, limits: newLimits(orDefault(config.RequestsPerMinute, DefaultRequestsPerMinute)),
				logger: logger, secrets: client.secrets,
			},
			// The key goes to the configured host alone: a redirect is an answer
			// like any other, and is reported rather than followed.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		RetryWaitMin: firstBackoff,
		RetryWaitMax: longestWait,
		RetryMax:     math.MaxInt32, // checkRetry counts
		CheckRetry:   checkRetry,
		Backoff:      backoff,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	return client, nil
}

// HasAPIKey tells whether the control API can be used at all.
func (c *Client) HasAPIKey() bool { return c.apiKey != "" }

// api is one of the platform's two APIs.
type api int

const (
	controlAPI api = iota
	claimAPI
)

// prefix is the API's path prefix (API document, section 9).
func (a api) prefix() string {
	if a == claimAPI {
		return "/api/v1"
	}
	return "/api/v2"
}

// call is one request, before it is built.
type call struct {
	api    api
	method string
	// route is the path below the prefix, with {placeholders} for params. It
	// is also what the limit for each route goes by.
	route  string
	params []string
	query  url.Values
	body   any
	// subject is what a write makes or changes, for the error that says what
	// may exist when its answer is lost.
	subject string
	// noun is Neon's word for the kind of object that the path names, of which a
	// refusal may say that it doesn't exist.
	noun string
	// token is sent in place of the client's own key, if there is one.
	token string
	// timing, if there is one, is told when the last attempt took place.
	timing *timing
}

// path fills the route's placeholders.
func (r call) path() string {
	segments := strings.Split(r.route, "/")
	next := 0
	for i, segment := range segments {
		if strings.HasPrefix(segment, "{") && next < len(r.params) {
			segments[i] = url.PathEscape(r.params[next])
			next++
		}
	}
	return strings.Join(segments, "/")
}

// queues tells whether the call is a write to a project, which the platform may
// refuse while other work runs there.
func (r call) queues() bool {
	return r.method != http.MethodGet && r.inProject()
}

// inProject reports whether the call is about a project or something in it.
func (r call) inProject() bool {
	return r.api == controlAPI && strings.HasPrefix(r.route, "/projects/{project_id}")
}

// incomplete is a success without a field that must be there. For a write that
// is a lost answer: what the platform made can't be told from it.
func (r call) incomplete(field string) error { return r.unusable("it has no " + field) }

func (r call) unusable(reason string) error {
	bad := &BadAnswerError{
		Method: r.method, Path: r.shownPath(), StatusCode: http.StatusOK, Reason: reason,
	}
	if r.method == http.MethodGet {
		return bad
	}
	return r.lost("", bad)
}

// do carries a call out, once it is its turn: writes to a project go through
// its queue, and make stale what was read of it.
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

// send is the one place where a request is built, sent and decoded.
func (c *Client) send(ctx context.Context, request call, into any) error {
	requestID := rand.Text()
	built, err := c.build(ctx, request, requestID)
	if err != nil {
		return err
	}
	state := &attempts{
		method: request.method, left: c.maxRetries, queues: request.queues(), logger: c.logger, secrets: c.secrets,
	}
	built = built.WithContext(withRoute(withAttempts(ctx, state), request))
	response, err := c.http.Do(built)
	if err != nil {
		return c.failure(ctx, request, requestID, state, err)
	}
	body := bodyOf(response)
	_ = response.Body.Close()
	if response.StatusCode >= 300 {
		return c.judgeAbsence(ctx, request, c.refusal(ctx, request, requestID, answerError(request, response, body, c.secrets)))
	}
	if len(body) == 0 {
		return nil
	}
	if err := json.Unmarshal(body, into); err != nil {
		bad := &BadAnswerError{
			Method: request.method, Path: request.shownPath(), StatusCode: response.StatusCode,
			RequestID: requestID, Reason: "a field has an unexpected type",
		}
		if request.method == http.MethodGet {
			return bad
		}
		return request.lost(requestID, bad)
	}
	return nil
}

func (c *Client) build(ctx context.Context, request call, requestID string) (*retryablehttp.Request, error) {
	for _, param := range request.params {
		if param == "" || param == "." || param == ".." {
			return nil, fmt.Errorf("%s %s: an id in the path is empty", request.method, request.route)
		}
	}
	base := c.baseURL
	if request.api == claimAPI {
		base = c.claimBaseURL
	} else if !c.HasAPIKey() {
		return nil, &NotSentError{Method: request.method, URL: base.String() + request.path(), Err: errNoToken}
	}
	address := base.String() + request.path()
	if len(request.query) > 0 {
		address += "?" + request.query.Encode()
	}
	var body any
	if request.body != nil {
		encoded, err := json.Marshal(request.body)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", request.method, request.route, err)
		}
		body = encoded
	}
	built, err := retryablehttp.NewRequestWithContext(ctx, request.method, address, body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", request.method, request.route, err)
	}
	built.Header.Set("Accept", "application/json")
	built.Header.Set("User-Agent", c.userAgent)
	built.Header.Set("X-Request-Id", requestID)
	if body != nil {
		built.Header.Set("Content-Type", "application/json")
	}
	if request.api == controlAPI {
		built.Header.Set("Authorization", "Bearer "+cmp.Or(request.token, c.apiKey))
	}
	return built, nil
}

// refusal is an answer that isn't a success, in the words of the table of
// retries.
func (c *Client) refusal(ctx context.Context, request call, requestID string, answer *Error) error {
	if answer.RequestID == "" {
		answer.RequestID = requestID
	}
	switch judge(request.method, answer.StatusCode, nil) {
	case ambiguous:
		return request.lost(requestID, answer)
	case again:
		if err := ctx.Err(); err != nil {
			return &EndedError{Method: request.method, Path: answer.Path, Last: answer, Err: err}
		}
	}
	return answer
}

// failure is a request without a usable answer, in the same words.
func (c *Client) failure(ctx context.Context, request call, requestID string, state *attempts, err error) error {
	path := request.shownPath()
	var exchanged *exchangeError
	if !errors.As(err, &exchanged) {
		if ctx.Err() != nil {
			return &EndedError{Method: request.method, Path: path, Last: plain(state.last), Err: ctx.Err()}
		}
		return fmt.Errorf("%s %s: %w", request.method, path, err)
	}
	if exchanged.sent && request.method != http.MethodGet {
		return request.lost(requestID, exchanged.err)
	}
	if ctx.Err() != nil {
		return &EndedError{Method: request.method, Path: path, Last: plain(state.last), Err: ctx.Err()}
	}
	var bad *BadAnswerError
	if errors.As(err, &bad) {
		return bad
	}
	base := c.baseURL
	if request.api == claimAPI {
		base = c.claimBaseURL
	}
	if exchanged.sent {
		return &UnansweredError{Method: request.method, Path: path, Err: exchanged.err}
	}
	return &NotSentError{
		Method: request.method, URL: strings.TrimSuffix(base.String(), request.api.prefix()) + path, Err: exchanged.err,
	}
}

func (r call) lost(requestID string, err error) error {
	return &AmbiguousError{
		Method: r.method, Path: r.shownPath(), Subject: r.subject, RequestID: requestID, Err: err,
	}
}

// plain takes the layers off that net/http and the exchange put around a
// failure.
func plain(err error) error {
	var exchanged *exchangeError
	if errors.As(err, &exchanged) {
		return exchanged.err
	}
	return err
}

func orDefault[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
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
