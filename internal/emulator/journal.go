package emulator

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// journalLength is how many of the last requests are remembered.
	journalLength = 300
	// longestNote is how much of what somebody sent or was told is remembered, in bytes.
	longestNote = 300
	// longestRefusal is how much of an answer is read for its message.
	longestRefusal = 4096
)

// seenRequest is a request to one of the APIs, or to the claim page, that is over.
type seenRequest struct {
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

// journal remembers the last requests.
type journal struct {
	// log gets a line for each, nil for nobody.
	log io.Writer

	mu   sync.Mutex
	last int
	seen []seenRequest
}

func (j *journal) add(r seenRequest) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	r.ID = j.last
	if len(j.seen) == journalLength {
		j.seen = append(j.seen[:0], j.seen[1:]...)
	}
	j.seen = append(j.seen, r)
	if j.log != nil {
		_, _ = fmt.Fprintln(j.log, r.line()) // Nobody waits for the log.
	}
}

// since returns those that came after a time, oldest first.
func (j *journal) since(at time.Time) []seenRequest {
	j.mu.Lock()
	defer j.mu.Unlock()
	var found []seenRequest
	for _, r := range j.seen {
		if !r.At.Before(at) {
			found = append(found, r)
		}
	}
	return found
}

// Outcome is what became of the request.
func (r seenRequest) Outcome() string {
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
func (r seenRequest) Refused() bool {
	return r.Status == 0 || r.Cut || r.Status >= http.StatusBadRequest
}

func (r seenRequest) line() string {
	text := fmt.Sprintf("%s %s %s %s %s", r.At.Format("15:04:05.000"), r.Method, r.Path, r.Outcome(), inWords(r.Took))
	if r.Key != "" {
		text += " key: " + r.Key
	}
	if r.Why != "" {
		text += " refused: " + strconv.Quote(r.Why)
	}
	return text
}

// observe has the request served, and writes it into the journal.
func (e *Emulator) observe(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	seen := seenRequest{At: e.now(), Method: r.Method, Key: e.callerName(r)}
	e.mu.Unlock()
	began := time.Now()
	recorded := &recorder{ResponseWriter: w}
	defer func() {
		broken := recover()
		seen.Took, seen.Status, seen.Cut = time.Since(began), recorded.status, broken != nil && recorded.status != 0
		seen.Path, seen.ProjectID, seen.Why = shownPath(r), r.PathValue("project_id"), recorded.message()
		e.journal.add(seen)
		if broken != nil {
			panic(broken) // The server ends the connection.
		}
	}()
	e.mux.ServeHTTP(recorded, r)
}

// callerName says which key a request bears. The caller holds the lock.
func (e *Emulator) callerName(r *http.Request) string {
	token, bears := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	key := e.world.byToken[token]
	switch {
	case !bears:
		return ""
	case key == nil:
		return "unknown"
	default:
		return key.Name + " (" + key.Kind + ")"
	}
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
func (r seenRequest) Duration() string { return inWords(r.Took) }
