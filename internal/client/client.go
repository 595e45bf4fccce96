package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/hashicorp/go-retryablehttp"
)

// The official addresses, and the defaults of a client.
const (
	DefaultBaseURL      = "https://console.neon.tech"
	DefaultClaimBaseURL = "https://neon.new"
	// DefaultClaimableNeonBaseURL is the address of what replaces DefaultClaimBaseURL.
	DefaultClaimableNeonBaseURL = "https://claimable.neon.tech"
	DefaultMaxRetries           = 10
	// DefaultOperationGrace is how long a failed operation is left to recover.
	DefaultOperationGrace = 2 * time.Minute
)

var errNoToken = errors.New("no API key is configured")

// Config has the addresses, the key and the limits of a client.
type Config struct {
	// BaseURL and the other two take the address with or without the path prefix. Empty means the official one.
	BaseURL              string
	ClaimBaseURL         string
	ClaimableNeonBaseURL string
	// APIKey is needed for the control API only.
	APIKey string
	// ReadOnly names who asked for a client that only reads, such as "the environment variable NEON_READ_ONLY"; empty
	// for a client that also writes. It refuses writes with a [ReadOnlyError].
	ReadOnly string
	// APIKeySource is where the key was configured (see Error.KeySource).
	APIKeySource string
	UserAgent    string
	// RequestsPerMinute limits the client; 0 means Neon's limit.
	RequestsPerMinute int
	// MaxRetries is how many attempts may follow the first; those after 429 don't count.
	// Where the context of a call has no deadline, its attempts end after five minutes.
	MaxRetries int
	// OperationGrace is how long a failed operation may stay unchanged; 0 means DefaultOperationGrace.
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
	apiKey     ownKey
	keySource  string
	readOnly   string
	userAgent  string
	bases      [3]*url.URL // of each api, with its prefix
	maxRetries int
	grace      time.Duration
	logger     *slog.Logger
	http       *retryablehttp.Client
	clock      clock
	// storage sends what is uploaded to where Neon says, without the key.
	storage *http.Client
	waits   operationWaits
	// held has the writes that Neon refuses because of other work, by place.
	held      lines
	creations creations
	// late has the changes and removals whose answers were lost, by their targets.
	late    sync.Map
	reads   sharedReads
	answers sharedAnswers
	// claimable are the services for databases without an account that are configured.
	claimable []ClaimableService
	// anonymous has the access tokens of Claimable Neon, by the assertions that were exchanged for them.
	anonymous sync.Map
}

// New returns a client, or an error about an address (see ValidateBaseURL) or the key.
func New(config Config) (*Client, error) {
	var bases [3]*url.URL
	for of, setting := range [...]struct{ name, address string }{
		controlAPI:       {"base_url", cmp.Or(config.BaseURL, DefaultBaseURL)},
		claimAPI:         {"claim_base_url", cmp.Or(config.ClaimBaseURL, DefaultClaimBaseURL)},
		claimableNeonAPI: {"claimable_neon_base_url", cmp.Or(config.ClaimableNeonBaseURL, DefaultClaimableNeonBaseURL)},
	} {
		base, err := parseBaseURL(setting.address, api(of).prefix())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", setting.name, err)
		}
		bases[of] = base
	}
	if strings.ContainsFunc(config.APIKey, unicode.IsControl) {
		return nil, errors.New("the API key has a line break or another control character, which no request can carry")
	}
	base := staying{config.Transport}
	if config.Transport == nil {
		base.RoundTripper = newTransport(defaultPings)
	}
	client := &Client{
		apiKey: ownKey(config.APIKey), keySource: config.APIKeySource, readOnly: config.ReadOnly,
		userAgent: cmp.Or(config.UserAgent, "terraform-provider-neon"),
		bases:     bases, maxRetries: config.MaxRetries, grace: cmp.Or(config.OperationGrace, DefaultOperationGrace),
		logger: cmp.Or(config.Logger, slog.New(slog.DiscardHandler)),
		waits:  newOperationWaits(),
		reads:  sharedReads{lists: map[string]*sharedList{}}, answers: newSharedAnswers(closeToPlan),
		creations: creations{before: newSharedAnswers(0)},
		claimable: config.claimableServices(),
	}
	client.storage = &http.Client{Transport: base}
	client.http = &retryablehttp.Client{
		HTTPClient: &http.Client{Transport: &attemptTransport{
			next: base, client: client, limits: newLimits(cmp.Or(config.RequestsPerMinute, DefaultRequestsPerMinute)),
		}},
		RetryWaitMin: firstBackoff,
		RetryWaitMax: longestWait,
		RetryMax:     math.MaxInt32, // checkRetry counts
		CheckRetry:   client.checkRetry,
		Backoff:      backoff,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	return client, nil
}

// HasAPIKey reports whether the client can call the control API at all.
func (c *Client) HasAPIKey() bool { return c.apiKey != "" }

// do sends a request and returns the body of its answer; a write goes through all stages before.
func (c *Client) do(ctx context.Context, request call) (json.RawMessage, error) {
	if request.method == http.MethodGet {
		return c.send(ctx, request)
	}
	if err := c.mayWrite(request); err != nil {
		return nil, err
	}
	c.makeListsStale(request) // For reads meanwhile, and for those after it.
	defer c.makeListsStale(request)
	return c.sendInLine(ctx, request)
}

