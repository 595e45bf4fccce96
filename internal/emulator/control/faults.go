package control

import (
	"context"
	"encoding/json"
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
	FaultStatus      = "status"
	FaultStatusAfter = "status_after"
	FaultLate        = "late"
	FaultLostBefore  = "lost_before"
	FaultLostAfter   = "lost_after"
	FaultCutBody     = "cut_body"
	FaultHang        = "hang"
	FaultSlow        = "slow"
)

// FaultKinds are all of them.
var FaultKinds = []string{
	FaultStatus, FaultStatusAfter, FaultLate, FaultLostBefore, FaultLostAfter, FaultCutBody, FaultHang, FaultSlow,
}

// FaultEffects say what each kind does to a request, as the index and the reference have it.
var FaultEffects = map[string]string{
	FaultStatus:      "The answer has this `status`, `retry_after` and `body`. The request has no effect.",
	FaultStatusAfter: "The same answer, after the request has had its effect.",
	FaultLate:        "The same answer at once; the request has its effect after `delay` by the world's clock, or else right before the next request of the route.",
	FaultLostBefore:  "The connection breaks. The request has no effect.",
	FaultLostAfter:   "The connection breaks after the request has had its effect.",
	FaultCutBody:     "The connection breaks in the middle of the answer, after the request has had its effect.",
	FaultHang:        "The connection stays silent until the client gives up, or breaks after `delay`. The request has no effect.",
	FaultSlow:        "The request waits for `delay`, and is then served, unless another fault hits it.",
}

// Fault makes requests go wrong.
type Fault struct {
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

	// Lasts is Delay, once it was checked.
	Lasts  time.Duration `json:"-"`
	random *rand.Rand
}

// prepare checks a fault that was asked for on one of the routes.
func (f *Fault) prepare(routes []string) error {
	needsStatus, needsDelay := false, f.Delay != ""
	switch f.Kind {
	case FaultStatus, FaultStatusAfter, FaultLate:
		needsStatus = true
	case FaultSlow:
		needsDelay = true
	case FaultHang, FaultLostBefore, FaultLostAfter, FaultCutBody:
	default:
		return wire.BadRequest("kind is %q; it must be one of %s", f.Kind, strings.Join(FaultKinds, ", "))
	}
	if needsStatus && (f.Status < 200 || f.Status > 599) {
		return wire.BadRequest("status is %d; with kind %s it must be from 200 to 599", f.Status, f.Kind)
	}
	if needsDelay {
		var err error
		if f.Lasts, err = time.ParseDuration(f.Delay); err != nil || f.Lasts <= 0 {
			return wire.BadRequest("delay is %q; it must be a duration such as 2s", f.Delay)
		}
	}
	if f.Route != "*" && !slices.Contains(routes, f.Route) {
		return wire.BadRequest("route is %q; it must be that of a route with its placeholders, such as %s, or *", f.Route, routes[0])
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

// spent reports whether it has hit all the requests that it was to hit.
func (f *Fault) spent() bool { return f.Count > 0 && f.Hits >= f.Count }

// Is reports whether f is of that kind; it is safe to call on nil.
func (f *Fault) Is(kind string) bool { return f != nil && f.Kind == kind }

// Silence says nothing until the client gives up, or the connection breaks after
// the fault's delay.
func (f *Fault) Silence(ctx context.Context) {
	if f.Lasts > 0 {
		Wait(ctx, f.Lasts)
		return
	}
	<-ctx.Done()
}

// Faults are those that requests meet, the oldest first.
type Faults struct {
	all  []*Fault
	last int
}

// Take returns the faults that a request on a route meets: at most one beside
// the slow ones. One without a count goes on until the faults are deleted, one
// without a probability is certain.
func (faults *Faults) Take(route string) (delay time.Duration, met *Fault) {
	for _, f := range faults.all {
		if f.Route != "*" && f.Route != route || f.spent() || met != nil && f.Kind != FaultSlow {
			continue
		}
		if f.Probability > 0 && f.random.Float64() >= f.Probability {
			continue
		}
		f.Hits++
		if f.Kind == FaultSlow {
			delay += f.Lasts
		} else {
			met = f
		}
	}
	return delay, met
}

// MostSpent is how many faults are still listed that no request can meet.
const MostSpent = 100

// forgetSpent drops the oldest of them where there are too many.
func (faults *Faults) forgetSpent() {
	spent := 0
	for _, f := range faults.all {
		if f.spent() {
			spent++
		}
	}
	if spent > MostSpent {
		first := slices.IndexFunc(faults.all, (*Fault).spent)
		faults.all = slices.Delete(faults.all, first, first+1)
	}
}

// Add adds a fault on one of the routes.
func (faults *Faults) Add(f *Fault, routes []string) error {
	if err := f.prepare(routes); err != nil {
		return err
	}
	faults.last++
	f.ID, f.Hits = faults.last, 0
	faults.all = append(faults.all, f)
	faults.forgetSpent()
	return nil
}

// List returns copies of all.
func (faults *Faults) List() []Fault {
	copies := make([]Fault, 0, len(faults.all))
	for _, f := range faults.all {
		copies = append(copies, *f)
	}
	return copies
}

// Forget removes all faults.
func (faults *Faults) Forget() { faults.all = nil }

// ForgetOne removes one, and reports whether there was one of that id.
func (faults *Faults) ForgetOne(id string) bool {
	before := len(faults.all)
	faults.all = slices.DeleteFunc(slices.Clone(faults.all), func(f *Fault) bool { return strconv.Itoa(f.ID) == id })
	return len(faults.all) < before
}

// Wait is over when the delay is, or when the client has gone.
func Wait(ctx context.Context, delay time.Duration) {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Answer sends the status of a fault.
func (f *Fault) Answer(w http.ResponseWriter, fallback func(error) []byte) {
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

// Drop ends the connection without an answer.
func Drop(http.ResponseWriter) {
	// The server closes the connection, and logs nothing.
	panic(http.ErrAbortHandler)
}

// Cut sends half of the body that the headers announce, then ends the connection.
func Cut(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body[:len(body)/2])
	_ = http.NewResponseController(w).Flush()
	Drop(w)
}
