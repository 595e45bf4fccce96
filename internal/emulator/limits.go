package emulator

import (
	"net/http"
	"time"
)

// The rate limits (API document, section 8). They are counted over the account,
// by the real clock: the world's may jump.
const (
	requestsPerMinute     = 700
	requestsPerSecond     = 40
	orgKeyCreationsPerSec = 10
	orgKeyCreation        = "POST /api/v2/organizations/{org_id}/api_keys"
)

// limits remembers when requests were let through.
type limits struct {
	all     []time.Time
	byRoute map[string][]time.Time
}

// admit refuses a request that would be one too many.
func (l *limits) admit(route string, now time.Time) error {
	l.all = after(l.all, now.Add(-time.Minute))
	mine := after(l.byRoute[route], now.Add(-time.Second))
	burst := requestsPerSecond
	if route == orgKeyCreation {
		burst = orgKeyCreationsPerSec
	}
	if len(l.all) >= requestsPerMinute || len(mine) >= burst {
		return refuse(http.StatusTooManyRequests, "rate limit exceeded")
	}
	if l.byRoute == nil {
		l.byRoute = map[string][]time.Time{}
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
