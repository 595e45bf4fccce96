package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// An interruption leaves a write that is under way the time to get its answer,
// and no more.
func TestAnInterruptedWrite(t *testing.T) {
	for _, test := range []struct {
		name      string
		delay     time.Duration
		took      time.Duration
		ambiguous bool
	}{
		{name: "its answer arrives within the grace", delay: 10 * time.Second, took: 10 * time.Second},
		{name: "its answer doesn't arrive", delay: time.Minute, took: 10100 * time.Millisecond, ambiguous: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				time.AfterFunc(100*time.Millisecond, interrupt)
				platform := answersAfter(test.delay, 200, `{"id":"d"}`)
				began := time.Now()
				database, err := newClient(t, platform).CreateClaimableDatabase(ctx, ClaimableDatabaseCreate{Ref: "r"})
				equal(t, "took", time.Since(began), test.took)
				equal(t, "requests", platform.count(), 1)
				var ambiguous *AmbiguousError
				equal(t, "ambiguous", errors.As(err, &ambiguous), test.ambiguous)
				if !test.ambiguous && (err != nil || database.ID != "d") {
					t.Errorf("got %v, %v", database, err)
				}
				if test.ambiguous {
					contains(t, err.Error(), "A claimable database", "interrupted before the answer was there")
				}
			})
		})
	}
}

// The same for a change, which has less time, and whose effect is looked for once.
func TestAnInterruptedChangeOfABranch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		began := time.Now()
		name := "new"
		_, err := newClient(t, answersAfter(time.Minute, 200, `{"branch":{"id":"b"}}`)).
			UpdateBranch(ctx, aBranch, BranchUpdate{Name: &name})
		equal(t, "took", time.Since(began), 2900*time.Millisecond)
		var ambiguous *AmbiguousError
		if !errors.As(err, &ambiguous) || ambiguous.LookupErr == nil {
			t.Errorf("got %v", err)
		}
	})
}

func TestAnInterruptedReadEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, interrupt)
		began := time.Now()
		_, err := newClient(t, answersAfter(time.Minute, 200, `{"id":"d"}`)).GetClaimableDatabase(ctx, "d")
		equal(t, "took", time.Since(began), 100*time.Millisecond)
		var ended *EndedError
		if !errors.As(err, &ended) {
			t.Errorf("got %v", err)
		}
	})
}

// What is interrupted before it was sent is not sent any more.
func TestNothingIsSentAfterAnInterruption(t *testing.T) {
	for name, send := range map[string]func(context.Context, *Client) error{
		"claimable database": func(ctx context.Context, api *Client) error {
			_, err := api.CreateClaimableDatabase(ctx, ClaimableDatabaseCreate{Ref: "r"})
			return err
		},
		"endpoint": func(ctx context.Context, api *Client) error {
			_, err := api.DeleteEndpoint(ctx, EndpointRef{"p", "e"})
			return err
		},
		"list": func(ctx context.Context, api *Client) error {
			_, err := All(api.ListAPIKeys(ctx, APIKeyScope{}))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				interrupt()
				platform := always(200, `{}`)
				var ended *EndedError
				if err := send(ctx, newClient(t, platform)); !errors.As(err, &ended) || !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
				equal(t, "requests", platform.count(), 0)
			})
		})
	}
}

// A read that waits for the list that others fetch says what was interrupted,
// too.
func TestAnInterruptedSharedRead(t *testing.T) {
	for _, after := range []time.Duration{gatherFor / 3, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			api := newClient(t, answersAfter(time.Minute, 200, `{}`))
			ctx, interrupt := context.WithTimeout(t.Context(), after)
			defer interrupt()
			var reads sync.WaitGroup
			for path, read := range map[string]func() error{
				"/api/v2/projects/p/branches":  func() error { _, err := api.GetSharedBranch(ctx, aBranch); return err },
				"/api/v2/projects/p/endpoints": func() error { _, err := api.ListSharedEndpoints(ctx, aBranch); return err },
				"/api/v2/organizations/o/api_keys": func() error {
					_, err := api.GetSharedAPIKey(ctx, APIKeyScope{OrgID: "o"}, 1)
					return err
				},
			} {
				for range fewReads + 1 {
					reads.Go(func() {
						err := read()
						var ended *EndedError
						if !errors.As(err, &ended) || !errors.Is(err, context.DeadlineExceeded) {
							t.Errorf("got %v", err)
							return
						}
						contains(t, err.Error(), path, "timed out")
					})
				}
			}
			reads.Wait()
		})
	}
}

// A read whose answer was lost on every attempt is told from a write's.
func TestAReadThatGetsNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
			connected(request)
			return nil, io.ErrUnexpectedEOF
		}}
		_, err := newClient(t, broken).GetClaimableDatabase(t.Context(), "d")
		var unanswered *UnansweredError
		if !errors.As(err, &unanswered) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("got %v", err)
		}
		equal(t, "requests", broken.count(), 4)
	})
}

// A write whose connection is still being opened was not sent, and isn't any more.
func TestAWriteInterruptedWhileDialling(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer server.Close()
	ctx, interrupt := context.WithCancel(t.Context())
	transport := newTransport(defaultPings)
	connected := make(chan struct{})
	transport.DialContext = func(_ context.Context, network, address string) (net.Conn, error) {
		defer close(connected)
		interrupt()
		time.Sleep(answerGrace / 4)
		return net.Dial(network, address)
	}
	api := newClient(t, transport, func(c *Config) { c.ClaimBaseURL = server.URL })
	_, err := api.CreateClaimableDatabase(ctx, ClaimableDatabaseCreate{Ref: "r"})
	var ended *EndedError
	if !errors.As(err, &ended) {
		t.Errorf("got %v", err)
	}
	<-connected
	transport.CloseIdleConnections()
	server.Close() // waits for what was sent
	equal(t, "requests", requests.Load(), 0)
}
