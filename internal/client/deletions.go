package client

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
)

// delete deletes an object and returns the operations of the deletion. Neon answers with the field of that name (with
// nothing, or an empty object, where there is none), or with 204 and nothing where the object was gone before; any
// other success isn't its own. Read and unfinished read the object and its operations: after a lost answer, or a 404
// that proves nothing, an object that is proved to be absent has been deleted.
func (c *Client) delete(
	ctx context.Context, request call, field string,
	read func(context.Context) error, unfinished func(context.Context) ([]Operation, error),
) ([]Operation, error) {
	send := func() (*[]Operation, error) {
		answer, err := c.ownAnswer(ctx, request, field)
		operations, unread := answer.operations(request)
		return &operations, cmp.Or(err, unread)
	}
	operations, err := deleteOnce(ctx, c, request, send, func(ctx context.Context) (*[]Operation, error) {
		if err := read(ctx); !IsAbsent(err) {
			return nil, err
		}
		operations, err := unfinished(ctx)
		// Failed operations are ignored: the object is gone, so they belong to its earlier life and will never
		// be retried. There are none where the project was deleted, too.
		operations = slices.DeleteFunc(operations, Operation.failing)
		return &operations, unlessAbsent(err)
	})
	if err != nil {
		return nil, err
	}
	return *operations, nil
}

// end is delete of what has no operations.
func end[T any](
	ctx context.Context, c *Client, request call, field string, read func(context.Context) (T, error),
) error {
	_, err := c.delete(ctx, request, field,
		func(ctx context.Context) error { _, err := read(ctx); return err },
		func(context.Context) ([]Operation, error) { return nil, nil })
	return err
}

// deleteOnce is writeOnce for a deletion. An answer that proves the object to be absent is a success. Neon also
// answers 404 where the key isn't allowed to delete, so find returns whether the object is gone.
func deleteOnce[T any](
	ctx context.Context, c *Client, request call, send func() (*T, error), find func(context.Context) (*T, error),
) (*T, error) {
	return writeOnce(ctx, c, request, func() (*T, error) {
		answer, err := send()
		switch {
		case IsAbsent(err):
			return new(T), nil
		case !provesNothing(err), isProxysRefusal(err):
			return answer, err
		}
		gone, findErr := find(ctx)
		if gone == nil && (findErr == nil || provesNothing(findErr)) {
			return nil, err
		}
		return gone, findErr
	}, find)
}

// ownAnswer sends a write and returns its answer, if that is Neon's own: it has the field of that name, or where that
// is empty no field at all. A proxy's success is a lost answer.
func (c *Client) ownAnswer(ctx context.Context, request call, field string) (fields, error) {
	body, err := c.do(ctx, request)
	if err != nil || len(body) == 0 {
		return nil, err
	}
	var answer fields
	if json.Unmarshal(body, &answer) != nil || answer == nil || field == "" && len(answer) > 0 {
		return nil, request.malformed("it isn't Neon's answer to this")
	}
	if field != "" && answer[field] == nil {
		return nil, request.incomplete(field)
	}
	return answer, nil
}
