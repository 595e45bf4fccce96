package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"path"
)

// page is one answer of a list: its items and the cursor of the next page, for which
// Neon has two names.
type page[T any] struct {
	items  []T
	cursor string
}

// listField is an answer's field with a list: nil where the field is absent, empty
// where it is null, which Go servers send for an empty list.
type listField[T any] []T

// UnmarshalJSON reads a field that is present.
func (l *listField[T]) UnmarshalJSON(data []byte) error {
	err := json.Unmarshal(data, (*[]T)(l))
	if *l == nil {
		*l = listField[T]{}
	}
	return err
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
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(data, &fields)
	for name, value := range fields {
		_ = json.Unmarshal(fmt.Appendf(nil, "{%q:%s}", name, value), &e.object)
	}
	return nil
}

// pages walks a list to its last page and yields every item once. Neon may send a
// cursor on the last page too: the list ends with an absent, empty or repeated cursor, or an
// empty page. An error is yielded once and ends the walk, and so is a page that goes on but has
// nothing new: what a walk that ended elsewhere lacks may exist.
func pages[A, T any](
	ctx context.Context, c *Client, request call, id func(T) string, read func(*A) (page[T], error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		seen, cursors := map[string]bool{}, map[string]bool{"": true}
		request := request // each walk has its own query
		request.query = maps.Clone(request.query)
		for {
			current, err := readPage(ctx, c, request, read)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			before := len(seen)
			for _, item := range current.items {
				if seen[id(item)] {
					continue
				}
				seen[id(item)] = true
				if !yield(item, nil) {
					return
				}
			}
			if len(current.items) == 0 || cursors[current.cursor] {
				return
			}
			if len(seen) == before {
				var none T
				yield(none, request.malformed("a page repeats what came before, and yet more are to follow"))
				return
			}
			cursors[current.cursor] = true
			if request.nextPage != nil {
				if err := request.nextPage(); err != nil {
					var none T
					yield(none, err)
					return
				}
			}
			request.query.Set("cursor", current.cursor)
		}
	}
}

// nextPages is pages for a list whose answers have it as the field of that name, and the next
// page's cursor as pagination.next.
func nextPages[T any](ctx context.Context, c *Client, request call, field string, id func(T) string) iter.Seq2[T, error] {
	return pages(ctx, c, request, id, func(answer *map[string]json.RawMessage) (page[T], error) {
		var items listField[T]
		var pagination struct {
			Next string `json:"next"`
		}
		_ = json.Unmarshal((*answer)["pagination"], &pagination) // Without one, the page is the last.
		if (*answer)[field] != nil && json.Unmarshal((*answer)[field], &items) != nil {
			return page[T]{}, request.malformed(fmt.Sprintf("its %s can't be decoded", field))
		}
		return page[T]{items, pagination.Next}, nil
	})
}

// eachOfPages is each over such a list.
func eachOfPages[T any](ctx context.Context, c *Client, request call, field, noun string, id func(T) string) iter.Seq2[T, error] {
	return each(request, noun, id, nextPages(ctx, c, request, field, func(item element[T]) string { return id(item.object) }))
}

// walkByName is listByName for a list of that kind.
func walkByName[T any](
	ctx context.Context, c *Client, request call, field string, name func(T) string,
) (map[string]element[T], error) {
	byName := map[string]element[T]{}
	for item, err := range nextPages(ctx, c, request, field, func(item element[T]) string { return name(item.object) }) {
		if err != nil {
			return nil, err
		}
		byName[name(item.object)] = item
	}
	return byName, nil
}

// All returns all items of a walk, or its error.
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

// each yields the objects of a walk. One that can't be decoded comes with an error of its
// own, after which the walk goes on.
func each[T any](request call, noun string, id func(T) string, elements iter.Seq2[element[T], error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for element, err := range elements {
			if element.isBroken {
				err = request.broken(noun, id(element.object))
			}
			if !yield(element.object, err) {
				return
			}
		}
	}
}

// eachOf is each over a list that Neon sends in one answer, as the answer's field of that
// name.
func eachOf[T any](ctx context.Context, c *Client, request call, field, noun string, id func(T) string) iter.Seq2[T, error] {
	return each(request, noun, id, inOneAnswer(func() ([]element[T], error) { return listOf[element[T]](ctx, c, request, field) }))
}

// inOneAnswer walks a list that Neon sends in one answer.
func inOneAnswer[T any](read func() ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		list, err := read()
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		for _, item := range list {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// without leaves out the objects that are only remembered, such as what was revoked.
func without[T any](walk iter.Seq2[T, error], isGone func(T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item, err := range walk {
			if (err != nil || !isGone(item)) && !yield(item, err) {
				return
			}
		}
	}
}

func readPage[A, T any](ctx context.Context, c *Client, request call, read func(*A) (page[T], error)) (page[T], error) {
	var answer A
	if err := c.do(ctx, request, &answer); err != nil {
		return page[T]{}, err
	}
	current, err := read(&answer)
	if err == nil && current.items == nil {
		err = request.incomplete(path.Base(request.route))
	}
	return current, err
}

// listOf reads a list that Neon sends in one answer, as the answer's field of that name.
func listOf[T any](ctx context.Context, c *Client, request call, field string) ([]T, error) {
	var answer map[string]json.RawMessage
	if err := c.do(ctx, request, &answer); err != nil {
		return nil, err
	}
	if answer[field] == nil {
		return nil, request.incomplete(field)
	}
	var pagination struct{ Cursor, Next string }
	_ = json.Unmarshal(answer["pagination"], &pagination) // What can't be decoded is no cursor.
	if pagination.Cursor != "" || pagination.Next != "" {
		return nil, request.malformed("it is one page of several, where the whole list was expected")
	}
	var list listField[T]
	if err := json.Unmarshal(answer[field], &list); err != nil {
		return nil, request.malformed(fmt.Sprintf("its %s can't be decoded", field))
	}
	return list, nil
}

// listByName is listOf by the objects' names, in which one that can't be decoded fails only
// its own readers.
func listByName[T any](
	ctx context.Context, c *Client, request call, field string, name func(T) string,
) (map[string]element[T], error) {
	list, err := listOf[element[T]](ctx, c, request, field)
	if err != nil {
		return nil, err
	}
	byName := map[string]element[T]{}
	for _, item := range list {
		byName[name(item.object)] = item
	}
	return byName, nil
}
