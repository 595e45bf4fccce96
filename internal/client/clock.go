package client

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"
)

// clockTolerance is how far times of Neon's may be apart, in whole seconds by clocks that differ a little.
const clockTolerance = 2 * time.Second

// clock is Neon's, by the Date of its answers. The machine's may be wrong, and the emulator's can be moved ahead.
type clock struct {
	// ahead is how far it is ahead of ours, less a second at most; nil where that isn't known.
	ahead atomic.Pointer[time.Duration]
}

// note takes the time from an answer that begins to arrive. Its Date, in whole seconds, may be of any moment since the
// request was sent. After a slow answer, what quicker ones have said may be closer, and is kept.
func (c *clock) note(sent time.Time, response *http.Response) {
	date, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return
	}
	ahead, most := time.Until(date), date.Add(time.Second).Sub(sent)
	if known := c.ahead.Load(); known != nil {
		ahead = max(ahead, min(*known, most))
	}
	c.ahead.Store(&ahead)
}

// at is a moment of ours by Neon's clock, or by ours where that isn't known.
func (c *clock) at(moment time.Time) time.Time {
	if ahead := c.ahead.Load(); ahead != nil {
		return moment.Add(*ahead)
	}
	return moment
}

func (c *clock) now() time.Time { return c.at(time.Now()) }

// since is how long ago Neon changed something; 0 where that isn't known.
func (c *clock) since(change time.Time) time.Duration {
	if c.ahead.Load() == nil || change.IsZero() {
		return 0
	}
	return max(c.now().Sub(change), 0)
}

// isBefore reports whether a change of Neon's was made before we began, as far as clocks can tell. What another run has
// created in the two seconds before counts as created since: Neon says its times in whole seconds, and neither an
// object nor an operation says which request it comes from.
func (c *clock) isBefore(change, began time.Time) bool {
	return c.since(change) > time.Since(began)+clockTolerance
}

// Now returns the time by Neon's clock, at most about a second before it, or by ours where no answer has a Date. If
// nothing was answered yet, it asks for the regions, once for all who want to know it at about the same time.
// GET /regions: https://api-docs.neon.tech/reference/getactiveregions
func (c *Client) Now(ctx context.Context) time.Time {
	if c.clock.ahead.Load() == nil {
		_, _ = shareAnswer(ctx, c, call{route: "/regions"}, func(ctx context.Context) (struct{}, error) {
			_, _ = All(c.ListRegions(ctx, "")) // A refusal has the time, too.
			return struct{}{}, ctx.Err()
		})
	}
	return c.clock.now()
}
