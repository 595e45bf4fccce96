package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// story is what becomes of an operation with the time.
type story func(age time.Duration) Operation

// operationsPlatform tells the stories of operations, newest first, with a
// cursor on each page, as the platform does.
type operationsPlatform struct {
	fakePlatform
	began   time.Time
	order   []string
	stories map[string]story
	// delay is how long an answer takes.
	delay time.Duration
}

func newOperationsPlatform(stories map[string]story) *operationsPlatform {
	platform := &operationsPlatform{began: time.Now(), stories: stories}
	for id := range stories {
		platform.order = append(platform.order, id)
	}
	platform.answer = func(_ int, r *http.Request) (*http.Response, error) { return platform.tell(r) }
	return platform
}

func (p *operationsPlatform) operation(id string) (Operation, bool) {
	tell, ok := p.stories[id]
	if !ok {
		return Operation{}, false
	}
	operation := tell(time.Since(p.began))
	operation.ID, operation.ProjectID, operation.BranchID, operation.Action = id, "p", "br-1", "create_branch"
	return operation, operation.Status != ""
}

func (p *operationsPlatform) tell(r *http.Request) (*http.Response, error) {
	// Not time.After, which with no delay at all breaks the race detector in a bubble: it fires in
	// whichever goroutine asks, beside those that the bubble itself has fire.
	if err := sleep(r.Context(), p.delay); err != nil {
		return nil, err
	}
	_, id, single := strings.Cut(r.URL.Path, "/operations/")
	var answer any
	if !single {
		operations := []Operation{}
		for _, id := range p.order {
			if operation, ok := p.operation(id); ok && r.URL.Query().Get("cursor") == "" {
				operations = append(operations, operation)
			}
		}
		answer = map[string]any{"operations": operations, "pagination": map[string]any{"cursor": "next"}}
	} else {
		operation, ok := p.operation(id)
		if !ok {
			return respond(r, 404, `{"message":"operation not found"}`), nil
		}
		answer = map[string]any{"operation": operation}
	}
	body, err := json.Marshal(answer)
	return respond(r, 200, string(body)), err
}

func (p *operationsPlatform) wait(ctx context.Context, api *Client, ids ...string) error {
	operations := make([]Operation, len(ids))
	for i, id := range ids {
		operations[i], _ = p.operation(id)
	}
	return api.WaitForOperations(ctx, "p", operations)
}

// becomes gives statuses one after the other, each for a time.
func becomes(each time.Duration, statuses ...string) story {
	return func(age time.Duration) Operation {
		return Operation{Status: statuses[min(int(age/each), len(statuses)-1)], Error: "compute failed"}
	}
}

