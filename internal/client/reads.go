package client

import (
	"cmp"
	"context"
	"maps"
	"math"
	"strings"
	"sync"
	"time"
)

const (
	// fewReads are sent individually where they come close together: a large project's list takes more requests.
	fewReads = 3
	// wholeList is the kind.few of who needs all of a list: it is begun at once, and read to its end.
	wholeList = -1
	// gatherFor is how long a read waits for others before it is sent individually.
	gatherFor = 15 * time.Millisecond
	// closeTogether is the longest pause between reads that come close together.
	closeTogether = time.Second
	// oldestList is how long a list may serve the same object again, and how long it waits for a read of another one.
	oldestList = 5 * time.Second
	// closeToPlan is the greatest age of a list that only a warning is made of.
	closeToPlan = time.Minute
)

// atOnceKey is the context's key for AtOnce, with true for ForHint.
type atOnceKey struct{}

// AtOnce returns a context whose shared reads begin the list at once, for a caller that knows that others follow.
func AtOnce(ctx context.Context) context.Context { return context.WithValue(ctx, atOnceKey{}, false) }

// ForHint is AtOnce for a hint, such as a warning of a plan, which isn't worth a request for each object: a list that
// lacks one is believed.
func ForHint(ctx context.Context) context.Context { return context.WithValue(ctx, atOnceKey{}, true) }

func isHint(ctx context.Context) bool {
	is, _ := ctx.Value(atOnceKey{}).(bool)
	return is
}

// sharedReads serves reads of single objects that come close together from one list, so that a plan over many objects
// doesn't send a request for each. It returns what a read of its own would have: a write of ours, or the end of an
// operation that we waited for, invalidates the list, and an object missing from it is read individually.
//
// A list is fetched page by page, as long as somebody waits for what it has not had yet, and each read is served by
// the page that has its object. So it takes no page that nobody needs, and many reads of a long list keep it going.
type sharedReads struct {
	mu sync.Mutex
	// lists has the lists of all kinds, by their questions.
	lists map[string]*sharedList
}

// sharedList has the reads of a list's objects that come close together, and the list once they are many.
type sharedList struct {
	allowance

	// open is until when others may join.
	open time.Time
	// begun and ended are when the list was, with its last page or an error.
	begun, ended time.Time
	// served is what the list has been used for, and waiting are the readers that have not been served.
	served  map[string]bool
	waiting map[*listReader]bool
	// next fetches a page and has it looked up in objects, a map. While a list rests, the next reader closes woken.
	next       func(context.Context) (isLast bool, err error)
	woken      chan struct{}
	isFetching bool
	end        context.CancelFunc // interrupts that
	objects    any
	isWhole    bool
}

// listReader waits for what a list has of an object. Look is called with each page until it has seen that.
type listReader struct {
	look func(objects any, isWhole bool) bool
	// over is closed when the reader needn't wait any more, with the list's error.
	over chan struct{}
	err  error
}

// realm begins the paths of all lists that a write may change: of its project or organization, or the caller's keys.
func (r call) realm() string {
	if len(r.params) > 0 && (strings.HasPrefix(r.route, "/projects/") || strings.HasPrefix(r.route, "/organizations/")) {
		return strings.Join(strings.Split(r.path(), "/")[:3], "/") + "/"
	}
	return "/api_keys"
}

// forget invalidates all that is shared of a realm, for the reads that begin from now on.
func (c *Client) forget(realm string) {
	c.reads.forget(realm)
	c.answers.forget(realm)
}

// forget invalidates all lists of a realm, for the reads that begin from now on.
func (r *sharedReads) forget(realm string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.lists, func(list string, _ *sharedList) bool { return strings.HasPrefix(list, realm) })
}

// makeListsStale invalidates what a write may change.
func (c *Client) makeListsStale(request call) {
	if request.by.onlyReads {
		return
	}
	c.forget(request.realm())
	if !request.carriesOn {
		c.creations.before.forget(request.realm())
	}
}

