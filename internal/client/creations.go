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

// oldestBefore is the greatest age of the list of what exists before a creation. Creations that are sent close together
// share it. What somebody else creates between that list and our request counts as new. Where that could do harm (see
// creation.meets), creations share a list only while it is being read.
const oldestBefore = time.Second

// creations has creations take turns where their objects couldn't be told apart.
type creations struct {
	turns lines
	// before has the lists of existing objects that creations share. A creation adds its object to them; any other write
	// to the same project or organization invalidates them.
	before sharedAnswers
	// taken has the objects that this client has created or taken over, by route and id: no other creation made them.
	// Doubtful has the places where an object may still appear, since the answer to its creation was lost.
	taken, doubtful sync.Map
}

// creation creates an object without a mark of ours. After a lost answer, the object is the one that is new. How far
// another run's is told from it, oldestBefore and clock.isBefore say.
type creation[T any] struct {
	kind    kind[T]
	request call
	// meets handles existing objects that are alike: it returns the one to use instead of a new one, or an error, since
	// Neon would change that object instead of refusing the creation (see kind.taken). If it is nil, Neon decides.
	meets func(ctx context.Context, alike []T) (*Answer[T], error)
	// place is what creations of one route take turns for; empty for the object's name.
	place string
	// listing lists the existing objects; if it is empty, the kind's list does.
	listing call
	// isAlike reports whether the creation may have made an object.
	isAlike func(T) bool
	// send sends the request; if it is nil, the kind does.
	send func(call) (*Answer[T], error)
	// operations returns those that the lost answer had; if it is nil, they are the kind's that haven't ended.
	operations func(context.Context, T) ([]Operation, error)
}

// DoubtfulError is a creation whose answer was lost, after which these appeared: which of them is its own isn't known.
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

// taken refuses a creation whose object exists already; see creation.meets.
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
	if id := n.kind.id(created.Object); n.request.by.path == "" {
		c.creations.take(n.request, id)
		c.noteCreated(n.request, n.kind.named(append(slices.Clone(n.request.params), id)...).path)
	}
	created.Namesakes = slices.DeleteFunc(before, func(object T) bool {
		return c.creations.hasTaken(n.request, n.kind.id(object)) || !n.isAlike(object)
	})
	return created, nil
}

// runAfter creates an object. After a lost answer it finds the object as the one that before lacks. If the request had
// to wait for other work, before is read again.
func (n creation[T]) runAfter(ctx context.Context, c *Client, before *[]T, place string) (*Answer[T], error) {
	known, looks, turn := n.ids(*before), 0, ctx
	began, isLost := time.Now(), false
	n.request.afterWaiting = func(ctx context.Context) (err error) {
		if !isLost { // Until now Neon has refused each attempt, so the object can't be older than this.
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
			return nil, nil // It may be another run's, so the looks go on: ours may still appear beside it.
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

// sendAfter sends the request. An answer about an older object that isn't as requested isn't about this creation.
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

// list returns the existing objects, also those of which some fields can't be decoded.
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

// listBefore returns what exists before a creation, by its own list or by one that other creations have just read.
func (n creation[T]) listBefore(ctx context.Context, c *Client) ([]T, error) {
	oldest := oldestBefore
	switch {
	case n.kind.isAlone():
		reading := n.kind.of(http.MethodGet, "", n.request.params...)
		return oneOrNone(foundBefore(ObjectOf(n.kind.receive(ctx, c, reading))))
	case n.meets != nil: // Neon would change what somebody else has created since an older list.
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

// oneOrNone returns a list of the object, or an empty one for nil.
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

// turn returns when no other creation is in the place, so that each one finds what the one before has created.
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