func TestHowWaitsEnd(t *testing.T) {
	grace := DefaultOperationGrace
	for _, test := range []struct {
		name    string
		story   story
		refused []string // what the OperationError says; nil for success
		atLeast time.Duration
		atMost  time.Duration
	}{
		{"finished already", becomes(time.Hour, "finished"), nil, 0, 0},
		{"skipped already", becomes(time.Hour, "skipped"), nil, 0, 0},
		{"finishes", becomes(time.Second, "scheduling", "running", "finished"), nil, 2 * time.Second, 4 * time.Second},
		{"is skipped", becomes(time.Second, "running", "skipped"), nil, time.Second, 2 * time.Second},
		{"cancelled", becomes(time.Second, "running", "cancelling", "cancelled"),
			[]string{"op", "create_branch", "br-1", "was cancelled", "compute failed"}, 2 * time.Second, 4 * time.Second},
		{"fails and recovers", becomes(100*time.Second, "failed", "running", "finished"), nil, 200 * time.Second, 206 * time.Second},
		{"error and recovers", becomes(time.Minute, "error", "finished"), nil, time.Minute, 66 * time.Second},
		{"fails for good", becomes(10*time.Second, "running", "failed"),
			[]string{"op", "create_branch", "project p", "br-1", "did not recover within 2m0s", "compute failed"},
			grace + 10*time.Second, grace + 20*time.Second},
		{"fails again and again, then finishes", func(age time.Duration) Operation {
			if age > 10*time.Minute {
				return Operation{Status: "finished"}
			}
			return Operation{Status: "failed", FailuresCount: int64(age / (100 * time.Second))}
		}, nil, 10 * time.Minute, 10*time.Minute + 6*time.Second},
		{"of an unknown status", becomes(time.Minute, "levitating", "finished"), nil, time.Minute, 66 * time.Second},
		{"forgotten", becomes(time.Second, "running", ""), []string{"op", "no longer known to Neon"}, time.Second, 2 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := newOperationsPlatform(map[string]story{"op": test.story})
				err := platform.wait(t.Context(), newClient(t, platform), "op")
				if took := time.Since(platform.began); took < test.atLeast || took > test.atMost {
					t.Errorf("took %s, want %s to %s", took, test.atLeast, test.atMost)
				}
				var failed *OperationError
				equal(t, "an OperationError", errors.As(err, &failed), test.refused != nil)
				if test.refused != nil {
					contains(t, err.Error(), test.refused...)
				} else if err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// What failed before the wait isn't waited for as if it had failed just now, and what
// failed just now is, whatever the platform's clock says.
func TestTheGraceCountsFromTheFailure(t *testing.T) {
	const grace = DefaultOperationGrace
	for _, test := range []struct {
		name string
		// failed is how long before the wait the operation failed.
		failed time.Duration
		dated  bool // whether answers tell the platform's time
		// atLeast is how long the wait takes, and then some for looks and whole seconds.
		atLeast time.Duration
	}{
		{"long ago", time.Hour, true, 0},
		{"a minute ago", time.Minute, true, grace - time.Minute},
		{"just now", 0, true, grace},
		{"long ago, by an unknown clock", time.Hour, false, grace},
		{"just now, by an unknown clock", 0, false, grace},
	} {
		for _, ahead := range []time.Duration{-10 * time.Minute, 0, 10 * time.Minute} {
			for _, status := range []string{StatusFailed, StatusRunning} {
				t.Run(fmt.Sprintf("%s, ahead %s, first known as %s", test.name, ahead, status), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						updated := time.Now().Add(ahead - test.failed)
						platform := newOperationsPlatform(map[string]story{
							"op": func(time.Duration) Operation { return Operation{Status: StatusFailed, UpdatedAt: updated} },
						})
						platform.answer = func(_ int, r *http.Request) (*http.Response, error) {
							response, err := platform.tell(r)
							response.Header.Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
							if !test.dated {
								response.Header.Del("Date")
							}
							return response, err
						}
						operation, _ := platform.operation("op")
						operation.Status = status
						err := newClient(t, platform).WaitForOperations(t.Context(), "p", []Operation{operation})
						var failed *OperationError
						if took := time.Since(platform.began); took < test.atLeast || took > test.atLeast+7*time.Second ||
							!errors.As(err, &failed) {
							t.Errorf("%v after %s, want %s", err, took, test.atLeast)
						}
					})
				})
			}
		}
	}
}

func TestAFailureIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := &recorder{level: slog.LevelInfo}
		platform := newOperationsPlatform(map[string]story{"op": becomes(time.Minute, "failed", "finished")})
		api := newClient(t, platform, func(c *Config) { c.Logger = slog.New(records) })
		if err := platform.wait(t.Context(), api, "op"); err != nil {
			t.Fatal(err)
		}
		equal(t, "warnings", len(records.lines), 1)
		contains(t, records.text(), "failures_count=", "compute failed", "create_branch")
	})
}

