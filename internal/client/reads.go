package client

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// gatherFor is how long the first reader waits for another, so that one list
	// may serve both.
	gatherFor = 15 * time.Millisecond
	// closeTogether is the longest pause between two reads that still count as
	// close together.
	closeTogether = time.Second
	// oldestList bounds the age of what is served, however busily it is read.
	oldestList = 30 * time.Second
)

// sharedReads serves the reads of single objects that come close together from
// one list, because a plan over many objects must not make a request for each.
// What it says is what a read of its own would have said: any write of ours
// makes a list stale at once, and what a list lacks is looked up alone.
type sharedReads struct {
	branches  *listings[Branch]
	endpoints *listings[[]Endpoint]
	keys      *listings[APIKey]
}

func newSharedReads(c *Client) sharedReads {
	return sharedReads{
		branches:  newListings(c.listBranches, func(projectID string) call { return projectCall("/branches", projectID) }),
		endpoints: newListings(c.listEndpoints, func(projectID string) call { return projectCall("/endpoints", projectID) }),
		keys:      newListings(c.listKeys, func(orgID string) call { return APIKeyScope{OrgID: orgID}.call(http.MethodGet) }),
	}
}

func projectCall(route, projectID string) call {
	return call{method: http.MethodGet, route: "/projects/{project_id}" + route, params: []string{projectID}}
}

// forget makes stale what was read of the project or organization, or of the
// caller's own keys, that a write changes.
func (r sharedReads) forget(request call) {
	if request.api != controlAPI {
		return
	}
	scope := ""
	if len(request.params) > 0 && !strings.HasPrefix(request.route, "/api_keys") {
		scope = request.params[0]
	}
	if strings.HasPrefix(request.route, "/projects/") {
		r.branches.forget(scope)
		r.endpoints.forget(scope)
		return
	}
	r.keys.forget(scope)
}

func (c *Client) listBranches(ctx context.Context, projectID string) (map[string]Branch, error) {
	branches := map[string]Branch{}
	for branch, err := range c.Branches(ctx, projectID, BranchQuery{}) {
		if err != nil {
			return nil, err
		}
		branches[branch.ID] = branch
	}
	return branches, nil
}

// listEndpoints gives the endpoints by branch.
func (c *Client) listEndpoints(ctx context.Context, projectID string) (map[string][]Endpoint, error) {
	endpoints, err := c.ProjectEndpoints(ctx, projectID)
	if err != nil {
		return nil, err
	}
	branches := map[string][]Endpoint{}
	for _, endpoint := range endpoints {
		branches[endpoint.BranchID] = append(branches[endpoint.BranchID], endpoint)
	}
	return branches, nil
}

func (c *Client) listKeys(ctx context.Context, orgID string) (map[string]APIKey, error) {
	list, err := c.APIKeys(ctx, APIKeyScope{OrgID: orgID})
	if err != nil {
		return nil, err
	}
	keys := map[string]APIKey{}
	for _, key := range list {
		if !key.Revoked {
			keys[strconv.FormatInt(key.ID, 10)] = key
		}
	}
	return keys, nil
}

// listings shares lists of one kind of object, a list for each scope: a
// project, or an organization.
type listings[T any] struct {
	list func(ctx context.Context, scope string) (map[string]T, error)
	// request is what the list of a scope begins with.
	request func(scope string) call

	mu     sync.Mutex
	scopes map[string]*listing[T]
	// alone is when an object of the scope was last read on its own.
	alone map[string]time.Time
}

// listing is one list, on its way or there.
type listing[T any] struct {
	// decided is closed when it is known whether a list is fetched; wanted then
	// tells.
	decided chan struct{}
	wanted  bool
	// joined is closed when the first reader isn't alone any more.
	joined  chan struct{}
	company sync.Once
	// done is closed when the list is there.
	done    chan struct{}
	objects map[string]T
	err     error

	readers int
	cancel  context.CancelFunc
	started time.Time
	used    time.Time
}

