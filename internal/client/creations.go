package client

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// oldestBefore is how old the list may be by which a creation knows what was there before: those that are sent close
// together share it. What somebody else creates between that and our request counts as new. Where that would harm, they
// share only what is being listed.
const oldestBefore = time.Second

// creations lets those take turns whose objects couldn't be told apart.
type creations struct {
	turns lines
	// before has the lists that creations share. A creation of ours adds its object; any other write drops its lists.
	before sharedAnswers
	// taken are the objects that this client has created, by route and id, which no other creation can have made, and
	// those that it has taken over.
	// Doubtful are the places where one may still come whose answer was lost.
	taken, doubtful sync.Map
}

// creation creates an object that bears no mark of ours. After a lost answer it is the one that wasn't there before.
type creation[T any] struct {
	kind    kind[T]
	request call
	// meets decides about what is there already and alike: it returns what is taken for the object that is asked for, or
	// refuses what Neon would change in place of refusing it (see kind.taken); nil has Neon decide.
	meets func(ctx context.Context, alike []T) (*Answer[T], error)
	// place is where such objects are: creations of one kind in one place take turns. Empty stands for the name.
	place string
	// listing lists what is there, if it can be listed; empty is the kind's list of what the request names.
	listing call
	// isAlike reports whether the creation may have made an object.
	isAlike func(T) bool
	// send sends the request; nil has the kind do it.
	send func(call) (*Answer[T], error)
	// operations are those that the lost answer about an object has had; nil for the kind's that haven't ended.
	operations func(context.Context, T) ([]Operation, error)
}

// DoubtfulError is a creation whose answer was lost. Nothing on these objects says whether it has made one of them.
type DoubtfulError struct {
	IDs []string
}

func (e *DoubtfulError) Error() string {
	return "these were created meanwhile, by this creation or by another: " + strings.Join(e.IDs, ", ")
}

// ErrTaken is the refusal of a creation whose object is there already.
var ErrTaken = errors.New("it exists already")

// TakenError is ErrTaken with the object's id.
type TakenError struct{ ID string }

func (e *TakenError) Error() string { return ErrTaken.Error() }

func (e *TakenError) Unwrap() error { return ErrTaken }

// taken refuses what is there already.
//
//nolint:unparam // It is one of the functions that a creation meets by, of which others return an answer.
func (k kind[T]) taken(_ context.Context, alike []T) (*Answer[T], error) {
	return nil, &TakenError{k.id(alike[0])}
}

// object runs a creation that has no operations, and returns the object.
func (n creation[T]) object(ctx context.Context, c *Client) (*T, error) {
	return ObjectOf(n.run(ctx, c))
}

func (n creation[T]) run(ctx context.Context, c *Client) (*Answer[T], error) {
	if n.listing.route == "" {
		n.listing = n.kind.listCall(n.request.params...)
	}
	if n.send == nil {
		n.send = func(request call) (*Answer[T], error) { return n.kind.receive(ctx, c, request) }
	}
	if n.operations == nil {
		n.operations = func(ctx context.Context, _ T) ([]Operation, error) {
			return n.kind.unfinished(ctx, c, n.request.params)
		}
	}
	n.request.carriesOn = true
	place := n.request.route + " " + cmp.Or(n.place, n.request.by.path)
	leave, err := c.creations.turn(ctx, n.request, place)
	if err != nil {
		return nil, err
	}
	defer leave()
	before, err := n.listBefore(ctx, c)
	if err != nil {
		return nil, err
	}
	isOther := func(object T) bool { return !n.isAlike(object) }
	if alike := slices.DeleteFunc(slices.Clone(before), isOther); n.meets != nil && len(alike) > 0 {
		if met, err := n.meets(ctx, alike); met != nil || err != nil {
			return met, err
		}
	}
	created, err := n.runAfter(ctx, c, &before, place)
	if err != nil {
		c.creations.before.forget(n.request.realm())
		return nil, err
	}
	c.creations.before.add(n.listing.question(), created.Object)
	if n.request.by.path == "" {
		c.creations.take(n.request, n.kind.id(created.Object))
	}
	created.Namesakes = slices.DeleteFunc(before, func(object T) bool {
		return c.creations.hasTaken(n.request, n.kind.id(object)) || !n.isAlike(object)
	})
	return created, nil
}