func TestTheContextEndsAWaitAtOnce(t *testing.T) {
	for _, test := range []struct {
		name  string
		delay time.Duration
		after time.Duration
	}{
		{"between polls", 0, 17300 * time.Millisecond},
		{"during a poll", time.Minute, 17300 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := newOperationsPlatform(map[string]story{
					"slow": becomes(time.Hour, "running"), "quick": becomes(time.Millisecond, "running", "finished"),
				})
				platform.delay = test.delay
				ctx, cancel := context.WithTimeout(t.Context(), test.after)
				defer cancel()
				err := platform.wait(ctx, newClient(t, platform), "slow", "quick")
				equal(t, "took", time.Since(platform.began), test.after)
				var ended *WaitError
				if !errors.As(err, &ended) || !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("got %v", err)
				}
				equal(t, "waited", ended.Waited, test.after)
				contains(t, err.Error(), "timed out", "slow (create_branch, running)")
				if test.delay == 0 && (len(ended.Running) != 1 || strings.Contains(err.Error(), "quick")) {
					t.Errorf("running: %v", ended.Running)
				}
			})
		})
	}
}

// All who wait for a project are served by one request per poll.
func TestWaitersShareOneList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stories := map[string]story{}
		for i := range 50 {
			stories[fmt.Sprintf("op-%d", i)] = becomes(30*time.Second, "running", "finished")
		}
		platform := newOperationsPlatform(stories)
		api := newClient(t, platform)
		fire(t, 50, func(i int) error { return platform.wait(t.Context(), api, fmt.Sprintf("op-%d", i)) })
		if took := time.Since(platform.began); took > 36*time.Second {
			t.Errorf("took %s", took)
		}
		requests := platform.all()
		if len(requests) > 24 {
			t.Errorf("%d requests for 50 operations of half a minute", len(requests))
		}
		for i := 1; i < len(requests); i++ {
			if requests[i].at.Sub(requests[i-1].at) < firstPoll {
				t.Errorf("requests %d and %d are of one poll: %s, %s", i-1, i, requests[i-1].uri, requests[i].uri)
			}
		}
	})
}

// Who comes to wait for what a poll has already shown to be over, as on a slow machine, sends no other. What hasn't
// ended there is polled for.
func TestWhatAPollHasShownIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := newOperationsPlatform(map[string]story{"op-1": becomes(time.Second, "running", "finished"),
			"op-2": becomes(time.Second, "running", "finished"), "op-3": becomes(time.Minute, "running", "finished")})
		api := newClient(t, platform)
		late := Operation{ID: "op-2", ProjectID: "p", Action: "create_branch", Status: StatusRunning}
		if err := platform.wait(t.Context(), api, "op-1"); err != nil {
			t.Fatal(err)
		}
		before := platform.count()
		if err := api.WaitForOperations(t.Context(), "p", []Operation{late}); err != nil {
			t.Error(err)
		}
		equal(t, "requests of who comes late", platform.count()-before, 0)
		if err := platform.wait(t.Context(), api, "op-2", "op-3"); err != nil || time.Since(platform.began) < time.Minute {
			t.Errorf("got %v after %s", err, time.Since(platform.began))
		}
	})
}

// Polls come early, then slower up to the suggested interval. Where the duration is
// known, there are few.
func TestTheRhythmOfPolls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := newOperationsPlatform(map[string]story{"op": becomes(60*time.Second, "running", "finished")})
		api := newClient(t, platform)
		if err := platform.wait(t.Context(), api, "op"); err != nil {
			t.Fatal(err)
		}
		last := platform.began
		for i, request := range platform.all() {
			pause := request.at.Sub(last)
			if i == 0 && pause != firstPoll || pause < firstPoll || pause > slowestPoll {
				t.Errorf("poll %d after %s", i, pause)
			}
			last = request.at
		}
	})
	synctest.Test(t, func(t *testing.T) {
		done := func(time.Duration) Operation {
			return Operation{Status: "finished", TotalDurationMS: 20_000, UpdatedAt: time.Unix(1, 0)}
		}
		platform := newOperationsPlatform(map[string]story{"before": done,
			"op": becomes(20*time.Second, "running", "finished")})
		api := newClient(t, platform)
		if err := platform.wait(t.Context(), api, "before"); err != nil {
			t.Fatal(err)
		}
		if err := platform.wait(t.Context(), api, "op"); err != nil {
			t.Fatal(err)
		}
		// After 1 s, 4 s and 16 s it might have been shorter than the one before.
		equal(t, "requests", platform.count(), 4)
		if took := time.Since(platform.began); took > 20*time.Second+100*time.Millisecond {
			t.Errorf("took %s", took)
		}
	})
}

