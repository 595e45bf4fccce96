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
	// MostRequestsPerMinute is what a configuration may raise it to, for accounts that were given more.
	MostRequestsPerMinute = 60_000

	routePerSecond            = 40
	consumptionPerMinute      = 30
	organizationKeysPerSecond = 10
)

const (
	// Neon's clock may run a little slower than ours, so each window is longer than the period of its limit.
	accountWindow = time.Minute + 100*time.Millisecond
	routeWindow   = time.Second + 50*time.Millisecond
	// slowdownAfter429 is how long the client keeps the pace after a refusal.
	slowdownAfter429 = time.Minute
)

// limits keeps the client within Neon's rate limits: the account's for a minute, 40 requests a second for each route,
// 10 for the creation of organization keys, and 30 a minute about consumption (Neon's guide on consumption metrics). A
// run that needs fewer than these isn't slowed. Others share the account's limit: after a refusal with 429, requests
// are spread evenly for a minute.
type limits struct {
	perMinute int
	account   *window
	// pace is the time between two requests after a refusal.
	pace time.Duration

	mu sync.Mutex
	// narrower are the windows of routes, and of what some routes share.
	narrower map[string]*window
	// last is when the last request was sent.
	last       time.Time
	pacedUntil time.Time
}

func newLimits(perMinute int) *limits {
	return &limits{
		perMinute: perMinute,
		account:   newWindow(perMinute, accountWindow),
		pace:      time.Minute * 100 / 94 / time.Duration(perMinute), // just below 11 a second, which Neon names
		narrower:  map[string]*window{},
	}
}

// wait returns when the request may be sent, or with the context's error. The caller says by answered when its answer
// has arrived. The claimable API has no such limits.
func (l *limits) wait(ctx context.Context, request call) (answered func(), err error) {
	if err := ctx.Err(); err != nil || request.api != controlAPI {
		return func() {}, err
	}
	windows := l.windows(request)
	for i, w := range windows {
		release, err := w.take(ctx)
		if err != nil {
			giveBack(windows[:i])
			return nil, err
		}
		defer release() //nolint:gocritic // Each turn lasts until the request may go.
	}
	if err := sleep(ctx, time.Until(l.nextInPace())); err != nil {
		giveBack(windows)
		return nil, err
	}
	l.mu.Lock()
	l.last = time.Now()
	l.mu.Unlock()
	return func() {
		for _, w := range windows {
			w.leave()
		}
	}, nil
}

// windows are the rate limits that a request passes, the account's last, so that requests waiting elsewhere don't count
// there. Polls for operations of all projects share half of the account's limit, and wait for it one at a time, so that
// other requests go first.
func (l *limits) windows(request call) []*window {
	if strings.HasPrefix(request.route, "/consumption_history/") {
		return []*window{l.window("consumption", min(consumptionPerMinute, l.perMinute), accountWindow), l.account}
	}
	perSecond := routePerSecond
	if request.method == http.MethodPost && request.route == "/organizations/{org_id}/api_keys" {
		perSecond = organizationKeysPerSecond
	}
	own := l.window(request.method+" "+request.route, perSecond, routeWindow)
	if strings.HasPrefix(request.route, operationKind.route) {
		return []*window{l.window("polls", max(l.perMinute/2, 1), accountWindow), own, l.account}
	}
	return []*window{own, l.account}
}

// window returns the one of that name.
func (l *limits) window(name string, most int, length time.Duration) *window {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.narrower[name] == nil {
		l.narrower[name] = newWindow(most, length)
	}
	return l.narrower[name]
}

func giveBack(windows []*window) {
	for _, w := range windows {
		w.room <- struct{}{}
	}
}

// nextInPace is when the next request may follow the last one, which is at once but in the minute after a refusal.
func (l *limits) nextInPace() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if next := l.last.Add(l.pace); next.Before(l.pacedUntil) {
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

// window lets so many requests through in any period of its length, one after another in the order in which they come.
// A request may arrive at any time until its answer is here, so its place is taken until a window's length after that.
type window struct {
	length time.Duration
	turn   chan struct{}
	room   chan struct{}
}

func newWindow(most int, length time.Duration) *window {
	w := &window{length: length, turn: make(chan struct{}, 1), room: make(chan struct{}, most)}
	for range most {
		w.room <- struct{}{}
	}
	return w
}

// take blocks until the window has room, and keeps those behind waiting until release. An error takes nothing.
func (w *window) take(ctx context.Context) (release func(), err error) {
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	release = func() { <-w.turn }
	select {
	case <-w.room:
		return release, nil
	case <-ctx.Done():
		release()
		return nil, ctx.Err()
	}
}

// leave makes room again in time.
func (w *window) leave() {
	time.AfterFunc(w.length, func() { w.room <- struct{}{} })
}
