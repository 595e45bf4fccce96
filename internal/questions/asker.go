package questions

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// NamePrefix begins the names of all that questions create.
const NamePrefix = "neon-ask-"

const (
	apiRoot     = "/api/v2"
	longestWait = 3 * time.Minute
	firstPause  = 50 * time.Millisecond
	pauseMost   = 2 * time.Second
)

type object = map[string]any

// request is one to send. In its path, {p} is the project that questions share, {b} its first
// branch, {e} the compute of that, and {o} the organization.
type request struct {
	method, path string
	body         any
}

// reply is what Neon answered.
type reply struct {
	status int
	body   any
}

// stop ends a question that can't be asked here; session.answer recovers it.
type stop struct{ reason string }

func giveUp(format string, values ...any) {
	panic(stop{fmt.Sprintf(format, values...)})
}

// asker sends the requests of a question, with a key.
type asker struct {
	*session
	key string
}

// with is the same asker with another key.
func (a *asker) with(key string) *asker { return &asker{a.session, key} }

// status sends the request, and returns the status of the answer.
func (a *asker) status(method, path string, body any) string {
	return a.send(method, path, body).verdict()
}

// statuses sends the requests one after the other.
func (a *asker) statuses(requests ...request) string {
	all := make([]string, len(requests))
	for i, r := range requests {
		all[i] = a.status(r.method, r.path, r.body)
	}
	return strings.Join(all, ", ")
}

// must sends a request that prepares the question.
func (a *asker) must(method, path string, body any) reply {
	r := a.send(method, path, body)
	if r.status >= 300 {
		giveUp("%s %s: %s", method, path, a.said[len(a.said)-1])
	}
	return r
}

// get reads what prepares the question or is asked about.
func (a *asker) get(path string) reply { return a.must(http.MethodGet, path, nil) }

// send sends the request as soon as no other work is in its way, and waits until all work
// that it began has ended.
func (a *asker) send(method, path string, body any) reply {
	path = a.fill(path)
	pause := firstPause
	r := a.now(method, path, body)
	for waited := time.Duration(0); r.status == http.StatusLocked && waited < longestWait; waited += pause {
		a.said = a.said[:len(a.said)-1]
		a.sleep(pause)
		pause = min(2*pause, pauseMost)
		r = a.now(method, path, body)
	}
	a.settle(r)
	return r
}

// now sends the request, and doesn't wait for what it begins.
func (a *asker) now(method, path string, body any) reply {
	path = a.fill(path)
	for range 5 {
		r := a.exchange(method, path, body)
		if r.status == http.StatusTooManyRequests {
			a.sleep(10 * time.Second)
			continue
		}
		if r.status >= http.StatusInternalServerError {
			giveUp("%s %s: %d", method, path, r.status)
		}
		a.note(method, path, r)
		return r
	}
	giveUp("the rate limits are used up")
	return reply{}
}

// exchange sends the request once.
func (a *asker) exchange(method, path string, body any) reply {
	var text io.Reader = http.NoBody
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			giveUp("%v", err)
		}
		text = bytes.NewReader(encoded)
	}
	sent, err := http.NewRequestWithContext(a.ctx, method, a.config.BaseURL+apiRoot+path, text)
	if err != nil {
		giveUp("%v", err)
	}
	if body != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	sent.Header.Set("Authorization", "Bearer "+a.key)
	response, err := a.config.HTTP.Do(sent)
	if err != nil {
		giveUp("%s %s: %v", method, path, err)
	}
	defer func() { _ = response.Body.Close() }()
	r := reply{status: response.StatusCode}
	answer, err := io.ReadAll(response.Body)
	if err == nil && len(answer) > 0 && r.status < http.StatusInternalServerError {
		err = json.Unmarshal(answer, &r.body)
	}
	if err != nil {
		giveUp("%s %s: %d: %v", method, path, r.status, err)
	}
	return r
}

// settle waits until the operations of an answer have ended.
func (a *asker) settle(r reply) {
	operations, _ := r.at("operations").([]any)
	for i := range operations {
		path := fmt.Sprintf("/projects/%s/operations/%s", r.text("operations", i, "project_id"),
			r.text("operations", i, "id"))
		pause := firstPause
		for waited := time.Duration(0); ; waited += pause {
			state := a.now(http.MethodGet, path, nil)
			status := state.text("operation", "status")
			if state.status == http.StatusNotFound ||
				slices.Contains([]string{"finished", "skipped", "cancelled", "failed"}, status) {
				break
			}
			if waited > longestWait {
				giveUp("%s is still %s", state.text("operation", "action"), status)
			}
			a.sleep(pause)
			pause = min(2*pause, pauseMost)
		}
	}
}

func (a *asker) sleep(pause time.Duration) {
	if err := a.config.Sleep(a.ctx, pause); err != nil {
		giveUp("%v", err)
	}
}

// ago is the moment before or, for a negative one, after now, as requests have it.
func (a *asker) ago(by time.Duration) string {
	return a.config.Now().Add(-by).UTC().Format(time.RFC3339)
}

// at returns a value inside the body, a name or an index a step, or nil.
func (r reply) at(path ...any) any {
	value := r.body
	for _, step := range path {
		switch step := step.(type) {
		case string:
			inside, _ := value.(object)
			value = inside[step]
		case int:
			list, _ := value.([]any)
			if value = nil; step < len(list) {
				value = list[step]
			}
		}
	}
	return value
}

// text is a value as text, empty where there is none.
func (r reply) text(path ...any) string {
	switch value := r.at(path...).(type) {
	case nil:
		return ""
	case string:
		return value
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	default:
		return fmt.Sprint(value)
	}
}

// texts are the values of a field of the objects in a list.
func (r reply) texts(list, field string) []string {
	all, _ := r.at(list).([]any)
	values := make([]string, len(all))
	for i := range all {
		values[i] = r.text(list, i, field)
	}
	return values
}

// find is the object of a list whose field has the value, as a reply of its own.
func (r reply) find(list, field, value string) reply {
	if at := slices.Index(r.texts(list, field), value); at >= 0 {
		return reply{r.status, r.at(list, at)}
	}
	return reply{status: r.status}
}

// names are those of the members of an object, in order.
func (r reply) names(path ...any) string {
	inside, _ := r.at(path...).(object)
	return listed(slices.Sorted(maps.Keys(inside))...)
}

// actions are those of the operations that a request has begun.
func (r reply) actions() string { return listed(r.texts("operations", "action")...) }

// fields are those of the names that an object has.
func (r reply) fields(of string, names ...string) string {
	return listed(slices.DeleteFunc(names, func(name string) bool { return r.at(of, name) == nil })...)
}

// verdict is the status.
func (r reply) verdict() string { return strconv.Itoa(r.status) }

// coded is the status with the code of a refusal, if any.
func (r reply) coded() string { return strings.TrimSpace(r.verdict() + " " + r.text("code")) }

// listed joins the words there are.
func listed(words ...string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// presence says whether something is there.
func presence(is bool) string {
	if is {
		return "there"
	}
	return "absent"
}

// contextSleep sleeps by the real clock.
func contextSleep(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(pause):
		return nil
	}
}
