package emulator

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"mime"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// call is one request to the control API, as its handler sees it.
type call struct {
	*http.Request
	body []byte
	now  time.Time
	key  *apiKey
	// project, org and branch are those of the path, where it names one.
	project *project
	org     *organization
	branch  *branch
	// isBodyOptional says that the body may be left out.
	isBodyOptional bool
	// queryRefusal is for the first parameter of the query that is invalid, nil for none.
	queryRefusal error
	// isOfAccounts says that it also changes what belongs to no project, or which projects there are.
	isOfAccounts bool
	// work ends with the work on databases that the call has begun, nil for none.
	work <-chan struct{}
	// finish returns the answer's body where that takes work on databases, nil where the
	// handler does. Others use the world meanwhile.
	finish func(ctx context.Context) (any, error)
}

// reply is a success.
type reply struct {
	status int
	// body is sent as JSON; there is none when it is nil.
	body any
}

func ok(body any) (reply, error)      { return reply{http.StatusOK, body}, nil }
func created(body any) (reply, error) { return reply{http.StatusCreated, body}, nil }

// alreadyGone answers the deletion of what isn't there.
func alreadyGone() (reply, error) { return reply{status: http.StatusNoContent}, nil }

// decode reads the body, with these fields (wire.Decode).
func (c *call) decode(into any, required ...string) error {
	if c.isBodyOptional && len(bytes.TrimSpace(c.body)) == 0 {
		return nil
	}
	if len(c.body) > 0 {
		kind, _, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
		if err != nil || kind != "application/json" {
			return wire.BadRequest("invalid request: decode request: unexpected Content-Type: %q", c.Header.Get("Content-Type"))
		}
	}
	return wire.Decode(c.body, into, required...)
}

// query returns a parameter of the query, empty where it isn't there: the official tools send empty ones as absent.
func (c *call) query(name string) string { return c.URL.Query().Get(name) }

// refuseQuery has the call refused for a parameter of the query, unless it is already. It is the answer whatever the
// handler returns then; one that changes something asks for it first.
func (c *call) refuseQuery(name, problem string) {
	c.queryRefusal = cmp.Or(c.queryRefusal, badQuery(name, problem))
}

// requireQuery returns a parameter of the query. A call without it is refused.
func (c *call) requireQuery(name string) string {
	text := c.query(name)
	if text == "" {
		c.refuseQuery(name, "field required")
	}
	return text
}

// queryAs reads a parameter of the query, and returns the fallback where it isn't there. What can't be read is refused
// with what it must be.
func queryAs[T any](c *call, name string, fallback T, must string, read func(text string) (T, bool)) T {
	text := c.query(name)
	if text == "" {
		return fallback
	}
	value, fits := read(text)
	if !fits {
		c.refuseQuery(name, must)
		return fallback
	}
	return value
}

func (c *call) queryInt(name string, fallback, least, most int) int {
	must := "must be an integer from " + strconv.Itoa(least) + " to " + strconv.Itoa(most)
	return queryAs(c, name, fallback, must, func(text string) (int, bool) {
		value, err := strconv.Atoi(text)
		return value, err == nil && value >= least && value <= most
	})
}

func (c *call) queryBool(name string) bool {
	return queryAs(c, name, false, "must be a boolean", func(text string) (bool, bool) {
		value, err := strconv.ParseBool(text)
		return value, err == nil
	})
}

func (c *call) queryOneOf(name, fallback string, allowed ...string) string {
	return queryAs(c, name, fallback, "must be one of "+strings.Join(allowed, ", "), func(text string) (string, bool) {
		return text, slices.Contains(allowed, text)
	})
}

func (c *call) queryMatching(name string, pattern *regexp.Regexp) string {
	return queryAs(c, name, "", "must match "+pattern.String(),
		func(text string) (string, bool) { return text, pattern.MatchString(text) })
}

// queryTime is zero where there is none.
func (c *call) queryTime(name string) time.Time {
	return queryAs(c, name, time.Time{}, wire.TimeForm, func(text string) (time.Time, bool) {
		at, isTime := wire.ReadTime(text)
		return at.UTC().Truncate(time.Second), isTime
	})
}

func badQuery(name, problem string) error {
	return wire.BadRequest("invalid request: decode params: query: %q: %s", name, problem)
}

func badPath(name, problem string) error {
	return wire.BadRequest("invalid request: decode params: path: %q: %s", name, problem)
}

// contains is the search of the lists: a part of a name or an id, whatever the case.
func contains(search string, texts ...string) bool {
	if search == "" {
		return true
	}
	search = strings.ToLower(search)
	return slices.ContainsFunc(texts, func(text string) bool {
		return strings.Contains(strings.ToLower(text), search)
	})
}

// object is one in an answer.
type object = map[string]any

// unlessEmpty is an object without those of these fields that are empty.
func unlessEmpty(of object, optional ...string) object {
	for _, name := range optional {
		if value := reflect.ValueOf(of[name]); !value.IsValid() || value.IsZero() {
			delete(of, name)
		}
	}
	return of
}

// named finds the one whose id is a part of the path.
func named[T any](c *call, all []*T, parameter string, idOf func(*T) string, missing string) (*T, error) {
	if found := find(all, func(one *T) bool { return idOf(one) == c.PathValue(parameter) }); found != nil {
		return found, nil
	}
	return nil, wire.NotFound("%s", missing)
}

// viewsOf are the views of all, an empty list for none.
func viewsOf[T, V any](all []T, view func(T) V) []V {
	views := make([]V, len(all))
	for i, one := range all {
		views[i] = view(one)
	}
	return views
}

// sorted returns the values of a map by age.
func sorted[K comparable, V any](all map[K]V, age func(V) (time.Time, string)) []V {
	return slices.SortedFunc(maps.Values(all), func(a, b V) int {
		timeA, idA := age(a)
		timeB, idB := age(b)
		return cmp.Or(timeA.Compare(timeB), strings.Compare(idA, idB))
	})
}
