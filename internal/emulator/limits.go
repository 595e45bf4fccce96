package emulator

import (
	"net/http"
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
	orgKeyCreation        = "POST /api/v2/organizations/{org_id}/api_keys"
)

// limits remembers when requests were let through.
type limits struct {
	all []time.Time
	// consumption are those about consumption, which have a limit of their own (Neon's
	// documentation, "Consumption metrics").
	consumption []time.Time
	byRoute     map[string][]time.Time
	bucket      *rate.Limiter
}

// admit refuses a request that would be one too many.
func (l *limits) admit(reading, route string, now time.Time) error {
	l.all = after(l.all, now.Add(-time.Minute))
	mine := after(l.byRoute[route], now.Add(-time.Second))
	burst := requestsPerSecond
	if route == orgKeyCreation {
		burst = orgKeyCreationsPerSec
	}
	if l.bucket == nil {
		l.byRoute, l.bucket = map[string][]time.Time{}, rate.NewLimiter(pacePerSecond, paceBurst)
	}
	isOneTooMany := len(l.all) >= requestsPerMinute || len(mine) >= burst
	if strings.Contains(route, "/consumption_history/") {
		l.consumption = after(l.consumption, now.Add(-time.Minute))
		if isOneTooMany = isOneTooMany || len(l.consumption) >= consumptionPerMinute; !isOneTooMany {
			l.consumption = append(l.consumption, now)
		}
	}
	if isOneTooMany || reading == LimitsPaced && !l.bucket.AllowN(now, 1) {
		return wire.Refuse(http.StatusTooManyRequests, "rate limit exceeded")
	}
	l.all = append(l.all, now)
	l.byRoute[route] = append(mine, now)
	return nil
}

// after leaves out the times that aren't after one.
func after(times []time.Time, begin time.Time) []time.Time {
	for len(times) > 0 && !times[0].After(begin) {
		times = times[1:]
	}
	return times
}
