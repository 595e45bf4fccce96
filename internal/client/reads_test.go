package client_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// listedProject is a project of many branches with an endpoint each, in pages
// of 100, that counts what it is asked.
type listedProject struct {
	mu       sync.Mutex
	branches []client.Branch
	// unlisted are ids that exist but that lists don't show yet.
	unlisted map[string]bool
	requests map[string]int
	delay    time.Duration
	// refuses is the cursor of a page that isn't given.
	refuses string
}

func newListedProject(count int) *listedProject {
	project := &listedProject{unlisted: map[string]bool{}, requests: map[string]int{}, delay: 50 * time.Millisecond}
	for i := range count {
		project.branches = append(project.branches, client.Branch{ID: fmt.Sprintf("br-%04d", i),
			Name: fmt.Sprintf("b%04d", i)})
	}
	return project
}

func (p *listedProject) RoundTrip(request *http.Request) (*http.Response, error) {
	select {
	case <-time.After(p.delay):
	case <-request.Context().Done():
		return nil, request.Context().Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	path := strings.TrimPrefix(request.URL.Path, "/api/v2/projects/p")
	switch {
	case request.Method == http.MethodPatch:
		p.requests["write"]++
		p.branches[0].Name = "renamed"
		return answer(request, 200, map[string]any{"branch": p.branches[0]})
	case path == "/branches" && request.URL.Query().Has("search"):
		p.requests["search"]++
		return answer(request, 200, map[string]any{"branches": p.named(request.URL.Query().Get("search"))})
	case path == "/branches" && p.refuses != "" && request.URL.Query().Get("cursor") == p.refuses:
		return answer(request, 400, map[string]any{"message": "no such page"})
	case path == "/branches":
		p.requests["page"]++
		return answer(request, 200, p.page(request.URL.Query().Get("cursor")))
	case path == "/endpoints":
		p.requests["endpoints"]++
		var endpoints []client.Endpoint
		for _, branch := range p.branches {
			if !p.unlisted[branch.ID] {
				endpoints = append(endpoints, client.Endpoint{ID: "ep" + branch.ID[2:], BranchID: branch.ID})
			}
		}
		return answer(request, 200, map[string]any{"endpoints": endpoints})
	case strings.HasSuffix(path, "/endpoints"):
		p.requests["endpoints alone"]++
		id := strings.TrimSuffix(strings.TrimPrefix(path, "/branches/"), "/endpoints")
		return answer(request, 200, map[string]any{"endpoints": []client.Endpoint{{ID: "ep" + id[2:], BranchID: id}}})
	}
	p.requests["alone"]++
	for _, branch := range p.branches {
		if "/branches/"+branch.ID == path {
			return answer(request, 200, map[string]any{"branch": branch})
		}
	}
	return answer(request, 404, map[string]any{"message": "branch not found"})
}

// named gives the branches that a search for a name finds.
func (p *listedProject) named(part string) []client.Branch {
	var found []client.Branch
	for _, branch := range p.branches {
		if strings.Contains(branch.Name, part) {
			found = append(found, branch)
		}
	}
	return found
}

func (p *listedProject) page(cursor string) map[string]any {
	from := 0
	if cursor != "" {
		_, _ = fmt.Sscan(cursor, &from)
	}
	to := min(from+100, len(p.branches))
	var branches []client.Branch
	for _, branch := range p.branches[from:to] {
		if !p.unlisted[branch.ID] {
			branches = append(branches, branch)
		}
	}
	return map[string]any{"branches": branches, "pagination": map[string]any{"next": fmt.Sprint(to)}}
}

// readAll reads branches and endpoints the way a plan does: ten at a time.
func readAll(t *testing.T, api *client.Client, project *listedProject) {
	t.Helper()
	readAllSlowly(t, api, project, func() time.Duration { return 0 })
}

// readAllSlowly is readAll where each reader needs so long between any two reads.
func readAllSlowly(t *testing.T, api *client.Client, project *listedProject, pause func() time.Duration) {
	t.Helper()
	project.tenAtATime(func(ref client.BranchRef) {
		branch, err := api.GetSharedBranch(t.Context(), ref)
		if err != nil || branch.ID != ref.ID {
			t.Errorf("branch %s: got %v, %v", ref.ID, branch, err)
		}
		endpoints, err := api.ListSharedEndpoints(t.Context(), ref, "ep"+ref.ID[2:])
		if err != nil || len(endpoints) != 1 || endpoints[0].BranchID != ref.ID {
			t.Errorf("endpoints of %s: got %v, %v", ref.ID, endpoints, err)
		}
		time.Sleep(pause())
	})
}

// tenAtATime does something about each branch, as Terraform does.
func (p *listedProject) tenAtATime(do func(client.BranchRef)) {
	ids := make(chan string)
	var readers sync.WaitGroup
	for range 10 {
		readers.Go(func() {
			for id := range ids {
				do(client.BranchRef{ProjectID: "p", ID: id})
			}
		})
	}
	for _, branch := range p.branches {
		ids <- branch.ID
	}
	close(ids)
	readers.Wait()
}

// sent is how many requests there were.
func (p *listedProject) sent() (requests int) {
	for _, times := range p.requests {
		requests += times
	}
	return requests
}

// A plan over a thousand branches takes the pages of one list.
func TestReadsThatComeCloseTogetherShareAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(1000)
		readAll(t, clientOf(t, project), project)
		// The eleventh page is the empty one that ends the list.
		if project.requests["page"] > 11 || project.requests["endpoints"] != 1 || project.requests["alone"] != 0 {
			t.Errorf("requests: %v", project.requests)
		}
	})
}

