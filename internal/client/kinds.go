package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kind describes one kind of objects: how they are listed, read, shared, created, changed and deleted.
type kind[T any] struct {
	noun string
	// isSaid is true where Neon says "noun not found" of one that isn't there.
	isSaid bool
	// route is that of the list, to which the route of a single object adds one.
	route, one string
	query      url.Values // of the list
	// isRead is true where Neon has a call that reads a single object: else only the list says.
	isRead bool
	// isNamed is true where something else may have the id later, since it is a name.
	isNamed bool
	// endsSilently is true where the answer to a deletion may have no body.
	endsSilently bool
	// field and object are the fields of answers with the list and with a single object; empty for the whole answer.
	// Deleted is the field that the answer to a deletion has; empty for an answer without any.
	field, object, deleted string
	// lacks replaces a refusal with the absence that it proves: of a list's owner, such as Neon Auth, or of an object
	// that Neon has no list of; nil if refusals prove nothing.
	lacks func(c *Client, ctx context.Context, request call, err error) error
	// isPaged is true of a list that Neon sends in pages.
	isPaged bool
	id      func(T) string
	// isGone is true for listed objects that no longer count at that time, such as revoked ones; nil if there are none.
	isGone func(object T, now time.Time) bool
	// madeAt is when Neon made an object: one that is older than the request isn't its effect. Nil where Neon doesn't say.
	madeAt func(T) time.Time
	// complete adds what an answer has beside the objects; nil for nothing.
	complete func(answer fields, objects []element[T]) error
	// few is how many reads at a time are sent individually; shareBy is the key of a shared list, nil for the id.
	few     int
	shareBy func(T) string
	// isAbout reports whether an operation is about the object that parameters name; nil for none.
	isAbout func(operation Operation, params []string) bool
}

// Ref says which object of a project is meant: an id alone isn't enough, since Neon's calls want the project's too.
type Ref[T any] struct {
	ProjectID string
	ID        string
}

// OrgRef says which object of an organization is meant.
type OrgRef[T any] struct{ OrgID, ID string }

// identified is the id of an object; empty where an answer has none.
func (k kind[T]) identified(object T) string {
	var none T
	if id := k.id(object); id != k.id(none) {
		return id
	}
	return ""
}

// isAnother reports whether the answer to a request about one object holds another object. An object with a name must
// have its present name, or the name that the request gives it.
func (k kind[T]) isAnother(request call, object T) bool {
	owners := strings.Count(k.route, "{")
	switch path := request.by.path; {
	case k.isAlone():
		return false
	case k.isNamed && path != "":
		answered := k.named(append(slices.Clone(request.params[:owners]), k.id(object))...).path
		return answered != path && answered != request.path()
	}
	single := k.route + k.one
	return single != "" && strings.HasPrefix(request.route, single) && k.id(object) != request.params[owners]
}

// fields are an answer's before they are decoded.
type fields map[string]json.RawMessage

// decode decodes a field, if it is there.
func (f fields) decode(request call, field string, into any) error {
	if f[field] != nil && json.Unmarshal(f[field], into) != nil {
		return request.malformed("a field has an unexpected type")
	}
	return nil
}

// operations returns the operations in an answer. One without an id is an error, since nobody could wait for it.
func (f fields) operations(request call) (operations []Operation, err error) {
	err = f.decode(request, "operations", &operations)
	if slices.ContainsFunc(operations, func(operation Operation) bool { return operation.ID == "" }) {
		err = request.incomplete("id of an operation")
	}
	return operations, err
}

// Answer is one about an object, as it is or will be.
type Answer[T any] struct {
	Object T
	// Operations see to it.
	Operations []Operation
	// Namesakes were there before a creation, not by this client, and are like it: a killed run may have left them.
	Namesakes []T
}

// OperationsOf returns the operations of an answer.
func OperationsOf[T any](answer *Answer[T], err error) ([]Operation, error) {
	if err != nil {
		return nil, err
	}
	return answer.Operations, nil
}

// ObjectOf returns the object of an answer.
func ObjectOf[T any](answer *Answer[T], err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return &answer.Object, nil
}

// call is a request about the objects, or with a suffix about what they have.
func (k kind[T]) call(method, suffix string, params ...string) call {
	request := call{method: method, route: k.route + suffix, params: params}
	if k.isSaid {
		request.noun = k.noun
	}
	return request
}

// deeds are what requests about a single object do, for the error about a lost answer.
var deeds = map[string]string{http.MethodDelete: "the deletion of ", http.MethodPatch: "the change of "}