// runAfter creates an object, and tells it by what was there before, which is read anew after a wait for other work.
func (n creation[T]) runAfter(ctx context.Context, c *Client, before *[]T, place string) (*Answer[T], error) {
	known, looks, turn := n.ids(*before), 0, ctx
	began, isLost := time.Now(), false
	n.request.afterWaiting = func(ctx context.Context) (err error) {
		if !isLost { // Nothing that was sent until now has had an effect.
			began = time.Now()
		}
		if !n.request.by.repeats {
			*before, err = n.list(ctx, c)
		}
		return err
	}
	send := func() (*Answer[T], error) {
		created, err := n.sendAfter(*before)
		isLost = isLost || IsLost(err)
		return created, err
	}
	created, err := writeOnce(ctx, c, n.request, send, func(ctx context.Context) (*Answer[T], error) {
		present, err := n.list(ctx, c)
		if err != nil {
			return nil, err
		}
		isNew := func(object T) bool {
			isTaken := c.creations.hasTaken(n.request, n.kind.id(object))
			isOld := n.kind.madeAt != nil && c.clock.isBefore(n.kind.madeAt(object), began)
			return !isTaken && n.isAlike(object) && !isOld && !slices.Contains(n.ids(*before), n.kind.id(object))
		}
		known = n.ids(slices.DeleteFunc(slices.Clone(present), isNew))
		candidates := slices.DeleteFunc(present, func(object T) bool { return !isNew(object) })
		_, isDoubtful := c.creations.doubtful.Load(place)
		looks++
		switch {
		case len(candidates) == 0, !n.request.by.repeats && len(candidates) == 1 && looks < len(n.request.by.looks) &&
			turn.Err() == nil:
			return nil, nil // The first that appears may be another run's.
		case len(candidates) > 1, isDoubtful:
			return nil, &DoubtfulError{n.ids(candidates)}
		}
		operations, err := n.operations(ctx, candidates[0])
		return &Answer[T]{Object: candidates[0], Operations: operations}, err
	})
	if lost, isLost := errors.AsType[*AmbiguousError](err); isLost && !n.request.by.repeats {
		lost.Known = known
		c.creations.doubtful.Store(place, true)
	}
	return created, err
}

// sendAfter sends the request. An answer about what was there before, and isn't as was asked for, is about that.
func (n creation[T]) sendAfter(before []T) (*Answer[T], error) {
	created, err := n.send(n.request)
	isAnother := func(old T) bool {
		return n.kind.id(old) == n.kind.id(created.Object) && !n.isAlike(old)
	}
	if err == nil && n.request.by.path == "" && slices.ContainsFunc(before, isAnother) {
		return nil, n.request.malformed("it is about another " + n.kind.noun)
	}
	return created, err
}

// list returns what is there: of what can't be decoded, what is known of it.
func (n creation[T]) list(ctx context.Context, c *Client) (objects []T, err error) {
	if n.kind.isAlone() {
		return oneOrNone(present(n.kind.read(ctx, c, n.request.params...)))
	}
	for found, err := range n.kind.walk(ctx, c, n.listing) {
		switch id := n.kind.id(found.object); {
		case err != nil:
			return nil, err
		case found.isBroken && n.isAlike(found.object):
			return nil, n.listing.broken(n.kind.noun, id)
		case id != "":
			objects = append(objects, found.object)
		}
	}
	return objects, nil
}

// listBefore returns what is there before a creation, by a list of its own or one that others have asked for just now.
func (n creation[T]) listBefore(ctx context.Context, c *Client) ([]T, error) {
	oldest := oldestBefore
	switch {
	case n.kind.isAlone():
		reading := n.kind.of(http.MethodGet, "", n.request.params...)
		return oneOrNone(foundBefore(ObjectOf(n.kind.receive(ctx, c, reading))))
	case n.meets != nil: // What somebody else has created meanwhile would be changed, or made again.
		oldest = 0
	}
	before, added, err := shareAmong(ctx, &c.creations.before, n.listing.question(), oldest,
		func(ctx context.Context) ([]T, error) { return n.list(ctx, c) })
	before = slices.Clone(before)
	for _, object := range added {
		before = append(before, object.(T)) //nolint:forcetypeassert // The question says what it lists.
	}
	return before, err
}

// oneOrNone is an object as a list.
func oneOrNone[T any](object *T, err error) ([]T, error) {
	if object == nil || err != nil {
		return nil, err
	}
	return []T{*object}, nil
}

func (n creation[T]) ids(objects []T) []string {
	ids := make([]string, len(objects))
	for i, object := range objects {
		ids[i] = n.kind.id(object)
	}
	return ids
}

// turn returns when no other creation is in a place: whoever comes next finds what this one has made.
func (c *creations) turn(ctx context.Context, request call, place string) (leave func(), err error) {
	leave, _, err = c.turns.enter(ctx, place)
	if err != nil {
		return nil, request.endedError(nil, err)
	}
	return leave, nil
}

func (c *creations) take(request call, id string) { c.taken.Store(request.route+id, true) }

func (c *creations) hasTaken(request call, id string) bool {
	_, isTaken := c.taken.Load(request.route + id)
	return isTaken
}