// What is known of one project's operations doesn't mislead the waits of another.
func TestDurationsBelongToTheirProject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := func(time.Duration) Operation {
			return Operation{Status: "finished", TotalDurationMS: 60_000, UpdatedAt: time.Unix(1, 0)}
		}
		platform := newOperationsPlatform(map[string]story{"before": long, "op": becomes(time.Second, "running", "finished")})
		api := newClient(t, platform)
		if err := platform.wait(t.Context(), api, "before"); err != nil {
			t.Fatal(err)
		}
		operation := Operation{ID: "op", Action: "create_branch", Status: "running"}
		if err := api.WaitForOperations(t.Context(), "another", []Operation{operation}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(platform.began); took > 2*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

// A new project's operations are expected to take what those of other projects took.
func TestANewProjectLearnsFromOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := func(time.Duration) Operation {
			return Operation{Status: "finished", TotalDurationMS: 2_000, UpdatedAt: time.Unix(1, 0)}
		}
		platform := newOperationsPlatform(map[string]story{"before": before,
			"op": becomes(2*time.Second, "running", "finished")})
		api := newClient(t, platform)
		if err := platform.wait(t.Context(), api, "before"); err != nil {
			t.Fatal(err)
		}
		polls := platform.count()
		api.waits.know("new") // as one that the client has created
		if err := api.WaitForOperations(t.Context(), "new", []Operation{{ID: "op", Action: "create_branch",
			Status: "running"}}); err != nil {
			t.Fatal(err)
		}
		equal(t, "polls", platform.count()-polls, 2)
		if took := time.Since(platform.began); took > 2*time.Second+100*time.Millisecond {
			t.Errorf("took %s", took)
		}
	})
}

// A project that had such operations says itself how long they take, whatever others are waiting for.
func TestAnOldProjectIsAskedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		api := newClient(t, &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
			took := map[bool]time.Duration{true: 30 * time.Second,
				false: 240 * time.Millisecond}[strings.Contains(request.URL.Path, "/slow/")]
			status := StatusRunning
			if time.Since(began) >= took {
				status = StatusFinished
			}
			return respond(request, 200, fmt.Sprintf(`{"operations":[{"id":"now","action":"x","status":%q},
				{"id":"before","action":"x","status":"finished","total_duration_ms":%d}]}`, status, took.Milliseconds())), nil
		}})
		var slow sync.WaitGroup
		slow.Go(func() {
			if err := api.WaitForOperations(t.Context(), "slow", []Operation{{ID: "now", Action: "x",
				Status: StatusRunning}}); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		if err := api.WaitForOperations(t.Context(), "quick", []Operation{{ID: "now", Action: "x",
			Status: StatusRunning}}); err != nil {
			t.Fatal(err)
		}
		equal(t, "took", time.Since(began), 240*time.Millisecond+closestPoll/5)
		slow.Wait()
	})
}