// However slowly a plan walks over a thousand branches, it takes one list; who reads a branch again sees what has
// changed.
func TestASlowPlanTakesOneList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(1000)
		api := clientOf(t, project)
		read := func(i int) {
			if _, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p",
				ID: fmt.Sprintf("br-%04d", i)}); err != nil {
				t.Error(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		for i := range 1000 {
			read(i)
		}
		// A list is begun for four reads.
		if want := map[string]int{"alone": 3, "page": 10}; !maps.Equal(project.requests, want) {
			t.Errorf("requests: %v, want %v", project.requests, want)
		}
		for range 10 {
			read(7)
		}
		if project.requests["alone"] == 3 {
			t.Errorf("what is read again comes from a list of two minutes ago: %v", project.requests)
		}
	})
}

// Endpoints that are read by their ids share the list that branches do, and one that it
// lacks is looked up alone.
func TestEndpointsReadByTheirIDsShareAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(200)
		project.unlisted["br-0007"] = true
		api := clientOf(t, project)
		var reads sync.WaitGroup
		for i := range 200 {
			reads.Go(func() {
				endpoint, err := api.GetSharedEndpoint(t.Context(), client.EndpointRef{ProjectID: "p",
					ID: fmt.Sprintf("ep-%04d", i)})
				if i == 7 && err == nil || i != 7 && (err != nil || endpoint.BranchID != fmt.Sprintf("br-%04d", i)) {
					t.Errorf("endpoint %d: got %v, %v", i, endpoint, err)
				}
			})
		}
		reads.Wait()
		// The one that is looked up alone isn't found, which the list confirms.
		if want := map[string]int{"endpoints": 2, "alone": 1}; !maps.Equal(project.requests, want) {
			t.Errorf("requests: %v, want %v", project.requests, want)
		}
	})
}

// One branch in a large project isn't worth a list of all.
func TestAReadOfItsOwnIsOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(1000)
		api := clientOf(t, project)
		if _, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p", ID: "br-0007"}); err != nil {
			t.Fatal(err)
		}
		if project.requests["alone"] != 1 || project.requests["page"] != 0 {
			t.Errorf("requests: %v", project.requests)
		}
	})
}

// Few branches in a large project aren't either, whether they are read side by
// side or one after the other. A list that takes too many pages for them is given up.
func TestAFewReadsAreSentAlone(t *testing.T) {
	for readers, want := range map[int]map[string]int{
		2: {"alone": 2}, 3: {"alone": 3}, 4: {"alone": 3, "page": 12}, 5: {"alone": 4, "page": 15},
	} {
		synctest.Test(t, func(t *testing.T) {
			project := newListedProject(10000)
			api := clientOf(t, project)
			var reads sync.WaitGroup
			for i := range readers {
				reads.Go(func() {
					if _, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p",
						ID: fmt.Sprintf("br-%04d", 1900*i)}); err != nil {
						t.Error(err)
					}
				})
			}
			reads.Wait()
			if !maps.Equal(project.requests, want) {
				t.Errorf("%d side by side: %v", readers, project.requests)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(100)
		api := clientOf(t, project)
		for _, branch := range project.branches {
			if _, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p", ID: branch.ID}); err != nil {
				t.Error(err)
			}
		}
		if want := map[string]int{"alone": 3, "page": 1}; !maps.Equal(project.requests, want) {
			t.Errorf("one after the other: %v", project.requests)
		}
	})
}

