package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Whatever answers in Neon's place proves nothing to anything that reads: it is an error, never an absence, nothing and
// no panic, and it comes in the end.
func TestEveryReadThroughWhatIsForeign(t *testing.T) {
	table, talks, fails := map[string]bool{}, reflect.TypeFor[context.Context](), reflect.TypeFor[error]()
	for _, writing := range writings {
		table[writing.method] = true
	}
	for name := range withTestsOfTheirOwn {
		table[name] = true
	}
	answers := map[string]func(*http.Request) (*http.Response, error){
		"a broken connection": func(*http.Request) (*http.Response, error) { return nil, errors.New("connection reset by peer") },
		"a refusal, cut off": func(request *http.Request) (*http.Response, error) {
			response := respond(request, http.StatusNotFound, "")
			response.Body = cutOff{strings.NewReader(`{"message":"branch not found"}`)}
			return response, nil
		},
	}
	for _, body := range []string{"", "<html>", `{"status":"ok"}`} {
		for _, code := range []int{200, 302, 404} {
			answers[fmt.Sprintf("%d %s", code, body)] = func(request *http.Request) (*http.Response, error) {
				return respond(request, code, body, "Location", "https://%zz/"), nil
			}
		}
	}
	answers["404 of nothing that is named"] = func(request *http.Request) (*http.Response, error) {
		return respond(request, http.StatusNotFound, `{"message":"not found"}`), nil
	}
	for method := range reflect.TypeFor[*Client]().Methods() {
		last := method.Type.NumOut() - 1
		isFailing := last >= 0 && (method.Type.Out(last) == fails || method.Type.Out(last).CanSeq2())
		if table[method.Name] || method.Type.NumIn() < 2 || method.Type.In(1) != talks || !isFailing {
			continue
		}
		t.Run(method.Name, func(t *testing.T) {
			for name, answer := range answers {
				t.Run(name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
						defer cancel()
						requests := 0
						api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
							requests++
							connected(request)
							return answer(request)
						}))
						began := time.Now()
						err := errorOf(callMethod(api, method.Name, plainArguments(ctx, method.Type)...))
						if requests > 0 && (err == nil || IsAbsent(err)) {
							t.Errorf("what isn't Neon's answer counts as one: got %v, want an error that isn't an absence "+
								"(what writes has a row in writings_test.go instead)", err)
						}
						if took := time.Since(began); took > 10*time.Minute && !is[*WaitError](err) {
							t.Errorf("took %s", took)
						}
					})
				})
			}
		})
	}
}

// The same of the looks after a lost answer: what they don't say isn't known, so that nothing is written again.
func TestEveryLookThroughWhatIsForeign(t *testing.T) {
	for _, writing := range writings {
		if writing.recovery != found && writing.recovery != foundOnce {
			continue
		}
		for _, page := range []struct {
			status int
			body   string
		}{{404, "<html>"}, {404, `{"message":"not found"}`}, {200, `{"status":"ok"}`}, {302, ""}, {401, "<html>"}} {
			for _, takes := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s/%d %s/%t", writing.method, page.status, page.body, takes), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						platform := &world{writing: writing, accident: accident{takes: takes, status: -1}, state: writing.before}
						err := writing.send(t.Context(), newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
							isLook := request.Method == http.MethodGet || !strings.HasSuffix(request.URL.Path, writing.sends)
							if platform.written > 0 && isLook {
								return respond(request, page.status, page.body), nil
							}
							return platform.RoundTrip(request)
						})))
						if !IsLost(err) || platform.written != 1 {
							t.Errorf("after %d writes: got %v", platform.written, err)
						}
					})
				})
			}
		}
	}
}
