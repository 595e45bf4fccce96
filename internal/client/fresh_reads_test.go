package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// serve answers requests below /api/v2 by their path.
type serve func(request *http.Request, path string) (status int, body any)

func (s serve) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	status, body := s(request, strings.TrimPrefix(request.URL.Path, "/api/v2"))
	return answer(request, status, body)
}

// keepReading reads a branch again and again, as many at a time as share a list,
// until it is told to stop.
func keepReading(t *testing.T, api *client.Client, branchID string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 5 {
		readers.Go(func() {
			for ctx.Err() == nil {
				if _, err := api.GetSharedBranch(ctx, client.BranchRef{ProjectID: "p", ID: branchID}); err != nil &&
					ctx.Err() == nil {
					t.Error(err)
				}
				time.Sleep(100 * time.Millisecond)
			}
		})
	}
	return func() {
		cancel()
		readers.Wait()
	}
}

// What was listed before an operation ended isn't served to whoever has waited
// for its end, however busily it is read.
func TestTheEndOfAnOperationMakesTheListStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// The second operation is still waited for when the first has ended.
		operations := []client.Operation{
			{ID: "op-1", Action: "create_branch", Status: client.StatusRunning},
			{ID: "op-2", Action: "start_compute", Status: client.StatusRunning},
		}
		end := time.Now().Add(3 * time.Second)
		api := clientOf(t, serve(func(_ *http.Request, path string) (int, any) {
			state, now := "init", slices.Clone(operations)
			if time.Now().After(end) {
				state, now[0].Status = "ready", client.StatusFinished
			}
			if time.Now().After(end.Add(time.Minute)) {
				now[1].Status = client.StatusFinished
			}
			branch := map[string]any{"id": "br-1", "current_state": state}
			switch path {
			case "/projects/p/branches":
				return 200, map[string]any{"branches": []any{branch}}
			case "/projects/p/operations":
				return 200, map[string]any{"operations": now}
			case "/projects/p/operations/op-1":
				return 200, map[string]any{"operation": now[0]}
			case "/projects/p/operations/op-2":
				return 200, map[string]any{"operation": now[1]}
			}
			return 200, map[string]any{"branch": branch}
		}))
		stop := keepReading(t, api, "br-1")
		var waits sync.WaitGroup
		waits.Go(func() {
			if err := api.WaitForOperations(t.Context(), "p", operations); err != nil {
				t.Error(err)
			}
		})
		if err := api.WaitForOperations(t.Context(), "p", operations[:1]); err != nil {
			t.Error(err)
		}
		if branch, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p", ID: "br-1"}); err != nil ||
			branch.CurrentState != "ready" {
			t.Errorf("got %v, %v", branch, err)
		}
		waits.Wait()
		stop()
	})
}

// However busily it is read, and however large it is, a list is served for five seconds at most.
func TestABusyListGrowsOld(t *testing.T) {
	const oldest = 5 * time.Second
	for _, count := range []int{20, 400} {
		t.Run(fmt.Sprint(count), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				project, pages := newListedProject(count), (count+99)/100+1 // The last one is empty.
				api := clientOf(t, project)
				stop := keepReading(t, api, "br-0007")
				defer stop()
				time.Sleep(oldest - time.Second)
				project.mu.Lock()
				if project.requests["page"] > pages {
					t.Errorf("requests before the list is old: %v", project.requests)
				}
				project.branches[7].Name = "changed by others"
				project.mu.Unlock()
				time.Sleep(3 * time.Second)
				if branch, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p", ID: "br-0007"}); err != nil ||
					branch.Name != "changed by others" {
					t.Errorf("got %v, %v", branch, err)
				}
				if project.requests["page"] > 2*pages {
					t.Errorf("requests: %v", project.requests)
				}
			})
		})
	}
}

// touchedBranches lists in the order that it is asked for, by default the latest
// change first, and somebody changes the last branch after each page.
func touchedBranches(alone *int) serve {
	var branches []client.Branch
	for i := range 100 {
		at := time.Now().Add(time.Duration(i) * time.Second)
		branches = append(branches, client.Branch{ID: fmt.Sprintf("br-%02d", i), CreatedAt: at, UpdatedAt: at})
	}
	return func(request *http.Request, path string) (int, any) {
		query := request.URL.Query()
		if path != "/projects/p/branches" {
			*alone++
			return 200, map[string]any{"branch": map[string]any{"id": path[len("/projects/p/branches/"):]}}
		}
		position := func(b client.Branch) string { return b.UpdatedAt.Format(time.RFC3339) }
		if query.Get("sort_by") == "created_at" {
			position = func(b client.Branch) string { return b.CreatedAt.Format(time.RFC3339) }
		}
		slices.SortFunc(branches, func(a, b client.Branch) int { return strings.Compare(position(b), position(a)) })
		var page []client.Branch
		for _, branch := range branches {
			if cursor := query.Get("cursor"); len(page) < 30 && (cursor == "" || position(branch) < cursor) {
				page = append(page, branch)
			}
		}
		next := ""
		if len(page) > 0 {
			next = position(page[len(page)-1])
		}
		branches[99].UpdatedAt = branches[0].UpdatedAt.Add(time.Hour)
		return 200, map[string]any{"branches": page, "pagination": map[string]any{"next": next}}
	}
}

