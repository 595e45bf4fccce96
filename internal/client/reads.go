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
	// oldestList is how long a list is served, however busily it is read.
	oldestList = 5 * time.Second
	// pagesPerRead is how many pages a list may take for each read that has come.
	pagesPerRead = 2
)

// sharedReads serves reads of single objects that come close together from one list, so
// that a plan over many objects doesn't send a request for each. It returns what a read
// of its own would have: a write of ours, or the end of an operation that we waited for,
// invalidates the list, and an object missing from it is read individually.
type sharedReads struct {
	all         []interface{ forget(scope string) }
	branches    *listings[string, Branch]
	endpoints   *listings[string, []Endpoint]
	keys        *listings[int64, element[APIKey]]
	roles       *listings[string, element[Role]]
	databases   *listings[string, element[Database]]
	permissions *listings[string, element[ProjectPermission]]
	jwks        *listings[string, element[JWKS]]
	snapshots   *listings[string, element[Snapshot]]
	// vpcEndpoints are those of organizations, restrictions those of projects.
	vpcEndpoints, restrictions *listings[string, element[VPCEndpoint]]
	// members are those of organizations.
	members        *listings[string, element[Member]]
	invitations    *listings[string, element[Invitation]]
	projectMembers *listings[string, element[ProjectMember]]
}

func newSharedReads(c *Client) *sharedReads {
	r := &sharedReads{}
	r.branches = newListings(r, fewReads, func(projectID string) call { return branchesCall(projectID, "") }, c.listBranches)
	r.endpoints = newListings(r, fewReads, endpointsCall, c.listEndpoints)
	// These lists take one request, as reading a single object does.
	r.roles = newListings(r, 0, rolesCall, c.listRoles)
	r.databases = newListings(r, 0, databasesCall, c.listDatabases)
	r.vpcEndpoints = newListings(r, 0, vpcEndpointsCall, c.listVPCEndpoints)
	// Neon has no call that reads a single one of these.
	r.keys = newListings(r, 0, keysCall, c.listKeys)
	r.permissions = newListings(r, 0, permissionsCall, c.listPermissions)
	r.jwks = newListings(r, 0, allJWKSCall, c.listJWKS)
	r.snapshots = newListings(r, 0, snapshotsCall, c.listSnapshots)
	r.restrictions = newListings(r, 0, restrictionsCall, c.listRestrictions)
	r.invitations = newListings(r, 0, invitationsCall, c.listInvitations)
	r.projectMembers = newListings(r, 0, projectMembersCall, c.listProjectMembers)
	// The call that reads a single member leaves out the email address.
	r.members = newListings(r, 0, membersCall, c.listMembers)
	return r
}

// forgetWritten invalidates all lists of the project or organization, or of the caller's own
// keys, that a write changes.
func (r *sharedReads) forgetWritten(request call) {
	switch {
	case request.api != controlAPI:
	case len(request.params) > 0 && (strings.HasPrefix(request.route, "/projects/") || strings.HasPrefix(request.route, "/organizations/")):
		r.forget(request.params[0])
	default:
		r.forget("")
	}
}

// forget invalidates all lists of a project or organization.
func (r *sharedReads) forget(scope string) {
	for _, lists := range r.all {
		lists.forget(scope)
	}
}

// listings shares the lists of one kind of object, one for each project or
// organization.
type listings[K comparable, T any] struct {
	// few is how many reads that come close together are sent individually.
	few int
	// request is the first request of a scope's list.
	request func(scope string) call
	list    func(ctx context.Context, request call) (map[K]T, error)

	mu     sync.Mutex
	scopes map[string]*listing[K, T]
}

// listing has the reads of a scope that come close together, and the list that they
// share once they are many.
type listing[K comparable, T any] struct {
	readers, waiting, pages int
	// open is until when others may join.
	open time.Time
	// enough is the reader with whom the list begins.
	enough int
	// begun and done are closed when the list is begun and done.
	begun, done chan struct{}
	// end interrupts the list; nil until it is begun.
	end     context.CancelFunc
	objects map[K]T
	err     error
}