// share calls look with the objects of a shared list, by their keys: with what the list has so far, and again with each
// page, until look reports that it has seen what is sought. Where too few read at once, it isn't called: the caller
// then reads its object individually. A list serves each object that is sought once, however long a plan over all of
// them takes, and the same one again only while the list is new.
func (k kind[T]) share(
	ctx context.Context, c *Client, sought string,
	look func(objects map[string][]element[T], isWhole bool) bool, params ...string,
) error {
	request, reads := k.listCall(params...), &c.reads
	if ctx.Value(atOnceKey{}) != nil {
		k.few = min(k.few, 0)
	}
	reader := &listReader{over: make(chan struct{}), look: func(objects any, isWhole bool) bool {
		groups, _ := objects.(map[string][]element[T])
		return look(groups, isWhole)
	}}
	shared := reads.join(ctx, request.question(), k.few, sought, reader,
		func(shared *sharedList) { k.prepare(c, request, shared) })
	defer reads.leave(ctx, shared, reader)
	err := awaitInSteps(ctx, gatherFor, reader.over)
	if err != nil && reads.goesOn(shared) {
		err = await(ctx, reader.over)
	}
	switch {
	case err == nil:
		return reader.err
	case ctx.Err() != nil:
		return request.endedError(nil, err)
	}
	return nil
}

// listed returns a shared list that has been read to its end a short time ago, in no order. It doesn't wait for one.
func (k kind[T]) listed(c *Client, params ...string) (objects []T, isListed bool) {
	request := k.listCall(params...)
	c.reads.mu.Lock()
	defer c.reads.mu.Unlock()
	shared := c.reads.lists[request.question()]
	if shared == nil || !shared.isWhole || time.Since(shared.ended) > closeToPlan {
		return nil, false
	}
	groups, _ := shared.objects.(map[string][]element[T])
	for _, group := range groups {
		for _, found := range group {
			if found.isBroken {
				return nil, false
			}
			objects = append(objects, found.object)
		}
	}
	return objects, true
}

// prepare says how the pages of a list are fetched.
func (k kind[T]) prepare(c *Client, request call, shared *sharedList) {
	by := k.shareBy
	if by == nil {
		by = k.id
	}
	groups, pages := map[string][]element[T]{}, k.pagesOf(request)
	shared.objects = groups
	shared.next = func(ctx context.Context) (bool, error) {
		objects, err := pages.next(ctx, c)
		c.reads.mu.Lock()
		defer c.reads.mu.Unlock()
		for _, found := range objects {
			groups[by(found.object)] = append(groups[by(found.object)], found)
		}
		return pages.isOver, err
	}
}

// isOldFor reports whether a list has served an object some time ago: who reads it again wants to see what has changed.
func (s *sharedList) isOldFor(sought string) bool {
	since := cmp.Or(s.ended, s.begun)
	return s.served[sought] && !since.IsZero() && time.Since(since) > oldestList
}

// opensFor lets others join for at least so long from now.
func (s *sharedList) opensFor(pause time.Duration) {
	if until := time.Now().Add(pause); until.After(s.open) {
		s.open = until
	}
}

// serve ends the waits of readers that find their object in the list; isEnd ends all waits.
func (s *sharedList) serve(isEnd bool, err error) {
	for reader := range s.waiting {
		if isServed := reader.look(s.objects, s.isWhole); isServed || isEnd {
			if !isServed {
				reader.err = err
			}
			close(reader.over)
			delete(s.waiting, reader)
		}
	}
}

// join adds a reader to the reads of a list, which is fetched once they are more than few.
func (r *sharedReads) join(
	ctx context.Context, list string, few int, sought string, reader *listReader, prepare func(*sharedList),
) *sharedList {
	r.mu.Lock()
	defer r.mu.Unlock()
	shared := r.lists[list]
	if shared == nil || time.Now().After(shared.open) || shared.isOldFor(sought) {
		var earlier allowance
		if shared != nil {
			earlier = shared.allowance
		}
		shared = &sharedList{allowance: newAllowance(few, earlier), served: map[string]bool{},
			waiting: map[*listReader]bool{}}
		prepare(shared)
		r.lists[list] = shared
	}
	shared.served[sought], shared.waiting[reader] = true, true
	shared.earn(shared.woken != nil)
	if few == wholeList {
		shared.begins, shared.earned = 0, math.MaxInt
	}
	if shared.woken != nil {
		close(shared.woken)
		shared.woken = nil
	}
	shared.serve(!shared.ended.IsZero(), nil)
	switch {
	case shared.isGathering():
		shared.opensFor(closeTogether)
	case shared.isFetching, len(shared.waiting) == 0:
		shared.opensFor(oldestList)
	default:
		r.fetch(ctx, shared)
	}
	return shared
}

// goesOn reports whether a list has begun, so that it waits for no more reads to come.
func (r *sharedReads) goesOn(shared *sharedList) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !shared.isGathering()
}

