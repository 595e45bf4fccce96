package client

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// An interruption at any request of a write ends it soon: nothing more is written, what was written is told or found,
// and what wasn't sent isn't said to be lost.
func TestEveryWriteInterruptedAtEachRequest(t *testing.T) {
	for _, writing := range writings {
		for name, what := range map[string]accident{
			"answered": {}, "lost": {takes: true, status: -1}, "504": {takes: true, status: 504, body: `{}`},
			"504 without effect": {status: 504, body: `{}`},
		} {
			for at, isReached := 0, true; isReached; at++ {
				t.Run(fmt.Sprintf("%s/%s/request %d", writing.method, name, at), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						ctx, interrupt := context.WithCancel(t.Context())
						defer interrupt()
						platform := &world{writing: writing, accident: what, state: writing.before}
						var interrupted time.Time
						requests, written := 0, 0
						err := writing.send(ctx, newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
							isIt := requests == at
							requests++
							if isIt {
								interrupted = time.Now()
								interrupt()
							}
							response, err := platform.RoundTrip(request)
							if isIt {
								written = platform.written
							}
							return response, err
						})))
						if isReached = requests > at; !isReached {
							return
						}
						if took := time.Since(interrupted); took > creationGrace+lastLook {
							t.Errorf("took %s", took)
						}
						equal(t, "writes after it", platform.written-written, 0)
						isWaiting := is[*WaitError](err)
						hadEffect := platform.written > 0 && (what.status == 0 || what.takes)
						switch {
						case hadEffect && err != nil && !IsLost(err) && !isWaiting,
							what.status == 0 && platform.written > 0 && err != nil && !isWaiting,
							platform.written == 0 && (err == nil || IsLost(err)):
							t.Errorf("after %d writes and %d requests: got %v", platform.written, requests, err)
						}
					})
				})
			}
		}
	}
}
