package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// recovery is how a method finds out about a lost answer.
type recovery int

const (
	// found looks for the effect, and sends again what had none.
	found recovery = iota
	// foundOnce looks for it, and sends nothing again.
	foundOnce
	// repeated is sent again without a look.
	repeated
	// unseen can't be looked for, nor be sent again.
	unseen
)

// writing is a method of the client that writes, and what the platform says before and after.
type writing struct {
	method string
	args   []any
	recovery
	// before and after are the fields of all that can be read, beside those of plainWorld. MARK stands for the mark of the
	// creation. Answer is that of the write; what is there after it where it is empty.
	before, after, answer string
	// name is the path of the name that it gives or takes; empty for none.
	name string
	// twins is after where another run has made one just like it; empty where that can't be.
	twins string
	// strangers are after where another run has made what isn't as was asked for, by what it differs in.
	strangers map[string]string
	// older is after where Neon says that what is there was made before the write.
	older string
	// refuses is true where what is there already is ErrTaken.
	refuses bool
	// sends is how the path of the write ends, where it isn't the only one that is no GET.
	sends string
}

// plainWorld is what can be read of a platform where nothing is special.
const plainWorld = `{"project":{"id":"p"},"branch":{"id":"b","name":"main"},"branches":[{"id":"b","name":"main"}],"operations":[],"endpoints":[],"roles":[],` +
	`"databases":[],"organizations":[{"id":"o"}],"projects":[]}`

// singles are the fields of single objects, by the last but one part of the path. Where the field isn't there the
// object isn't.
var singles = map[string]string{
	"roles": "role", "databases": "database", "branches": "branch", "endpoints": "endpoint", "functions": "function",
	"triggers": "trigger",
	"data-api": "url", "projects": "project", "b": "auth_provider",
}

// accident is what becomes of the first write.
type accident struct {
	// takes is whether it takes effect, and after how long.
	takes bool
	late  time.Duration
	// status and body are the answer; -1 breaks the connection. Second is the status of the second write; 0 for a success.
	status int
	body   string
	second int
	// besideTwin is true where another run has made one just like it.
	besideTwin bool
}

// world is a platform with one object.
type world struct {
	writing
	accident

	mu      sync.Mutex
	state   string
	mark    string
	written int
}

func (w *world) become(state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state = strings.ReplaceAll(state, "MARK", w.mark)
}

// fieldsNow are the fields of all that can be read.
func (w *world) fieldsNow() map[string]json.RawMessage {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := map[string]json.RawMessage{}
	for _, text := range []string{plainWorld, cmp.Or(w.state, "{}")} {
		some := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(text), &some); err != nil {
			panic(text)
		}
		maps.Copy(all, some)
	}
	maps.DeleteFunc(all, func(_ string, value json.RawMessage) bool { return string(value) == `"gone"` })
	return all
}

func (w *world) RoundTrip(request *http.Request) (*http.Response, error) {
	connected(request)
	isToken := strings.HasSuffix(request.URL.Path, "/oauth2/token")
	if request.Method == http.MethodGet || isToken || !strings.HasSuffix(request.URL.Path, w.sends) {
		return w.read(request), nil
	}
	body, _ := io.ReadAll(readerOf(request.Body))
	if _, mark, has := strings.Cut(string(body), creationAnnotation+`":"`); has {
		w.mark, _, _ = strings.Cut(mark, `"`)
	}
	after := w.after
	if w.besideTwin {
		after = w.twins
	}
	if w.written++; w.written == 1 && w.status != 0 {
		if w.takes && w.late == 0 {
			w.become(after)
		} else if w.takes {
			time.AfterFunc(w.late, func() { w.become(after) })
		}
		if w.status < 0 {
			return nil, errors.New("connection reset by peer")
		}
		return respond(request, w.status, w.body), nil
	}
	if w.second != 0 {
		if w.takes {
			w.become(after)
		}
		return respond(request, w.second, `{"message":"it is there already"}`), nil
	}
	w.become(after)
	switch {
	case w.answer == "-":
		return respond(request, http.StatusOK, ""), nil
	case w.answer != "":
		return respond(request, http.StatusOK, w.answer), nil
	}
	return w.read(request), nil
}

