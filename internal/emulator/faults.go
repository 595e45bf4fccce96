package emulator

import (
	"context"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// Kinds of faults (the control path).
const (
	faultStatus      = "status"
	faultStatusAfter = "status_after"
	faultLate        = "late"
	faultLostBefore  = "lost_before"
	faultLostAfter   = "lost_after"
	faultCutBody     = "cut_body"
	faultHang        = "hang"
	faultSlow        = "slow"
)

var faultKinds = []string{
	faultStatus, faultStatusAfter, faultLate, faultLostBefore, faultLostAfter, faultCutBody, faultHang, faultSlow,
}

// faultEffects say what each kind does to a request, as the index and the reference have it.
var faultEffects = map[string]string{
	faultStatus:      "The answer has this `status`, `retry_after` and `body`. The request has no effect.",
	faultStatusAfter: "The same answer, after the request has had its effect.",
	faultLate:        "The same answer at once; the request has its effect after `delay` by the world's clock, or else right before the next request of the route.",
	faultLostBefore:  "The connection breaks. The request has no effect.",
	faultLostAfter:   "The connection breaks after the request has had its effect.",
	faultCutBody:     "The connection breaks in the middle of the answer, after the request has had its effect.",
	faultHang:        "The connection stays silent until the client gives up, or breaks after `delay`. The request has no effect.",
	faultSlow:        "The request waits for `delay`, and is then served, unless another fault hits it.",
}

// fault makes requests go wrong.
type fault struct {
	ID          int             `json:"id"`
	Route       string          `json:"route" says:"method and path of a route, with its placeholders as in the example, or * for all"`
	Kind        string          `json:"kind" says:"what happens to the request: status, status_after, late, lost_before, lost_after, cut_body, hang or slow"`
	Status      int             `json:"status,omitempty" says:"the status of the answer"`
	RetryAfter  *int            `json:"retry_after,omitempty" says:"the header Retry-After of the answer, in seconds"`
	Body        json.RawMessage `json:"body,omitempty" says:"the body of the answer; a string is a page of HTML"`
	Delay       string          `json:"delay,omitempty" says:"how long slow and late wait and hang stays silent, a duration such as 2s"`
	Count       int             `json:"count,omitempty" says:"how many requests it hits; all by default"`
	Probability float64         `json:"probability,omitempty" says:"how likely the fault hits a request, from 0 to 1; 1 by default"`
	Seed        uint64          `json:"seed,omitempty" says:"seed of the random numbers behind probability"`
	Hits        int             `json:"hits"`

	delay  time.Duration
	random *rand.Rand
}

// prepare checks a fault that was asked for.
func (f *fault) prepare() error {
	needsStatus, needsDelay := false, f.Delay != ""
	switch f.Kind {
	case faultStatus, faultStatusAfter, faultLate:
		needsStatus = true
	case faultSlow:
		needsDelay = true
	case faultHang, faultLostBefore, faultLostAfter, faultCutBody:
	default:
		return wire.BadRequest("kind is %q; it must be one of %s", f.Kind, strings.Join(faultKinds, ", "))
	}
	if needsStatus && (f.Status < 200 || f.Status > 599) {
		return wire.BadRequest("status is %d; with kind %s it must be from 200 to 599", f.Status, f.Kind)
	}
	if needsDelay {
		var err error
		if f.delay, err = time.ParseDuration(f.Delay); err != nil || f.delay <= 0 {
			return wire.BadRequest("delay is %q; it must be a duration such as 2s", f.Delay)
		}
	}
	if f.Route != "*" && !slices.Contains(faultRoutes(), f.Route) {
		return wire.BadRequest("route is %q; it must be that of a route with its placeholders, such as %s, or *", f.Route, faultRoutes()[0])
	}
	if f.Count < 0 {
		return wire.BadRequest("count is %d; it must not be negative", f.Count)
	}
	if f.Probability < 0 || f.Probability > 1 {
		return wire.BadRequest("probability is %v; it must be from 0 to 1", f.Probability)
	}
	f.random = rand.New(rand.NewPCG(f.Seed, f.Seed))
	return nil
}

// faultRoutes are those of both APIs.
func faultRoutes() []string {
	var patterns []string
	for _, r := range controlRoutes {
		patterns = append(patterns, r.pattern)
	}
	return append(patterns, slices.Sorted(maps.Keys(claimableRoutes))...)
}

// spent reports whether it has hit all the requests that it was to hit.
func (f *fault) spent() bool { return f.Count > 0 && f.Hits >= f.Count }

// is reports whether f is of that kind; it is safe to call on nil.
func (f *fault) is(kind string) bool { return f != nil && f.Kind == kind }

// lateEffect is the effect of a request that was answered before: due at a time of the world's, or
// where that is zero, right before the next request of the route.
type lateEffect struct {
	route string
	due   time.Time
	run   func()
}

// later runs an effect after the delay, or right before the next request of the route if there
// is none, unless the emulator is closed by then.
func (e *Emulator) later(delay time.Duration, route string, effect func()) {
	late := lateEffect{route: route, run: effect}
	if delay > 0 {
		late.due = e.worldTime().Add(delay)
		go func() {
			select {
			case <-time.After(delay):
				e.lateFor("")
			case <-e.closed:
			}
		}()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lateEffects = append(e.lateEffects, late)
}

// lateFor runs the effects that are due, and those that wait for the next request of a route.
func (e *Emulator) lateFor(route string) {
	e.mu.Lock()
	now, due := e.now(), []lateEffect(nil)
	e.lateEffects = slices.DeleteFunc(e.lateEffects, func(late lateEffect) bool {
		isDue := late.due.IsZero() && late.route == route || !late.due.IsZero() && !now.Before(late.due)
		if isDue {
			due = append(due, late)
		}
		return isDue
	})
	e.mu.Unlock()
	for _, late := range due {
		late.run()
	}
}

// silence says nothing until the client gives up, or the connection breaks after
// the fault's delay.
func (f *fault) silence(ctx context.Context) {
	if f.delay > 0 {
		wait(ctx, f.delay)
		return
	}
	<-ctx.Done()
}

// takeFaults returns the faults that a request on a route meets: at most one beside
// the slow ones. One without a count goes on until the faults are deleted, one
// without a probability is certain.
func (e *Emulator) takeFaults(route string) (delay time.Duration, met *fault) {
	for _, f := range e.faults {
		if f.Route != "*" && f.Route != route || f.spent() || met != nil && f.Kind != faultSlow {
			continue
		}
		if f.Probability > 0 && f.random.Float64() >= f.Probability {
			continue
		}
		f.Hits++
		if f.Kind == faultSlow {
			delay += f.delay
		} else {
			met = f
		}
	}
	return delay, met
}

// wait is over when the delay is, or when the client has gone.
func wait(ctx context.Context, delay time.Duration) {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// answer sends the status of a fault.
func (f *fault) answer(w http.ResponseWriter, fallback func(error) []byte) {
	body, kind := fallback(wire.Refuse(f.Status, "%s", http.StatusText(f.Status))), "application/json"
	if f.Body != nil {
		var text string
		if body = f.Body; json.Unmarshal(f.Body, &text) == nil {
			body, kind = []byte(text), "text/html"
		}
	}
	w.Header().Set("Content-Type", kind)
	if f.RetryAfter != nil {
		w.Header().Set("Retry-After", strconv.Itoa(*f.RetryAfter))
	}
	w.WriteHeader(f.Status)
	_, _ = w.Write(body) // A client that has gone needs no answer.
}

// drop ends the connection without an answer.
func drop(http.ResponseWriter) {
	// The server closes the connection, and logs nothing.
	panic(http.ErrAbortHandler)
}

// cut sends half of the body that the headers announce, then ends the connection.
func cut(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body[:len(body)/2])
	_ = http.NewResponseController(w).Flush()
	drop(w)
}