// of is a request about the object that the last parameter names, or with a suffix about a part of it.
func (k kind[T]) of(method, suffix string, params ...string) call {
	request := k.call(method, k.one, params...)
	last := len(params) - 1
	id := params[last]
	if k.isNamed {
		id = strconv.Quote(id)
	}
	request = request.identified(k.isNamed)
	request.subject = deeds[method] + k.noun + " " + id
	if last > 0 {
		request.subject += " of " + k.call(method, "", params[:last]...).owner()
	}
	request.route += suffix
	request.answersNothing = method == http.MethodDelete && k.endsSilently
	return request
}

// isAlone is true of what there is one of at most, so that Neon has no list of it.
func (k kind[T]) isAlone() bool { return k.isRead && k.field == "" }

// named is the identity of what the parameters name.
func (k kind[T]) named(params ...string) identity {
	return named(k.call("", k.one, params...).path())
}

func (k kind[T]) listCall(params ...string) call {
	request := k.call(http.MethodGet, "", params...)
	request.query = maps.Clone(k.query)
	return request
}

// receive sends a request whose answer has one object.
func (k kind[T]) receive(ctx context.Context, c *Client, request call) (*Answer[T], error) {
	body, err := c.do(ctx, request)
	if err != nil {
		return nil, err
	}
	answer := fields{}
	var list []element[T]
	err = json.Unmarshal(body, &answer)
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
	operations, unread := answer.operations(request)
	switch {
	case err != nil, len(list) == 1 && list[0].isBroken:
		return nil, request.malformed("a field has an unexpected type")
	case len(list) == 0, k.identified(list[0].object) == "":
		return nil, request.incomplete(k.noun + " that is identified")
	case k.isAnother(request, list[0].object):
		return nil, request.malformed("it is about another " + k.noun)
	case unread != nil:
		return nil, unread
	}
	return &Answer[T]{Object: list[0].object, Operations: operations}, nil
}

// read reads the object that the last parameter names, by a request for a single one or by a list of its own.
func (k kind[T]) read(ctx context.Context, c *Client, params ...string) (*T, error) {
	if k.isRead {
		return k.readBy(ctx, c, k.of(http.MethodGet, "", params...))
	}
	owners, id := params[:len(params)-1], params[len(params)-1]
	object, err := k.first(ctx, c, k.listCall(owners...), func(object T) bool { return k.id(object) == id })
	return k.orLacking(object, err, id, owners...)
}

// readBy is read by such a request. After a 404 that proves nothing, the list proves by its lack that there is none.
func (k kind[T]) readBy(ctx context.Context, c *Client, request call) (*T, error) {
	answer, err := k.receive(ctx, c, request)
	if k.lacks != nil {
		return ObjectOf(answer, k.lacks(c, ctx, request, err))
	}
	if last := len(request.params) - 1; last > 0 && provesNothing(err) {
		matches := func(object T) bool { return k.id(object) == request.params[last] }
		found, listErr := k.first(ctx, c, k.listCall(request.params[:last]...), matches)
		switch {
		case provesNothing(listErr): // It can't be read either, so that the refusal stands.
			return nil, err
		case found == nil && listErr == nil:
			return nil, request.absent(request.noun, fmt.Errorf("%w; and the list lacks it", err))
		}
		return found, listErr
	}
	return ObjectOf(answer, err)
}

// orLacking is what was found in a list, whose lack of the object proves that it isn't there.
func (k kind[T]) orLacking(object *T, err error, called string, params ...string) (*T, error) {
	if object == nil && err == nil {
		err = &AbsentError{What: k.listCall(params...).owner() + " has no " + k.noun + " " + called, Noun: k.noun}
	}
	return object, err
}

// shared is read from a list that reads share which come close together.
func (k kind[T]) shared(ctx context.Context, c *Client, params ...string) (*T, error) {
	owners, id := params[:len(params)-1], params[len(params)-1]
	read := func() (*T, error) { return k.read(ctx, c, params...) }
	object, err := k.sharedOr(ctx, c, id, nil, read, owners...)
	return k.orLacking(object, err, id, owners...)
}

// sharedOr returns the matching object of a shared list; nil matches the list's own key. Sought describes the object.
// An object missing from the list is read individually, except for a hint when the list is complete.
func (k kind[T]) sharedOr(
	ctx context.Context, c *Client, sought string, matches func(T) bool, read func() (*T, error), params ...string,
) (object *T, err error) {
	isWhole := false
	err = k.share(ctx, c, sought, func(objects map[string][]element[T], isAll bool) bool {
		isWhole = isAll
		if matches == nil {
			object = readable(objects[sought], func(T) bool { return true })
			return object != nil
		}
		for _, group := range objects {
			if object = readable(group, matches); object != nil {
				return true
			}
		}
		return false
	}, params...)
	switch {
	case object != nil || err != nil:
		return object, err
	case isWhole && isHint(ctx):
		return nil, nil
	}
	return read()
}

