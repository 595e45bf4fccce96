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

// FaultSlow is the kind that delays a request beside another fault.
const FaultSlow = "slow"

// Moment is when a fault comes upon a request.
type Moment int

// A request has its effect unless its fault comes before it or in its place.
const (
	After Moment = iota
	Before
	// Instead is once the body has come: only then the server notices that a client gives up.
	Instead
	// Later is Instead, but that the effect follows.
	Later
)

// kind is what a fault of it does.
type kind struct {
	name, effect string
	comes        Moment
	// needsStatus and needsDelay say what such a fault must have.
	needsStatus, needsDelay bool
	end                     func(f *Fault, m Meeting)
}

// kinds are all of them, as the index and the reference have them.
var kinds = []kind{
	{name: "status", effect: "The answer has this `status`, `retry_after` and `body`. The request has no effect.",
		comes: Before, needsStatus: true, end: (*Fault).answer},
	{name: "status_after", effect: "The same answer, after the request has had its effect.", needsStatus: true,
		end: (*Fault).answer},
	{
		name: "late", effect: "The same answer at once; the request has its effect after `delay` by the world's clock, or " +
			"else right before the next request of the route.",
		comes: Later, needsStatus: true, end: (*Fault).answer,
	},
	{name: "lost_before", effect: "The connection breaks. The request has no effect.", comes: Before, end: (*Fault).drop},
	{name: "lost_after", effect: "The connection breaks after the request has had its effect.", end: (*Fault).drop},
	{name: "cut_body", effect: "The connection breaks in the middle of the answer, after the request has had " +
		"its effect.", end: (*Fault).cut},
	{
		name: "hang", effect: "The connection stays silent until the client gives up, or breaks after `delay`. The request " +
			"has no effect.",
		comes: Instead, end: (*Fault).silence,
	},
	{name: FaultSlow, effect: "The request waits for `delay`, and is then served, unless another fault hits it.",
		needsDelay: true},
}

// FaultKinds are the names of all kinds.
func FaultKinds() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// FaultEffects say what each kind does to a request.
func FaultEffects() map[string]string {
	effects := map[string]string{}
	for _, k := range kinds {
		effects[k.name] = k.effect
	}
	return effects
}

func kindNamed(name string) *kind {
	if at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name }); at >= 0 {
		return &kinds[at]
	}
	return nil
}

// Fault makes requests go wrong.
type Fault struct {
	ID          int             `json:"id"`
	Route       string          `json:"route" says:"method and path of a route, with its placeholders as in the example, or * for all"`
	Kind        string          `json:"kind" says:"what happens to the request: status, status_after, late, lost_before, lost_after, cut_body, hang or slow"`
	Status      int             `json:"status,omitempty" says:"the status of the answer"`
	RetryAfter  *int            `json:"retry_after,omitempty" says:"the header Retry-After of the answer, in seconds"`
	Body        json.RawMessage `json:"body,omitempty" says:"the body of the answer; a string is a page of HTML"`
	Delay       string          `json:"delay,omitempty" fits:"duration,empty" says:"how long slow and late wait and hang stays silent, a duration such as 2s"`
	Count       int             `json:"count,omitempty" fits:"0.." says:"how many requests it hits; all by default"`
	Probability float64         `json:"probability,omitempty" says:"how likely the fault hits a request, from 0 to 1; 1 by default"`
	Seed        uint64          `json:"seed,omitempty" fits:"0.." says:"seed of the random numbers behind probability"`
	Hits        int             `json:"hits"`

	// Lasts is Delay, once it was checked.
	Lasts  time.Duration `json:"-"`
	random *rand.Rand
}

// prepare checks a fault that was asked for on one of the routes.
func (f *Fault) prepare(routes []string) error {
	of := kindNamed(f.Kind)
	if of == nil {
		return wire.BadRequest("kind is %q; it must be one of %s", f.Kind, strings.Join(FaultKinds(), ", "))
	}
	if of.needsStatus && (f.Status < 200 || f.Status > 599) {
		return wire.BadRequest("status is %d; with kind %s it must be from 200 to 599", f.Status, f.Kind)
	}
	if f.Lasts, _ = time.ParseDuration(f.Delay); of.needsDelay && f.Lasts == 0 { // It is one, or empty.
		return wire.BadRequest("delay is %q; it must be a duration such as 2s", f.Delay)
	}
	if f.Route != "*" && !slices.Contains(routes, f.Route) {
		return wire.BadRequest("route is %q; it must be that of a route with its placeholders, such as %s, or *", f.Route,
			routes[0])
	}
	if f.Probability < 0 || f.Probability > 1 {
		return wire.BadRequest("probability is %v; it must be from 0 to 1", f.Probability)
	}
	f.random = rand.New(rand.NewPCG(f.Seed, f.Seed))
	return nil
}

// spent reports whether it has hit all the requests that it was to hit.
func (f *Fault) spent() bool { return f.Count > 0 && f.Hits >= f.Count }

// Comes is when the fault comes upon its request; After for none.
func (f *Fault) Comes() Moment {
	if f == nil {
		return After
	}
	return kindNamed(f.Kind).comes
}

// Meeting is a request that meets a fault.
type Meeting struct {
	W http.ResponseWriter
	R *http.Request
	// Refusal is the body of an error.
	Refusal func(error) []byte
	// Status and Answer are what the request was to be answered with, if it had its effect.
	Status int
	Answer []byte
}

// Told is the status that the client gets to see: "lost" for none.
func (f *Fault) Told(m Meeting) string {
	switch {
	case kindNamed(f.Kind).needsStatus:
		return strconv.Itoa(f.Status)
	case f.Kind == "cut_body" && len(m.Answer) > 0:
		return strconv.Itoa(m.Status)
	}
	return "lost"
}

// End is what the fault does at its moment, which is the end of the request.
func (f *Fault) End(m Meeting) { kindNamed(f.Kind).end(f, m) }

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

// answer sends the status of the fault.
func (f *Fault) answer(m Meeting) {
	body, kind := m.Refusal(wire.Refuse(f.Status, "%s", http.StatusText(f.Status))), "application/json"
	if f.Body != nil {
		var text string
		if body = f.Body; json.Unmarshal(f.Body, &text) == nil {
			body, kind = []byte(text), "text/html"
		}
	}
	m.W.Header().Set("Content-Type", kind)
	if f.RetryAfter != nil {
		m.W.Header().Set("Retry-After", strconv.Itoa(*f.RetryAfter))
	}
	m.W.WriteHeader(f.Status)
	_, _ = m.W.Write(body) // A client that has gone needs no answer.
}

// drop ends the connection without an answer.
func (f *Fault) drop(Meeting) {
	// The server closes the connection, and logs nothing.
	panic(http.ErrAbortHandler)
}

// silence says nothing until the client gives up, or the connection breaks after the fault's delay.
func (f *Fault) silence(m Meeting) {
	if f.Lasts > 0 {
		Wait(m.R.Context(), f.Lasts)
	} else {
		<-m.R.Context().Done()
	}
	f.drop(m)
}

// cut sends half of the body that the headers announce, then ends the connection.
func (f *Fault) cut(m Meeting) {
	if len(m.Answer) > 0 {
		m.W.Header().Set("Content-Type", "application/json")
		m.W.Header().Set("Content-Length", strconv.Itoa(len(m.Answer)))
		m.W.WriteHeader(m.Status)
		_, _ = m.W.Write(m.Answer[:len(m.Answer)/2])
		_ = http.NewResponseController(m.W).Flush()
	}
	f.drop(m)
}