// Branches are looked up by name from the same list. A name that it lacks, and
// one that is looked up alone, take a search.
func TestBranchesLookedUpByNameShareAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(20)
		project.unlisted["br-0003"] = true
		api := clientOf(t, project)
		var readers sync.WaitGroup
		for _, branch := range project.branches {
			readers.Go(func() {
				found, err := api.GetSharedBranchByName(t.Context(), "p", branch.Name)
				if err != nil || found == nil || found.ID != branch.ID {
					t.Errorf("branch named %s: got %v, %v, want %s", branch.Name, found, err, branch.ID)
				}
			})
		}
		readers.Wait()
		// The second page is the empty one that ends the list.
		if project.requests["page"] > 2 || project.requests["search"] != 1 {
			t.Errorf("requests: %v", project.requests)
		}
		if found, err := api.GetSharedBranchByName(t.Context(), "p", "b000"); found != nil || err != nil {
			t.Errorf("a part of names finds %v, %v", found, err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(1000)
		if found, err := clientOf(t, project).GetSharedBranchByName(t.Context(), "p", "b0007"); err != nil || found == nil ||
			found.ID != "br-0007" {
			t.Errorf("got %v, %v", found, err)
		}
		if project.requests["page"] != 0 || project.requests["search"] != 1 {
			t.Errorf("requests: %v", project.requests)
		}
	})
}

// Who wants a hint alone whether a name is taken, or an object is there, believes a whole list that lacks it.
func TestHintsTakeOneList(t *testing.T) {
	for what, find := range map[string]func(ctx context.Context, api *client.Client, i int) (*client.Branch, error){
		"by name": func(ctx context.Context, api *client.Client, i int) (*client.Branch, error) {
			return api.GetSharedBranchByName(ctx, "p", fmt.Sprintf("b%04d", i))
		},
		"by id": func(ctx context.Context, api *client.Client, i int) (*client.Branch, error) {
			found, err := api.GetSharedBranch(ctx, client.BranchRef{ProjectID: "p", ID: fmt.Sprintf("br-%04d", i)})
			if client.IsAbsent(err) {
				err = nil
			}
			return found, err
		},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				project := newListedProject(20)
				api := clientOf(t, project)
				var readers sync.WaitGroup
				for i := 10; i < 30; i++ {
					readers.Go(func() {
						found, err := find(client.ForHint(t.Context()), api, i)
						if isThere := i < 20; err != nil || isThere != (found != nil) ||
							isThere && found.ID != fmt.Sprintf("br-%04d", i) {
							t.Errorf("branch %d: got %v, %v", i, found, err)
						}
					})
				}
				readers.Wait()
				if want := map[string]int{"page": 2}; !maps.Equal(project.requests, want) {
					t.Errorf("requests: %v, want %v", project.requests, want)
				}
			})
		})
	}
}

// Who is followed by others begins the list that they share, and still has read alone what it lacks.
func TestAtOnceBeginsTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(3)
		project.unlisted["br-0002"] = true
		api, ctx := clientOf(t, project), client.AtOnce(t.Context())
		for i := range project.branches {
			endpoints, err := api.ListSharedEndpoints(ctx, client.BranchRef{ProjectID: "p", ID: project.branches[i].ID},
				fmt.Sprintf("ep-%04d", i))
			if err != nil || len(endpoints) != 1 {
				t.Errorf("endpoints of branch %d: got %v, %v", i, endpoints, err)
			}
			if _, err := api.GetSharedBranch(ctx, client.BranchRef{ProjectID: "p", ID: project.branches[i].ID}); err != nil {
				t.Errorf("branch %d: %v", i, err)
			}
		}
		if want := map[string]int{"endpoints": 1, "endpoints alone": 1, "page": 2, "alone": 1}; !maps.Equal(project.requests,
			want) {
			t.Errorf("requests: %v, want %v", project.requests, want)
		}
	})
}