// What several projects agree on is relied on: a new one's operation isn't asked for before its end, unless that is far
// away. Where one of them took another time, it is a guess again.
func TestWhatProjectsAgreeOnIsReliedOn(t *testing.T) {
	for _, test := range []struct {
		name         string
		milliseconds []int64
		takes        time.Duration
		polls        int
	}{
		{"agreed", []int64{5_900, 6_100, 6_000}, 6 * time.Second, 1},
		{"agreed, far away", []int64{30_000, 30_000, 30_000}, 30 * time.Second, 2},
		{"too few", []int64{6_000, 6_100}, 6 * time.Second, 4},
		{"one took longer", []int64{3_000, 3_100, 2_900, 6_000}, 6 * time.Second, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := newOperationsPlatform(map[string]story{"op": becomes(test.takes, "running", "finished")})
				api := newClient(t, platform)
				for i, took := range test.milliseconds {
					for range 2 { // as in two polls
						api.waits.learn(fmt.Sprint("p", i), Operation{Action: "create_branch", Status: StatusFinished,
							TotalDurationMS: took})
					}
				}
				api.waits.know("new") // as one that the client has created
				if err := api.WaitForOperations(t.Context(), "new", []Operation{{ID: "op", Action: "create_branch",
					Status: "running"}}); err != nil {
					t.Fatal(err)
				}
				equal(t, "polls", platform.count(), test.polls)
				if took := time.Since(platform.began); took > test.takes+400*time.Millisecond {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}

// The operations of one request run one after the other, and the duration of each
// begins with the request.
func TestOperationsOfOneRequestEndWithTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := newOperationsPlatform(map[string]story{
			"before": func(time.Duration) Operation {
				return Operation{Status: "finished", TotalDurationMS: 600, UpdatedAt: time.Unix(1, 0)}
			},
			"first": becomes(300*time.Millisecond, "running", "finished"),
			"last":  becomes(600*time.Millisecond, "running", "finished"),
		})
		api := newClient(t, platform)
		if err := platform.wait(t.Context(), api, "before"); err != nil {
			t.Fatal(err)
		}
		if err := platform.wait(t.Context(), api, "first", "last"); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(platform.began); took > 610*time.Millisecond {
			t.Errorf("took %s", took)
		}
	})
}

// A wait that ends, be it the one that polls for all, doesn't end the others.
func TestOneWaiterLeaves(t *testing.T) {
	for leaver := range 3 {
		t.Run(fmt.Sprint(leaver), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				running := becomes(30*time.Second, "running", "finished")
				platform := newOperationsPlatform(map[string]story{"0": running, "1": running, "2": running})
				platform.delay = 50 * time.Millisecond
				api := newClient(t, platform)
				leaving, leave := context.WithCancel(t.Context())
				// The first poll begins after 200 ms and is answered 50 ms later.
				time.AfterFunc(220*time.Millisecond, leave)
				var all sync.WaitGroup
				for i := range 3 {
					ctx := t.Context()
					if i == leaver {
						ctx = leaving
					}
					all.Go(func() {
						time.Sleep(time.Duration(i) * time.Microsecond)
						err := platform.wait(ctx, api, fmt.Sprint(i))
						var ended *WaitError
						if i == leaver {
							equal(t, "interrupted", errors.As(err, &ended) && errors.Is(err, context.Canceled), true)
							equal(t, "left after", time.Since(platform.began), 220*time.Millisecond)
						} else if err != nil {
							t.Errorf("waiter %d: %v", i, err)
						}
					})
				}
				all.Wait()
				if took := time.Since(platform.began); took < 30*time.Second || took > 36*time.Second {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}

// A waiter whose operation failed doesn't take the others along.
func TestOneOperationFailsBesideOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := newOperationsPlatform(map[string]story{
			"good": becomes(10*time.Second, "running", "finished"), "bad": becomes(5*time.Second, "running", "cancelled"),
			"gone": becomes(5*time.Second, "running", ""),
		})
		api := newClient(t, platform)
		errs := map[string]error{}
		var mu sync.Mutex
		var all sync.WaitGroup
		for id := range platform.stories {
			all.Go(func() {
				err := platform.wait(t.Context(), api, id)
				mu.Lock()
				defer mu.Unlock()
				errs[id] = err
			})
		}
		all.Wait()
		var failed *OperationError
		equal(t, "good", errs["good"] == nil, true)
		equal(t, "bad", errors.As(errs["bad"], &failed), true)
		equal(t, "gone", errors.As(errs["gone"], &failed), true)
	})
}

