package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
)

// kind describes objects of one kind: how Neon lists them, and sends a single one. Whatever
// lists, reads, shares, creates, changes or deletes them goes by it.
type kind[T any] struct {
	noun string
	// isSaid is true where Neon says "noun not found" of one that isn't there.
	isSaid bool
	// route lists the objects of what its placeholders name. One is what the route of a single
	// object adds to it; empty where Neon has no call that reads one.
	route, one string
	query      url.Values // of the list
	// field has the list in Neon's answer, object a single one, and deleted what was deleted:
	// the answer itself where it is empty.
	field, object, deleted string
	// isPaged is true of a list that Neon sends in pages.
	isPaged bool
	id      func(T) string
	// isGone is true of what a list only remembers, such as what was revoked; nil for nothing.
	isGone func(T) bool
	// complete adds what an answer has beside the objects; nil for nothing.
	complete func(answer fields, objects []element[T]) error
	// few is how many reads that come close together are sent individually; shareBy is what
	// shared ones are looked up by, nil for the id.
	few     int
	shareBy func(T) string
}

// fields are an answer's before they are decoded.
type fields map[string]json.RawMessage

// change is an answer about an object: as it is or will be, and the operations that see to it.
type change[T any] struct {
	object     T
	operations []Operation
}

func (a *change[T]) parts(err error) (*T, []Operation, error) {
	if err != nil {
		return nil, nil, err
	}
	return &a.object, a.operations, nil
}

// changed is the answer about an object that comes without operations.
func changed[T any](object *T, err error) (*change[T], error) {
	if err != nil {
		return nil, err
	}
	return &change[T]{object: *object}, nil
}

// call is a request about the objects, or with a suffix about one of them.
func (k kind[T]) call(method, suffix string, params ...string) call {
	request := call{method: method, route: k.route + suffix, params: params}
	if k.isSaid {
		request.noun = k.noun
	}
	return request
}

func (k kind[T]) listCall(params ...string) call {
	request := k.call(http.MethodGet, "", params...)
	request.query = maps.Clone(k.query)
	return request
}

// receive sends a request whose answer has one object.
func (k kind[T]) receive(ctx context.Context, c *Client, request call) (*change[T], error) {
	var body json.RawMessage
	if err := c.do(ctx, request, &body); err != nil {
		return nil, err
	}
	answer := fields{}
	var list []element[T]
	err := json.Unmarshal(body, &answer)
	if k.object != "" {
		body = answer[k.object]
	}
	if body != nil {
		list = make([]element[T], 1)
		_ = list[0].UnmarshalJSON(body)
		if k.complete != nil {
			err = cmp.Or(err, k.complete(answer, list))
		}
	}
	var operations []Operation
	if answer["operations"] != nil {
		err = cmp.Or(err, json.Unmarshal(answer["operations"], &operations))
	}
	switch {
	case err != nil, len(list) == 1 && list[0].isBroken:
		return nil, request.malformed("a field has an unexpected type")
	case len(list) == 0, k.id(list[0].object) == "":
		return nil, request.incomplete(k.noun + " that is identified")
	}
	return &change[T]{list[0].object, operations}, nil
}

// read reads one object by a request of its own: by that for a single one, or from the list.
func (k kind[T]) read(ctx context.Context, c *Client, id string, params ...string) (*T, error) {
	if k.one == "" {
		return k.find(ctx, c, id, func(object T) bool { return k.id(object) == id }, params...)
	}
	return k.readBy(ctx, c, k.call(http.MethodGet, k.one, append(slices.Clip(params), id)...))
}

// readBy is read by such a request. After a 404 that proves nothing it looks into the list.
func (k kind[T]) readBy(ctx context.Context, c *Client, request call) (*T, error) {
	answer, err := k.receive(ctx, c, request)
	if provesNothing(err) {
		last := len(request.params) - 1
		list, listErr := All(k.each(ctx, c, k.listCall(request.params[:last]...)))
		return findInList(request, err, list, listErr, func(object T) bool { return k.id(object) == request.params[last] })
	}
	if err != nil {
		return nil, err
	}
	return &answer.object, nil
}

// find returns an object from a list of its own, which proves by its lack that there is none.
func (k kind[T]) find(ctx context.Context, c *Client, called string, matches func(T) bool, params ...string) (*T, error) {
	request := k.listCall(params...)
	list, err := All(k.each(ctx, c, request))
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(list, matches); i >= 0 {
		return &list[i], nil
	}
	owner, _ := request.owner("")
	return nil, &AbsentError{What: owner + " has no " + k.noun + " " + called, Noun: k.noun}
}

