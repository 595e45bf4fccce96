package client

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"
)

// settlingLooks are the pauses before each look for an object that has no
// unique name: the platform may still be making it when its answer is lost.
var settlingLooks = []time.Duration{0, 250 * time.Millisecond, 500 * time.Millisecond, time.Second}

// oneLook is enough where sending again can't make a second object.
var oneLook = settlingLooks[:1]

// surely carries a write out although its answer may be lost. After each lost
// answer it looks whether the write had its effect, and sends it again only
// where it had none: nothing is made twice, and nothing that was made is left
// behind. Look gives nil for no effect.
//
// A conflict (409) after a lost answer may be with our own object, so it is
// looked for then too.
func surely[T any](
	ctx context.Context, c *Client, pauses []time.Duration, send func() (*T, error), look func() (*T, error),
) (*T, error) {
	var lost error
	for again := 0; ; again++ {
		result, err := send()
		var ambiguous *AmbiguousError
		switch {
		case errors.As(err, &ambiguous):
			lost, ambiguous.Repeats = err, again
		case lost != nil && HasStatus(err, http.StatusConflict):
		default:
			return result, err
		}
		found, lookErr := lookFor(ctx, pauses, look)
		switch {
		case lookErr != nil && ambiguous != nil:
			ambiguous.Look = lookErr
			return nil, err
		case lookErr != nil:
			return nil, errors.Join(err, lookErr)
		case found != nil:
			return found, nil
		case ambiguous == nil, again >= c.maxRetries:
			return nil, err
		}
		if err := sleep(ctx, backoff(firstBackoff, longestWait, again, nil)); err != nil {
			return nil, lost
		}
	}
}

func lookFor[T any](ctx context.Context, pauses []time.Duration, look func() (*T, error)) (*T, error) {
	for _, pause := range pauses {
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
		if found, err := look(); err != nil || found != nil {
			return found, err
		}
	}
	return nil, nil
}

// creationOperations are those of the project's newest operations that match and
// have not had their effect: what a lost answer to a creation would have listed.
// One that was cancelled meanwhile is among them, since the object isn't whole.
func (c *Client) creationOperations(ctx context.Context, projectID string, matches func(Operation) bool) ([]Operation, error) {
	newest, err := c.newestOperations(ctx, projectID)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(newest, func(operation Operation) bool {
		return operation.Status == StatusFinished || operation.Status == StatusSkipped || !matches(operation)
	}), nil
}

// unfinishedOperations are those that have not ended: what a lost answer to a
// change would have listed. Those that were cancelled or given up before may be of
// an earlier change.
func (c *Client) unfinishedOperations(ctx context.Context, projectID string, matches func(Operation) bool) ([]Operation, error) {
	operations, err := c.creationOperations(ctx, projectID, matches)
	return slices.DeleteFunc(operations, func(operation Operation) bool {
		return operation.Terminal() || operation.Action != actionCreateBranch && operation.GivenUp(c.grace)
	}), err
}

// UnfinishedOperations gives the operations of a branch that have not ended. That
// its creation failed is never over: the branch was not made.
func (c *Client) UnfinishedOperations(ctx context.Context, projectID, branchID string) ([]Operation, error) {
	return c.unfinishedOperations(ctx, projectID, func(o Operation) bool { return o.BranchID == branchID })
}

func (c *Client) endpointOperations(ctx context.Context, projectID, endpointID string) ([]Operation, error) {
	return c.unfinishedOperations(ctx, projectID, func(o Operation) bool { return o.EndpointID == endpointID })
}