func newListings[T any](list func(context.Context, string) (map[string]T, error), request func(string) call) *listings[T] {
	return &listings[T]{list: list, request: request, scopes: map[string]*listing[T]{}, alone: map[string]time.Time{}}
}

// share gives the scope's objects by id from a list that others share, or nil
// where no list was worth fetching because nobody else reads: the caller then
// reads its object alone.
func (l *listings[T]) share(ctx context.Context, scope string) (map[string]T, error) {
	shared, leads := l.join(scope)
	defer l.leave(scope, shared)
	if leads {
		if err := shared.gather(ctx); err != nil {
			l.abandon(scope, shared)
			return nil, l.ended(scope, err)
		}
		l.decide(ctx, scope, shared)
	}
	if err := await(ctx, shared.decided); err != nil {
		return nil, l.ended(scope, err)
	}
	if !shared.wanted {
		return nil, nil
	}
	if err := await(ctx, shared.done); err != nil {
		return nil, l.ended(scope, err)
	}
	return shared.objects, shared.err
}

// ended is what a reader is told whose context ended while it waited for others.
func (l *listings[T]) ended(scope string, err error) error {
	request := l.request(scope)
	return &EndedError{Method: request.method, Path: request.api.prefix() + request.path(), Err: err}
}

// join takes part in the scope's list. Whoever begins one leads it.
func (l *listings[T]) join(scope string) (shared *listing[T], leads bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	shared = l.scopes[scope]
	if shared == nil || now.Sub(shared.used) > closeTogether || now.Sub(shared.started) > oldestList {
		shared = &listing[T]{decided: make(chan struct{}), joined: make(chan struct{}), done: make(chan struct{}), started: now}
		l.scopes[scope], leads = shared, true
	}
	shared.used = now
	if shared.readers++; shared.readers > 1 {
		shared.company.Do(func() { close(shared.joined) })
	}
	return shared, leads
}

// gather waits until another reader has come, or none is likely to.
func (s *listing[T]) gather(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(ctx, gatherFor)
	defer cancel()
	_ = await(waiting, s.joined)
	return ctx.Err()
}

// leave ends a fetch that nobody waits for any more.
func (l *listings[T]) leave(scope string, shared *listing[T]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	shared.used = time.Now()
	if shared.readers--; shared.readers > 0 || shared.cancel == nil {
		return
	}
	select {
	case <-shared.done:
		if shared.err == nil {
			return
		}
	default:
		shared.cancel()
	}
	if l.scopes[scope] == shared {
		delete(l.scopes, scope)
	}
}

// abandon is for a leader who was interrupted before it decided: the others
// read alone.
func (l *listings[T]) abandon(scope string, shared *listing[T]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.scopes[scope] == shared {
		delete(l.scopes, scope)
	}
	close(shared.decided)
}

// decide fetches the list if more than one read came close together.
func (l *listings[T]) decide(ctx context.Context, scope string, shared *listing[T]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer close(shared.decided)
	now := time.Now()
	shared.wanted = shared.readers > 1 || now.Sub(l.alone[scope]) <= closeTogether
	if !shared.wanted {
		l.alone[scope] = now
		if l.scopes[scope] == shared {
			delete(l.scopes, scope)
		}
		return
	}
	// The list outlives the reader who happened to come first.
	fetch, cancel := context.WithCancel(context.WithoutCancel(ctx))
	shared.cancel = cancel
	go func() {
		defer cancel()
		objects, err := l.list(fetch, scope)
		l.mu.Lock()
		defer l.mu.Unlock()
		shared.objects, shared.err = objects, err
		close(shared.done)
		if err != nil && l.scopes[scope] == shared {
			delete(l.scopes, scope)
		}
	}()
}

// forget makes the scope's list stale: whoever reads from now on gets a new
// one, while those who wait for the old one began before.
func (l *listings[T]) forget(scope string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.scopes, scope)
	delete(l.alone, scope)
}

// lacks tells whether any of the ids isn't among the endpoints.
func lacks(endpoints []Endpoint, ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		return !slices.ContainsFunc(endpoints, func(endpoint Endpoint) bool { return endpoint.ID == id })
	})
}