// wholeShared returns a shared list; nil where few read at once.
func (k kind[T]) wholeShared(
	ctx context.Context, c *Client, sought string, params ...string,
) (whole map[string][]element[T], err error) {
	err = k.share(ctx, c, sought, func(objects map[string][]element[T], isWhole bool) bool {
		if isWhole {
			whole = objects
		}
		return isWhole
	}, params...)
	return whole, err
}

// matching returns the objects of a shared list that match, also those that can be decoded in part alone, in no order.
func matching[T any](whole map[string][]element[T], matches func(T) bool) (all []T) {
	for _, group := range whole {
		for _, found := range group {
			if matches(found.object) {
				all = append(all, found.object)
			}
		}
	}
	return all
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
	// send sends the change; nil has the kind do it.
	send func() (*Answer[T], error)
	// read reads the object; nil has the kind do it.
	read func(context.Context) (*T, error)
	// isDone sees the change in the object; nil sees it in whatever is read.
	isDone func(*T) bool
	// operations are those that the answer would have had; nil for the kind's that haven't ended.
	operations func(context.Context) ([]Operation, error)
}

// change changes an object, by the request of its own.
func (k kind[T]) change(ctx context.Context, c *Client, request call, by effect[T]) (*Answer[T], error) {
	if by.send == nil {
		by.send = func() (*Answer[T], error) { return k.receive(ctx, c, request) }
	}
	if by.read == nil {
		by.read = func(ctx context.Context) (*T, error) { return k.read(ctx, c, request.params...) }
	}
	if by.operations == nil {
		by.operations = func(ctx context.Context) ([]Operation, error) { return k.unfinished(ctx, c, request.params) }
	}
	return writeOnce(ctx, c, request, by.send, func(ctx context.Context) (*Answer[T], error) {
		object, err := by.read(ctx)
		if err != nil || object == nil || by.isDone != nil && !by.isDone(object) {
			return nil, err
		}
		operations, err := by.operations(ctx)
		return &Answer[T]{Object: *object, Operations: operations}, err
	})
}

// unfinished returns the operations of the object that the parameters name which have not ended.
func (k kind[T]) unfinished(ctx context.Context, c *Client, params []string) ([]Operation, error) {
	if k.isAbout == nil {
		return nil, nil
	}
	return c.operationsWhere(ctx, params[0], func(o Operation) bool { return c.isUnfinished(o) && k.isAbout(o, params) })
}

// update changes fields of an object in place. After a lost answer, the object that includes them shows the change.
func (k kind[T]) update(ctx context.Context, c *Client, fields any, depth int, params ...string) (*Answer[T], error) {
	request := k.of(http.MethodPatch, "", params...)
	request.body = map[string]any{k.object: fields}
	return k.change(ctx, c, request, effect[T]{
		isDone: func(object *T) bool { return includes(decoded(object), decoded(fields), depth) },
	})
}

// decoded is a value as JSON has it.
func decoded(value any) any {
	var plain any
	text, _ := json.Marshal(value) // These values always encode.
	_ = json.Unmarshal(text, &plain)
	return plain
}

// includes reports whether an object has all that another has, compared as a whole from a depth on.
func includes(present, wanted any, depth int) bool {
	fields, isObject := wanted.(map[string]any)
	if !isObject || depth == 0 {
		return reflect.DeepEqual(present, wanted)
	}
	object, _ := present.(map[string]any)
	for name, value := range fields {
		if !includes(object[name], value, depth-1) {
			return false
		}
	}
	return true
}

// creation is that of an object of a branch that nothing but its name identifies.
func (k kind[T]) creation(branch BranchRef, name string, body any) creation[T] {
	request := k.call(http.MethodPost, "", branch.ProjectID, branch.ID)
	request.by, request.body = k.named(branch.ProjectID, branch.ID, name), body
	request.subject = fmt.Sprintf("%s %q on branch %s", k.noun, name, branch.ID)
	return creation[T]{kind: k, request: request, isAlike: func(object T) bool { return k.id(object) == name }}
}

// delete removes the object that the last parameter names.
func (k kind[T]) delete(ctx context.Context, c *Client, params ...string) ([]Operation, error) {
	return remove(ctx, c, k.of(http.MethodDelete, "", params...), k.deleted,
		func(ctx context.Context) (*T, error) { return k.read(ctx, c, params...) },
		func(ctx context.Context) ([]Operation, error) { return k.unfinished(ctx, c, params) })
}

// end is delete of what has no operations.
func (k kind[T]) end(ctx context.Context, c *Client, params ...string) error {
	_, err := k.delete(ctx, c, params...)
	return err
}
