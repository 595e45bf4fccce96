package client

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// clock is Neon's, by the Date of its last answer. The machine's may be wrong, and the emulator's can be moved ahead.
type clock struct {
	asked   sync.Once
	isKnown atomic.Bool
	ahead   atomic.Int64 // of ours, a [time.Duration]
}

func (c *clock) note(response *http.Response) {
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		c.ahead.Store(int64(time.Until(date)))
		c.isKnown.Store(true)
	}
}

// Now returns the time by Neon's clock, at most about a second before it, or by ours where no answer has a Date. If
// nothing was answered yet, it asks for the regions.
// GET /regions: https://api-docs.neon.tech/reference/getactiveregions
func (c *Client) Now(ctx context.Context) time.Time {
	c.clock.asked.Do(func() {
		if !c.clock.isKnown.Load() {
			_, _ = All(c.ListRegions(ctx, "")) // A refusal has the time, too.
		}
	})
	return time.Now().Add(time.Duration(c.clock.ahead.Load()))
}