func readerOf(body io.ReadCloser) io.Reader {
	if body == nil {
		return strings.NewReader("")
	}
	return body
}

func (w *world) read(request *http.Request) *http.Response {
	all := w.fieldsNow()
	if list, is := all["list"]; is && strings.HasSuffix(request.URL.Path, "api_keys") {
		return respond(request, http.StatusOK, string(list))
	}
	parts := strings.Split(request.URL.Path, "/")
	field, isSingle := singles[parts[len(parts)-2]]
	isSingle = isSingle && (parts[len(parts)-2] != "b" || parts[len(parts)-1] == "auth")
	if isSingle && all[field] == nil && request.Method == http.MethodGet {
		return respond(request, http.StatusNotFound, `{"message":"`+field+` not found"}`)
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return respond(request, http.StatusOK, string(text))
}

// send calls the method.
func (w writing) send(ctx context.Context, c *Client) error {
	return errorOf(callMethod(c, w.method, append([]any{ctx}, w.args...)...))
}

// errorOf is the error among what a method returned, or the first that its sequence yields.
func errorOf(results []reflect.Value) error {
	last := results[len(results)-1]
	if last.Type().CanSeq2() {
		for _, last = range last.Seq2() {
			break
		}
	}
	err, _ := last.Interface().(error)
	return err
}

func callMethod(c *Client, method string, args ...any) []reflect.Value {
	values := make([]reflect.Value, len(args))
	for i, arg := range args {
		values[i] = reflect.ValueOf(arg)
	}
	return reflect.ValueOf(c).MethodByName(method).Call(values)
}

// want is how a call ends.
type want struct {
	writes int
	isLost bool
}

// Whatever becomes of a write and its answer, there is one object, one owner and one error. What is foreign is
// never believed, and what isn't known to have had no effect is never done twice where that would do harm.
func TestEveryWriteThroughEveryAccident(t *testing.T) {
	const page, foreign = "<html>busy</html>", `{"status":"ok"}`
	once, twice, lostOnce := want{1, false}, want{2, false}, want{1, true}
	accidents := map[string]struct {
		accident
		// wants is by how the method finds out.
		wants [4]want
	}{
		"no fault":                   {accident{}, [4]want{once, once, once, once}},
		"504, and it took effect":    {accident{takes: true, status: 504, body: `{}`}, [4]want{once, once, twice, lostOnce}},
		"504, and it never does":     {accident{status: 504, body: `{}`}, [4]want{twice, lostOnce, twice, lostOnce}},
		"504, a little later":        {accident{takes: true, late: 300 * time.Millisecond, status: 504, body: `{}`}, [4]want{{-1, false}, once, twice, lostOnce}},
		"302, and it took effect":    {accident{takes: true, status: 302, body: page}, [4]want{once, once, twice, lostOnce}},
		"302, and it never does":     {accident{status: 302, body: page}, [4]want{twice, lostOnce, twice, lostOnce}},
		"lost, and it took effect":   {accident{takes: true, status: -1}, [4]want{once, once, twice, lostOnce}},
		"lost, and it never does":    {accident{status: -1}, [4]want{twice, lostOnce, twice, lostOnce}},
		"a page, and it took effect": {accident{takes: true, status: 200, body: page}, [4]want{once, once, twice, lostOnce}},
		"a page, and it never does":  {accident{status: 200, body: page}, [4]want{twice, lostOnce, twice, lostOnce}},
		"JSON, and it took effect":   {accident{takes: true, status: 200, body: foreign}, [4]want{once, once, twice, lostOnce}},
		"JSON, and it never does":    {accident{status: 200, body: foreign}, [4]want{twice, lostOnce, twice, lostOnce}},
		"a proxy's conflict":         {accident{status: 409, body: page}, [4]want{twice, lostOnce, twice, lostOnce}},
		"a proxy's lock":             {accident{status: 423, body: page}, [4]want{twice, lostOnce, twice, lostOnce}},
	}
	for _, writing := range writings {
		t.Run(writing.method, func(t *testing.T) {
			for name, test := range accidents {
				t.Run(name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						platform := &world{writing: writing, accident: test.accident, state: writing.before}
						err := writing.send(t.Context(), newClient(t, platform))
						want := test.wants[writing.recovery]
						if IsLost(err) != want.isLost || (err == nil) == want.isLost {
							t.Errorf("got %v", err)
						}
						// What comes late to a name is looked for as long as what can't come twice.
						if want.writes > 0 && (writing.name == "" || test.late == 0) {
							equal(t, "writes", platform.written, want.writes)
						}
					})
				})
			}
		})
	}
}

