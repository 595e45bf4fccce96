package client

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"
)

const (
	// fewReads is how many reads that come close together are sent individually: the
	// list of a large project takes more requests.
	fewReads = 3
	// gatherFor is how long each of them waits for more, so that the list serves all
	// that come at once, as a plan's do.
	gatherFor = 15 * time.Millisecond
	// closeTogether is the longest pause between reads that come close together.
	closeTogether = time.Second
	// oldestList is how long a list may serve the same object again, and how long it waits for a read of another one.
	oldestList = 5 * time.Second
	// pagesPerRead is how many pages a list may take for each read that has come.
	pagesPerRead = 2
)

// sharedReads serves reads of single objects that come close together from one list, so
// that a plan over many objects doesn't send a request for each. It returns what a read
// of its own would have: a write of ours, or the end of an operation that we waited for,
// invalidates the list, and an object missing from it is read individually.
type sharedReads struct {
	mu sync.Mutex
	// lists has the lists of all kinds, by path.
	lists map[string]*sharedList
}

// sharedList has the reads of a list's objects that come close together, and the list once they
// are many.
type sharedList struct {
	readers, waiting, pages int
	// open is until when others may join.
	open time.Time
	// enough is the reader with whom the list begins.
	enough int
	// begun and done are closed when the list is begun and done.
	begun, done chan struct{}
	// fetched is when the list was done, and served what it has been used for.
	fetched time.Time
	served  map[string]bool
	// end interrupts the list; nil until it is begun.
	end     context.CancelFunc
	objects any // the map that share returns
	err     error
}

// realm is the beginning of the paths of all lists that a write may change: those of the
// project or organization, or of the caller's own keys.
func (r call) realm() string {
	if len(r.params) > 0 && (strings.HasPrefix(r.route, "/projects/") || strings.HasPrefix(r.route, "/organizations/")) {
		return strings.Join(strings.Split(r.path(), "/")[:3], "/") + "/"
	}
	return "/api_keys"
}

// forget invalidates all lists of a realm, for the reads that begin from now on.
func (r *sharedReads) forget(realm string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.lists, func(path string, _ *sharedList) bool { return strings.HasPrefix(path, realm) })
}

// makesListsStale is the stage in which a write invalidates what it may change: before, for what reads meanwhile, and after.
func (c *Client) makesListsStale(_ context.Context, request call, next func() error) error {
	if !request.by.onlyReads {
		defer c.reads.forget(request.realm())
		c.reads.forget(request.realm())
	}
	return next()
}

// share returns the objects of a shared list by what they are looked up by, or nil where too few
// read at once: the caller then reads its object individually. A list serves each object that is sought once,
// however long a plan over all of them takes, and the same one again only while it is new.
func (k kind[T]) share(ctx context.Context, c *Client, sought string, params ...string) (map[string][]element[T], error) {
	request, reads := k.listCall(params...), &c.reads
	shared := reads.join(ctx, request, k.few, sought, func(ctx context.Context, request call) (any, error) { return k.grouped(ctx, c, request) })
	defer reads.leave(shared)
	gathering, cancel := context.WithTimeout(ctx, gatherFor)
	defer cancel()
	err := await(gathering, shared.begun)
	if err != nil && ctx.Err() == nil {
		return nil, nil
	}
	if err == nil {
		err = await(ctx, shared.done)
	}
	switch {
	case err != nil:
		return nil, request.endedError(nil, err)
	case errors.Is(shared.err, errManyPages):
		return nil, nil
	case shared.err != nil:
		return nil, shared.err
	}
	objects, _ := shared.objects.(map[string][]element[T])
	return objects, nil
}

// isOldFor reports whether a list has served that already, and some time ago: who reads it again wants to see what has changed.
func (s *sharedList) isOldFor(sought string) bool {
	return s.served[sought] && !s.fetched.IsZero() && time.Since(s.fetched) > oldestList
}

// join adds a reader to the reads of a list, and begins the list once they are more than few.
func (r *sharedReads) join(ctx context.Context, request call, few int, sought string, list func(context.Context, call) (any, error)) *sharedList {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := request.path()
	shared := r.lists[path]
	if shared == nil || time.Now().After(shared.open) || shared.isOldFor(sought) {
		enough := few + 1
		if shared != nil { // What it took before, it will take again.
			enough = max(enough, shared.pages/pagesPerRead+1)
		}
		shared = newSharedList(0, enough)
		r.lists[path] = shared
	}
	shared.waiting++
	shared.readers++
	if shared.served[sought] = true; !shared.fetched.IsZero() {
		shared.open = time.Now().Add(oldestList)
	}
	if shared.readers < shared.enough {
		shared.open = time.Now().Add(closeTogether)
	}
	if shared.readers == shared.enough {
		shared.open = time.Now().Add(longestRequest)
		// The list outlives the reader who began it.
		fetch, end := context.WithCancel(context.WithoutCancel(ctx))
		shared.end = end
		close(shared.begun)
		request.nextPage = func() error { return r.nextPage(shared) }
		go func() {
			defer end()
			objects, err := list(fetch, request)
			r.arrived(path, shared, objects, err)
		}()
	}
	return shared
}

func newSharedList(readers, enough int) *sharedList {
	return &sharedList{readers: readers, enough: enough, served: map[string]bool{}, begun: make(chan struct{}), done: make(chan struct{})}
}

// errManyPages gives a list up that has taken too many pages for the reads that came.
var errManyPages = errors.New("the list takes more requests than the reads that it would serve")

// nextPage reports whether a list may take another page.
func (r *sharedReads) nextPage(shared *sharedList) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if shared.pages++; shared.pages >= pagesPerRead*shared.readers {
		return errManyPages
	}
	return nil
}

// arrived ends a list. One that is given up begins anew with twice as many reads, so that a
// plan over five of ten thousand branches takes no hundred pages, and one over all of them no
// thousands of reads.
func (r *sharedReads) arrived(path string, shared *sharedList, objects any, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	shared.fetched = time.Now()
	if shared.objects, shared.err, shared.open = objects, err, shared.fetched.Add(oldestList); err != nil {
		shared.objects, shared.open = nil, time.Time{}
	}
	if errors.Is(err, errManyPages) && r.lists[path] == shared {
		next := newSharedList(shared.readers, 2*shared.readers)
		next.open = time.Now().Add(closeTogether)
		r.lists[path] = next
	}
	close(shared.done)
}

// leave interrupts a list that nobody waits for.
func (r *sharedReads) leave(shared *sharedList) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if shared.waiting--; shared.waiting == 0 && shared.end != nil && shared.objects == nil {
		shared.open = time.Time{}
		shared.end()
	}
}
