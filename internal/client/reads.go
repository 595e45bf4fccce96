package client

import (
	"context"
	"strings"
	"sync"
	"time"
)

const (
	// aloneReads is how many reads that come close together are sent alone: a list
	// of a large project takes more requests than they do.
	aloneReads = 3
	// gatherFor is how long each of them waits for more, so that those which come
	// at once, as a plan's do, are all served by the list.
	gatherFor = 15 * time.Millisecond
	// closeTogether is the longest pause between reads that come close together.
	closeTogether = time.Second
	// oldestList is how long a list is served, however busily it is read.
	oldestList = 5 * time.Second
)

// sharedReads serves the reads of single objects that come close together from
// one list, because a plan over many objects must not make a request for each.
// What it says is what a read of its own would have said: a write of ours, or
// the end of an operation that we waited for, makes a list stale at once, and
// what a list lacks is looked up alone.
type sharedReads struct {
	branches  *listings[string, Branch]
	endpoints *listings[string, []Endpoint]
	keys      *listings[int64, element[APIKey]]
}

func newSharedReads(c *Client) sharedReads {
	return sharedReads{
		branches:  newListings(aloneReads, branchesCall, c.listBranches),
		endpoints: newListings(aloneReads, endpointsCall, c.listEndpoints),
		// The platform has no call that reads a single key.
		keys: newListings(0, keysCall, c.listKeys),
	}
}

// forget makes stale what was read of the project or organization, or of the
// caller's own keys, that a write changes.
func (r sharedReads) forget(request call) {
	switch {
	case request.api != controlAPI:
	case strings.HasPrefix(request.route, "/projects/"):
		r.forgetProject(request.params[0])
	case strings.HasPrefix(request.route, "/organizations/"):
		r.keys.forget(request.params[0])
	default:
		r.keys.forget("")
	}
}

func (r sharedReads) forgetProject(projectID string) {
	r.branches.forget(projectID)
	r.endpoints.forget(projectID)
}

// listings shares lists of one kind of object, a list for each scope: a
// project, or an organization.
type listings[K comparable, T any] struct {
	// alone is how many reads that come close together are sent alone.
	alone int
	// request is what the list of a scope begins with.
	request func(scope string) call
	list    func(ctx context.Context, request call) (map[K]T, error)

	mu     sync.Mutex
	scopes map[string]*listing[K, T]
}

// listing is the reads of a scope that come close together, and the list that
// they share once there are enough of them.
type listing[K comparable, T any] struct {
	readers, waiting int
	// since is when the last reader came, the list was begun, or it was there.
	since time.Time
	// begun and done are closed when the list is.
	begun, done chan struct{}
	// end interrupts the list; nil until it is begun.
	end     context.CancelFunc
	objects map[K]T
	err     error
	// isSpent is true of a list that failed or was interrupted.
	isSpent bool
}

func newListings[K comparable, T any](alone int, request func(string) call, list func(context.Context, call) (map[K]T, error)) *listings[K, T] {
	return &listings[K, T]{alone: alone, request: request, list: list, scopes: map[string]*listing[K, T]{}}
}

// share returns the scope's objects by id from a list that others share, or nil
// where too few read to be worth one: the caller then reads its object alone.
func (l *listings[K, T]) share(ctx context.Context, scope string) (map[K]T, error) {
	request := l.request(scope)
	shared := l.join(ctx, scope, request)
	defer l.leave(shared)
	gathering, cancel := context.WithTimeout(ctx, gatherFor)
	defer cancel()
	err := await(gathering, shared.begun)
	if err != nil && ctx.Err() == nil {
		return nil, nil
	}
	if err == nil {
		err = await(ctx, shared.done)
	}
	if err != nil {
		return nil, request.ended(nil, err)
	}
	return shared.objects, shared.err
}

// join takes part in the scope's reads, and begins the list where the reader
// makes them enough.
func (l *listings[K, T]) join(ctx context.Context, scope string, request call) *listing[K, T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	shared := l.scopes[scope]
	if shared == nil || shared.isStale() {
		shared = &listing[K, T]{begun: make(chan struct{}), done: make(chan struct{})}
		l.scopes[scope] = shared
	}
	shared.waiting++
	shared.readers++
	if shared.readers <= l.alone+1 {
		shared.since = time.Now()
	}
	if shared.readers == l.alone+1 {
		// The list outlives the reader who began it.
		fetch, end := context.WithCancel(context.WithoutCancel(ctx))
		shared.end = end
		close(shared.begun)
		go func() {
			defer end()
			l.fetch(fetch, shared, request)
		}()
	}
	return shared
}

func (s *listing[K, T]) isStale() bool {
	age := time.Since(s.since)
	return s.isSpent || age > oldestList || s.end == nil && age > closeTogether
}

func (l *listings[K, T]) fetch(ctx context.Context, shared *listing[K, T], request call) {
	objects, err := l.list(ctx, request)
	l.mu.Lock()
	defer l.mu.Unlock()
	shared.objects, shared.err, shared.since, shared.isSpent = objects, err, time.Now(), err != nil
	close(shared.done)
}

// leave interrupts a list that nobody waits for any more.
func (l *listings[K, T]) leave(shared *listing[K, T]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if shared.waiting--; shared.waiting == 0 && shared.end != nil && shared.objects == nil {
		shared.isSpent = true
		shared.end()
	}
}

// forget makes the scope's list stale: whoever reads from now on gets a new
// one, while those who wait for the old one began before.
func (l *listings[K, T]) forget(scope string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.scopes, scope)
}
