package client

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What a refused write learns of the project's operations says when it is sent again.
func TestWhatARefusedWriteWaitsFor(t *testing.T) {
	running := func(status string) func(time.Duration) string {
		return func(at time.Duration) string {
			if at >= 14*time.Second {
				status = StatusFinished
			}
			return fmt.Sprintf(`{"id":"o","action":"import","status":%q}`, status)
		}
	}
	for name, test := range map[string]struct {
		// locked is how long the write is refused, operations what is listed after a time.
		locked     time.Duration
		operations func(time.Duration) string
		// least and most are how often the write may be sent.
		least, most int
	}{
		"one that runs":          {14 * time.Second, running(StatusRunning), 2, 2},
		"one that is scheduled":  {14 * time.Second, running(statusScheduling), 2, 2},
		"one that is cancelled":  {14 * time.Second, running(statusCancelling), 2, 2},
		"those that end at once": {5 * time.Second, oneAfterAnother(10*time.Millisecond, StatusFinished), 20, 52},
		"a chain on one branch":  {6 * time.Second, chain, 2, 2},
		// What failed is out of the way as what finished is.
		"those that fail in turn": {time.Minute, oneAfterAnother(time.Second, StatusFailed), 35, 62},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, sent := time.Now(), 0
				platform := &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) {
					at := time.Since(began)
					switch {
					case r.Method == http.MethodPatch && at < test.locked:
						sent++
						return respond(r, http.StatusLocked, `{"message":"project already has running operations"}`), nil
					case r.Method == http.MethodPatch:
						sent++
						return respond(r, 200, `{"branch":{"id":"b"},"operations":[]}`), nil
					case strings.HasSuffix(r.URL.Path, "/operations"):
						return respond(r, 200, `{"operations":[`+test.operations(at)+`]}`), nil
					}
					return respond(r, 404, `{"message":"operation not found"}`), nil
				}}
				if _, err := newClient(t, platform).UpdateBranch(t.Context(), aBranch, BranchUpdate{}); err != nil {
					t.Fatal(err)
				}
				if sent < test.least || sent > test.most {
					t.Errorf("sent %d times, want %d to %d", sent, test.least, test.most)
				}
			})
		})
	}
}

// chain has the three operations of one write, which take two seconds each.
func chain(at time.Duration) string {
	var operations []string
	for i := range 3 {
		status := statusScheduling
		switch nth := int(at / (2 * time.Second)); {
		case nth > i:
			status = StatusFinished
		case nth == i:
			status = StatusRunning
		}
		operations = append(operations, fmt.Sprintf(`{"id":"o%d","action":"a%d","branch_id":"b","status":%q}`, i, i, status))
	}
	return strings.Join(operations, ",")
}

// oneAfterAnother has operations that end so after a time, each before the next one begins.
func oneAfterAnother(each time.Duration, status string) func(time.Duration) string {
	return func(at time.Duration) string {
		nth := int(at / each)
		operations := []string{fmt.Sprintf(`{"id":"o%d","action":"a","status":"running"}`, nth)}
		for i := nth - 1; i >= max(0, nth-50); i-- {
			operations = append(operations, fmt.Sprintf(`{"id":"o%d","action":"a","status":%q,"total_duration_ms":1}`, i,
				status))
		}
		return strings.Join(operations, ",")
	}
}

// Reads that come one after the other, with pauses, begin no list.
func TestReadsFarApartShareNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := always(200, `{"branch":{"id":"b"},"branches":[{"id":"b"}]}`)
		api := newClient(t, platform)
		for range 8 {
			if _, err := api.GetSharedBranch(t.Context(), aBranch); err != nil {
				t.Fatal(err)
			}
			time.Sleep(closeTogether + time.Second)
		}
		equal(t, "reads of one", len(only(platform.all(), http.MethodGet, "/api/v2/projects/p/branches/b")), 8)
	})
}