// A write of ours makes what was listed before stale at once.
func TestAWriteMakesTheListStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(20)
		api := clientOf(t, project)
		readAll(t, api, project)
		name := "renamed"
		if _, err := api.UpdateBranch(t.Context(), client.BranchRef{ProjectID: "p", ID: "br-0000"},
			client.BranchUpdate{Name: &name}); err != nil {
			t.Fatal(err)
		}
		branch, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p", ID: "br-0000"})
		if err != nil || branch.Name != name {
			t.Errorf("got %v, %v, want the new name", branch, err)
		}
	})
}

// What a list lacks is looked up alone before it is called gone.
func TestWhatAListLacksIsLookedUpAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(20)
		project.unlisted["br-0003"] = true
		api := clientOf(t, project)
		readAll(t, api, project)
		if project.requests["alone"] != 1 || project.requests["endpoints alone"] != 1 {
			t.Errorf("requests: %v", project.requests)
		}
		if _, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p",
			ID: "br-gone"}); !client.IsAbsent(err) {
			t.Errorf("got %v, want not found", err)
		}
	})
}

// The reader who began the list may leave; the others still get it.
func TestTheListOutlivesItsFirstReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(20)
		project.delay = time.Second
		api := clientOf(t, project)
		first, leave := context.WithCancel(t.Context())
		var readers sync.WaitGroup
		others := func(count int) {
			for range count {
				readers.Go(func() {
					if _, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p", ID: "br-0002"}); err != nil {
						t.Error(err)
					}
				})
			}
			time.Sleep(time.Millisecond)
		}
		others(3) // These may still be sent individually.
		readers.Go(func() {
			if _, err := api.GetSharedBranch(first, client.BranchRef{ProjectID: "p", ID: "br-0001"}); err == nil {
				t.Error("the interrupted read got an answer")
			}
		})
		time.Sleep(time.Millisecond)
		others(10)
		time.Sleep(500 * time.Millisecond)
		leave()
		readers.Wait()
		if project.requests["alone"] != 0 {
			t.Errorf("requests: %v", project.requests)
		}
	})
}

// busy is the context of a reader on a machine so busy that a second passes between any two of
// its steps.
type busy struct{ context.Context }

func (b busy) Done() <-chan struct{} {
	time.Sleep(time.Second)
	return b.Context.Done()
}

// A list is read once and its refusal is told, also where the reader who began it goes on only
// after the time in which reads are gathered.
func TestABusyReaderKeepsItsList(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			requests := 0
			refuses := serve(func(*http.Request, string) (int, any) {
				requests++
				return http.StatusConflict, map[string]any{"message": "not now"}
			})
			_, err := clientOf(t, refuses).GetSharedProjectMember(busy{t.Context()},
				client.Ref[client.ProjectMember]{ProjectID: "p", ID: "m"})
			if !client.HasStatus(err, http.StatusConflict) || requests != 1 {
				t.Errorf("%d requests, and %v; want the refusal of one", requests, err)
			}
		})
	}
}

// An old list isn't served, however recently it was asked for.
func TestAnOldListIsFetchedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(20)
		api := clientOf(t, project)
		readAll(t, api, project)
		before := project.requests["page"]
		project.mu.Lock()
		project.branches[5].Name = "changed by others"
		project.mu.Unlock()
		time.Sleep(5*time.Second + time.Millisecond)
		readAll(t, api, project)
		branch, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p", ID: "br-0005"})
		if err != nil || branch.Name != "changed by others" {
			t.Errorf("got %v, %v", branch, err)
		}
		if project.requests["page"] == before {
			t.Error("the old list was served")
		}
	})
}

// All branches of a large project take hardly more requests than their list, in whatever order a plan comes to them,
// and however slowly.
func TestManyBranchesOfALargeProject(t *testing.T) {
	for branches, most := range map[int]int{1000: 12, 3000: 34, 10000: 104} {
		for _, slowest := range []time.Duration{1, 100 * time.Millisecond, 500 * time.Millisecond} {
			for seed := range uint64(2) {
				synctest.Test(t, func(t *testing.T) {
					project, order := newListedProject(branches), rand.New(rand.NewPCG(seed, uint64(branches)))
					project.delay = 5 * time.Millisecond
					inOrder := slices.Clone(project.branches)
					order.Shuffle(branches, func(i, j int) { inOrder[i], inOrder[j] = inOrder[j], inOrder[i] })
					readAllSlowly(t, clientOf(t, project), &listedProject{branches: inOrder},
						func() time.Duration { return rand.N(slowest) })
					if project.sent() > most {
						t.Errorf("%d branches within %s each, in order %d, take %v, want at most %d", branches, slowest, seed,
							project.requests, most)
					}
				})
			}
		}
	}
}

