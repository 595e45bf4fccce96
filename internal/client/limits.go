package client

import (
	"context"
	"net/http"
	"sync"

	"golang.org/x/time/rate"
)

// DefaultRequestsPerMinute is Neon's limit for an account (API document, section 8).
const DefaultRequestsPerMinute = 700

// A token bucket passes up to its burst plus its rate within any window, so both
// together stay below each limit. The rest is for requests that are sent apart and
// arrive together.
const (
	accountBurst = 40

	routePerSecond = 24
	routeBurst     = 10

	organizationKeysPerSecond = 7
	organizationKeysBurst     = 2
)

// limits keeps the client within Neon's rate limits: the account's for a minute, 40
// requests a second for each route, and 10 for the creation of organization keys (API
// document, section 8).
type limits struct {
	account *rate.Limiter

	mu     sync.Mutex
	routes map[string]*routeLimit
}

// routeLimit is a route's limit. Its requests pass both limits one at a time: else they
// would gather in front of the account's, and leave it closer together than the route
// allows.
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

// wait differs from Limiter.Wait where the deadline is too close: it waits for the
// deadline rather than failing at once.
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
