package client

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// sendings are a read and a write that is sent again after 429.
var sendings = map[string]func(context.Context, *Client) error{
	"read": func(ctx context.Context, c *Client) error { _, err := c.GetClaimableDatabase(ctx, "d"); return err },
	"write": func(ctx context.Context, c *Client) error {
		_, err := c.CreateClaimableDatabase(ctx, ClaimableDatabaseCreate{Ref: "r"})
		return err
	},
}

// A pause that ends after the time for the request is refused at once, with what was
// asked for.
func TestAPauseBeyondTheDeadlineIsRefusedAtOnce(t *testing.T) {
	for asked, says := range map[string]string{
		"86400": "24h0m0s", "301": "5m1s", "9223372036854775807": "2562047h", "99999999999999999999": "2562047h",
		"Sat, 01 Jan 2000 04:00:00 GMT": "1h0m0s", // an hour after the fake platform's Date, whose clock is ahead of ours
	} {
		for name, send := range sendings {
			for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
				t.Run(asked+" "+name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						platform := always(status, `{"message":"slow down"}`, "Retry-After", asked, "Date",
							"Sat, 01 Jan 2000 03:00:00 GMT")
						began := time.Now()
						err := send(t.Context(), newClient(t, platform))
						equal(t, "took", time.Since(began), 0)
						equal(t, "requests", platform.count(), 1)
						if !HasStatus(err, status) {
							t.Fatalf("got %v", err)
						}
						contains(t, err.Error(), "slow down", "asks to wait "+says)
					})
				})
			}
		}
	}
}

// The deadline is the caller's where it has one.
func TestAPauseBeyondTheTimeoutIsRefusedAtOnce(t *testing.T) {
	for _, send := range sendings {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			platform := &fakePlatform{answer: func(nth int, r *http.Request) (*http.Response, error) {
				if nth == 0 {
					return respond(r, 429, `{}`, "Retry-After", "2400"), nil
				}
				return respond(r, 429, `{}`, "Retry-After", "1201"), nil
			}}
			began := time.Now()
			err := send(ctx, newClient(t, platform))
			equal(t, "took", time.Since(began), 40*time.Minute)
			equal(t, "the refusal", statusOf(err), 429)
			contains(t, err.Error(), "asks to wait 20m1s")
		})
	}
}

// Without a timeout of the caller's, no request is tried for longer than five minutes.
func TestEndlessRefusalsEnd(t *testing.T) {
	for _, retryAfter := range []string{"", "7", "60"} {
		for name, send := range sendings {
			t.Run(name+" "+retryAfter, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					began := time.Now()
					err := send(t.Context(), newClient(t, always(429, `{"message":"slow down"}`, "Retry-After", retryAfter)))
					equal(t, "the refusal", statusOf(err), 429)
					if took := time.Since(began); took < 4*time.Minute || took > longestRequest {
						t.Errorf("took %s", took)
					}
				})
			})
		}
	}
}

// Nor does a read wait longer for answers that don't come.
func TestAReadWithoutAnswersEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		api := newClient(t, answersAfter(time.Hour, 200, `{}`), func(c *Config) { c.MaxRetries = 10 })
		_, err := api.GetClaimableDatabase(t.Context(), "d")
		var unanswered *UnansweredError
		equal(t, "unanswered", errors.As(err, &unanswered), true)
		equal(t, "took", time.Since(began), longestRequest)
	})
}

// What the provider's own limit takes isn't the platform's time.
func TestTheOwnLimitIsNoPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newClient(t, always(200, `{"projects":[]}`), func(c *Config) { c.RequestsPerMinute = 1 })
		began := time.Now()
		for range 10 {
			if _, errs := collect(lists[0].ids(t.Context(), api)); len(errs) > 0 {
				t.Fatal(errs)
			}
		}
		if took := time.Since(began); took < longestRequest {
			t.Errorf("ten requests in %s", took)
		}
	})
}

func TestALongPauseIsTold(t *testing.T) {
	for retryAfter, want := range map[string]int{"60": 0, "61": 1, "200": 1} {
		for _, send := range sendings {
			synctest.Test(t, func(t *testing.T) {
				records := &recorder{level: slog.LevelWarn}
				platform := &fakePlatform{answer: func(nth int, r *http.Request) (*http.Response, error) {
					if nth == 0 {
						return respond(r, 429, `{}`, "Retry-After", retryAfter), nil
					}
					return respond(r, 200, `{"id":"d"}`), nil
				}}
				done := make(chan error)
				go func() {
					done <- send(t.Context(), newClient(t, platform, func(c *Config) { c.Logger = slog.New(records) }))
				}()
				time.Sleep(time.Second)
				synctest.Wait()
				equal(t, "warnings after a second", len(records.lines), want)
				if want > 0 {
					contains(t, records.text(), "asks to wait", "pause=")
				}
				if err := <-done; err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}
