package client

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// DefaultRequestsPerMinute is Neon's limit for an account.
	DefaultRequestsPerMinute = 700
	// MostRequestsPerMinute is what a configuration may raise it to, for accounts that
	// were given more.
	MostRequestsPerMinute = 60_000

	routePerSecond            = 40
	consumptionPerMinute      = 30
	organizationKeysPerSecond = 10
)

const (
	// Requests that are sent apart may arrive together, so each window is longer than the
	// period of its limit.
	accountWindow = time.Minute + time.Second
	routeWindow   = time.Second + 250*time.Millisecond
	// slowdownAfter429 is how long the client keeps the pace after a refusal.
	slowdownAfter429 = time.Minute
)

// limits keeps the client within Neon's rate limits: the account's for a minute, 40
// requests a second for each route, 10 for the creation of organization keys, and 30 a minute about consumption (Neon's guide on consumption metrics). A run that needs fewer than these isn't slowed. Others share the
// account's limit: after a refusal with 429, requests are spread evenly for a minute.
type limits struct {
	account     *window
	consumption *window
	// polls are those for operations of all projects. They have half of the account's limit, and one of them at a time waits for
	// room in it, so that what others do comes first.
	polls *window
	// pace is the time between two requests after a refusal.
	pace time.Duration

	mu         sync.Mutex
	routes     map[string]*window
	pacedUntil time.Time
}

func newLimits(perMinute int) *limits {
	return &limits{
		account:     newWindow(perMinute, accountWindow),
		consumption: newWindow(min(consumptionPerMinute, perMinute), accountWindow),
		polls:       newWindow(max(perMinute/2, 1), accountWindow),
		pace:        time.Minute * 100 / 94 / time.Duration(perMinute), // just below 11 a second, which Neon names
		routes:      map[string]*window{},
	}
}

// wait returns when the request may be sent, or with the context's error. The
// claimable API has no such limits.
func (l *limits) wait(ctx context.Context, request call) error {
	if err := ctx.Err(); err != nil || request.api != controlAPI {
		return err
	}
	inAccount := func() error {
		return l.account.pass(ctx, func() error { return sleep(ctx, time.Until(l.nextInPace())) })
	}
	if strings.HasPrefix(request.route, "/consumption_history/") {
		return l.consumption.pass(ctx, inAccount)
	}
	inRoute := func() error { return l.route(request.method, request.route).pass(ctx, inAccount) }
	if strings.HasPrefix(request.route, operationKind.route) {
		return l.polls.pass(ctx, inRoute)
	}
	return inRoute()
}

// nextInPace is when the next request may follow the last one. In the minute after a
// refusal that is later than at once.
func (l *limits) nextInPace() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if next := l.account.last.Add(l.pace); next.Before(l.pacedUntil) {
		return next
	}
	return time.Time{}
}

// refused notes that Neon answered a request with 429.
func (l *limits) refused() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pacedUntil = time.Now().Add(slowdownAfter429)
}

func (l *limits) route(method, route string) *window {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := method + " " + route
	own, ok := l.routes[name]
	if !ok {
		perSecond := routePerSecond
		if method == http.MethodPost && route == "/organizations/{org_id}/api_keys" {
			perSecond = organizationKeysPerSecond
		}
		own = newWindow(perSecond, routeWindow)
		l.routes[name] = own
	}
	return own
}

// window lets so many requests through in any period of its length, one after another in
// the order in which they come.
type window struct {
	length time.Duration
	turn   chan struct{}
	// passed is a ring buffer with the times of the last requests; oldest is its next slot.
	passed []time.Time
	oldest int
	last   time.Time
}

func newWindow(most int, length time.Duration) *window {
	return &window{length: length, turn: make(chan struct{}, 1), passed: make([]time.Time, most)}
}

// pass blocks until the window has room and andThen has returned. On an error nothing is counted.
func (w *window) pass(ctx context.Context, andThen func() error) error {
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-w.turn }()
	if err := sleep(ctx, time.Until(w.passed[w.oldest].Add(w.length))); err != nil {
		return err
	}
	if err := andThen(); err != nil {
		return err
	}
	w.last = time.Now()
	w.passed[w.oldest] = w.last
	w.oldest = (w.oldest + 1) % len(w.passed)
	return nil
}