// fetch has a list fetched while somebody waits for it, also after the reader has left who came first.
func (r *sharedReads) fetch(ctx context.Context, shared *sharedList) {
	shared.begun, shared.isFetching = cmp.Or(shared.begun, time.Now()), true
	shared.opensFor(longestRequest)
	ctx, shared.end = context.WithCancel(context.WithoutCancel(ctx))
	end := shared.end
	go func() {
		defer end()
		for isNeeded := true; isNeeded; isNeeded = r.isNeeded(shared) {
			isLast, err := shared.next(ctx)
			if woken := r.arrived(shared, isLast, err); woken != nil {
				r.rest(ctx, shared, woken)
			}
		}
	}()
}

// isNeeded reports whether somebody waits for another page.
func (r *sharedReads) isNeeded(shared *sharedList) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	shared.isFetching = len(shared.waiting) > 0
	return shared.isFetching
}

// arrived serves a page. It returns what wakes the list where that is to rest now.
func (r *sharedReads) arrived(shared *sharedList, isLast bool, err error) (woken chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	shared.pages++
	shared.isWhole = isLast
	isEnd := isLast || err != nil
	shared.serve(isEnd, err)
	now := time.Now()
	switch {
	case err != nil:
		shared.open = time.Time{}
	case len(shared.waiting) == 0:
		shared.open = now.Add(oldestList)
	case shared.isSpent():
		shared.woken = make(chan struct{})
	}
	if isEnd {
		shared.ended = now
	}
	return shared.woken
}

// leave takes a reader out, and interrupts a list that was waited for only by those whose work has ended.
func (r *sharedReads) leave(ctx context.Context, shared *sharedList, reader *listReader) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if delete(shared.waiting, reader); ctx.Err() != nil && len(shared.waiting) == 0 && shared.isFetching {
		shared.open = time.Time{}
		shared.end()
	}
}

// pagesPerRead is how many pages each read of a list earns it.
const pagesPerRead = 3

// allowance is how far a list is read: each page costs a request, and reads that come earn it some. A plan over all of
// ten thousand branches then takes hardly more than their hundred pages, and one over five of them a few.
//
//   - A list begins with more reads than are sent individually. Where there was one before, what that took will be
//     taken again: it begins with the reads that earn so many pages.
//   - With what is spent, it rests. The next read wakes it, and earns it as many pages as it has.
//   - Soon after it began to rest, one of those who wait is read individually, which makes place for another read where
//     a plan has more.
//   - When none has come, all are, and it goes on with twice as many reads.
type allowance struct {
	// reads is how many have come, and begins with how many the list begins, or goes on.
	reads, begins int
	// pages is how many were fetched, and earned how many may be.
	pages, earned int
}

func newAllowance(few int, earlier allowance) allowance {
	return allowance{begins: max(few, earlier.pages/pagesPerRead) + 1}
}

// earn counts a read.
func (a *allowance) earn(wakes bool) {
	a.reads++
	a.earned = max(a.earned, pagesPerRead*a.reads)
	if wakes {
		a.earned = max(a.earned, 2*a.pages)
	}
}

// isGathering reports whether a list waits until more reads have come.
func (a *allowance) isGathering() bool { return a.reads < a.begins }

// isSpent reports whether a list is to rest.
func (a *allowance) isSpent() bool { return a.pages >= a.earned }

// rest waits until a list is woken, or given up.
func (r *sharedReads) rest(ctx context.Context, shared *sharedList, woken chan struct{}) {
	for _, pause := range []time.Duration{gatherFor, closeTogether} {
		if awaitInSteps(ctx, pause, woken) == nil || ctx.Err() != nil {
			return
		}
		r.release(shared, pause == closeTogether)
	}
}

// awaitInSteps is await for so long at most. Each step counts as one however long it took: a machine that is busy with
// other work stops those who would come as well.
func awaitInSteps(ctx context.Context, pause time.Duration, done chan struct{}) (err error) {
	const steps = 5
	for range steps {
		step, cancel := context.WithTimeout(ctx, pause/steps)
		err = await(step, done)
		cancel()
		if err == nil || ctx.Err() != nil {
			break
		}
	}
	return err
}

// release has one of those who wait for a list that rests read individually; or all of them, which gives the list up.
func (r *sharedReads) release(shared *sharedList, all bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if shared.woken == nil {
		return
	}
	if all {
		shared.woken, shared.begins, shared.open = nil, 2*shared.reads, time.Now().Add(closeTogether)
	}
	for reader := range shared.waiting {
		close(reader.over)
		delete(shared.waiting, reader)
		if !all {
			return
		}
	}
}
