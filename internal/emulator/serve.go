package emulator

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var (
	controlAPI = api{limited: true, refusal: func(failure *wire.Error, requestID string) any {
		body := map[string]string{"request_id": requestID, "code": failure.Code, "message": failure.Message}
		if failure.Reason != "" {
			body["reason"] = failure.Reason
		}
		return body
	}}
	claimableAPI = api{refusal: func(failure *wire.Error, _ string) any {
		body := map[string]string{"message": failure.Message}
		if failure.Hint != "" {
			body["hint"] = failure.Hint
		}
		return body
	}}
	// storageAPI is the object storage behind the addresses that the control API signs.
	storageAPI = api{refusal: func(failure *wire.Error, _ string) any {
		return map[string]string{"message": failure.Message}
	}}
)

// serve takes a request to one of the APIs through what every one meets: the
// counters, the rate limits, the faults, and then its handler.
func (e *Emulator) serve(w http.ResponseWriter, r *http.Request, of api, route string, handle handler) {
	requestID := cmp.Or(r.Header.Get("X-Request-ID"), wire.NewUUID())
	w.Header().Set("X-Request-ID", requestID)
	w.Header().Set("x-neon-ret-request-id", requestID)
	m := control.Meeting{W: w, R: r, Refusal: func(err error) []byte {
		return wire.Encode(of.refusal(wire.FailureOf(err), requestID))
	}}
	met, err := e.admit(r, of, route)
	e.lateFor(route)
	if err == nil && met.Comes() == control.Before {
		e.end(met, m)
		return
	}
	var body []byte
	if err == nil {
		body, err = e.readBody(w, r, route)
	}
	if err != nil {
		if after := wire.FailureOf(err).RetryAfter; after != "" {
			w.Header().Set("Retry-After", after)
		}
		e.answer(w, r, wire.StatusOf(err), m.Refusal(err))
		return
	}
	detached := r.WithContext(context.WithoutCancel(r.Context()))
	run := func() (int, []byte) {
		status, answer := e.run(detached, body, withHeaders(w, handle), m.Refusal)
		if of.challenges && status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", e.challenge(r))
		}
		return status, answer
	}
	switch met.Comes() {
	case control.After:
		m.Status, m.Answer = run()
	case control.Later:
		// Nobody waits for its answer, and so not for work on databases.
		e.later(met.Lasts, route, func() { _, _, _ = e.changeAndKeep(&call{Request: detached, body: body}, handle) })
	}
	if met == nil {
		e.answer(w, r, m.Status, m.Answer)
		return
	}
	e.end(met, m)
}

// end lets a fault end its request.
func (e *Emulator) end(met *control.Fault, m control.Meeting) {
	e.countStatus(met.Told(m))
	met.End(m)
}

// withHeaders is a handler that sets the headers of answers that aren't JSON.
func withHeaders(w http.ResponseWriter, handle handler) handler {
	return func(e *Emulator, c *call) (reply, error) {
		said, err := handle(e, c)
		if file, isFile := said.body.(wire.File); isFile && err == nil {
			set := func(name, value string) {
				if value != "" {
					w.Header().Set(name, value)
				}
			}
			set("Content-Type", file.Type)
			set("ETag", file.ETag)
			if file.ETag != "" {
				set("Content-Security-Policy", "sandbox") // It is somebody's, and at the address of the control path.
			}
		}
		return said, err
	}
}

// readBody reads a body, which mustn't be too long for its route nor take too long to arrive; else it returns the
// refusal.
func (e *Emulator) readBody(w http.ResponseWriter, r *http.Request, route string) ([]byte, error) {
	var largest int64 = largestBody
	if strings.HasSuffix(route, deployments) {
		largest = largestDeployment
	}
	if route == uploadRoute {
		largest = largestObject
	}
	connection := http.NewResponseController(w)
	// Without a connection, as in tests, nothing is late.
	_ = connection.SetReadDeadline(time.Now().Add(e.bodyPatience))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largest))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil: // Else the server would wait for the rest.
		_ = connection.SetReadDeadline(time.Time{})
		return body, nil
	case errors.As(err, &tooLarge) && route == uploadRoute:
		return nil, wire.Refuse(http.StatusRequestEntityTooLarge, "the emulator takes objects of up to %d bytes",
			largestObject)
	}
	return nil, wire.BadRequest("invalid request: %v", err)
}

// admit counts a request, refuses it if it is one too many, and says what fault
// it meets once the slow ones are over.
func (e *Emulator) admit(r *http.Request, of api, route string) (*control.Fault, error) {
	e.mu.Lock()
	e.requests.Total++
	e.requests.ByRoute[route]++
	if e.config.Limits != LimitsOff && of.limited {
		if err := e.limits.admit(e.config.Limits, route, e.config.Now()); err != nil {
			if refusal, isOurs := errors.AsType[*wire.Error](err); isOurs && e.plays(doubts.RateLimits, "told") {
				refusal.RetryAfter = "1"
			}
			e.mu.Unlock()
			return nil, err
		}
	}
	delay, met := e.faults.Take(route)
	e.mu.Unlock()
	if delay > 0 {
		control.Wait(r.Context(), delay)
	}
	return met, nil
}

func (e *Emulator) answer(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	e.countStatus(strconv.Itoa(status))
	w.Header().Set("Date", e.date())
	if isFile := w.Header().Get("ETag") != "" && r.Method == http.MethodGet; isFile && status == http.StatusOK {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body)) // Or the part that was asked for.
		return
	}
	wire.Send(w, status, body)
}

// challenge says where to get a token.
func (e *Emulator) challenge(r *http.Request) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return `Bearer resource_metadata="` + e.baseURLFor(r) + resourcePath + `"`
}

// date is the world's time, as a header has it.
func (e *Emulator) date() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.now().Format(http.TimeFormat)
}

func (e *Emulator) countStatus(status string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.requests.ByStatus[status]++
}
