package client

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// An answer that others have is used without a request while it is new, and never one that is none.
func TestAnsweredProject(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		later  time.Duration
		want   bool
	}{
		"just now": {200, time.Second, true}, "some time ago": {200, closeToPlan + time.Second, false}, "refused": {403, 0, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			api := newClient(t, always(test.status, `{"project":{"id":"p"},"message":"no"}`))
			_, isAnswered := api.AnsweredProject("p")
			equal(t, "before it was read", isAnswered, false)
			_, _ = api.GetSharedProject(t.Context(), "p")
			time.Sleep(test.later)
			project, isAnswered := api.AnsweredProject("p")
			if equal(t, name, isAnswered, test.want); isAnswered && project.ID != "p" {
				t.Errorf("%s: got %v", name, project)
			}
		})
	}
}

// A list that fails is its reader's own failure: who has waited for it lists again.
func TestAListThatFailsIsNobodyElses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		lists := 0
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			mu.Lock()
			lists++
			isFirst := lists == 1
			mu.Unlock()
			time.Sleep(50 * time.Millisecond)
			if isFirst {
				return respond(request, 403, `{"message":"not now"}`), nil
			}
			return respond(request, 200,
				`{"buckets":[{"name":"x"},{"name":"y"}],"branch":{"id":"b"},"branches":[{"id":"b"}]}`), nil
		}))
		var all sync.WaitGroup
		errs := make([]error, 2)
		for i, name := range []string{"x", "y"} {
			all.Go(func() { _, errs[i] = api.CreateBucket(t.Context(), aBranch, name, "private") })
		}
		all.Wait()
		if refused := HasStatus(errs[0], 403); refused == HasStatus(errs[1], 403) ||
			!errors.Is(errors.Join(errs...), ErrTaken) {
			t.Errorf("got %v", errs)
		}
	})
}

// Of what is there before a creation, one that can't be decoded says nothing, unless it may be what is asked for.
func TestWhatIsThereBeforeAndCannotBeDecoded(t *testing.T) {
	for name, isIt := range map[string]bool{"n": true, "m": false} {
		synctest.Test(t, func(t *testing.T) {
			api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
				if request.Method == http.MethodPost {
					return respond(request, 201, `{"token_id":"made"}`), nil
				}
				return respond(request, 200,
					strings.ReplaceAll(`{"credentials":[{"token_id":"1","name":"NAME","principal_type":"user","created_at":7}]}`,
						"NAME", name)), nil
			}))
			if _, err := api.CreateCredential(t.Context(), aBranch, CredentialCreate{Name: "n"}); isBadAnswer("")(err) != isIt ||
				!isIt && err != nil {
				t.Errorf("%s: got %v", name, err)
			}
		})
	}
}

// A snapshot that somebody else has just taken is the one that is asked for again, though another creation has listed
// just before.
func TestASnapshotOfJustNowIsAdopted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &listing{field: "snapshots",
			one: `{"id":%q,"name":%q,"manual":true,"source_branch_id":"b","created_at":"2000-01-01T00:00:00Z"}`}
		api := newClient(t, platform)
		if _, err := api.CreateSnapshot(t.Context(), aBranch, SnapshotCreate{Name: "other"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		platform.make("theirs", "n")
		adopted, err := api.CreateSnapshot(t.Context(), aBranch, SnapshotCreate{Name: "n", Within: time.Minute})
		if err != nil || adopted.Object.ID != "theirs" || platform.wrote != 1 {
			t.Errorf("got %v, %v after %d", adopted, err, platform.wrote)
		}
	})
}

// However slowly a plan walks over data sources that ask the same, it is asked once. Who goes on asking sees within a
// minute what others have changed.
func TestTheSameIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var name atomic.Value
		name.Store("old")
		platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
			return respond(request, 200,
				fmt.Sprintf(`{"uri":"postgres://h/d","project":{"id":"p","name":%q}}`, name.Load())), nil
		}}
		api := newClient(t, platform)
		var walk sync.WaitGroup
		for range 10 {
			walk.Go(func() {
				for range 20 {
					time.Sleep(rand.N(4 * time.Second))
					_, projectErr := api.GetSharedProject(t.Context(), "p")
					_, err := api.GetSharedConnectionURI(t.Context(), "p", ConnectionURIQuery{DatabaseName: "d", RoleName: "r"})
					if err := errors.Join(projectErr, err); err != nil {
						t.Error(err)
					}
				}
			})
		}
		time.Sleep(30 * time.Second)
		equal(t, "requests of a walk that takes 40 s", platform.count(), 2)
		walk.Wait()
		name.Store("new")
		for range 20 {
			time.Sleep(3 * time.Second)
			_, _ = api.GetSharedProject(t.Context(), "p")
		}
		project, err := api.GetSharedProject(t.Context(), "p")
		if err != nil || project.Name != "new" {
			t.Errorf("got %v, %v after a minute", project, err)
		}
	})
}

// What was answered before a write isn't the answer to who asks after it.
func TestAWriteMakesAnswersStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name := "old"
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodPatch {
				name = "new"
			}
			return respond(request, 200, `{"project":{"id":"p","name":"`+name+`"}}`), nil
		}))
		if _, err := api.GetSharedProject(t.Context(), "p"); err != nil {
			t.Fatal(err)
		}
		if _, err := api.UpdateProject(t.Context(), "p", ProjectUpdate{Name: new("new")}); err != nil {
			t.Fatal(err)
		}
		if project, err := api.GetSharedProject(t.Context(), "p"); err != nil || project.Name != "new" {
			t.Errorf("got %v, %v", project, err)
		}
	})
}

// A project that was transferred is the other organization's to who asks after it.
func TestATransferMakesAnswersStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		org := "from"
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodPost {
				org = "to"
				return respond(request, 200, `{}`), nil
			}
			return respond(request, 200, `{"project":{"id":"p","org_id":"`+org+`"}}`), nil
		}))
		if _, err := api.GetSharedProject(t.Context(), "p"); err != nil {
			t.Fatal(err)
		}
		if err := api.TransferProjects(t.Context(), []string{"p"}, "from", "to"); err != nil {
			t.Fatal(err)
		}
		if project, err := api.GetSharedProject(t.Context(), "p"); err != nil || project.OrgID != "to" {
			t.Errorf("got %v, %v", project, err)
		}
	})
}
