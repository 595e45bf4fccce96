package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"time"
)

// lastLook is how long a search may take after an interruption.
const lastLook = 2 * time.Second

// writeOnce sends a write whose answer may be lost. After a lost answer, find looks for the effect. If there is none
// (nil) and the identity allows it, the write is sent again. A nil find skips the search, for writes whose effect does
// no harm. After a refusal, find also looks: the refusal may come from the late effect of an earlier attempt; a 409
// also from an attempt whose loss this client didn't notice; and a proxy's refusal may have replaced the answer. If the
// last attempt is refused, the error also names the lost answer.
func writeOnce[T any](
	ctx context.Context, c *Client, request call, send func() (*T, error), find func(context.Context) (*T, error),
) (*T, error) {
	var lost error
	for again := 0; ; again++ {
		result, err := send()
		ambiguous, isLost := errors.AsType[*AmbiguousError](err)
		isOurConflict := HasStatus(err, http.StatusConflict) && request.by.isMarked
		if err == nil || !isLost && lost == nil && !isOurConflict && !isProxysRefusal(err) {
			return result, err
		}
		if isLost {
			lost, ambiguous.Repeats = err, again
		} else if lost != nil && !IsAbsent(err) { // After a lost answer, the effect may still appear later.
			request.by = request.by.slowly()
		}
		found, findErr := lookFor(ctx, request, err, find)
		switch {
		case found != nil && findErr == nil:
			Say(ctx, "It took effect, and isn't sent again.")
			return found, nil
		case !isLost:
			return nil, refusedAfterLoss(request, err, lost, findErr)
		}
		c.noteLate(request)
		switch {
		case findErr != nil, !request.by.repeats, ctx.Err() != nil:
			if find != nil {
				ambiguous.LookupErr = cmp.Or(findErr, errNoEffectYet)
			}
			return nil, err
		case again >= c.maxRetries, sleep(ctx, backoff(firstBackoff, longestWait, again, nil)) != nil:
			return nil, err
		}
		if find == nil {
			Say(ctx, "It does no harm twice, so it is sent again.")
		} else {
			Say(ctx, "It had no effect, so it is sent again.")
		}
	}
}

// refusedAfterLoss returns the error of a refusal that may come from the write's own effect, which wasn't found. If the
// object is absent, the refusal alone says enough.
func refusedAfterLoss(request call, refusal, lost, findErr error) error {
	if IsAbsent(refusal) && findErr == nil {
		return refusal
	}
	if lost != nil {
		refusal = fmt.Errorf("%w; before that, %w", refusal, lost)
	} else if findErr != nil {
		refusal = fmt.Errorf("%w. If an answer was lost on its way, %s may have taken effect", refusal, request.subject)
	}
	if findErr != nil {
		refusal = fmt.Errorf("%w. Whether it did isn't known: %w", refusal, findErr)
	}
	return refusal
}

// lookFor looks for the effect of a write that failed, where that can be looked for.
func lookFor[T any](ctx context.Context, request call, err error, find func(context.Context) (*T, error)) (*T, error) {
	if find == nil {
		Say(ctx, "%s", lossInWords(err))
		return nil, nil
	}
	Say(ctx, "%s Now looking whether it took effect.", lossInWords(err))
	return search(ctx, request.by.looks, find)
}

// settle is writeOnce for a write whose answer, which has that field (see ownAnswer), says nothing that is needed.
// Whether it had its effect shows elsewhere; a nil isDone is for one that is sent again until it is answered.
func (c *Client) settle(
	ctx context.Context, request call, field string, isDone func(context.Context) (bool, error),
) error {
	var find func(context.Context) (*struct{}, error)
	if isDone != nil {
		find = func(ctx context.Context) (*struct{}, error) {
			if done, err := isDone(ctx); err != nil || !done {
				return nil, err
			}
			return &struct{}{}, nil
		}
	}
	_, err := writeOnce(ctx, c, request, func() (*struct{}, error) {
		_, err := c.ownAnswer(ctx, request, field)
		return &struct{}{}, err
	}, find)
	return err
}

// receiveOnce is receive for a write whose effect isn't looked for; see writeOnce.
func receiveOnce[T any](ctx context.Context, c *Client, request call, needed ...string) (*T, error) {
	return writeOnce(ctx, c, request, func() (*T, error) { return receive[T](ctx, c, request, needed...) }, nil)
}

