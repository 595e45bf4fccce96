package emulator

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// The rate limits. They are counted over the account,
// by the real clock: the world's may jump.
const (
	requestsPerMinute     = 700
	pacePerSecond         = 11
	paceBurst             = 40
	requestsPerSecond     = 40
	orgKeyCreationsPerSec = 10
	consumptionPerMinute  = 30
	consumptionPath       = "/consumption_history/"
	orgKeyCreation        = "POST /api/v2/organizations/{org_id}/api_keys"
)

// limits remembers when requests were let through.
type limits struct {
	// seen has the times by what is bounded: everything, a route, or what is about consumption.
	seen   map[string][]time.Time
	bucket *rate.Limiter
}

// admit refuses a request that would be one too many.
func (l *limits) admit(reading, route string, now time.Time) error {
	if l.bucket == nil {
		l.seen, l.bucket = map[string][]time.Time{}, rate.NewLimiter(pacePerSecond, paceBurst)
	}
	type bound struct {
		of     string
		window time.Duration
		most   int
	}
	bounds := []bound{{"", time.Minute, requestsPerMinute}, {route, time.Second, requestsPerSecond}}
	if route == orgKeyCreation {
		bounds[1].most = orgKeyCreationsPerSec
	}
	if strings.Contains(route, consumptionPath) { // Neon's documentation, "Consumption metrics".
		bounds = append(bounds, bound{consumptionPath, time.Minute, consumptionPerMinute})
	}
	isOneTooMany := func(b bound) bool {
		l.seen[b.of] = slices.DeleteFunc(l.seen[b.of],
			func(at time.Time) bool { return now.Sub(at) >= b.window })
		return len(l.seen[b.of]) >= b.most
	}
	if slices.ContainsFunc(bounds, isOneTooMany) || reading == LimitsPaced && !l.bucket.AllowN(now, 1) {
		return wire.Refuse(http.StatusTooManyRequests, "rate limit exceeded")
	}
	for _, b := range bounds {
		l.seen[b.of] = append(l.seen[b.of], now)
	}
	return nil
}
