package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"time"
)

// addControlPath serves what tests and benchmarks tell the emulator, and ask it.
// It isn't part of either API, takes no key, and is for this machine alone.
func (e *Emulator) addControlPath() {
	for pattern, handle := range map[string]func(*Emulator, *call) (reply, error){
		"GET /_emulator/requests":              (*Emulator).showRequests,
		"DELETE /_emulator/requests":           (*Emulator).forgetRequests,
		"GET /_emulator/objects":               (*Emulator).showObjects,
		"POST /_emulator/clock":                (*Emulator).moveClock,
		"GET /_emulator/faults":                (*Emulator).showFaults,
		"POST /_emulator/faults":               (*Emulator).addFault,
		"DELETE /_emulator/faults":             (*Emulator).forgetFaults,
		"POST /_emulator/operations":           (*Emulator).setEnding,
		"POST /_emulator/operations/bulk":      (*Emulator).addHistory,
		"POST /_emulator/locks":                (*Emulator).addLock,
		"POST /_emulator/parents":              (*Emulator).setParent,
		"POST /_emulator/projects":             (*Emulator).addSizedProjects,
		"POST /_emulator/projects_unavailable": (*Emulator).setUnavailable,
		"POST /_emulator/members":              (*Emulator).createMember,
		"POST /_emulator/integrations":         (*Emulator).setIntegration,
		"POST /_emulator/organizations":        (*Emulator).createOrganization,
	} {
		e.mux.HandleFunc(pattern, e.controlled(handle))
	}
	e.mux.HandleFunc("POST /_emulator/claimable_databases/{id}/claim", e.controlledClaim)
}

// controlled wraps a handler of the control path.
func (e *Emulator) controlled(handle func(*Emulator, *call) (reply, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := readControl(w, r)
		if err != nil {
			sendControlError(w, err)
			return
		}
		encodeError := func(err error) []byte { return encode(map[string]string{"message": err.Error()}) }
		status, answer := e.run(r, body, func(c *call) (reply, error) { return handle(e, c) }, encodeError)
		send(w, status, answer)
	}
}

func readControl(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return nil, refuse(http.StatusForbidden, "the control path is for this machine alone")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
	if err != nil {
		return nil, badRequest("%v", err)
	}
	return body, nil
}

func sendControlError(w http.ResponseWriter, err error) {
	send(w, statusOf(err), encode(map[string]string{"message": err.Error()}))
}

// decodeControl reads a body of the control path: a field that it doesn't know
// is a mistake in a test.
func decodeControl(c *call, into any) error {
	if err := decodeStrictly(c.body, into); err != nil {
		return badRequest("%v", err)
	}
	return nil
}

func decodeStrictly(body []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

func (e *Emulator) showRequests(*call) (reply, error) { return ok(e.requests.clone()) }

func (e *Emulator) forgetRequests(*call) (reply, error) {
	e.requests = newRequestCounts()
	return alreadyGone()
}

// moveClock moves the world's time.
func (e *Emulator) moveClock(c *call) (reply, error) {
	var body struct {
		Advance string `json:"advance"`
	}
	if err := decodeControl(c, &body); err != nil {
		return reply{}, err
	}
	by, err := time.ParseDuration(body.Advance)
	if err != nil || by < 0 {
		return reply{}, badRequest("advance must be a duration such as 73h")
	}
	e.world.Advanced += by
	e.expire(e.now())
	for _, p := range e.world.Projects {
		p.forgetOld(e.now())
	}
	return ok(map[string]string{"now": e.now().Format(time.RFC3339Nano)})
}

func (e *Emulator) showFaults(*call) (reply, error) {
	return ok(map[string]any{"faults": append([]*fault{}, e.faults...)})
}

func (e *Emulator) addFault(c *call) (reply, error) {
	var f fault
	if err := decodeControl(c, &f); err != nil {
		return reply{}, err
	}
	if err := f.prepare(); err != nil {
		return reply{}, err
	}
	f.Hits = 0
	e.faults = append(e.faults, &f)
	return created(f)
}

func (e *Emulator) forgetFaults(*call) (reply, error) {
	e.faults = nil
	return alreadyGone()
}

// setEnding says how the next operations of an action end.
func (e *Emulator) setEnding(c *call) (reply, error) {
	var body struct {
		Action string `json:"action"`
		Status string `json:"status"`
		Error  string `json:"error"`
		Count  int    `json:"count"`
		Then   string `json:"then"`
		After  string `json:"after"`
	}
	if err := decodeControl(c, &body); err != nil {
		return reply{}, err
	}
	known := []string{scheduling, running, finished, failed, "error", cancelling, cancelled, skipped}
	if body.Action == "" || !slices.Contains(known, body.Status) || body.Then != "" && !slices.Contains(known, body.Then) {
		return reply{}, badRequest("action, status and then must be those of operations")
	}
	after := time.Duration(0)
	if body.After != "" {
		var err error
		if after, err = time.ParseDuration(body.After); err != nil || after < 0 {
			return reply{}, badRequest("after must be a duration such as 1s")
		}
	}
	if body.Count < 0 {
		return reply{}, badRequest("count must not be negative")
	}
	e.endings = append(e.endings, &ending{
		action: body.Action, status: body.Status, message: body.Error, count: or(body.Count, 1), then: body.Then, after: after,
	})
	return ok(map[string]any{})
}

// setUnavailable makes lists of projects leave some out, and say so.
func (e *Emulator) setUnavailable(c *call) (reply, error) {
	var body struct {
		IDs []string `json:"ids"`
	}
	if err := decodeControl(c, &body); err != nil {
		return reply{}, err
	}
	e.unavailable = body.IDs
	return ok(map[string]any{})
}

// controlledClaim does what the claim page's button does, or leaves the database
// on the way there: {"status": "CLAIMING"}.
func (e *Emulator) controlledClaim(w http.ResponseWriter, r *http.Request) {
	body, err := readControl(w, r)
	asked := struct {
		Status string `json:"status"`
	}{claimed}
	if err == nil && len(body) > 0 {
		err = decodeStrictly(body, &asked)
	}
	if err == nil && asked.Status != claimed && asked.Status != claiming {
		err = errors.New("status must be CLAIMING or CLAIMED")
	}
	var failure *apiError
	if err != nil && !errors.As(err, &failure) {
		err = badRequest("%v", err)
	}
	var view claimableView
	if err == nil {
		view, err = e.claimByID(r, r.PathValue("id"), asked.Status)
	}
	if err != nil {
		sendControlError(w, err)
		return
	}
	answer, _ := json.Marshal(view) // It is made of strings.
	send(w, http.StatusOK, answer)
}
