package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

var methods = []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete}

// outcome is what becomes of a request that meets the same thing every time.
type outcome int

const (
	retried outcome = iota // sent again until the attempts are used up
	once                   // sent once, and reported as what it is
	lost                   // sent once, and reported as ambiguous
)

// cutOff is a body that breaks off.
type cutOff struct{ io.Reader }

func (c cutOff) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
func (cutOff) Close() error { return nil }

func status(code int) func(*http.Request) (*http.Response, error) {
	return func(request *http.Request) (*http.Response, error) {
		connected(request)
		return respond(request, code, `{"code":"","message":"so it is","request_id":"req-1"}`), nil
	}
}

type happening struct {
	name        string
	meet        func(*http.Request) (*http.Response, error)
	read, write outcome
	// is checks the error where it isn't AmbiguousError, which itself wraps it.
	is func(error) bool
}

func happenings() []happening {
	notSent := func(err error) bool {
		var failed *NotSentError
		return errors.As(err, &failed)
	}
	rows := []happening{
		{"connection refused", func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		}, retried, retried, notSent},
		{"connection refused by this machine", func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8473},
				Err: syscall.ECONNREFUSED}
		}, once, once, notSent},
		{"a name that doesn't exist", func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "neon.invalid",
				IsNotFound: true}}
		}, once, once, notSent},
		{"a resolver that fails", func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "server misbehaving", Name: "neon.tech",
				IsTemporary: true}}
		}, retried, retried, notSent},
		{"connection broke", func(request *http.Request) (*http.Response, error) {
			connected(request)
			return nil, io.ErrUnexpectedEOF
		}, retried, lost, func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }},
		{"timeout", func(request *http.Request) (*http.Response, error) {
			connected(request)
			<-request.Context().Done()
			return nil, request.Context().Err()
		}, retried, lost, func(err error) bool { return strings.Contains(err.Error(), "no answer came in time") }},
		{"cut-off body", func(request *http.Request) (*http.Response, error) {
			connected(request)
			response := respond(request, 200, "")
			response.Body = cutOff{strings.NewReader(`{"id":`)}
			return response, nil
		}, retried, lost, isBadAnswer("cut off")},
		{"not JSON", func(request *http.Request) (*http.Response, error) {
			connected(request)
			return respond(request, 200, "<html>"), nil
		}, retried, lost, isBadAnswer("isn't JSON")},
		{"empty success", func(request *http.Request) (*http.Response, error) {
			connected(request)
			return respond(request, 200, ""), nil
		}, retried, lost, isBadAnswer("isn't JSON")},
	}
	for _, code := range []int{403, 404, 409, 422, 423} {
		rows = append(rows, happening{fmt.Sprintf("cut-off %d", code), func(request *http.Request) (*http.Response, error) {
			connected(request)
			response := respond(request, code, "")
			response.Body = cutOff{strings.NewReader(`{"message":"so`)}
			return response, nil
		}, retried, lost, isBadAnswer("cut off")})
	}
	for _, code := range []int{423, 503} {
		rows = append(rows, happening{fmt.Sprint(code), status(code), retried, retried, isAnswer(code)})
	}
	for _, code := range []int{423, 503, 409} {
		for _, body := range []string{"", "upstream connect error", "<html>", `{}`, `{"error":{"code":503}}`} {
			rows = append(rows, happening{fmt.Sprintf("%d of another %s", code, body),
				func(request *http.Request) (*http.Response, error) {
					connected(request)
					return respond(request, code, body), nil
				}, retried, lost, func(err error) bool {
					var answer *Error
					return errors.As(err, &answer) && answer.StatusCode == code && answer.Foreign
				}})
		}
	}
	for _, code := range []int{408, 500, 502, 504, 524, 599} {
		rows = append(rows, happening{fmt.Sprint(code), status(code), retried, lost, isAnswer(code)})
	}
	for _, code := range []int{400, 401, 403, 404, 409, 412, 422} {
		rows = append(rows, happening{fmt.Sprint(code), status(code), once, once, isAnswer(code)})
	}
	for code, write := range map[int]outcome{301: once, 302: lost, 303: lost, 307: lost, 308: once} {
		for _, address := range []string{"", "https://elsewhere.example/", "https://%zz/napi_stolen"} {
			rows = append(rows, happening{fmt.Sprintf("%d to %q", code, address),
				func(request *http.Request) (*http.Response, error) {
					connected(request)
					return respond(request, code, `{"message":"so it is"}`, "Location", address), nil
				}, once, write, func(err error) bool {
					return HasStatus(err, code) && strings.Contains(err.Error(), "check the base URL")
				}})
		}
	}
	return rows
}

