package client_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// Those who look for namesakes within some seconds share one list, in which each finds its own; who looks later sees
// what has come meanwhile. An organization with many projects is asked by the name.
func TestNamesakesShareAList(t *testing.T) {
	for name, test := range map[string]struct {
		pages int // that the list has
		// Requests for it, at most, and by the name, of the first five who look, and with those of the next five. How far a
		// list is fetched that is too long depends on who looks first.
		lists, byName, listsLater, byNameLater int
	}{
		"few projects":  {pages: 2, lists: 2, listsLater: 4},
		"many projects": {pages: 40, lists: 15, byName: 5, listsLater: 30, byNameLater: 10},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				sent := map[bool]int{}
				listed := []client.Project{{ID: "left", Name: "shop-1"}, {ID: "p2", Name: "shop-2"}}
				api := clientOf(t, serve(func(request *http.Request, _ string) (int, any) {
					time.Sleep(50 * time.Millisecond)
					mu.Lock()
					defer mu.Unlock()
					query := request.URL.Query()
					isSearch := query.Get("search") != ""
					sent[isSearch]++
					page := 0
					_, _ = fmt.Sscan(query.Get("cursor"), &page)
					answer := map[string]any{"projects": []client.Project{{ID: fmt.Sprint("other-", page), Name: "shop"}}}
					if page == test.pages-1 || isSearch {
						answer["projects"] = listed
					} else {
						answer["pagination"] = map[string]any{"cursor": fmt.Sprint(page + 1)}
					}
					return http.StatusOK, answer
				}))
				look := func(want ...string) {
					t.Helper()
					var all sync.WaitGroup
					for range 5 {
						all.Go(func() {
							if ids, err := api.ListNamesakes(t.Context(), client.Project{ID: "p1", Name: "shop-1",
								OrgID: "org"}); err != nil || !slices.Equal(ids, want) {
								t.Errorf("got %v, %v, want %v", ids, err, want)
							}
						})
					}
					all.Wait()
				}
				look("left")
				if sent[false] > test.lists || sent[true] != test.byName {
					t.Errorf("%d lists and %d by the name", sent[false], sent[true])
				}
				time.Sleep(6 * time.Second)
				listed = slices.Insert(listed, 0, client.Project{ID: "late", Name: "shop-1"})
				look("late", "left")
				if sent[false] > test.listsLater || sent[true] != test.byNameLater {
					t.Errorf("later %d lists and %d by the name", sent[false], sent[true])
				}
			})
		})
	}
}
