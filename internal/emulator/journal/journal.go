// Package journal remembers the last requests, for the log and the page.
package journal

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// Length is how many of the last requests are remembered.
	Length = 300
	// longestNote is how much of what somebody sent or was told is remembered, in bytes.
	longestNote = 300
	// longestRefusal is how much of an answer is read for its message.
	longestRefusal = 4096
)

// Request is a request to one of the APIs, or to the claim page, that is over.
type Request struct {
	ID int
	// At is the world's time at which it came, Took the real time until it was answered.
	At   time.Time
	Took time.Duration

	Method, Path, ProjectID string
	// Status is zero where there was no answer.
	Status int
	// Cut says that the connection broke during the answer.
	Cut bool
	// Key says whose the request was, Why what a refusal said.
	Key, Why string
}

// Journal remembers the last requests.
type Journal struct {
	// Log gets a line for each, nil for nobody.
	Log io.Writer

	mu   sync.Mutex
	last int
	seen []Request
}

func (j *Journal) add(r Request) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	r.ID = j.last
	if len(j.seen) == Length {
		j.seen = append(j.seen[:0], j.seen[1:]...)
	}
	j.seen = append(j.seen, r)
	if j.Log != nil {
		_, _ = fmt.Fprintln(j.Log, r.line()) // Nobody waits for the log.
	}
}

// Newest returns those that are remembered, the newest first.
func (j *Journal) Newest() []Request {
	j.mu.Lock()
	defer j.mu.Unlock()
	found := slices.Clone(j.seen)
	slices.Reverse(found)
	return found
}

// Outcome is what became of the request.
func (r Request) Outcome() string {
	switch {
	case r.Status == 0:
		return "no answer"
	case r.Cut:
		return strconv.Itoa(r.Status) + ", cut off"
	default:
		return strconv.Itoa(r.Status)
	}
}

// Refused reports whether it came to nothing, as far as its sender knows.
func (r Request) Refused() bool {
	return r.Status == 0 || r.Cut || r.Status >= http.StatusBadRequest
}

func (r Request) line() string {
	text := fmt.Sprintf("%s %s %s %s %s", r.At.Format("15:04:05.000"), r.Method, r.Path, r.Outcome(), InWords(r.Took))
	if r.Key != "" {
		text += " key: " + r.Key
	}
	if r.Why != "" {
		text += " refused: " + strconv.Quote(r.Why)
	}
	return text
}

// Observe has a request served, and notes it.
func (j *Journal) Observe(w http.ResponseWriter, r *http.Request, seen Request, served http.Handler) {
	began := time.Now()
	recorded := &recorder{ResponseWriter: w}
	defer func() {
		broken := recover()
		seen.Took, seen.Status, seen.Cut = time.Since(began), recorded.status, broken != nil && recorded.status != 0
		seen.Method, seen.Path, seen.ProjectID, seen.Why = r.Method, shownPath(r), r.PathValue("project_id"),
			recorded.message()
		j.add(seen)
		if broken != nil {
			panic(broken) // The server ends the connection.
		}
	}()
	served.ServeHTTP(recorded, r)
}

// shownPath is what a request asked for. Whoever has the id of a claimable database can
// claim it, so of that only the route is shown.
func shownPath(r *http.Request) string {
	if r.PathValue("id") != "" {
		_, path, _ := strings.Cut(r.Pattern, " ")
		return path
	}
	return shorten(r.URL.RequestURI())
}

func shorten(text string) string {
	if len(text) > longestNote {
		return text[:longestNote] + "…"
	}
	return text
}

// recorder remembers what is said in an answer.
type recorder struct {
	http.ResponseWriter
	status int
	// refusal is the beginning of what an answer says that is no success.
	refusal []byte
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(text []byte) (int, error) {
	if r.status >= http.StatusBadRequest && len(r.refusal) < longestRefusal {
		r.refusal = append(r.refusal, text[:min(len(text), longestRefusal)]...)
	}
	return r.ResponseWriter.Write(text)
}

// Unwrap lets a fault end the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// message is what a refusal says, empty for a success.
func (r *recorder) message() string {
	var body struct {
		Message string `json:"message"`
	}
	switch {
	case len(r.refusal) == 0:
		return ""
	case json.Unmarshal(r.refusal, &body) != nil || body.Message == "":
		return http.StatusText(r.status)
	default:
		return shorten(body.Message)
	}
}

// Duration is how long the request took, in words.
func (r Request) Duration() string { return InWords(r.Took) }

// InWords is a time that something took.
func InWords(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(10 * time.Microsecond).String()
	case d < time.Minute:
		return d.Round(time.Millisecond).String()
	default:
		return d.Round(time.Second).String()
	}
}