// A conflict is an error of its own, unless it is with what the write itself has made.
func TestEveryWriteThroughAConflict(t *testing.T) {
	for _, writing := range writings {
		t.Run(writing.method, func(t *testing.T) {
			send := func(t *testing.T, what accident) (int, error) {
				t.Helper()
				platform := &world{writing: writing, accident: what, state: writing.before}
				err := writing.send(t.Context(), newClient(t, platform))
				return platform.written, err
			}
			synctest.Test(t, func(t *testing.T) {
				if writes, err := send(t, accident{status: 409, body: `{"message":"another's"}`}); !HasStatus(err, 409) ||
					IsLost(err) || writes != 1 {
					t.Errorf("without a loss: got %v after %d", err, writes)
				}
				// It is with its own where that bears a mark: anything else that is as was asked for may be another run's.
				isMarked := strings.Contains(writing.after, "MARK")
				if writes, err := send(t, accident{takes: true, status: 409,
					body: `{"message":"it is there"}`}); isMarked != (err == nil) ||
					!isMarked && (!HasStatus(err, 409) || IsLost(err)) || writes != 1 {
					t.Errorf("with what may be its own: got %v after %d", err, writes)
				}
				if writing.recovery != found {
					return
				}
				for _, second := range []int{409, 403} { // Any refusal may come from what the first write has changed late.
					if writes, err := send(t, accident{status: 504, body: `{}`, second: second}); !HasStatus(err, second) ||
						!IsLost(err) || writes != 2 {
						t.Errorf("after a loss: got %v after %d", err, writes)
					}
					if writes, err := send(t, accident{takes: true, late: time.Hour, status: 504, body: `{}`,
						second: second}); err != nil || writes != 2 {
						t.Errorf("with its own effect: got %v after %d", err, writes)
					}
				}
			})
		})
	}
}

// A proxy may refuse to pass on the answer to what it has passed on, such as one with a secret.
func TestEveryWriteThroughAProxysRefusal(t *testing.T) {
	for _, writing := range writings {
		for _, status := range []int{401, 403, 404} {
			t.Run(fmt.Sprintf("%s/%d", writing.method, status), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					for _, takes := range []bool{true, false} {
						platform := &world{writing: writing, accident: accident{takes: takes, status: status, body: "<html>no</html>"},
							state: writing.before}
						err := writing.send(t.Context(), newClient(t, platform))
						isFound := takes && (writing.recovery == found || writing.recovery == foundOnce)
						if (err == nil) != isFound || IsLost(err) || platform.written > 1 && writing.sends != "/claim" {
							t.Errorf("takes effect: %t: got %v after %d", takes, err, platform.written)
						}
					}
				})
			})
		}
	}
}