// shared is read, but from a list that reads share which come close together; only what that
// lacks is read individually.
func (k kind[T]) shared(ctx context.Context, c *Client, id string, params ...string) (*T, error) {
	if object, err := k.amongShared(ctx, c, id, params...); object != nil || err != nil {
		return object, err
	}
	return k.read(ctx, c, id, params...)
}

// amongShared returns an object of a shared list; nil where that lacks it.
func (k kind[T]) amongShared(ctx context.Context, c *Client, id string, params ...string) (*T, error) {
	objects, err := k.share(ctx, c, params...)
	if err != nil {
		return nil, err
	}
	return readable(objects[id], func(T) bool { return true }), nil
}

// readable returns the first object that matches and could be decoded; nil for none.
func readable[T any](objects []element[T], matches func(T) bool) *T {
	for _, found := range objects {
		if !found.isBroken && matches(found.object) {
			return &found.object
		}
	}
	return nil
}

// effect is how a change of an object is found whose answer was lost.
type effect[T any] struct {
	// read reads the object, in which isDone sees the change; nil for whatever is read.
	read   func(context.Context) (*T, error)
	isDone func(*T) bool
	// operations are those that the answer would have had; nil for none.
	operations func(context.Context) ([]Operation, error)
}

// write changes an object. Send sends the request; nil has the kind do it.
func (k kind[T]) write(ctx context.Context, c *Client, request call, send func() (*change[T], error), by effect[T]) (*T, []Operation, error) {
	if send == nil {
		send = func() (*change[T], error) { return k.receive(ctx, c, request) }
	}
	answer, err := writeOnce(ctx, c, request, send, func(ctx context.Context) (*change[T], error) {
		object, err := by.read(ctx)
		if err != nil || object == nil || by.isDone != nil && !by.isDone(object) {
			return nil, err
		}
		found := &change[T]{object: *object}
		if by.operations != nil {
			found.operations, err = by.operations(ctx)
		}
		return found, err
	})
	return answer.parts(err)
}

// create creates an object of a branch that nothing but its name identifies.
func (k kind[T]) create(ctx context.Context, c *Client, projectID, branchID, name string, body any) (*T, []Operation, error) {
	request := k.call(http.MethodPost, "", projectID, branchID)
	request.named = k.call(http.MethodDelete, k.one, projectID, branchID, name).path()
	request.subject = fmt.Sprintf("%s %q on branch %s", k.noun, name, branchID)
	request.body = map[string]any{k.object: body}
	created, _, err := creation[T]{
		kind: k, request: request, place: request.named,
		list:    func(ctx context.Context) ([]T, error) { return oneOrNone(k.read(ctx, c, name, projectID, branchID)) },
		isAlike: func(T) bool { return true },
		operations: func(ctx context.Context, _ T) ([]Operation, error) {
			return c.branchOperations(ctx, projectID, branchID)
		},
	}.run(ctx, c)
	return created.parts(err)
}

// deleteNamed deletes such an object.
func (k kind[T]) deleteNamed(ctx context.Context, c *Client, projectID, branchID, name string) ([]Operation, error) {
	request := k.call(http.MethodDelete, k.one, projectID, branchID, name)
	request.subject = fmt.Sprintf("the deletion of %s %q on branch %s", k.noun, name, branchID)
	request.named = request.path()
	return k.delete(ctx, c, request, func(ctx context.Context) ([]Operation, error) { return c.branchOperations(ctx, projectID, branchID) })
}

// delete deletes the object that the call's last parameter names; see Client.delete.
func (k kind[T]) delete(
	ctx context.Context, c *Client, request call, unfinished func(context.Context) ([]Operation, error),
) ([]Operation, error) {
	last := len(request.params) - 1
	read := func(ctx context.Context) error {
		_, err := k.read(ctx, c, request.params[last], request.params[:last]...)
		return err
	}
	return c.delete(ctx, request, k.deleted, read, unfinished)
}

