package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// statusOf is that of an answer, whoever sent it.
func statusOf(err error) int {
	var answer *Error
	if !errors.As(err, &answer) {
		return 0
	}
	return answer.StatusCode
}

func TestErrorBodies(t *testing.T) {
	for _, test := range []struct {
		name    string
		status  int
		body    string
		headers []string
		says    []string
		gone    bool
	}{
		{"control", 422, `{"code":"","message":"branch is not ready","request_id":"req-9"}`, nil,
			[]string{"GET /api/v1/database/{id} was answered with 422 Unprocessable Entity: branch is not ready",
				"request id req-9"}, false},
		{"with a code", 412, `{"code":"FEATURE","message":"not in your plan"}`, nil, []string{"code FEATURE", "not in your plan"}, false},
		{"with a code that is a number", 412, `{"code":17,"message":"not in your plan"}`, nil, []string{"code 17", "not in your plan"}, false},
		{"not found, so they say, for the key", 404, `{"message":"not allowed for organization API keys"}`, nil, []string{"not allowed"}, false},
		{"request id of the header", 403, `{"message":"no"}`, []string{"X-Neon-Ret-Request-Id", "req-8"}, []string{"request id req-8"}, false},
		{"claimable with hint", 400, `{"error":"Missing referrer","hint":"add ref"}`, nil, []string{"Missing referrer (add ref)"}, false},
		{"claimable not found", 400, `{"error":"Database not found"}`, nil, []string{"400", "Database not found"}, true},
		{"claimable not found as message", 400, `{"message":"Database not found"}`, nil, []string{"Database not found"}, true},
		{"claimable not found with hint", 400, `{"error":"Database not found","hint":"check the id"}`, nil,
			[]string{"Database not found (check the id)"}, true},
		{"another 400", 400, `{"message":"invalid cursor"}`, nil, []string{"invalid cursor"}, false},
		{"not found, of another kind", 404, `{"message":"branch not found"}`, nil, []string{"404 Not Found: branch not found"}, false},
		{"not found without a body", 404, "", nil, []string{"404 Not Found ("}, false},
		{"a proxy's page", 524, "<html>cloudflare</html>", nil, []string{"answered with 524: the answer isn't Neon's"}, false},
		{"no object", 409, `["x"]`, nil, []string{"409 Conflict: the answer isn't Neon's"}, false},
		{"null", 409, `null`, nil, []string{"409 Conflict ("}, false},
		{"an error object", 409, `{"error":{"x":1}}`, nil, []string{"409 Conflict ("}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := newClient(t, always(test.status, test.body, test.headers...), func(c *Config) { c.MaxRetries = 0 })
				_, err := api.GetClaimableDatabase(t.Context(), "d")
				if statusOf(err) != test.status {
					t.Fatalf("got %v", err)
				}
				contains(t, err.Error(), test.says...)
				contains(t, err.Error(), "request id ") // the one we sent, where there is no other
				equal(t, "gone", IsAbsent(err), test.gone)
			})
		})
	}
	equal(t, "another error is proof", IsAbsent(errors.New("not found")) || IsAbsent(nil), false)
}

// A lost answer is told with what may exist and the id that support asks for.
func TestALostAnswerIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := always(504, `{"message":"gateway timeout"}`)
		_, err := newClient(t, platform).CreateClaimableDatabase(t.Context(), ClaimableDatabaseCreate{Ref: "r"})
		var lost *AmbiguousError
		if !errors.As(err, &lost) || !HasStatus(err, 504) {
			t.Fatalf("got %v", err)
		}
		equal(t, "request id", lost.RequestID, platform.all()[0].header.Get("X-Request-Id"))
		contains(t, err.Error(), lost.RequestID, "A claimable database", "expires by itself", "gateway timeout")
	})
}

// All attempts of a request bear one id.
func TestAttemptsShareTheirRequestID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := always(503, `{"message":"restarting"}`)
		_, _ = newClient(t, platform).CreateClaimableDatabase(t.Context(), ClaimableDatabaseCreate{Ref: "r"})
		requests := platform.all()
		equal(t, "requests", len(requests), 4)
		for _, request := range requests {
			equal(t, "id", request.header.Get("X-Request-Id"), requests[0].header.Get("X-Request-Id"))
			equal(t, "body", request.body, requests[0].body)
		}
	})
}

func TestErrorsWithoutAnAnswer(t *testing.T) {
	for _, err := range []error{
		&EndedError{Method: "GET", Path: "/x", Err: context.DeadlineExceeded},
		&WaitError{Err: context.DeadlineExceeded, Waited: time.Second},
		&OperationError{Operation: Operation{ID: "op"}, Reason: "was cancelled"},
		&AmbiguousError{Method: "POST", Path: "/x", Err: errors.New("lost")},
	} {
		if err.Error() == "" {
			t.Errorf("%T says nothing", err)
		}
	}
}

// How often a write was sent is told as it is.
func TestALostWriteSaysHowOftenItWasSent(t *testing.T) {
	for name, test := range map[string]struct {
		send func(context.Context, *Client) error
		list string // what a look finds: nothing
	}{
		"branch": {func(ctx context.Context, c *Client) error {
			_, err := c.CreateBranch(ctx, "p", BranchCreate{Name: "n"})
			return err
		}, `{"branches":[]}`},
		"role": {func(ctx context.Context, c *Client) error {
			_, err := c.ResetRolePassword(ctx, aBranch, "r")
			return err
		}, `{"role":{"name":"r"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) {
					if r.Method == http.MethodGet {
						return respond(r, 200, test.list), nil
					}
					return respond(r, 502, ""), nil
				}}
				err := test.send(t.Context(), newClient(t, platform))
				if err == nil || strings.Contains(err.Error(), "not sent again") {
					t.Errorf("got %v", err)
				}
				contains(t, err.Error(), "it was sent 4 times")
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		_, err := newClient(t, always(502, "")).CreateClaimableDatabase(t.Context(), ClaimableDatabaseCreate{Ref: "r"})
		contains(t, err.Error(), "it was not sent again")
	})
}

// What is refused to the kind of key isn't missing, so that nobody looks for the wrong thing.
func TestIsMissing(t *testing.T) {
	for message, isMissing := range map[string]bool{
		"function not found":                    true,
		"not allowed for organization API keys": false,
		`not allowed to perform actions outside the project this key is scoped to; subject_project_id:"p"`: false,
	} {
		if err := error(&Error{StatusCode: http.StatusNotFound, Message: message}); IsMissing(err) != isMissing {
			t.Errorf("IsMissing of %q = %t", message, !isMissing)
		}
	}
}
