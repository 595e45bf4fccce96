package chaos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The platform's limits for an account, and how much longer than they
// ask for a run may wait: the provider keeps 6 % below the pace, and what was refused is sent
// again after a pause of up to 5 seconds.
const (
	pacePerSecond     = 11
	requestsPerMinute = 700
	mostWaited        = 1.2
	waitSlack         = 5 * time.Second
)

// account has the times of the requests that a platform's limits let through.
type account struct {
	mu      sync.Mutex
	allowed []time.Time
	refused int
	// pauses are what the last refusal of a request asks for with Retry-After, by the request's id.
	pauses map[string]time.Duration
}

func (a *account) note(at time.Time, refused bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if refused {
		a.refused++
		return
	}
	a.allowed = append(a.allowed, at)
}

func (a *account) notePause(requestID string, seconds int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.pauses == nil {
		a.pauses = map[string]time.Duration{}
	}
	a.pauses[requestID] = time.Duration(seconds) * time.Second
}

func (a *account) pause(requestID string) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.pauses[requestID]
}

// watch notes a request to the API, also one whose answer is lost.
func (a *account) watch(next http.Handler, w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/api/v2/") {
		next.ServeHTTP(w, r)
		return
	}
	answer, arrived := &watchedAnswer{ResponseWriter: w}, time.Now()
	defer func() {
		refused := answer.status == http.StatusTooManyRequests
		a.note(arrived, refused)
		if seconds, err := strconv.Atoi(answer.Header().Get("Retry-After")); refused && err == nil {
			a.notePause(r.Header.Get("X-Request-Id"), seconds)
		}
	}()
	next.ServeHTTP(answer, r)
}

type watchedAnswer struct {
	http.ResponseWriter

	status int
}

// WriteHeader notes the status.
func (w *watchedAnswer) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for what else the server's answers can.
func (w *watchedAnswer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// span is a time in which some request of a run waited for the limits.
type span struct{ from, to time.Time }

// asked is how long the limits ask requests that wait all through these spans to wait: as long
// as the pace takes for all that passes meanwhile, whoever sent it, and as long as a minute is
// full.
func (a *account) asked(spans []span) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.SortFunc(a.allowed, time.Time.Compare)
	var asked time.Duration
	for _, s := range spans {
		first, _ := slices.BinarySearchFunc(a.allowed, s.from, time.Time.Compare)
		end, _ := slices.BinarySearchFunc(a.allowed, s.to, time.Time.Compare)
		asked += time.Duration(end-first) * time.Second / pacePerSecond
		for i := requestsPerMinute - 1; i < end; i++ {
			asked += overlap(s, span{a.allowed[i], a.allowed[i-requestsPerMinute+1].Add(time.Minute)})
		}
	}
	return asked
}

func overlap(a, b span) time.Duration {
	to := a.to
	if b.to.Before(to) {
		to = b.to
	}
	return max(to.Sub(later(a.from, b.from)), 0)
}

// waits are those of one run for the limits. It reads the provider's log.
type waits struct {
	account *account

	mu sync.Mutex
	// spans may overlap, and so may pauses, the parts of them that Retry-After asked for; refused
	// is when requests were refused that weren't sent again yet.
	spans, pauses []span
	refused       map[string]time.Time
}

// Write takes in a line of the log.
func (w *waits) Write(line []byte) (int, error) {
	var entry struct {
		Message   string `json:"@message"`
		RequestID string `json:"request_id"`
		Status    int    `json:"status"`
		Waited    int64  `json:"waited_ms"`
		Duration  int64  `json:"duration_ms"`
	}
	if !bytes.Contains(line, []byte("request to the platform")) || json.Unmarshal(line, &entry) != nil {
		return len(line), nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	sent := now.Add(-time.Duration(entry.Duration) * time.Millisecond)
	began := sent.Add(-time.Duration(entry.Waited) * time.Millisecond)
	if refused, ok := w.refused[entry.RequestID]; ok {
		began = refused
		delete(w.refused, entry.RequestID)
		if pause := w.account.pause(entry.RequestID); pause > 0 && !sent.Before(refused.Add(pause)) {
			w.pauses = append(w.pauses, span{refused, refused.Add(pause)})
		}
	}
	if sent.After(began) {
		w.spans = append(w.spans, span{began, sent})
	}
	if entry.Status == http.StatusTooManyRequests {
		w.refused[entry.RequestID] = now
	}
	return len(line), nil
}

// together are the spans without those that others cover.
func together(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.from.Compare(b.from) })
	var all []span
	for _, s := range spans {
		if last := len(all) - 1; last >= 0 && !s.from.After(all[last].to) {
			all[last].to = later(all[last].to, s.to)
			continue
		}
		all = append(all, s)
	}
	return all
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// waited is how long a run waited for the limits, and how long they ask for.
type waited struct{ took, asked time.Duration }

// sum is of all that the run has waited.
func (w *waits) sum() waited {
	w.mu.Lock()
	defer w.mu.Unlock()
	all, pauses := together(w.spans), together(w.pauses)
	return waited{took: length(all), asked: w.account.asked(outside(all, pauses)) + length(pauses)}
}

func length(spans []span) (sum time.Duration) {
	for _, s := range spans {
		sum += s.to.Sub(s.from)
	}
	return sum
}

// outside leaves out of spans what lies in others. Both are in order, and none of them overlap.
func outside(spans, others []span) []span {
	var left []span
	for _, s := range spans {
		for _, o := range others {
			if overlap(s, o) > 0 {
				left = append(left, span{s.from, later(s.from, o.from)})
				s.from = o.to
			}
		}
		left = append(left, s)
	}
	return slices.DeleteFunc(left, func(s span) bool { return !s.to.After(s.from) })
}

// isTooLong reports whether a run is slower than the limits ask for.
func (w waited) isTooLong() bool {
	return w.took > time.Duration(float64(w.asked)*mostWaited)+waitSlack
}

func (w waited) String() string {
	return fmt.Sprintf("waited %.1f s for the limits, which ask for %.1f s", w.took.Seconds(), w.asked.Seconds())
}