// The platform cancels what was to follow a failed operation. The failure is
// told, and without the secrets that the platform may repeat.
func TestAFailureIsToldRatherThanWhatItCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := newOperationsPlatform(map[string]story{
			"first": func(time.Duration) Operation {
				return Operation{Status: "failed", FailuresCount: 3, Error: "no room for napi_abcdef"}
			},
			"second": becomes(time.Second, "scheduling", "cancelled"),
		})
		err := platform.wait(t.Context(), newClient(t, platform), "first", "second")
		var failed *OperationError
		if !errors.As(err, &failed) {
			t.Fatalf("got %v", err)
		}
		contains(t, err.Error(), "operation first", "failures: 3", "operation second", "was cancelled", "no room for ***")
	})
}

// Of operations that were cancelled together, the one of which Neon says why is told.
func TestTheReasonOfACancellationIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cancelled := func(reason string) story {
			return func(time.Duration) Operation { return Operation{Status: "cancelled", Error: reason} }
		}
		platform := newOperationsPlatform(map[string]story{"first": cancelled("no room left"), "second": cancelled("")})
		contains(t, platform.wait(t.Context(), newClient(t, platform), "first", "second").Error(), "operation first",
			"was cancelled: no room left")
	})
}

// What Neon is at goes on while its operations can't be read: a wait has the time that it was
// given, for all who wait.
func TestAWaitOutlastsAnOutage(t *testing.T) {
	for name, fails := range map[string]func(*http.Request) (*http.Response, error){
		"500":  func(r *http.Request) (*http.Response, error) { return respond(r, 500, `{"message":"so it is"}`), nil },
		"page": func(r *http.Request) (*http.Response, error) { return respond(r, 503, "<html>"), nil },
		"reset": func(r *http.Request) (*http.Response, error) {
			connected(r)
			return nil, errors.New("connection reset by peer")
		},
		"refused":        func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") },
		"foreign 200":    func(r *http.Request) (*http.Response, error) { return respond(r, 200, "<html>"), nil },
		"without a list": func(r *http.Request) (*http.Response, error) { return respond(r, 200, `{"status":"ok"}`), nil },
		"foreign 401":    func(r *http.Request) (*http.Response, error) { return respond(r, 401, "<html>"), nil },
		"foreign 403":    func(r *http.Request) (*http.Response, error) { return respond(r, 403, "<html>"), nil },
		"foreign 404":    func(r *http.Request) (*http.Response, error) { return respond(r, 404, `{}`), nil },
		"cut off": func(r *http.Request) (*http.Response, error) {
			response := respond(r, 200, "")
			response.Body = cutOff{strings.NewReader(`{"operations":`)}
			return response, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := newOperationsPlatform(map[string]story{"a": becomes(5*time.Minute, StatusRunning, StatusFinished)})
				outage := time.Now().Add(3 * time.Second)
				requests := 0
				api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
					requests++
					if now := time.Now(); now.After(outage) && now.Before(outage.Add(4*time.Minute)) {
						return fails(request)
					}
					return platform.tell(request)
				}))
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
				defer cancel()
				began := time.Now()
				var waits sync.WaitGroup
				for range 3 {
					waits.Go(func() {
						if err := platform.wait(ctx, api, "a"); err != nil {
							t.Error(err)
						}
					})
				}
				waits.Wait()
				if took := time.Since(began); took > 5*time.Minute+20*time.Second {
					t.Errorf("took %s", took)
				}
				if requests > 600 {
					t.Errorf("%d requests", requests)
				}
			})
		})
	}
}