// Of two that may be ours none is taken: the error names both.
func TestEveryCreationBesideATwin(t *testing.T) {
	for _, writing := range writings {
		if writing.twins == "" {
			continue
		}
		t.Run(writing.method, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &world{writing: writing, accident: accident{takes: true, status: 504, body: `{}`, besideTwin: true},
					state: writing.before}
				err := writing.send(t.Context(), newClient(t, platform))
				var lost *AmbiguousError
				var doubtful *DoubtfulError
				if !errors.As(err, &lost) || !errors.As(lost.LookupErr, &doubtful) || len(doubtful.IDs) != 2 ||
					platform.written != 1 {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// What is there already isn't ours: it is refused before anything is sent.
func TestEveryNameThatIsTaken(t *testing.T) {
	for _, writing := range writings {
		if !writing.refuses {
			continue
		}
		t.Run(writing.method, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &world{writing: writing, state: writing.after}
				if err := writing.send(t.Context(), newClient(t, platform)); !errors.Is(err, ErrTaken) || platform.written != 0 {
					t.Errorf("got %v after %d", err, platform.written)
				}
			})
		})
	}
}

// What another run makes meanwhile, and isn't as was asked for, is never taken for the effect of what was lost.
func TestEveryCreationBesideAStranger(t *testing.T) {
	for _, writing := range writings {
		for what, stranger := range writing.strangers {
			t.Run(writing.method+"/"+what, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					writing.after = stranger
					platform := &world{writing: writing, accident: accident{takes: true, status: 504, body: `{}`},
						state: writing.before}
					if err := writing.send(t.Context(), newClient(t, platform)); !IsLost(err) || platform.written != 1 {
						t.Errorf("got %v after %d", err, platform.written)
					}
				})
			})
		}
	}
}

// What Neon made before a write was sent isn't its effect, though the list before lacked it.
func TestEveryCreationBesideAnOlderOne(t *testing.T) {
	for _, writing := range writings {
		if writing.older == "" {
			continue
		}
		t.Run(writing.method, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				// Neon's times are in whole seconds, and clocks differ a little.
				writing.after = strings.ReplaceAll(writing.older, "23:59:50", "23:59:59")
				platform := &world{writing: writing, accident: accident{takes: true, status: 504, body: `{}`},
					state: writing.before}
				if err := writing.send(t.Context(), newClient(t, platform)); err != nil || platform.written != 1 {
					t.Errorf("made in the second before: got %v after %d", err, platform.written)
				}
				writing.after = writing.older
				platform = &world{writing: writing, accident: accident{takes: true, late: time.Hour, status: 504, body: `{}`,
					second: 409}, state: writing.before}
				if err := writing.send(t.Context(), newClient(t, platform)); !HasStatus(err, 409) || !IsLost(err) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// removes are the methods that give a name up, and creates those whose late effect would be refused while the
// name is taken, as that of a function or a restriction isn't.
var (
	removes = regexp.MustCompile("^(Delete|Remove|Disable|Distrust|Lift)")
	creates = regexp.MustCompile("^(Create[^FV]|Enable)")
)

// A removal whose answer was lost is remembered by the name that it may still take, and whatever gives or needs that
// name waits for it.
func TestEveryNameMeetsItsLateRemoval(t *testing.T) {
	isRemoved, isGiven := map[string]bool{}, map[string]bool{}
	for _, writing := range writings {
		t.Run(writing.method, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &world{writing: writing, accident: accident{status: 504, body: `{}`, second: 504},
					state: writing.before}
				api := newClient(t, platform)
				api.maxRetries = 0
				_ = writing.send(t.Context(), api)
				noted, isNoted := api.late.Load(writing.name)
				late, _ := noted.(lateWrite)
				switch isRemoval := removes.MatchString(writing.method); {
				case writing.name == "":
					return
				case isRemoval:
					equal(t, "is noted by its name", isNoted, true)
					isRemoved[writing.name] = true
					return
				case creates.MatchString(writing.method):
					equal(t, "delays a deletion", isNoted && late.undoesLate(call{method: http.MethodDelete}), true)
					equal(t, "delays others", late.undoesLate(call{method: http.MethodPatch}), false)
				}
				isGiven[writing.name] = true
				api.late.Store(writing.name, lateWrite{call{method: http.MethodDelete}, time.Now().Add(LateEffects)})
				platform.accident, platform.state = accident{}, writing.before
				began := time.Now()
				if err := writing.send(t.Context(), api); err != nil || time.Since(began) < LateEffects {
					t.Errorf("got %v after %s, without waiting for the lost removal of its name", err, time.Since(began))
				}
			})
		})
	}
	for name := range isRemoved {
		if !isGiven[name] && !strings.HasSuffix(name, "/objects/x") { // What is uploaded is another content.
			t.Errorf("%s can be removed, and nothing that gives it is in the table", name)
		}
	}
}

