package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// most is the largest number of requests in any window of that length.
func most(requests []seen, window time.Duration) int {
	times := make([]time.Time, len(requests))
	for i, request := range requests {
		times[i] = request.at
	}
	slices.SortFunc(times, time.Time.Compare)
	largest, from := 0, 0
	for to := range times {
		for times[to].Sub(times[from]) > window {
			from++
		}
		largest = max(largest, to-from+1)
	}
	return largest
}

func only(requests []seen, method, path string) []seen {
	return slices.DeleteFunc(slices.Clone(requests), func(request seen) bool {
		return request.method != method || !strings.HasPrefix(request.uri, path)
	})
}

// fire starts many calls at once and waits for all.
func fire(t *testing.T, count int, send func(i int) error) {
	t.Helper()
	var all sync.WaitGroup
	for i := range count {
		all.Go(func() {
			if err := send(i); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// slowPath holds every other ten requests on their way.
type slowPath struct {
	next http.RoundTripper

	mu       sync.Mutex
	arrivals []seen
}

func (p *slowPath) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	nth := len(p.arrivals)
	p.arrivals = append(p.arrivals, seen{})
	p.mu.Unlock()
	if nth/10%2 == 0 {
		time.Sleep(900 * time.Millisecond)
	}
	p.mu.Lock()
	p.arrivals[nth] = seen{method: r.Method, uri: r.URL.Path, at: time.Now()}
	p.mu.Unlock()
	return p.next.RoundTrip(r)
}

// Requests that were sent apart may arrive together, as on a machine that has much else to do.
func TestTheLimitsAreKeptWhereRequestsArrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := &slowPath{next: platformOfEverything()}
		api := newClient(t, path)
		fire(t, 60, func(i int) error {
			_, err := api.createAPIKey(t.Context(), APIKeyScope{OrgID: "o"}, fmt.Sprint(i), nil)
			return err
		})
		keys := only(path.arrivals, http.MethodPost, "/api/v2/organizations/o/api_keys")
		if busiest := most(keys, time.Second-time.Nanosecond); busiest > 10 {
			t.Errorf("%d keys arrived within a second", busiest)
		}
	})
}

func platformOfEverything() *fakePlatform {
	return &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/api_keys") && r.Method == http.MethodGet {
			return respond(r, 200, `[]`), nil
		}
		id := path.Base(r.URL.Path)
		return respond(r, 200,
			fmt.Sprintf(`{"id":1,"key":"napi_1","endpoint":{"id":%[1]q},"operation":{"id":%[1]q}}`, id)), nil
	}}
}

func TestTheLimitsAreKept(t *testing.T) {
	for _, test := range []struct {
		name      string
		perMinute int
		calls     int
		want      int // at most so many in any minute
	}{
		{"the platform's", 0, 2000, 700},
		{"the configured part of it", 60, 150, 60},
		{"a single request a minute", 1, 4, 2}, // both ends of the window count
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := platformOfEverything()
				api := newClient(t, platform, func(c *Config) { c.RequestsPerMinute = test.perMinute })
				fire(t, test.calls, func(i int) error {
					var err error
					if i%2 == 0 {
						_, err = api.GetEndpoint(t.Context(), EndpointRef{ProjectID: "p", ID: fmt.Sprint(i)})
					} else {
						_, err = api.GetOperation(t.Context(), Ref[Operation]{ProjectID: "p", ID: fmt.Sprint(i)})
					}
					return err
				})
				requests := platform.all()
				equal(t, "requests", len(requests), test.calls)
				if busiest := most(requests, time.Minute); busiest > test.want {
					t.Errorf("%d requests within a minute, want at most %d", busiest, test.want)
				}
				if took := requests[len(requests)-1].at.Sub(requests[0].at); test.perMinute == 0 && took > 200*time.Second {
					t.Errorf("2,000 requests took %s", took)
				}
				for _, route := range []string{"/api/v2/projects/p/endpoints/", "/api/v2/projects/p/operations/"} {
					if busiest := most(only(requests, http.MethodGet, route), time.Second); busiest > 40 {
						t.Errorf("%d requests to %s within a second", busiest, route)
					}
				}
			})
		})
	}
}

// One route alone has a lower limit than the account's burst.
func TestTheLimitOfARoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := platformOfEverything()
		api := newClient(t, platform)
		fire(t, 200, func(i int) error {
			_, err := api.GetOperation(t.Context(), Ref[Operation]{ProjectID: "p", ID: fmt.Sprint(i)})
			return err
		})
		if busiest := most(platform.all(), time.Second); busiest > 40 {
			t.Errorf("%d requests within a second", busiest)
		}
	})
}