// send builds and sends every request of the package, and returns the body of a success.
func (c *Client) send(ctx context.Context, request call) (json.RawMessage, error) {
	state := &attempts{call: request, requestID: rand.Text(), left: c.maxRetries}
	built, err := c.build(context.WithValue(ctx, attemptsKey{}, state), state)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(built)
	if err != nil {
		return nil, c.failure(ctx, state, err)
	}
	_ = response.Body.Close() // The attempt has read it.
	if response.StatusCode >= 300 {
		if request.token == "" {
			state.answer.KeySource = c.keySource
		}
		return nil, c.judgeAbsence(ctx, request, refusal(ctx, state, state.answer))
	}
	return state.received, nil
}

func (c *Client) build(ctx context.Context, request *attempts) (*retryablehttp.Request, error) {
	for _, param := range request.params {
		if param == "" || param == "." || param == ".." {
			return nil, fmt.Errorf("%s %s: no path leads to %q", request.method, request.route, param)
		}
	}
	address := c.bases[request.api].String() + request.path()
	if request.api == controlAPI && !c.HasAPIKey() {
		return nil, &NotSentError{Method: request.method, URL: request.hideID(address), Err: errNoToken}
	}
	query := maps.Clone(request.query)
	maps.DeleteFunc(query, func(name string, _ []string) bool { return query.Get(name) == "" })
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	var body any
	contentType := "application/json"
	if form, is := request.body.(encodedForm); is {
		body, contentType = form.data, form.contentType
	} else if request.body != nil {
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
	built.Header.Set("X-Request-Id", request.requestID)
	if body != nil {
		built.Header.Set("Content-Type", contentType)
	}
	if token := cmp.Or(request.token, string(c.apiKey)); request.api == controlAPI || request.token != "" {
		built.Header.Set("Authorization", "Bearer "+token)
	}
	return built, nil
}

// receive sends a request and returns its answer. One without a value in a field that is needed can't be used.
func receive[T any](ctx context.Context, c *Client, request call, needed ...string) (*T, error) {
	body, err := c.do(ctx, request)
	if err != nil {
		return nil, err
	}
	var answer T
	var all fields
	if len(body) > 0 && (json.Unmarshal(body, &all) != nil || json.Unmarshal(body, &answer) != nil) {
		return nil, request.malformed("a field has an unexpected type")
	}
	for _, field := range needed {
		if slices.Contains([]string{"", "null", `""`, "0"}, string(all[field])) {
			return nil, request.incomplete(field)
		}
	}
	return &answer, nil
}

// receiveField sends a request and returns the field of its answer that is needed.
func receiveField[T any](ctx context.Context, c *Client, request call, field string) (value T, err error) {
	answer, err := receive[fields](ctx, c, request, field)
	if err == nil {
		err = answer.decode(request, field, &value)
	}
	return value, err
}

// receiveAny returns the fields of an answer of which Neon may leave out any. One with others alone isn't Neon's.
func (c *Client) receiveAny(ctx context.Context, request call, known ...string) (fields, error) {
	received, err := receive[fields](ctx, c, request)
	if err != nil {
		return nil, err
	}
	answer := *received
	isIn := func(field string) bool { return answer[field] != nil }
	if len(answer) > 0 && !slices.ContainsFunc(known, isIn) {
		return nil, request.incomplete(strings.Join(known, " or "))
	}
	return answer, nil
}

// ownAnswer sends a write and returns its answer, if that is Neon's own: it has the field of that name, or where that
// is empty no field at all. A proxy's success is a lost answer.
func (c *Client) ownAnswer(ctx context.Context, request call, field string) (fields, error) {
	body, err := c.do(ctx, request)
	if err != nil || len(body) == 0 {
		return nil, err
	}
	var answer fields
	if json.Unmarshal(body, &answer) != nil || answer == nil || field == "" && len(answer) > 0 {
		return nil, request.malformed("it isn't Neon's answer to this")
	}
	if field != "" && answer[field] == nil {
		return nil, request.incomplete(field)
	}
	return answer, nil
}

// refusal is the error for an answer that isn't a success.
func refusal(ctx context.Context, request *attempts, answer *Error) error {
	answer.RequestID = cmp.Or(answer.RequestID, request.requestID)
	switch judge(request.method, answer) {
	case ambiguous:
		return request.lost(request.requestID, answer)
	case again:
		if err := ctx.Err(); err != nil {
			return request.endedError(answer, err)
		}
	}
	return answer
}

// failure is the error for a request without a usable answer.
func (c *Client) failure(ctx context.Context, request *attempts, err error) error {
	failed, isAttempt := errors.AsType[*attemptError](err)
	bad, isBad := errors.AsType[*BadAnswerError](err)
	switch {
	case isAttempt && failed.sent && request.method != http.MethodGet:
		return request.lost(request.requestID, failed.err)
	case ctx.Err() != nil:
		return request.endedError(request.last, ctx.Err())
	case !isAttempt:
		return fmt.Errorf("%s %s: %w", request.method, request.shownPath(), err)
	case isBad:
		return bad
	case failed.sent:
		return &UnansweredError{Method: request.method, Path: request.shownPath(), Err: failed.err}
	}
	host := strings.TrimSuffix(c.bases[request.api].String(), request.api.prefix())
	return &NotSentError{Method: request.method, URL: host + request.shownPath(), Err: failed.err}
}

// sleep waits, or returns the context's error at once when it ends.
func sleep(ctx context.Context, duration time.Duration) error {
	if duration <= 0 {
		return ctx.Err()
	}
	select {
	case <-time.After(duration):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// await returns when done is closed, or with the context's error. Where both have happened, done counts.
func await(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	select {
	case <-done:
		return nil
	default:
		return ctx.Err()
	}
}