func isAnswer(code int) func(error) bool {
	return func(err error) bool {
		var answer *Error
		return errors.As(err, &answer) && answer.StatusCode == code &&
			answer.Message == "so it is" && answer.RequestID == "req-1"
	}
}

func isBadAnswer(reason string) func(error) bool {
	return func(err error) bool {
		var bad *BadAnswerError
		return errors.As(err, &bad) && strings.Contains(bad.Reason, reason)
	}
}

// Every cell of the table of what may be sent again.
func TestWhatIsSentAgain(t *testing.T) {
	for _, row := range happenings() {
		for _, method := range methods {
			t.Run(row.name+"/"+method, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					platform := &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) { return row.meet(r) }}
					api := newClient(t, platform)
					want := row.write
					if method == http.MethodGet {
						want = row.read
					}
					ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
					defer cancel()
					_, err := api.send(ctx, call{
						method: method, route: "/things/{id}", params: []string{"1"}, subject: "a thing",
					})
					sent := map[outcome]int{retried: 4, once: 1, lost: 1}[want]
					equal(t, "requests", platform.count(), sent)
					var ambiguous *AmbiguousError
					equal(t, "ambiguous", errors.As(err, &ambiguous), want == lost)
					if !row.is(err) {
						t.Errorf("the error is %v", err)
					}
					if want == lost {
						contains(t, err.Error(), "A thing may have taken effect", method+" /api/v2/things/1")
					}
				})
			})
		}
	}
}

// A refusal for the rate limit isn't counted: it is waited out, as long as the
// caller has time.
func TestTheRateLimitIsWaitedOut(t *testing.T) {
	for _, retryAfter := range []string{"", "7", "0", "-3", "soon", "Fri, 31 Dec 1999 23:59:59 GMT"} {
		for _, method := range methods {
			t.Run(method+"/"+retryAfter, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					platform := &fakePlatform{answer: func(nth int, r *http.Request) (*http.Response, error) {
						if nth < 20 {
							return respond(r, 429, `{"message":"slow down"}`, "Retry-After", retryAfter), nil
						}
						return respond(r, 200, "{}"), nil
					}}
					api := newClient(t, platform)
					began := time.Now()
					if _, err := api.send(t.Context(), call{method: method, route: "/things"}); err != nil {
						t.Fatal(err)
					}
					equal(t, "requests", platform.count(), 21)
					if took := time.Since(began); retryAfter == "7" && took != 140*time.Second {
						t.Errorf("waited %s, want 20 times 7 s", took)
					} else if took < 20*firstBackoff {
						t.Errorf("21 requests within %s", took)
					}
				})
			})
		}
	}
}

func TestTheRateLimitEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		began := time.Now()
		_, err := newClient(t, always(429, `{"message":"slow down"}`)).
			CreateClaimableDatabase(ctx, ClaimableDatabaseCreate{Ref: "r"})
		var ended *EndedError
		if !errors.As(err, &ended) || !errors.Is(err, context.DeadlineExceeded) || !HasStatus(ended.Last, 429) {
			t.Errorf("got %v, want an EndedError with the refusal", err)
		}
		equal(t, "took", time.Since(began), 90*time.Second)
	})
}

// The first wait is 0.1 s; they double up to 5 s, less a random part.
func TestWaitsBetweenAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := always(503, "")
		api := newClient(t, platform, func(c *Config) { c.MaxRetries = 8 })
		_, err := api.GetClaimableDatabase(t.Context(), "d")
		if !HasStatus(err, 503) {
			t.Fatalf("got %v", err)
		}
		requests := platform.all()
		equal(t, "requests", len(requests), 9)
		longestOnes := 0
		for i, tenths := range []int{1, 2, 4, 8, 16, 32, 50, 50} {
			longest := time.Duration(tenths) * 100 * time.Millisecond
			if wait := requests[i+1].at.Sub(requests[i].at); wait < longest/2 || wait > longest {
				t.Errorf("wait %d: %s, want %s to %s", i, wait, longest/2, longest)
			} else if wait == longest {
				longestOnes++
			}
		}
		if longestOnes == 8 {
			t.Error("no wait has a random part: requests that were refused together come back together")
		}
	})
}

func TestAWaitEndsAtOnceWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		api := newClient(t, always(503, `{"message":"restarting"}`), func(c *Config) { c.MaxRetries = 100 })
		time.AfterFunc(30*time.Second+time.Millisecond, cancel)
		began := time.Now()
		_, err := api.GetClaimableDatabase(ctx, "d")
		equal(t, "took", time.Since(began), 30*time.Second+time.Millisecond)
		var ended *EndedError
		if !errors.As(err, &ended) || !HasStatus(ended.Last, 503) || !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		contains(t, err.Error(), "was interrupted", "restarting")
	})
}

// What the platform last said is worth more than that the attempt after it was
// interrupted.
func TestTheLastAnswerSurvivesAnInterruptedAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		platform := &fakePlatform{answer: func(nth int, r *http.Request) (*http.Response, error) {
			if nth == 0 {
				return respond(r, 503, `{"message":"restarting"}`), nil
			}
			<-r.Context().Done()
			return nil, r.Context().Err()
		}}
		_, err := newClient(t, platform).GetClaimableDatabase(ctx, "d")
		var ended *EndedError
		if !errors.As(err, &ended) || !HasStatus(ended.Last, 503) {
			t.Errorf("got %v", err)
		}
	})
}

// Faults of real connections.
func TestFaultsOfConnections(t *testing.T) {
	var printed strings.Builder
	log.SetOutput(&printed)
	defer func() {
		log.SetOutput(os.Stderr)
		equal(t, "printed beside the log", printed.String(), "")
	}()
	var requests atomic.Int32
	breaking := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		connection, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		if r.URL.Path == "/api/v1/database/cut" || r.Header.Get("User-Agent") == "cut" {
			_, _ = buffered.WriteString("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":")
			_ = buffered.Flush()
		}
		_ = connection.Close()
	}))
	defer breaking.Close()
	closed := httptest.NewServer(nil)
	closed.Close()

	for _, test := range []struct {
		name, url, agent string
		reads, writes    int32
		ambiguous        bool
	}{
		{"refused", closed.URL, "", 0, 0, false},
		{"broken", breaking.URL, "", 3, 1, true},
		{"cut off", breaking.URL, "cut", 3, 1, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			api := newClient(t, nil, func(c *Config) { c.ClaimBaseURL, c.MaxRetries, c.UserAgent = test.url, 2, test.agent })
			requests.Store(0)
			if _, err := api.GetClaimableDatabase(t.Context(), "d"); err == nil {
				t.Error("a read succeeded")
			}
			equal(t, "reads", requests.Swap(0), test.reads)
			_, err := api.CreateClaimableDatabase(t.Context(), ClaimableDatabaseCreate{Ref: "r"})
			equal(t, "writes", requests.Load(), test.writes)
			var ambiguous *AmbiguousError
			var notSent *NotSentError
			equal(t, "ambiguous", errors.As(err, &ambiguous), test.ambiguous)
			equal(t, "not sent", errors.As(err, &notSent), !test.ambiguous)
		})
	}
}

// A scheme that the server doesn't speak is told at once: another attempt meets the same server.
func TestAnAddressWithTheWrongScheme(t *testing.T) {
	var connections atomic.Int32
	server := httptest.NewUnstartedServer(nil)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	api := newClient(t, nil, func(c *Config) { c.BaseURL = strings.Replace(server.URL, "http:", "https:", 1) })
	_, err := api.GetProject(t.Context(), "p")
	if !is[*NotSentError](err) || !is[tls.RecordHeaderError](err) {
		t.Errorf("got %v", err)
	}
	equal(t, "connections", connections.Load(), 1)
}

// What no request can carry is refused before the first, and not printed.
func TestAKeyWithALineBreak(t *testing.T) {
	for _, key := range []string{testKey + "\n", "a\r\nb: c", "a\x00b"} {
		_, err := New(Config{APIKey: key})
		if err == nil || strings.Contains(err.Error(), strings.TrimSpace(key)) {
			t.Errorf("got %v", err)
		}
	}
}