// What writes is in the table, or has a test of its own.
func TestEveryWriteIsInTheTable(t *testing.T) {
	known := map[string]bool{}
	for _, writing := range writings {
		known[writing.method] = true
	}
	for method := range withTestsOfTheirOwn {
		known[method] = true
	}
	talks := reflect.TypeFor[context.Context]()
	for method := range reflect.TypeFor[*Client]().Methods() {
		if method.Type.NumIn() < 2 || method.Type.In(1) != talks {
			continue
		}
		t.Run(method.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				platform := &world{state: fullWorld}
				_ = errorOf(callMethod(newClient(t, platform), method.Name, plainArguments(ctx, method.Type)...))
				switch writes := platform.written > 0; {
				case writes && !known[method.Name]:
					t.Error("it writes: give it a row in writings_test.go")
				case known[method.Name] && !writes:
					t.Error("it has a row in writings_test.go, and writes nothing here: is what it reads first in fullWorld?")
				}
			})
		})
	}
}

// fullWorld has one of what is read before most writes.
const fullWorld = `{"branch":{"id":"x","default":true},"branches":[{"id":"x","default":true}],"endpoint":{"id":"x"},"role":{"name":"x"},"state":"initialized",` +
	`"snapshots":[],"credentials":[],"jwks":[],"buckets":[],"custom_domains":[],"triggers":[],"functions":[],"domains":[],"providers":[],"url":"u","auth_provider":"x",` +
	`"objects":[{"key":"x"}],"invitations":[],"project_permissions":[],"api_token":"t","access_token":"t","expires_in":60,"list":[]}`

// plainArguments are those of a method of the client: each text is x, each number 1, and the rest is empty.
func plainArguments(ctx context.Context, of reflect.Type) []any {
	args := []any{ctx}
	for i := 2; i < of.NumIn() && (!of.IsVariadic() || i < of.NumIn()-1); i++ {
		value := reflect.New(of.In(i)).Elem()
		fillPlainly(value)
		args = append(args, value.Interface())
	}
	return args
}

func fillPlainly(value reflect.Value) {
	switch value.Kind() { //nolint:exhaustive // Any other is what it is without a value.
	case reflect.String:
		value.SetString("x")
	case reflect.Int64:
		value.SetInt(1)
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fillPlainly(value.Elem())
	case reflect.Struct:
		for _, field := range value.Fields() {
			if field.CanSet() && (field.Kind() == reflect.String || field.Type() == reflect.TypeFor[BranchRef]()) {
				fillPlainly(field)
			}
		}
	}
}

// A write that doesn't say how its effect is recognized isn't sent, and POST says nothing by itself.
func TestAWriteSaysWhatItMakes(t *testing.T) {
	platform := always(http.StatusOK, `{}`)
	for _, request := range []call{branchKind.of(http.MethodPost, "/restart", "p", "b"),
		authCall(http.MethodPost, "", aBranch), branchKind.call(http.MethodPost, "", "p")} {
		if _, err := newClient(t, platform).do(t.Context(), request); !errors.Is(err, errNoIdentity) {
			t.Errorf("%s: got %v", request.route, err)
		}
	}
	equal(t, "requests", platform.count(), 0)
}