// Organization keys have a limit of their own, also where they queued behind
// other requests for the account's limit.
func TestTheLimitOfOrganizationKeys(t *testing.T) {
	for _, others := range []int{0, 300} {
		t.Run(fmt.Sprintf("%d requests before", others), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := platformOfEverything()
				api := newClient(t, platform)
				var before sync.WaitGroup
				for i := range others {
					before.Go(func() {
						// Routes of their own, so that only the account's limit holds them.
						_, _ = api.send(t.Context(), ofItsOwnRoute(i))
					})
				}
				synctest.Wait()
				fire(t, 100, func(i int) error {
					_, err := api.createAPIKey(t.Context(), APIKeyScope{OrgID: "o"}, fmt.Sprint(i), nil)
					return err
				})
				before.Wait()
				keys := only(platform.all(), http.MethodPost, "/api/v2/organizations/o/api_keys")
				equal(t, "keys", len(keys), 100)
				if busiest := most(keys, time.Second-time.Nanosecond); busiest > 10 {
					t.Errorf("%d keys within a second", busiest)
				}
				if busiest := most(platform.all(), time.Minute); busiest > 700 {
					t.Errorf("%d requests within a minute", busiest)
				}
			})
		})
	}
}

// Polls for operations have half of the account's limit, however many projects they are of: a write waits for none of
// them.
func TestPollsLeaveRoomForWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := platformOfEverything()
		api := newClient(t, platform)
		var polls sync.WaitGroup
		for i := range 800 {
			polls.Go(func() { _, _ = api.newestOperations(t.Context(), fmt.Sprint("p", i)) })
		}
		time.Sleep(30 * time.Second)
		began := time.Now()
		fire(t, 300, func(i int) error { return onlyError(api.send(t.Context(), ofItsOwnRoute(i))) })
		equal(t, "the writes took", time.Since(began), 0)
		polls.Wait()
		asked := slices.DeleteFunc(platform.all(), func(request seen) bool {
			return !strings.Contains(request.uri, "/operations")
		})
		if busiest := most(asked, time.Minute); busiest > 350 {
			t.Errorf("%d polls within a minute", busiest)
		}
	})
}

// A run that stays below the account's limit waits for nothing, however fast it is.
func TestARunBelowTheLimitsIsNotSlowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newClient(t, platformOfEverything())
		began := time.Now()
		fire(t, 700, func(i int) error { return onlyError(api.send(t.Context(), ofItsOwnRoute(i))) })
		equal(t, "took", time.Since(began), 0)
	})
}

// A refusal says that others use the account, too: then requests are spread evenly for a
// minute, and only for that.
func TestARefusalSlowsForAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &fakePlatform{answer: func(n int, r *http.Request) (*http.Response, error) {
			if n == 0 {
				return respond(r, http.StatusTooManyRequests, `{"message":"too many requests"}`), nil
			}
			return respond(r, http.StatusOK, `{}`), nil
		}}
		api := newClient(t, platform)
		send := func(i int) error { return onlyError(api.send(t.Context(), ofItsOwnRoute(i))) }
		fire(t, 1, send)
		refused := time.Now()
		fire(t, 300, send)
		if took := time.Since(refused); took < 27*time.Second || took > 30*time.Second {
			t.Errorf("300 requests took %s", took)
		}
		if busiest := most(platform.all(), time.Second-time.Nanosecond); busiest > 11 {
			t.Errorf("%d requests within a second", busiest)
		}
		time.Sleep(time.Minute)
		later := time.Now()
		fire(t, 300, send)
		equal(t, "a minute later they took", time.Since(later), 0)
	})
}

// onlyError is the error of a request whose answer doesn't matter.
func onlyError(_ json.RawMessage, err error) error { return err }

func ofItsOwnRoute(i int) call {
	return call{method: http.MethodGet, route: fmt.Sprintf("/r%d", i)}
}

func TestTheClaimableAPIHasNoSuchLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newClient(t, always(200, `{"id":"d"}`), func(c *Config) { c.RequestsPerMinute = 1 })
		began := time.Now()
		fire(t, 200, func(int) error {
			_, err := api.GetClaimableDatabase(t.Context(), "d")
			return err
		})
		equal(t, "took", time.Since(began), 0)
	})
}

