package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// settlingLooks are the pauses before each search for an object without a unique name:
// Neon may still be creating it when its answer is lost.
var settlingLooks = []time.Duration{0, 250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second}

// oneLook is enough where sending again can't create a second object.
var oneLook = settlingLooks[:1]

// lateEffects is the pause before the last search, after a success, for what an earlier
// attempt created late.
const lateEffects = 1500 * time.Millisecond

// writeOnce carries out a write whose answer may be lost. After a lost answer, find
// returns the effect of the write; only where there is none (nil), the write is sent
// again. Repeated reports whether it was sent again. In that case an earlier attempt may still
// take effect, and the error of a last attempt that is refused names the lost answer, too. A
// conflict (409) after a lost answer may be with the object of the first attempt, so find
// looks for it then as well.
func writeOnce[T any](
	ctx context.Context, c *Client, pauses []time.Duration, send func() (*T, error), find func() (*T, error),
) (result *T, repeated bool, err error) {
	var lost error
	for again := 0; ; again++ {
		result, err := send()
		var ambiguous *AmbiguousError
		switch {
		case errors.As(err, &ambiguous):
			lost, ambiguous.Repeats = err, again
		case lost != nil && HasStatus(err, http.StatusConflict):
		case lost != nil && err != nil && !IsAbsent(err):
			return nil, true, fmt.Errorf("%w; before that, %w", err, lost)
		default:
			return result, again > 0, err
		}
		progress(ctx, "%s Now looking whether it took effect.", lossInWords(err))
		found, findErr := search(ctx, pauses, find)
		switch {
		case findErr != nil && ambiguous != nil:
			ambiguous.LookupErr = findErr
			return nil, false, err
		case findErr != nil:
			return nil, false, errors.Join(err, findErr)
		case found != nil:
			progress(ctx, "It took effect, and isn't sent again.")
			return found, again > 0, nil
		case ambiguous == nil, again >= c.maxRetries:
			return nil, false, err
		}
		if err := sleep(ctx, backoff(firstBackoff, longestWait, again, nil)); err != nil {
			return nil, false, lost
		}
		progress(ctx, "It had no effect, so it is sent again.")
	}
}

// writeNeverAgain carries out a write that must not happen twice, such as a restore, which
// would overwrite what was written since. After a lost answer it isn't sent again, whether or
// not find returns its effect.
func writeNeverAgain[T any](ctx context.Context, send, find func() (*T, error)) (*T, error) {
	result, err := send()
	var lost *AmbiguousError
	if !errors.As(err, &lost) {
		return result, err
	}
	progress(ctx, "%s Now looking whether it took effect.", lossInWords(err))
	found, findErr := search(ctx, settlingLooks, find)
	if found == nil {
		lost.LookupErr = cmp.Or(findErr, errNoEffectYet)
		return nil, err
	}
	progress(ctx, "It took effect, and isn't sent again.")
	return found, nil
}

// lossInWords is a lost answer as progress says it, before it is known what to do about it.
func lossInWords(err error) string {
	var lost *AmbiguousError
	if errors.As(err, &lost) {
		return fmt.Sprintf("The answer to %s %s was lost: %v.", lost.Method, lost.Path, lost.Err)
	}
	return err.Error() + "."
}

// errNoEffectYet doesn't prove that there will be none.
var errNoEffectYet = errors.New("it has had no effect so far, but may still have one")

func search[T any](ctx context.Context, pauses []time.Duration, find func() (*T, error)) (*T, error) {
	for _, pause := range pauses {
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
		if found, err := find(); err != nil || found != nil {
			return found, err
		}
	}
	return nil, nil
}

// Surplus is what a creation left beside the object that it returned: an answer was
// lost, the request sent again because nothing was found, and then both took effect.
type Surplus[T any] struct {
	Objects []T
	// Err is why they couldn't be looked for; nil where they could.
	Err error
}

// surplusOf looks for what an earlier attempt created late, among all objects that may
// be of any attempt.
func surplusOf[T any](ctx context.Context, all func() ([]T, error), isResult func(T) bool) Surplus[T] {
	if err := sleep(ctx, lateEffects); err != nil {
		return Surplus[T]{Err: err}
	}
	objects, err := all()
	return Surplus[T]{slices.DeleteFunc(objects, isResult), err}
}

// creationOperations returns the matching operations of the project's newest that have
// not had their effect: what a lost answer to a creation would have listed. It includes
// cancelled ones, since their object isn't whole.
func (c *Client) creationOperations(ctx context.Context, projectID string, matches func(Operation) bool) ([]Operation, error) {
	newest, err := c.newestOperations(ctx, projectID)
	return slices.DeleteFunc(newest, func(operation Operation) bool {
		return operation.Status == StatusFinished || operation.Status == StatusSkipped || !matches(operation)
	}), err
}

// unfinishedOperations returns those that have not ended: what a lost answer to a change
// would have listed. Those cancelled or given up may be of an earlier change, but a
// failed creation of a branch still means that there is no branch.
func (c *Client) unfinishedOperations(ctx context.Context, projectID string, matches func(Operation) bool) ([]Operation, error) {
	return c.creationOperations(ctx, projectID, func(operation Operation) bool {
		givenUp := operation.Action != actionCreateBranch && operation.GivenUp(c.grace)
		return matches(operation) && !operation.Terminal() && !givenUp
	})
}

// branchOperations returns the operations of a branch that have not ended. The
// failed creation of the branch is always among them.
func (c *Client) branchOperations(ctx context.Context, projectID, branchID string) ([]Operation, error) {
	return c.unfinishedOperations(ctx, projectID, func(o Operation) bool { return o.BranchID == branchID })
}

// operationsSince returns the matching operations of the project's newest that weren't there
// before a write.
func (c *Client) operationsSince(
	ctx context.Context, projectID string, before []Operation, matches func(Operation) bool,
) ([]Operation, error) {
	newest, err := c.newestOperations(ctx, projectID)
	return slices.DeleteFunc(newest, func(operation Operation) bool {
		isOld := slices.ContainsFunc(before, func(known Operation) bool { return known.ID == operation.ID })
		return isOld || !matches(operation)
	}), err
}

func (c *Client) endpointOperations(ctx context.Context, projectID, endpointID string) ([]Operation, error) {
	return c.unfinishedOperations(ctx, projectID, func(o Operation) bool { return o.EndpointID == endpointID })
}

// EndpointOperations returns the operations of an endpoint that have not ended. Where it
// has never started, it returns all since its creation, however many came after it: one
// that was cancelled or given up has kept it from starting.
func (c *Client) EndpointOperations(ctx context.Context, endpoint Endpoint) ([]Operation, error) {
	if endpoint.CurrentState != "init" {
		return c.endpointOperations(ctx, endpoint.ProjectID, endpoint.ID)
	}
	var operations []Operation
	for operation, err := range c.Operations(ctx, endpoint.ProjectID) {
		if err != nil || operation.CreatedAt.Before(endpoint.CreatedAt.Add(-time.Minute)) {
			return operations, err
		}
		if operation.EndpointID == endpoint.ID {
			operations = append(operations, operation)
		}
	}
	return operations, nil
}
