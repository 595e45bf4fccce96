package emulator

import (
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"
)

// call is one request on its way through the emulator.
type call struct {
	*http.Request
	key *apiKey
}

func (c call) id(name string) string { return c.PathValue(name) }

type handler func(call) (int, any, *failure)

// handle serves a route of the control API, with a key.
func (e *Emulator) handle(pattern string, serve handler) {
	e.serve(pattern, func(c call) (int, any, *failure) {
		token, ok := strings.CutPrefix(c.Header.Get("Authorization"), "Bearer ")
		key := e.tokens[token]
		if !ok || key == nil || key.revoked {
			return 0, nil, fail(http.StatusUnauthorized, "supplied credentials do not pass authentication")
		}
		now := e.now()
		key.lastUsed = &now
		key.lastAddress, _, _ = net.SplitHostPort(c.RemoteAddr)
		c.key = key
		if key.projectID != "" && c.PathValue("project_id") != key.projectID {
			return 0, nil, fail(http.StatusNotFound,
				`not allowed to perform actions outside the project this key is scoped to; subject_project_id:"`+key.projectID+`"`)
		}
		return serve(c)
	})
}

// serve puts faults and limits around a route.
func (e *Emulator) serve(pattern string, serve handler) {
	e.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		met := e.meet(pattern)
		e.mu.Unlock()
		if met.Kind == "slow" {
			select {
			case <-time.After(met.delay()):
			case <-r.Context().Done():
			}
		}
		switch met.Kind {
		case "lost_before":
			e.count(pattern, "lost")
			drop(w)
			return
		case "status":
			e.count(pattern, strconv.Itoa(met.Status))
			met.refuse(w, r)
			return
		}
		answer := httptest.NewRecorder()
		e.mu.Lock()
		status := e.answer(answer, r, pattern, serve)
		e.mu.Unlock()
		if met.Kind == "lost_after" {
			e.count(pattern, "lost")
			drop(w)
			return
		}
		e.count(pattern, strconv.Itoa(status))
		send(w, answer, met.Kind == "cut_body")
	})
}

// send passes an answer on, or the first half of it.
func send(w http.ResponseWriter, answer *httptest.ResponseRecorder, cut bool) {
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	body := answer.Body.Bytes()
	if cut {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)+10))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(body[:len(body)/2])
		drop(w)
		return
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(body)
}

// refuse answers with the fault's status.
func (f *fault) refuse(w http.ResponseWriter, r *http.Request) {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	if f.Body != "" {
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, f.Body)
		return
	}
	writeJSON(w, f.Status, errorBody(r, "the platform failed on purpose", ""))
}

func (e *Emulator) answer(w http.ResponseWriter, r *http.Request, pattern string, serve handler) int {
	e.expire()
	if e.exceeded(pattern) {
		writeJSON(w, http.StatusTooManyRequests, errorBody(r, "rate limit exceeded", ""))
		return http.StatusTooManyRequests
	}
	w.Header().Set("X-Neon-Ret-Request-Id", newUUID())
	status, body, failed := serve(call{Request: r})
	switch {
	case failed != nil:
		writeJSON(w, failed.status, errorBody(r, failed.message, failed.hint))
		return failed.status
	case body == nil:
		w.WriteHeader(status)
	default:
		writeJSON(w, status, body)
	}
	return status
}

func errorBody(r *http.Request, message, hint string) map[string]any {
	body := map[string]any{"code": "", "message": message}
	if hint != "" {
		body["hint"] = hint
	}
	if id := r.Header.Get("X-Request-Id"); id != "" {
		body["request_id"] = id
	}
	return body
}

// exceeded keeps the rate limits of section 8 of the API document.
func (e *Emulator) exceeded(pattern string) bool {
	if !e.config.Limits || !strings.Contains(pattern, "/api/v2/") {
		return false
	}
	now := time.Now()
	over := false
	check := func(name string, most int, window time.Duration) {
		recent := e.windows[name]
		for len(recent) > 0 && now.Sub(recent[0]) >= window {
			recent = recent[1:]
		}
		if len(recent) >= most {
			over = true
		} else {
			recent = append(recent, now)
		}
		e.windows[name] = recent
	}
	check("all", 700, time.Minute)
	check(pattern, 40, time.Second)
	if pattern == "POST /api/v2/organizations/{org_id}/api_keys" {
		check("organization keys", 10, time.Second)
	}
	return over
}

func (e *Emulator) count(pattern, status string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.counts.Total++
	e.counts.ByRoute[pattern]++
	e.counts.ByStatus[status]++
}

func drop(w http.ResponseWriter) {
	if hijacker, ok := w.(http.Hijacker); ok {
		if connection, _, err := hijacker.Hijack(); err == nil {
			_ = connection.Close()
			return
		}
	}
	panic(http.ErrAbortHandler)
}

type fault struct {
	Route       string   `json:"route"`
	Kind        string   `json:"kind"`
	Status      int      `json:"status,omitempty"`
	Body        string   `json:"body,omitempty"`
	RetryAfter  int      `json:"retry_after,omitempty"`
	Delay       string   `json:"delay,omitempty"`
	Count       *int     `json:"count,omitempty"`
	Probability *float64 `json:"probability,omitempty"`
	Seed        uint64   `json:"seed,omitempty"`
	Hits        int      `json:"hits"`

	random *rand.Rand
}

func (f *fault) delay() time.Duration {
	delay, _ := time.ParseDuration(f.Delay)
	return delay
}

// meet gives the fault that the request runs into; one without a kind is none.
func (e *Emulator) meet(pattern string) *fault {
	for _, f := range e.faults {
		if f.Route != "*" && f.Route != pattern || f.Count != nil && *f.Count <= 0 {
			continue
		}
		if f.Probability != nil && f.random.Float64() >= *f.Probability {
			continue
		}
		if f.Count != nil {
			*f.Count--
		}
		f.Hits++
		return f
	}
	return &fault{}
}

func decode(r io.Reader, into any) *failure {
	raw, err := io.ReadAll(r)
	if err == nil && len(raw) == 0 {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fail(http.StatusBadRequest, "invalid request: decode application/json: invalid: "+wrong.Field)
	}
	if err != nil {
		return fail(http.StatusBadRequest, "invalid request: decode application/json")
	}
	return nil
}

// ServeHTTP serves both APIs, the claim page and the control path.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, pattern := e.mux.Handler(r); pattern == "" {
		writeJSON(w, http.StatusNotFound, errorBody(r, "this route does not exist", ""))
		return
	}
	e.mux.ServeHTTP(w, r)
}
