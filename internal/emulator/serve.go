package emulator

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const (
	// largestBody is more than any request of either API needs.
	largestBody = 1 << 20
	// usualBodyPatience is how long a body may take to arrive.
	usualBodyPatience = 30 * time.Second
	// deployments ends the route of what may be larger.
	deployments       = "/deployments"
	largestDeployment = 32 << 20
)

// api is one of the two APIs, in what they differ.
type api struct {
	// limited says whether the rate limits count.
	limited bool
	// refusal is the body of an error.
	refusal func(failure *wire.Error, requestID string) any
}

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
	storageAPI = api{refusal: func(failure *wire.Error, _ string) any { return map[string]string{"message": failure.Message} }}
)

// serve takes a request to one of the APIs through what every one meets: the
// counters, the rate limits, the faults, and then its handler.
func (e *Emulator) serve(w http.ResponseWriter, r *http.Request, of api, route string, handle func(*call) (reply, error)) {
	requestID := r.Header.Get("X-Request-ID")
	if requestID == "" {
		requestID = wire.NewUUID()
	}
	w.Header().Set("X-Request-ID", requestID)
	w.Header().Set("x-neon-ret-request-id", requestID)
	encodeError := func(err error) []byte {
		var failure *wire.Error
		if !errors.As(err, &failure) {
			failure = &wire.Error{Status: http.StatusInternalServerError, Message: err.Error()}
		}
		return wire.Encode(of.refusal(failure, requestID))
	}

	met, err := e.admit(r, of, route)
	e.lateFor(route)
	switch {
	case err != nil:
		if refusal := (*wire.Error)(nil); errors.As(err, &refusal) && refusal.RetryAfter != "" {
			w.Header().Set("Retry-After", refusal.RetryAfter)
		}
		e.answer(w, wire.StatusOf(err), encodeError(err))
		return
	case met.Is(control.FaultLostBefore):
		e.countStatus("lost")
		control.Drop(w)
	case met.Is(control.FaultStatus):
		e.countStatus(strconv.Itoa(met.Status))
		met.Answer(w, encodeError)
		return
	}
	body, err := e.readBody(w, r, route)
	if err != nil {
		e.answer(w, wire.StatusOf(err), encodeError(err))
		return
	}
	detached := r.WithContext(context.WithoutCancel(r.Context()))
	run := func() (int, []byte) {
		return e.run(detached, body, func(c *call) (reply, error) {
			said, err := handle(c)
			if _, plain := said.body.(wire.PlainText); plain {
				w.Header().Set("Content-Type", "application/octet-stream")
			}
			return said, err
		}, encodeError)
	}
	switch {
	case met.Is(control.FaultHang): // The server notices that a client gives up once the body is read.
		e.countStatus("lost")
		met.Silence(r.Context())
		control.Drop(w)
	case met.Is(control.FaultLate):
		e.later(met.Lasts, route, func() { run() })
	case met.Is(control.FaultStatusAfter):
		run()
	default:
		status, answer := run()
		e.answerWith(w, met, status, answer)
		return
	}
	e.countStatus(strconv.Itoa(met.Status))
	met.Answer(w, encodeError)
}

// readBody reads a body, which mustn't be too long nor take too long to arrive; else it returns the refusal.
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
		return nil, wire.Refuse(http.StatusRequestEntityTooLarge, "the emulator takes objects of up to %d bytes", largestObject)
	}
	return nil, wire.BadRequest("invalid request: %v", err)
}

// answerWith sends the answer, of which a fault may leave a half or nothing.
func (e *Emulator) answerWith(w http.ResponseWriter, met *control.Fault, status int, answer []byte) {
	switch {
	case met == nil:
		e.answer(w, status, answer)
	case met.Is(control.FaultLostAfter) || len(answer) == 0:
		e.countStatus("lost")
		control.Drop(w)
	default:
		e.countStatus(strconv.Itoa(status))
		control.Cut(w, status, answer)
	}
}

// admit counts a request, refuses it if it is one too many, and says what fault
// it meets once the slow ones are over.
func (e *Emulator) admit(r *http.Request, of api, route string) (*control.Fault, error) {
	e.mu.Lock()
	e.requests.Total++
	e.requests.ByRoute[route]++
	if e.config.Limits != LimitsOff && of.limited {
		if err := e.limits.admit(e.config.Limits, route, e.config.Now()); err != nil {
			if refusal := (*wire.Error)(nil); errors.As(err, &refusal) && e.plays("rate-limits", "told") {
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

// run handles a request, keeps what it changed before it is answered, and waits a little
// for work that goes on after it.
func (e *Emulator) run(r *http.Request, body []byte, handle func(*call) (reply, error), encodeError func(error) []byte) (int, []byte) {
	c := &call{Request: r, body: body}
	e.lookFirst(r, body)
	status, answer, version, err := e.change(c, handle)
	if err == nil {
		err = e.keep(version)
	}
	if err != nil {
		return wire.StatusOf(err), encodeError(err)
	}
	c.awaitWork()
	if c.finish != nil {
		said, err := c.finish(r.Context())
		if err != nil {
			return wire.StatusOf(err), encodeError(err)
		}
		answer = wire.Encode(said)
	}
	return status, answer
}

// change handles a request while nothing else happens in the world. The answer is
// encoded meanwhile too, as it refers to what others may change. The version is the
// world's after a change, and zero after a read.
func (e *Emulator) change(c *call, handle func(*call) (reply, error)) (status int, answer []byte, version uint64, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c.now = e.now()
	before := e.version
	e.expire(c.now)
	if e.version != before {
		version = e.version
	}
	said, err := handle(c)
	if err != nil {
		return 0, nil, 0, err
	}
	if said.body != nil {
		answer = wire.Encode(said.body)
	}
	if c.Method != http.MethodGet && c.Method != http.MethodHead {
		version = e.changedBy(c)
	}
	return said.status, answer, version, nil
}

func (e *Emulator) answer(w http.ResponseWriter, status int, body []byte) {
	e.countStatus(strconv.Itoa(status))
	w.Header().Set("Date", e.date())
	wire.Send(w, status, body)
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
