package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/url"
)

// page reads one answer of a list: its objects, and the cursor of the next page.
func (k kind[T]) page(ctx context.Context, c *Client, request call) (objects []element[T], cursor string, err error) {
	list, err := c.do(ctx, request)
	if err != nil {
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
	isDecoded := json.Unmarshal(list, &objects) == nil
	for i, found := range objects {
		objects[i].isBroken = found.isBroken || k.identified(found.object) == ""
	}
	switch {
	case !isDecoded:
		err = request.malformed(fmt.Sprintf("its %s can't be decoded", cmp.Or(k.field, "list")))
	case cursor != "" && !k.isPaged:
		err = request.malformed("it is one page of several, where the whole list was expected")
	case k.complete != nil:
		err = k.complete(answer, objects)
	}
	return objects, cursor, err
}

// pages are a list's, one after the other. Each object is in them once, but not those that are gone.
type pages[T any] struct {
	kind          kind[T]
	request       call
	seen, cursors map[string]bool
	// isOver is true after the last page: the one without a cursor, with its own one again, or without objects.
	isOver bool
}

func (k kind[T]) pagesOf(request call) *pages[T] {
	request.query = maps.Clone(request.query)
	return &pages[T]{kind: k, request: request, seen: map[string]bool{}, cursors: map[string]bool{}}
}

// next returns the next page's objects, with an error where the list goes on without anything new: more may exist.
func (p *pages[T]) next(ctx context.Context, c *Client) (objects []element[T], err error) {
	all, cursor, err := p.kind.page(ctx, c, p.request)
	if provesNothing(err) && p.kind.lacks != nil {
		if err = p.kind.lacks(c, ctx, p.request, err); IsAbsent(err) {
			p.isOver = true
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	before := len(p.seen)
	for _, found := range all {
		id := p.kind.identified(found.object)
		isKnown := p.kind.isPaged && p.seen[id]
		p.seen[id] = true
		if !isKnown && (p.kind.isGone == nil || !p.kind.isGone(found.object, c.clock.now())) {
			objects = append(objects, found)
		}
	}
	switch {
	case len(all) == 0 || cursor == "" || cursor == p.request.query.Get("cursor"):
		p.isOver = true
		return objects, nil
	case p.cursors[cursor]:
		return objects, p.request.malformed("its cursors go round, so that it never ends")
	case len(p.seen) == before:
		return objects, p.request.malformed("a page repeats what came before, and yet more are to follow")
	}
	p.cursors[cursor] = true
	if p.request.query == nil {
		p.request.query = url.Values{}
	}
	p.request.query.Set("cursor", cursor)
	return objects, nil
}

// walk walks a list to its last page and yields every object once. An error is yielded once and ends the walk.
func (k kind[T]) walk(ctx context.Context, c *Client, request call) iter.Seq2[element[T], error] {
	return func(yield func(element[T], error) bool) {
		for pages := k.pagesOf(request); !pages.isOver; {
			objects, err := pages.next(ctx, c)
			for _, found := range objects {
				if !yield(found, nil) {
					return
				}
			}
			if err != nil {
				yield(element[T]{}, err)
				return
			}
		}
	}
}

// first returns the first object of a list that matches, nil for none. One that can't be decoded may be that.
func (k kind[T]) first(ctx context.Context, c *Client, request call, matches func(T) bool) (*T, error) {
	var doubt error
	for found, err := range k.walk(ctx, c, request) {
		if err != nil {
			return nil, err
		}
		switch isIt := matches(found.object); {
		case isIt && !found.isBroken:
			return &found.object, nil
		case found.isBroken && (isIt || k.identified(found.object) == ""):
			doubt = request.broken(k.noun, k.identified(found.object))
		}
	}
	return nil, doubt
}

// each yields the objects of a walk. One that can't be decoded comes with an error of its own, and the walk goes on.
func (k kind[T]) each(ctx context.Context, c *Client, request call) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for found, err := range k.walk(ctx, c, request) {
			if found.isBroken {
				err = request.broken(k.noun, k.identified(found.object))
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

// element is an object of a list. Where a field has an unexpected type, its others are decoded. Without an id, it may
// be any object, and proves that none is absent.
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
