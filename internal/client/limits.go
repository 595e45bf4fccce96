package client

import (
	"context"
	"net/http"
	"sync"

	"golang.org/x/time/rate"
)

// DefaultRequestsPerMinute is the platform's limit for an account (API
// document, section 8).
const DefaultRequestsPerMinute = 700

// A token bucket lets up to its burst plus what flows in pass within any
// window, so burst and rate together stay below each limit. The rest is room
// for requests that are sent apart and arrive together.
const (
	accountBurst = 40

	routePerSecond = 24
	routeBurst     = 10

	organizationKeysPerSecond = 7
	organizationKeysBurst     = 2
)

// limits keeps the platform's rate limits on our side: so many requests a
// minute for all, 40 a second for each route, 10 a second for the creation of
// organization keys (API document, section 8).
type limits struct {
	account *rate.Limiter

	mu     sync.Mutex
	routes map[string]*routeLimit
}

// routeLimit is a route's limit. Its requests pass one at a time, so that those
// that the route lets through don't gather in front of the account's limit and
// leave it closer together than the route allows.
type routeLimit struct {
	turn    chan struct{}
	limiter *rate.Limiter
}

func newLimits(perMinute int) *limits {
	burst := min(accountBurst, max(1, perMinute/10))
	return &limits{
		account: rate.NewLimiter(rate.Limit(float64(max(1, perMinute*97/100-burst))/60), burst),
		routes:  map[string]*routeLimit{},
	}
}

// wait returns when the request may be sent, or with the context's error. The
// claimable API has no such limits.
func (l *limits) wait(ctx context.Context, request call) error {
	if err := ctx.Err(); err != nil || request.api != controlAPI {
		return err
	}
	own := l.route(request.method, request.route)
	select {
	case own.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-own.turn }()
	for _, limiter := range []*rate.Limiter{own.limiter, l.account} {
		if err := wait(ctx, limiter); err != nil {
			return err
		}
	}
	return nil
}

// wait differs from Limiter.Wait in that it doesn't give up at once where the
// deadline is too close: what ends the request is then the deadline itself.
func wait(ctx context.Context, limiter *rate.Limiter) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	reservation := limiter.Reserve()
	if err := sleep(ctx, reservation.Delay()); err != nil {
		reservation.Cancel()
		return err
	}
	return nil
}

func (l *limits) route(method, route string) *routeLimit {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := method + " " + route
	own, ok := l.routes[name]
	if !ok {
		own = &routeLimit{make(chan struct{}, 1), rate.NewLimiter(routePerSecond, routeBurst)}
		if method == http.MethodPost && route == "/organizations/{org_id}/api_keys" {
			own.limiter = rate.NewLimiter(organizationKeysPerSecond, organizationKeysBurst)
		}
		l.routes[name] = own
	}
	return own
}