func newListings[K comparable, T any](
	all *sharedReads, few int, request func(string) call, list func(context.Context, call) (map[K]T, error),
) *listings[K, T] {
	lists := &listings[K, T]{few: few, request: request, list: list, scopes: map[string]*listing[K, T]{}}
	all.all = append(all.all, lists)
	return lists
}

// share returns the scope's objects by id from a shared list, or nil where too few read
// at once: the caller then reads its object individually.
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
	switch {
	case err != nil:
		return nil, request.endedError(nil, err)
	case errors.Is(shared.err, errManyPages):
		return nil, nil
	}
	return shared.objects, shared.err
}

// readShared returns an object of a scope's shared list; nil where that lacks it.
func readShared[K comparable, T any](ctx context.Context, lists *listings[K, element[T]], scope string, id K) (*T, error) {
	objects, err := lists.share(ctx, scope)
	if found, has := objects[id]; has && !found.isBroken {
		return &found.object, err
	}
	return nil, err
}

// join adds a reader to the scope's reads, and begins the list once they are many.
func (l *listings[K, T]) join(ctx context.Context, scope string, request call) *listing[K, T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	shared := l.scopes[scope]
	if shared == nil || time.Now().After(shared.open) {
		enough := l.few + 1
		if shared != nil { // What it took before, it will take again.
			enough = max(enough, shared.pages/pagesPerRead+1)
		}
		shared = newListing[K, T](0, enough)
		l.scopes[scope] = shared
	}
	shared.waiting++
	shared.readers++
	if shared.readers < shared.enough {
		shared.open = time.Now().Add(closeTogether)
	}
	if shared.readers == shared.enough {
		shared.open = time.Now().Add(longestRequest)
		// The list outlives the reader who began it.
		fetch, end := context.WithCancel(context.WithoutCancel(ctx))
		shared.end = end
		close(shared.begun)
		request.nextPage = func() error { return l.nextPage(shared) }
		go func() {
			defer end()
			l.fetch(fetch, scope, shared, request)
		}()
	}
	return shared
}

func newListing[K comparable, T any](readers, enough int) *listing[K, T] {
	return &listing[K, T]{readers: readers, enough: enough, begun: make(chan struct{}), done: make(chan struct{})}
}

// errManyPages gives a list up that has taken too many pages for the reads that came.
var errManyPages = errors.New("the list takes more requests than the reads that it would serve")

// nextPage reports whether a list may take another page.
func (l *listings[K, T]) nextPage(shared *listing[K, T]) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if shared.pages++; shared.pages >= pagesPerRead*shared.readers {
		return errManyPages
	}
	return nil
}

// fetch reads the list. One that is given up begins anew with twice as many reads, so that a
// plan over five of ten thousand branches takes no hundred pages, and one over all of them no
// thousands of reads.
func (l *listings[K, T]) fetch(ctx context.Context, scope string, shared *listing[K, T], request call) {
	objects, err := l.list(ctx, request)
	l.mu.Lock()
	defer l.mu.Unlock()
	if shared.objects, shared.err, shared.open = objects, err, time.Now().Add(oldestList); err != nil {
		shared.open = time.Time{}
	}
	if errors.Is(err, errManyPages) && l.scopes[scope] == shared {
		next := newListing[K, T](shared.readers, 2*shared.readers)
		next.open = time.Now().Add(closeTogether)
		l.scopes[scope] = next
	}
	close(shared.done)
}

// leave interrupts a list that nobody waits for.
func (l *listings[K, T]) leave(shared *listing[K, T]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if shared.waiting--; shared.waiting == 0 && shared.end != nil && shared.objects == nil {
		shared.open = time.Time{}
		shared.end()
	}
}

// forget invalidates the list of the scope, or of all branches of a project, for the reads
// that begin from now on.
func (l *listings[K, T]) forget(scope string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.scopes, scope)
	maps.DeleteFunc(l.scopes, func(other string, _ *listing[K, T]) bool { return strings.HasPrefix(other, scope+"/") })
}
