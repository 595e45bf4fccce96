package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// anonymousNeon is Claimable Neon. It keeps what it was asked, with the token that came along.
type anonymousNeon struct {
	tokens int
	asked  []string
	answer func(nth int, request *http.Request) (int, string)
}

func (n *anonymousNeon) RoundTrip(request *http.Request) (*http.Response, error) {
	connected(request)
	body, err := io.ReadAll(readerOf(request.Body))
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(request.URL.Path, "/oauth2/token") {
		n.tokens++
		_, assertion, _ := strings.Cut(string(body), "assertion=")
		assertion, _, _ = strings.Cut(assertion, "&")
		return respond(request, 200, fmt.Sprintf(`{"access_token":"%s-%d","expires_in":3600}`, assertion, n.tokens)), nil
	}
	n.asked = append(n.asked, strings.TrimSpace(request.Header.Get("Authorization")+" "+string(body)))
	status, text := n.answer(len(n.asked), request)
	return respond(request, status, text), nil
}

// A project is asked about with a token of its own, which is exchanged again before it ends, or once where Neon has
// ended it.
func TestTokensOfClaimableProjects(t *testing.T) {
	const credentials = `{"database_url":"u"}`
	of := func(assertion string) ClaimableIdentity {
		return ClaimableIdentity{ProjectID: "x", Assertion: assertion}
	}
	always := func(status int, body string) func(int, *http.Request) (int, string) {
		return func(int, *http.Request) (int, string) { return status, body }
	}
	for name, test := range map[string]struct {
		answer func(int, *http.Request) (int, string)
		// reads are the assertions, one after the other, after a pause.
		reads []string
		pause time.Duration
		want  string
		fails bool
	}{
		"one for many":        {always(200, credentials), []string{"a", "a", "a"}, time.Minute, "a-1 a-1 a-1", false},
		"each its own":        {always(200, credentials), []string{"a", "b", "a"}, time.Minute, "a-1 b-2 a-1", false},
		"before its end":      {always(200, credentials), []string{"a", "a"}, time.Hour - 20*time.Second, "a-1 a-2", false},
		"well before its end": {always(200, credentials), []string{"a", "a"}, time.Hour - 40*time.Second, "a-1 a-1", false},
		"refused for good":    {always(401, `{"error":{"code":"invalid_token","message":"no"}}`), []string{"a"}, 0, "a-1 a-2", true},
		"refused by a proxy":  {always(401, `<html>`), []string{"a"}, 0, "a-1", true},
		"refused for another": {always(403, `{"error":{"code":"forbidden","message":"no"}}`), []string{"a"}, 0, "a-1", true},
		"ended before its end": {func(nth int, _ *http.Request) (int, string) {
			if nth == 1 {
				return 401, `{"error":{"code":"invalid_token","message":"it has ended"}}`
			}
			return 200, credentials
		}, []string{"a", "a"}, 0, "a-1 a-2 a-2", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &anonymousNeon{answer: test.answer}
				api := newClient(t, platform)
				for i, assertion := range test.reads {
					if i > 0 {
						time.Sleep(test.pause)
					}
					if _, err := api.GetClaimableCredentials(t.Context(), of(assertion)); (err != nil) != test.fails {
						t.Errorf("got %v", err)
					}
				}
				equal(t, "asked", strings.ReplaceAll(strings.Join(platform.asked, " "), "Bearer ", ""), test.want)
			})
		})
	}
}

// What Claimable Neon itself says of a project's end counts, and nothing else.
func TestClaimEndOf(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]ClaimEnd{"project_claimed": ClaimClaimed, "project_expired": ClaimExpired,
		"invalid_grant": ClaimRevoked, "forbidden": ClaimNone} {
		equal(t, code, ClaimEndOf(fmt.Errorf("x: %w", &Error{Code: code})), want)
		equal(t, "a proxy's "+code, ClaimEndOf(&Error{Code: code, Foreign: true}), ClaimNone)
	}
	equal(t, "another error", ClaimEndOf(errors.New("x")), ClaimNone)
}

// A claim that nobody has begun is none; whatever else isn't read is an error.
func TestClaimState(t *testing.T) {
	for answer, want := range map[string]struct {
		state string
		fails bool
	}{
		`{"state":"pending"}`: {"pending", false}, `{"error":{"code":"not_found","message":"no claim"}}`: {"", false},
		`{"error":{"code":"forbidden","message":"no"}}`: {"", true}, `{}`: {"", true},
	} {
		synctest.Test(t, func(t *testing.T) {
			api := newClient(t, &anonymousNeon{answer: func(int, *http.Request) (int, string) {
				if strings.Contains(answer, "error") {
					return 404, answer
				}
				return 200, answer
			}})
			if state, err := api.GetClaimableClaimState(t.Context(),
				ClaimableIdentity{ProjectID: "x", Assertion: "a"}); state != want.state || (err != nil) != want.fails {
				t.Errorf("%s: got %q, %v", answer, state, err)
			}
		})
	}
}

