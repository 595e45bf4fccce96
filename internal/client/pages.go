package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/url"
)

// page is one answer of a list: its items and the cursor of the next page,
// whichever of its two names the platform used for it.
type page[T any] struct {
	items  []T
	cursor string
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
			if err != nil {
				yield(none, fmt.Errorf("reading a page of GET %s: %w", request.path(), err))
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