// An outage that lasts until the end is told, and what refuses for good ends the wait.
func TestAnOutageUntilTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		api := newClient(t, always(500, `{"message":"so it is"}`))
		err := api.WaitForOperations(ctx, "p", []Operation{{ID: "a", Status: StatusRunning}})
		var ended *WaitError
		if !errors.As(err, &ended) {
			t.Fatalf("got %v", err)
		}
		contains(t, err.Error(), "they can't be read", "so it is")
		if err := newClient(t, always(403, `{"message":"no"}`)).WaitForOperations(t.Context(), "p",
			[]Operation{{ID: "a", Status: StatusRunning}}); !HasStatus(err, 403) || !IsUnread(err) {
			t.Errorf("got %v", err)
		}
	})
}

// What an operation has taken so far is over: the first look comes when the rest is.
func TestAnOperationThatRunsAlready(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
			status := StatusRunning
			if time.Since(began) >= 900*time.Millisecond {
				status = StatusFinished
			}
			return respond(request, 200, `{"operations":[{"id":"a","action":"x","status":"`+status+`"}]}`), nil
		}}
		api := newClient(t, platform)
		api.waits.learn("p", Operation{Action: "x", Status: StatusFinished, TotalDurationMS: 60_000})
		if err := api.WaitForOperations(t.Context(), "p", []Operation{{ID: "a", Action: "x", Status: StatusRunning,
			TotalDurationMS: 59_100}}); err != nil {
			t.Fatal(err)
		}
		equal(t, "took", time.Since(began), 900*time.Millisecond+closestPoll/5)
		equal(t, "requests", platform.count(), 1)
	})
}

// Of several that are listed, the newest says how long the next takes.
func TestTheNewestIsLearnedFrom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newClient(t, always(200,
			`{"operations":[{"id":"b","action":"x","status":"finished","total_duration_ms":2000},{"id":"a","action":"x","status":"finished","total_duration_ms":9000}]}`))
		if _, err := api.newestOperations(t.Context(), "p"); err != nil {
			t.Fatal(err)
		}
		equal(t, "expected", api.waits.expected("p", []Operation{{Action: "x"}}, 0),
			expectation{2 * time.Second, fromProject})
	})
}

// No page of a proxy ends a wait, whatever it waits for.
func TestNothingForeignEndsAWait(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wait func(context.Context, *Client) error
		done string
	}{
		"deployment": {func(ctx context.Context, c *Client) error {
			_, err := c.WaitForDeployment(ctx, aBranch, "api", 3)
			return err
		}, `{"function":{"slug":"api","current_deployment":{"id":3,"status":"completed"},"active_deployment":{"id":3,"status":"completed"}}}`},
		"anonymization": {func(ctx context.Context, c *Client) error {
			_, err := c.PrepareAnonymization(ctx, aBranch)
			return err
		}, `{"state":"initialized"}`},
	} {
		for _, page := range []struct {
			status int
			body   string
		}{{200, "<html>"}, {200, "{}"}, {401, "<html>"}, {403, "<html>"}, {404, "<html>"}, {404, "{}"}, {409, "<html>"},
			{302, `{"message":"moved"}`}} {
			t.Run(fmt.Sprintf("%s, %d %s", name, page.status, page.body), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					outage := time.Now().Add(4 * time.Minute)
					api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
						if time.Now().Before(outage) {
							return respond(request, page.status, page.body), nil
						}
						return respond(request, 200, test.done), nil
					}))
					if err := test.wait(t.Context(), api); err != nil {
						t.Error(err)
					}
					outage = time.Now().Add(time.Hour)
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					if err := test.wait(ctx, api); !IsUnread(err) || !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("got %v", err)
					}
				})
			})
		}
	}
}

// An outage that is over is none at the end.
func TestAnOutageThatIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := newOperationsPlatform(map[string]story{"a": becomes(time.Hour, StatusRunning)})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		outage := time.Now().Add(time.Minute)
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if time.Now().Before(outage) {
				return respond(request, 403, "<html>"), nil
			}
			return platform.tell(request)
		}))
		if err := platform.wait(ctx, api, "a"); !errors.As(err, new(*WaitError)) || IsUnread(err) {
			t.Errorf("got %v", err)
		}
	})
}
