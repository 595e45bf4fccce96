package client

import (
	"context"
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
	// oldestList is how long a list is served, however busily it is read, and oldestPerObject
	// how long for each of its objects where those are many: a list of many pages isn't read
	// anew while a slow run is on its way through it.
	oldestList      = 5 * time.Second
	oldestPerObject = 20 * time.Millisecond
)

// sharedReads serves reads of single objects that come close together from one list, so
// that a plan over many objects doesn't send a request for each. It returns what a read
// of its own would have: a write of ours, or the end of an operation that we waited for,
// invalidates the list, and an object missing from it is read individually.
type sharedReads struct {
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

func newSharedReads(c *Client) sharedReads {
	return sharedReads{
		branches:  newListings(fewReads, func(projectID string) call { return branchesCall(projectID, "") }, c.listBranches),
		endpoints: newListings(fewReads, endpointsCall, c.listEndpoints),
		// These lists take one request, as reading a single object does.
		roles:        newListings(0, rolesCall, c.listRoles),
		databases:    newListings(0, databasesCall, c.listDatabases),
		vpcEndpoints: newListings(0, vpcEndpointsCall, c.listVPCEndpoints),
		// Neon has no call that reads a single one of these.
		keys:           newListings(0, keysCall, c.listKeys),
		permissions:    newListings(0, permissionsCall, c.listPermissions),
		jwks:           newListings(0, allJWKSCall, c.listJWKS),
		snapshots:      newListings(0, snapshotsCall, c.listSnapshots),
		restrictions:   newListings(0, restrictionsCall, c.listRestrictions),
		invitations:    newListings(0, invitationsCall, c.listInvitations),
		projectMembers: newListings(0, projectMembersCall, c.listProjectMembers),
		// The call that reads a single member leaves out the email address.
		members: newListings(0, membersCall, c.listMembers),
	}
}

// forget invalidates the lists of the project or organization, or of the caller's own
// keys, that a write changes.
func (r sharedReads) forget(request call) {
	switch {
	case request.api != controlAPI:
	case strings.HasPrefix(request.route, "/projects/"):
		r.forgetProject(request.params[0])
	case strings.HasPrefix(request.route, "/organizations/"):
		r.keys.forget(request.params[0])
		r.vpcEndpoints.forget(request.params[0])
		r.members.forget(request.params[0])
		r.invitations.forget(request.params[0])
	default:
		r.keys.forget("")
	}
}

func (r sharedReads) forgetProject(projectID string) {
	r.branches.forget(projectID)
	r.endpoints.forget(projectID)
	r.roles.forget(projectID)
	r.databases.forget(projectID)
	r.permissions.forget(projectID)
	r.jwks.forget(projectID)
	r.snapshots.forget(projectID)
	r.restrictions.forget(projectID)
	r.projectMembers.forget(projectID)
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
	readers, waiting int
	// since is when the last reader came, the list began, or it arrived.
	since time.Time
	// begun and done are closed when the list is begun and done.
	begun, done chan struct{}
	// end interrupts the list; nil until it is begun.
	end     context.CancelFunc
	objects map[K]T
	err     error
	// isSpent is true of a list that failed or was interrupted.
	isSpent bool
}

func newListings[K comparable, T any](few int, request func(string) call, list func(context.Context, call) (map[K]T, error)) *listings[K, T] {
	return &listings[K, T]{few: few, request: request, list: list, scopes: map[string]*listing[K, T]{}}
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
	if err != nil {
		return nil, request.endedError(nil, err)
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
	if shared == nil || shared.isStale() {
		shared = &listing[K, T]{begun: make(chan struct{}), done: make(chan struct{})}
		l.scopes[scope] = shared
	}
	shared.waiting++
	shared.readers++
	if shared.readers <= l.few+1 {
		shared.since = time.Now()
	}
	if shared.readers == l.few+1 {
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
	oldest := max(oldestList, time.Duration(len(s.objects))*oldestPerObject)
	return s.isSpent || age > oldest || s.end == nil && age > closeTogether
}

func (l *listings[K, T]) fetch(ctx context.Context, shared *listing[K, T], request call) {
	objects, err := l.list(ctx, request)
	l.mu.Lock()
	defer l.mu.Unlock()
	shared.objects, shared.err, shared.since, shared.isSpent = objects, err, time.Now(), err != nil
	close(shared.done)
}

// leave interrupts a list that nobody waits for.
func (l *listings[K, T]) leave(shared *listing[K, T]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if shared.waiting--; shared.waiting == 0 && shared.end != nil && shared.objects == nil {
		shared.isSpent = true
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
