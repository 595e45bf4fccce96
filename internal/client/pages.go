package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"path"
)

// page is one answer of a list: its items and the cursor of the next page,
// whichever of its two names the platform used for it.
type page[T any] struct {
	items  []T
	cursor string
}

// listField is an answer's field with a list: nil where the answer doesn't have the
// field, empty where it is null, as a platform in Go may send an empty list.
type listField[T any] []T

// UnmarshalJSON reads a field that is there.
func (l *listField[T]) UnmarshalJSON(data []byte) error {
	err := json.Unmarshal(data, (*[]T)(l))
	if *l == nil {
		*l = listField[T]{}
	}
	return err
}

// element is an object of a list. One with a field of an unexpected type is the
// affair of whoever asks for it alone; what else can be read of it is there.
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

// pages walks a list to its last page and yields every item once. The
// platform may give a cursor on the last page too, so the end is an absent,
// empty or repeated cursor, or a page that brings nothing new. An error is
// yielded once, and ends the walk.
func pages[T any](
	ctx context.Context, c *Client, request call, id func(T) string, decode func([]byte) (page[T], error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		request := request // each walk has its own
		seen, cursors := map[string]bool{}, map[string]bool{"": true}
		query := maps.Clone(request.query)
		if query == nil {
			query = url.Values{}
		}
		for {
			request.query = query
			var body json.RawMessage
			if err := c.do(ctx, request, &body); err != nil {
				yield(none, err)
				return
			}
			current, err := decode(body)
			var wrongType *json.UnmarshalTypeError
			if errors.As(err, &wrongType) {
				err = request.malformed("a field has an unexpected type")
			}
			if err != nil {
				yield(none, err)
				return
			}
			if current.items == nil {
				yield(none, request.incomplete(path.Base(request.route)))
				return
			}
			news := false
			for _, item := range current.items {
				if seen[id(item)] {
					continue
				}
				seen[id(item)], news = true, true
				if !yield(item, nil) {
					return
				}
			}
			if !news || cursors[current.cursor] {
				return
			}
			cursors[current.cursor] = true
			query = maps.Clone(query)
			query.Set("cursor", current.cursor)
		}
	}
}