// A project is asked for without a key, and counts where the answer has all that it is known by later.
func TestCreateClaimableProject(t *testing.T) {
	const whole = `{"identity_assertion":"a","registration_id":"r","project":{"id":"x"}}`
	for answer, isLost := range map[string]bool{
		whole: false, strings.Replace(whole, `"r"`, `""`, 1): true, strings.Replace(whole, `"x"`, `""`, 1): true,
		strings.Replace(whole, `"a"`, `""`, 1): true,
	} {
		synctest.Test(t, func(t *testing.T) {
			platform := &anonymousNeon{answer: func(int, *http.Request) (int, string) { return 200, answer }}
			if _, err := newClient(t, platform).CreateClaimableProject(t.Context(),
				ClaimableProjectCreate{Source: "s"}); IsLost(err) != isLost || (err != nil) != isLost {
				t.Errorf("%s: got %v", answer, err)
			}
			equal(t, "asked", strings.Join(platform.asked, "; "), `{"type":"anonymous","capabilities":[],"source":"s"}`)
		})
	}
}

// After a lost deletion, a project that somebody has claimed meanwhile wasn't deleted.
func TestALostDeletionOfAClaimedProject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &anonymousNeon{answer: func(nth int, _ *http.Request) (int, string) {
			if nth == 1 {
				return 504, `{}`
			}
			return 409, `{"error":{"code":"project_claimed","message":"it is somebody's"}}`
		}}
		err := newClient(t, platform).DeleteClaimableProject(context.WithoutCancel(t.Context()),
			ClaimableIdentity{ProjectID: "x", Assertion: "a"})
		if ClaimEndOf(err) != ClaimClaimed {
			t.Errorf("got %v", err)
		}
	})
}

// What answers a deletion in Neon's place deletes nothing, and one that was interrupted may have had its effect.
func TestADeletionOfAClaimableProjectThatIsntAnswered(t *testing.T) {
	for name, answer := range map[string]func(*http.Request, context.CancelFunc) (*http.Response, error){
		"by a proxy": func(request *http.Request, _ context.CancelFunc) (*http.Response, error) {
			return respond(request, http.StatusOK, `{"error":"the gateway's"}`), nil
		},
		"before an interruption": func(request *http.Request, interrupt context.CancelFunc) (*http.Response, error) {
			time.AfterFunc(time.Second, interrupt)
			<-request.Context().Done()
			return nil, request.Context().Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				defer interrupt()
				api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
					connected(request)
					if request.Method == http.MethodDelete {
						return answer(request, interrupt)
					}
					return respond(request, http.StatusOK, `{"access_token":"t","expires_in":3600}`), nil
				}))
				if err := api.DeleteClaimableProject(ctx, ClaimableIdentity{ProjectID: "x", Assertion: "a"}); !IsLost(err) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// Claimable Neon says whether a call may be sent again, and what it doesn't is sent once; whether a write had an effect
// isn't known all the same.
func TestClaimableNeonSaysWhatIsSentAgain(t *testing.T) {
	of := ClaimableIdentity{ProjectID: "x", Assertion: "a"}
	read := func(ctx context.Context, api *Client) error {
		_, err := api.GetClaimableCredentials(ctx, of)
		return err
	}
	create := func(ctx context.Context, api *Client) error {
		_, err := api.CreateClaimableProject(ctx, ClaimableProjectCreate{Source: "test"})
		return err
	}
	for _, test := range []struct {
		status      int
		isRetryable bool
		send        func(context.Context, *Client) error
		isRepeated  bool
		isLost      bool
	}{
		{500, false, read, false, false}, {502, true, read, true, false}, {429, true, read, true, false},
		{429, false, read, false, false}, {503, false, read, false, false}, {503, true, read, true, false},
		{500, false, create, false, true}, {503, false, create, false, true}, {503, true, create, true, false},
		{429, false, create, false, false}, {429, true, create, true, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			refusals := 0
			api := newClient(t, &anonymousNeon{answer: func(int, *http.Request) (int, string) {
				refusals++
				return test.status, fmt.Sprintf(`{"error":{"code":"some","message":"no","retryable":%t}}`, test.isRetryable)
			}})
			if err := test.send(t.Context(), api); IsLost(err) != test.isLost || refusals > 1 != test.isRepeated || err == nil {
				t.Errorf("%+v: sent %d times, %v", test, refusals, err)
			}
		})
	}
}