// A branch that is changed during the walk is in the list all the same.
func TestABranchThatIsTouchedDuringTheWalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		alone := 0
		api := clientOf(t, touchedBranches(&alone))
		ids := map[string]bool{}
		for branch, err := range api.ListBranches(t.Context(), "p", client.BranchQuery{}) {
			if err != nil {
				t.Fatal(err)
			}
			ids[branch.ID] = true
		}
		if len(ids) != 100 {
			t.Errorf("%d of 100 branches are listed", len(ids))
		}
		var readers sync.WaitGroup
		for id := range ids {
			readers.Go(func() {
				if _, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p", ID: id}); err != nil {
					t.Error(err)
				}
			})
		}
		readers.Wait()
		if alone != 0 {
			t.Errorf("%d branches were missing from the list", alone)
		}
	})
}

// unreadableWorld has a branch, an annotation, an endpoint and a key that can't
// be decoded.
func unreadableWorld(_ *http.Request, path string) (int, any) {
	branches := []any{
		map[string]any{"id": "a", "name": "a"}, map[string]any{"id": "b", "name": "b", "protected": "yes"},
		map[string]any{"id": "c", "name": "c"}, map[string]any{"id": "d", "name": "d", "created_at": 7}, nil,
	}
	annotations := map[string]any{"c": map[string]any{"value": map[string]any{"n": 7}}}
	endpoints := []any{
		map[string]any{"created_at": "yesterday", "id": "ep-b", "branch_id": "b"},
		map[string]any{"id": "ep-a", "branch_id": "a"},
	}
	switch path {
	case "/projects/p/branches":
		return 200, map[string]any{"branches": branches, "annotations": annotations}
	case "/projects/p/branches/b":
		return 200, map[string]any{"branch": branches[1]}
	case "/projects/p/branches/c":
		return 200, map[string]any{"branch": branches[2], "annotation": annotations["c"]}
	case "/projects/p/branches/d":
		return 200, map[string]any{"branch": branches[3]}
	case "/projects/p/endpoints":
		return 200, map[string]any{"endpoints": endpoints}
	case "/projects/p/branches/b/endpoints":
		return 200, map[string]any{"endpoints": endpoints[:1]}
	case "/organizations/o/api_keys":
		return 200, []any{map[string]any{"created_at": "yesterday", "id": 1}, map[string]any{"id": 2},
			map[string]any{"id": 3, "created_by": 7}}
	}
	return 404, map[string]any{"message": "branch not found"}
}

// An object that can't be decoded fails nobody but who asks for it.
func TestAnObjectThatCantBeDecoded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := clientOf(t, serve(unreadableWorld))
		keys := client.APIKeyScope{OrgID: "o"}
		var readers sync.WaitGroup
		read := func(name string, isReadable bool, read func() error) {
			for range 4 {
				readers.Go(func() {
					if err := read(); (err == nil) != isReadable {
						t.Errorf("%s: %v", name, err)
					}
				})
			}
		}
		for id, isReadable := range map[string]bool{"a": true, "b": false, "c": false, "d": false} {
			read("branch "+id, isReadable, func() error {
				_, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p", ID: id})
				return err
			})
			read("branch named "+id, isReadable, func() error {
				_, err := api.GetSharedBranchByName(t.Context(), "p", id)
				return err
			})
			read("endpoints of "+id, id != "b", func() error {
				_, err := api.ListSharedEndpoints(t.Context(), client.BranchRef{ProjectID: "p", ID: id})
				return err
			})
		}
		for id, isReadable := range map[int64]bool{1: false, 2: true, 3: false, 4: false} {
			read(fmt.Sprintf("key %d", id), isReadable, func() error {
				_, err := api.GetSharedAPIKey(t.Context(), keys, id)
				if client.IsAbsent(err) != (id == 4) {
					t.Errorf("key %d: %v", id, err)
				}
				return err
			})
		}
		readers.Wait()
	})
}

// A key whose id can't be read may be any, so none is said to be gone.
func TestAKeyWithoutAReadableID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := clientOf(t, serve(func(*http.Request, string) (int, any) {
			return 200, json.RawMessage(`[{"id":"seven"},{"id":2}]`)
		}))
		if _, err := api.GetSharedAPIKey(t.Context(), client.APIKeyScope{}, 2); err != nil {
			t.Error(err)
		}
		if _, err := api.GetSharedAPIKey(t.Context(), client.APIKeyScope{}, 7); err == nil || client.IsAbsent(err) {
			t.Errorf("got %v", err)
		}
	})
}

// A list that failed isn't served again, and one that nobody waits for any more
// asks for no further page.
func TestAListThatEndsEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused, lists := true, 0
		api := clientOf(t, serve(func(*http.Request, string) (int, any) {
			if lists++; refused {
				return 403, map[string]any{"message": "not now"}
			}
			return 200, []any{map[string]any{"id": 1}}
		}))
		for _, want := range []bool{true, false} {
			refused = want
			if _, err := api.GetSharedAPIKey(t.Context(), client.APIKeyScope{}, 1); (err != nil) != want {
				t.Errorf("refused %v: %v", want, err)
			}
		}
		if lists != 2 {
			t.Errorf("%d lists", lists)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(1000)
		api := clientOf(t, project)
		started := time.Now()
		ctx, leave := context.WithTimeout(t.Context(), 220*time.Millisecond)
		defer leave()
		var readers sync.WaitGroup
		for range 5 {
			readers.Go(func() { _, _ = api.GetSharedBranch(ctx, client.BranchRef{ProjectID: "p", ID: "br-0901"}) })
		}
		readers.Wait()
		if took := time.Since(started); took != 220*time.Millisecond {
			t.Errorf("they left after %s", took)
		}
		time.Sleep(time.Minute)
		if project.requests["page"] > 4 || project.requests["alone"] != 0 {
			t.Errorf("requests: %v", project.requests)
		}
	})
}