// Calls about consumption have a limit of their own over both routes, and count for the account's.
func TestTheLimitOfConsumption(t *testing.T) {
	for perMinute, wantBusiest := range map[int]int{0: 100, 60: 60} {
		t.Run(fmt.Sprintf("%d requests a minute", perMinute), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := platformOfEverything()
				api := newClient(t, platform, func(c *Config) { c.RequestsPerMinute = perMinute })
				fire(t, 140, func(i int) error {
					request := ofItsOwnRoute(i)
					switch {
					case i%4 == 0:
						request.route = "/consumption_history/v2/projects"
					case i%2 == 0:
						request.route = "/consumption_history/v2/branches"
					}
					return onlyError(api.send(t.Context(), request))
				})
				consumption := most(only(platform.all(), http.MethodGet, "/api/v2/consumption_history/"), time.Minute)
				if consumption > 30 || perMinute == 0 && consumption < 30 { // A smaller account may keep them waiting.
					t.Errorf("%d calls about consumption went in a minute, want 30", consumption)
				}
				if got := most(platform.all(), time.Minute); got > wantBusiest {
					t.Errorf("%d requests went in a minute, want at most %d", got, wantBusiest)
				}
			})
		})
	}
}

// A request that waits for its route's limit keeps no other route waiting.
func TestOneRouteKeepsNoOtherWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newClient(t, platformOfEverything())
		var crowd sync.WaitGroup
		for range 200 {
			crowd.Go(func() { _, _ = api.send(t.Context(), ofItsOwnRoute(0)) })
		}
		synctest.Wait()
		began := time.Now()
		fire(t, 100, func(i int) error { return onlyError(api.send(t.Context(), ofItsOwnRoute(1+i))) })
		equal(t, "took", time.Since(began), 0)
		crowd.Wait()
	})
}

// A request that is given up while it waits takes no place, wherever it waited.
func TestAWaitThatIsGivenUpTakesNoPlace(t *testing.T) {
	for _, test := range []struct {
		name      string
		perMinute int
		isRefused bool
	}{
		{"for room in the account's limit", 1, false},
		{"for the pace after a refusal", 10, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &fakePlatform{answer: func(n int, r *http.Request) (*http.Response, error) {
					if n == 0 && test.isRefused {
						return respond(r, http.StatusTooManyRequests, `{"message":"too many requests"}`), nil
					}
					return respond(r, http.StatusOK, `{}`), nil
				}}
				api := newClient(t, platform, func(c *Config) { c.RequestsPerMinute = test.perMinute })
				sendFor := func(wait time.Duration) error {
					ctx, cancel := context.WithTimeout(t.Context(), wait)
					defer cancel()
					return onlyError(api.send(ctx, ofItsOwnRoute(0)))
				}
				fire(t, 1, func(int) error { return sendFor(time.Minute) })
				time.Sleep(2 * time.Second) // until that request counts no more for its route
				for range routePerSecond {
					if err := sendFor(time.Millisecond); err == nil {
						t.Fatal("a request didn't wait")
					}
				}
				time.Sleep(2 * time.Minute)
				fire(t, test.perMinute, func(int) error { return sendFor(time.Second) })
			})
		})
	}
}

// Nor does a refusal of its slow the requests to the other API.
func TestARefusalOfTheClaimableAPISlowsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &fakePlatform{answer: func(nth int, r *http.Request) (*http.Response, error) {
			if nth == 0 {
				return respond(r, http.StatusTooManyRequests, `{}`), nil
			}
			return respond(r, 200, `{"id":"d","operation":{"id":"o"}}`), nil
		}}
		api := newClient(t, platform)
		if _, err := api.GetClaimableDatabase(t.Context(), "d"); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		fire(t, 30, func(int) error {
			_, err := api.GetOperation(t.Context(), Ref[Operation]{"p", "o"})
			return err
		})
		equal(t, "took", time.Since(began), 0)
	})
}

// Each method of a route has a limit of its own.
func TestTheLimitOfAMethod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newClient(t, platformOfEverything())
		began := time.Now()
		fire(t, 60, func(i int) error {
			if i%2 == 0 {
				_, err := api.GetEndpoint(t.Context(), EndpointRef{"p", "e"})
				return err
			}
			_, err := api.UpdateEndpoint(t.Context(), EndpointRef{"p", "e"}, EndpointUpdate{})
			return err
		})
		equal(t, "took", time.Since(began), 0)
	})
}