// A plan that deletes branches looks at each branch and at its children. Only `terraform destroy` doesn't read each of
// them before; the first few are read individually. However slow the reads are, the plan takes one list.
func TestPlannedDeletionsTakeOneList(t *testing.T) {
	for branches, most := range map[int]map[bool]int{ // where each is read before, and where it isn't
		1: {true: 3, false: 2}, 3: {true: 5, false: 2}, 300: {true: 13, false: 4}, 1000: {true: 20, false: 11},
	} {
		for _, slowest := range []time.Duration{1, 100 * time.Millisecond, time.Second, 2 * time.Second} {
			for isRead, most := range most {
				synctest.Test(t, func(t *testing.T) {
					project := newListedProject(branches)
					for i := range branches - 1 {
						project.branches[i].ParentID = project.branches[i+1].ID
					}
					project.delay = slowest / 10
					api := clientOf(t, project)
					project.tenAtATime(func(ref client.BranchRef) {
						time.Sleep(rand.N(slowest))
						if isRead {
							if _, err := api.GetSharedBranch(t.Context(), ref); err != nil {
								t.Error(err)
							}
						}
						time.Sleep(rand.N(slowest))
						branch, children, err := api.GetSharedFamily(t.Context(), ref)
						if err != nil || branch == nil || len(children) > 1 ||
							(len(children) == 0) != (ref.ID == project.branches[0].ID) {
							t.Errorf("family of %s: got %v, %v, %v", ref.ID, branch, children, err)
						}
					})
					if project.sent() > most {
						t.Errorf("%d branches within %s each, read before: %t, take %v, want at most %d", branches, slowest, isRead,
							project.requests, most)
					}
				})
			}
		}
	}
}

// Who walks through what a list has had takes no further page of it.
func TestAListIsFetchedAsFarAsItIsNeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		project := newListedProject(10000)
		api := clientOf(t, project)
		for i := range 150 {
			if _, err := api.GetSharedBranch(t.Context(), client.BranchRef{ProjectID: "p",
				ID: fmt.Sprintf("br-%04d", i)}); err != nil {
				t.Error(err)
			}
		}
		if want := map[string]int{"alone": 3, "page": 2}; !maps.Equal(project.requests, want) {
			t.Errorf("requests: %v, want %v", project.requests, want)
		}
	})
}

// What has just been listed to its end is known without a request, until it is a minute old or something has been
// written.
func TestListedBranches(t *testing.T) {
	for _, test := range []struct {
		name            string
		branches, reads int
		then            func(*client.Client) error
		wantListed      bool
	}{
		{"listed to its end", 20, 20, nil, true},
		{"almost a minute ago", 20, 20, func(*client.Client) error { time.Sleep(59 * time.Second); return nil }, true},
		{"a minute ago", 20, 20, func(*client.Client) error { time.Sleep(61 * time.Second); return nil }, false},
		{"listed in part", 300, 20, nil, false},
		{"ended by an error", 300, 20, func(api *client.Client) error {
			if _, err := api.GetSharedBranch(context.Background(), client.BranchRef{ProjectID: "p", ID: "br-0150"}); err == nil {
				return errors.New("the second page was given")
			}
			return nil
		}, false},
		{"read one by one", 20, 3, nil, false},
		{"written since", 20, 20, func(api *client.Client) error {
			_, err := api.UpdateBranch(context.Background(), client.BranchRef{ProjectID: "p", ID: "br-0000"},
				client.BranchUpdate{})
			return err
		}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				project := newListedProject(test.branches)
				project.refuses = "100"
				// Who looks for the last one reads on to the end.
				project.unlisted[project.branches[test.branches-1].ID] = true
				api := clientOf(t, project)
				readAll(t, api, &listedProject{branches: project.branches[:test.reads]})
				if test.then != nil {
					if err := test.then(api); err != nil {
						t.Fatal(err)
					}
				}
				before := maps.Clone(project.requests)
				branches, isListed := api.ListedBranches("p")
				if isListed != test.wantListed || isListed && len(branches) != test.branches-1 {
					t.Errorf("got %d branches, listed: %t", len(branches), isListed)
				}
				if !maps.Equal(project.requests, before) {
					t.Errorf("requests before %v, and after it %v", before, project.requests)
				}
			})
		})
	}
}
