package client

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The time is Neon's, for one request at most.
func TestNow(t *testing.T) {
	const tolerance = 5 * time.Second
	for name, test := range map[string]struct {
		ahead   time.Duration
		status  int
		hasDate bool
		before  bool // whether there was an answer before
		asks    int
	}{
		"as ours":           {status: http.StatusOK, hasDate: true, asks: 1},
		"ahead":             {ahead: 90 * time.Hour, status: http.StatusOK, hasDate: true, asks: 1},
		"behind, a refusal": {ahead: -time.Hour, status: http.StatusForbidden, hasDate: true, asks: 1},
		"without a date":    {status: http.StatusOK, asks: 1},
		"known":             {ahead: time.Hour, status: http.StatusOK, hasDate: true, before: true},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
				if request.URL.Path == "/api/v2/regions" {
					asked++
				}
				answer := respond(request, test.status, `{"regions":[],"organizations":[]}`,
					"Date", time.Now().Add(test.ahead).UTC().Format(http.TimeFormat))
				if !test.hasDate {
					answer.Header.Del("Date")
				}
				return answer, nil
			}))
			if test.before {
				if _, err := All(api.ListOrganizations(t.Context())); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				if got := time.Until(api.Now(t.Context())); (got - test.ahead).Abs() > tolerance {
					t.Errorf("it is %s from now, want %s", got, test.ahead)
				}
			}
			if asked != test.asks {
				t.Errorf("asked %d times, want %d", asked, test.asks)
			}
		})
	}
}

// slowBody takes half a minute for each read.
type slowBody struct{ io.Reader }

func (b slowBody) Read(into []byte) (int, error) {
	time.Sleep(30 * time.Second)
	return b.Reader.Read(into)
}

// An answer says what time it is when it begins to arrive.
func TestNow_afterALongAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			answer := respond(request, http.StatusOK, "", "Date", time.Now().UTC().Format(http.TimeFormat))
			answer.Body = io.NopCloser(slowBody{strings.NewReader(`{"organizations":[]}`)})
			return answer, nil
		}))
		if _, err := All(api.ListOrganizations(t.Context())); err != nil {
			t.Fatal(err)
		}
		if got := time.Until(api.Now(t.Context())); got.Abs() > time.Second {
			t.Errorf("it is %s from now", got)
		}
	})
}

// Whoever has no time left doesn't wait for another who asks.
func TestNow_endsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			time.Sleep(time.Minute)
			return respond(request, http.StatusOK, `{"regions":[]}`), nil
		}))
		go api.Now(t.Context())
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		api.Now(ctx)
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %s", took)
		}
		time.Sleep(2 * time.Minute)
	})
}