// lossInWords is a lost answer as progress says it, before it is known what to do about it.
func lossInWords(err error) string {
	if lost, isLost := errors.AsType[*AmbiguousError](err); isLost {
		return fmt.Sprintf("The answer to %s %s was lost: %v.", lost.Method, lost.Path, lost.Err)
	}
	return err.Error() + "."
}

// errNoEffectYet: we looked and found no effect, but the write may still take effect later.
var errNoEffectYet = errors.New("it has had no effect so far, but may still have one")

// search looks for an effect after each pause. An interruption leaves time for one look.
func search[T any](ctx context.Context, pauses []time.Duration, find func(context.Context) (*T, error)) (*T, error) {
	for _, pause := range pauses {
		if sleep(ctx, pause) != nil {
			break
		}
		found, err := find(ctx)
		if found != nil || err != nil && ctx.Err() == nil {
			return found, err
		}
	}
	if ctx.Err() == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer cancel()
	return find(ctx)
}

// LateEffects is how long after its answer was lost a write may still take effect.
const LateEffects = time.Minute

// lateWrite is a write whose answer was lost, and which may take effect until then.
type lateWrite struct {
	call

	until time.Time
}

// target identifies the object of a write: by the name that it gives or takes, or else by the request's path.
func (r call) target() string { return cmp.Or(r.by.undoes, r.by.path, r.path()) }

// undoesLate reports whether a write that takes effect late would undo another that was sent after it to the same
// target. A creation is refused where the object exists, and a change where it doesn't. The same write again undoes
// nothing, unless its effect is another each time.
func (r call) undoesLate(later call) bool {
	isCreation := r.method == http.MethodPost && r.by.undoes == ""
	isSame := r.method == later.method && r.path() == later.path() && reflect.DeepEqual(r.body, later.body)
	if later.method == http.MethodDelete {
		return r.method == http.MethodPost || r.method == http.MethodPut
	}
	return !isCreation && (!isSame || later.by.varies)
}

// noteLate records a write that may take effect late. A removal by id isn't recorded, as a removed id never comes back.
func (c *Client) noteLate(request call) {
	if request.method != http.MethodDelete || request.by.path != "" {
		c.late.Store(request.target(), lateWrite{request, time.Now().Add(LateEffects)})
	}
}

// noteCreated has the deletion of an object wait for earlier attempts of its creation, which would create another.
func (c *Client) noteCreated(request call, path string) {
	noted, _ := c.late.Load(request.target())
	if earlier, isNoted := noted.(lateWrite); isNoted && reflect.DeepEqual(request.body, earlier.body) {
		c.late.Store(path, earlier)
	}
}

// awaitLateWrites waits before a write until no earlier one to the same target can take effect and undo it any more.
func (c *Client) awaitLateWrites(ctx context.Context, request call) error {
	noted, isNoted := c.late.Load(request.target())
	earlier, _ := noted.(lateWrite)
	late := time.Until(earlier.until)
	if request.method == http.MethodGet || !isNoted || late <= 0 || !earlier.undoesLate(request) {
		return nil
	}
	Say(ctx, "An earlier write to the same, whose answer was lost, may still take effect. This waits for %s.",
		late.Round(time.Second))
	return sleep(ctx, late)
}

// remove deletes an object and returns the operations of the deletion. Neon answers with the field of that name (with
// nothing, or an empty object, where there is none), or with 204 and nothing where the object was gone before; any
// other success isn't its own. Read and unfinished read the object and its operations: after a lost answer, or a 404
// that proves nothing, an object that is proved to be absent has been deleted.
func remove[T any](
	ctx context.Context, c *Client, request call, field string,
	read func(context.Context) (T, error), unfinished func(context.Context) ([]Operation, error),
) ([]Operation, error) {
	operations, err := removeOnce(ctx, c, request, func() (*[]Operation, error) {
		answer, err := c.ownAnswer(ctx, request, field)
		operations, unread := answer.operations(request)
		return &operations, cmp.Or(err, unread)
	}, func(ctx context.Context) (*[]Operation, error) {
		if _, err := read(ctx); !IsAbsent(err) {
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

// end is remove of what has no operations.
func end[T any](
	ctx context.Context, c *Client, request call, field string, read func(context.Context) (T, error),
) error {
	_, err := remove(ctx, c, request, field, read, func(context.Context) ([]Operation, error) { return nil, nil })
	return err
}

// removeOnce is writeOnce for a deletion. An answer that proves the object to be absent is a success. Neon also
// answers 404 where the key isn't allowed to delete, so find returns whether the object is gone.
func removeOnce[T any](
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