// page reads one answer of a list: its objects, and the cursor of the next page.
func (k kind[T]) page(ctx context.Context, c *Client, request call) (objects []element[T], cursor string, err error) {
	var list json.RawMessage
	if err := c.do(ctx, request, &list); err != nil {
		return nil, "", err
	}
	answer := fields{}
	var pagination struct{ Cursor, Next string } // Neon has several names for it.
	isNone := string(list) == "null"
	if k.field != "" {
		if json.Unmarshal(list, &answer) != nil {
			return nil, "", request.malformed("a field has an unexpected type")
		}
		_ = json.Unmarshal(answer["pagination"], &pagination) // What can't be decoded is no cursor.
		_ = json.Unmarshal(answer["next_cursor"], &pagination.Next)
		list = answer[k.field]
		isNone = list == nil // A list that is null is empty.
	}
	if cursor = cmp.Or(pagination.Cursor, pagination.Next); isNone {
		return nil, "", request.incomplete(cmp.Or(k.field, "list"))
	}
	switch {
	case json.Unmarshal(list, &objects) != nil:
		err = request.malformed(fmt.Sprintf("its %s can't be decoded", cmp.Or(k.field, "list")))
	case cursor != "" && !k.isPaged:
		err = request.malformed("it is one page of several, where the whole list was expected")
	case k.complete != nil:
		err = k.complete(answer, objects)
	}
	return objects, cursor, err
}

// walk walks a list to its last page and yields every object once, but those that are gone.
// Neon may send a cursor on the last page too: the list ends with an absent, empty or repeated
// cursor, or an empty page. An error is yielded once and ends the walk, and so is a page that
// goes on but has nothing new: what a walk that ended elsewhere lacks may exist.
func (k kind[T]) walk(ctx context.Context, c *Client, request call) iter.Seq2[element[T], error] {
	return func(yield func(element[T], error) bool) {
		seen, cursors := map[string]bool{}, map[string]bool{"": true}
		request := request // each walk has its own query
		request.query = maps.Clone(request.query)
		for {
			objects, cursor, err := k.page(ctx, c, request)
			if err != nil {
				yield(element[T]{}, err)
				return
			}
			before := len(seen)
			for _, found := range objects {
				id := k.id(found.object)
				isKnown := k.isPaged && seen[id]
				seen[id] = true
				if !isKnown && (k.isGone == nil || !k.isGone(found.object)) && !yield(found, nil) {
					return
				}
			}
			if len(objects) == 0 || cursors[cursor] {
				return
			}
			if len(seen) == before {
				err = request.malformed("a page repeats what came before, and yet more are to follow")
			} else if request.nextPage != nil {
				err = request.nextPage()
			}
			if err != nil {
				yield(element[T]{}, err)
				return
			}
			cursors[cursor] = true
			if request.query == nil {
				request.query = url.Values{}
			}
			request.query.Set("cursor", cursor)
		}
	}
}

// first returns the first object of a walk that matches, nil for none.
func (k kind[T]) first(ctx context.Context, c *Client, request call, matches func(T) bool) (*T, error) {
	for found, err := range k.walk(ctx, c, request) {
		switch {
		case err != nil:
			return nil, err
		case matches(found.object) && found.isBroken:
			return nil, request.broken(k.noun, k.id(found.object))
		case matches(found.object):
			return &found.object, nil
		}
	}
	return nil, nil
}

// each yields the objects of a walk. One that can't be decoded comes with an error of its
// own, after which the walk goes on.
func (k kind[T]) each(ctx context.Context, c *Client, request call) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for found, err := range k.walk(ctx, c, request) {
			if found.isBroken {
				err = request.broken(k.noun, k.id(found.object))
			}
			if !yield(found.object, err) {
				return
			}
		}
	}
}

// list is each of the list that the parameters name.
func (k kind[T]) list(ctx context.Context, c *Client, params ...string) iter.Seq2[T, error] {
	return k.each(ctx, c, k.listCall(params...))
}

// grouped returns the objects of a walk by what shared ones are looked up by.
func (k kind[T]) grouped(ctx context.Context, c *Client, request call) (map[string][]element[T], error) {
	by := k.shareBy
	if by == nil {
		by = k.id
	}
	groups := map[string][]element[T]{}
	for found, err := range k.walk(ctx, c, request) {
		if err != nil {
			return nil, err
		}
		groups[by(found.object)] = append(groups[by(found.object)], found)
	}
	return groups, nil
}

// All returns all objects of a walk, or its error.
func All[T any](walk iter.Seq2[T, error]) ([]T, error) {
	var items []T
	for item, err := range walk {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// element is an object of a list. One with a field of an unexpected type fails only
// the reads of that object; its other fields are decoded.
type element[T any] struct {
	object   T
	isBroken bool
}

// UnmarshalJSON never fails.
func (e *element[T]) UnmarshalJSON(data []byte) error {
	if e.isBroken = json.Unmarshal(data, &e.object) != nil; !e.isBroken {
		return nil
	}
	var fields fields
	_ = json.Unmarshal(data, &fields)
	for name, value := range fields {
		_ = json.Unmarshal(fmt.Appendf(nil, "{%q:%s}", name, value), &e.object)
	}
	return nil
}
