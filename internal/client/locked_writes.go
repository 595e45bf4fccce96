package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A refused write is sent again no sooner than shortestPause after its refusal and no later than longestPause: an
// operation that runs for an hour may not be the one in the way.
const (
	shortestPause = 100 * time.Millisecond
	longestPause  = 15 * time.Second
)

// sendInLine is send for a write. It never returns Neon's refusal because of other work on a project (423): such a
// write waits until Neon accepts it or the context ends. Writes that Neon would refuse for the same reason wait behind
// it, first come, first served; all others are sent at once.
func (c *Client) sendInLine(ctx context.Context, request call) (json.RawMessage, error) {
	if !request.queues() {
		return c.send(ctx, request)
	}
	place := request.place()
	var refusal error
	if !c.held.has(place) {
		body, err := c.send(ctx, request)
		if !isHeld(err) {
			return body, err
		}
		refusal = err
	}
	Say(ctx, "Other work on project %s is in the way. This waits for it to end.", request.params[0])
	leave, wasFirst, err := c.held.enter(ctx, place)
	if err != nil {
		return nil, request.endedError(refusal, err)
	}
	defer leave()
	if wasFirst && refusal != nil {
		err = c.waitUntilProjectMayBeFree(ctx, request.params[0], 0)
	}
	for refused := 1; err == nil; refused++ {
		if request.afterWaiting != nil {
			if err := request.afterWaiting(ctx); err != nil {
				return nil, err
			}
		}
		var body json.RawMessage
		if body, refusal = c.send(ctx, request); !isHeld(refusal) {
			return body, refusal
		}
		err = c.waitUntilProjectMayBeFree(ctx, request.params[0], refused)
	}
	return nil, request.endedError(refusal, err)
}

// waitUntilProjectMayBeFree waits for the running operations of one branch, or else pauses, longer with each refusal.
func (c *Client) waitUntilProjectMayBeFree(ctx context.Context, projectID string, refused int) error {
	bounded, cancel := context.WithTimeout(ctx, longestPause)
	defer cancel()
	soonest := time.Now().Add(shortestPause)
	if !c.waitForAnyBranch(bounded, projectID) {
		_ = sleep(bounded, backoff(firstBackoff, longestWait, refused, nil))
	}
	_ = sleep(bounded, time.Until(soonest))
	return ctx.Err()
}

// waitForAnyBranch waits until one branch of the project has no running operations, successful or not, and reports
// whether that happened. The operations of one write follow one another, and Neon refuses other writes until the last
// has ended.
func (c *Client) waitForAnyBranch(ctx context.Context, projectID string) bool {
	ctx, cancel := context.WithCancel(WithProgress(ctx, nil))
	defer cancel()
	newest, err := c.newestOperations(ctx, projectID)
	running := map[string][]Operation{}
	for _, operation := range newest {
		if slices.Contains([]string{statusScheduling, StatusRunning, statusCancelling}, operation.Status) {
			chain := cmp.Or(operation.BranchID, operation.ID)
			running[chain] = append(running[chain], operation)
		}
	}
	if err != nil || len(running) == 0 {
		return false
	}
	results := make(chan error, len(running))
	for _, operations := range running {
		go func() { results <- c.waitForOperations(ctx, projectID, operations, 0) }()
	}
	err = <-results
	failed, isFailed := errors.AsType[*OperationError](err)
	return err == nil || isFailed && (failed.Operation.Terminal() || failed.Operation.failing())
}

// isHeld reports whether err is Neon's own refusal because of other work. A proxy's is a lost answer (see judge).
func isHeld(err error) bool {
	answer, is := err.(*Error) //nolint:errorlint // A lost answer wraps one that isn't Neon's.
	return is && answer.StatusCode == http.StatusLocked
}

// lines are queues, one for each key: first come, first served. The zero value is ready.
type lines struct{ turns sync.Map }

// turn is a channel with a place for the one whose turn it is. Those who wait get it in the order in which they came.
func (l *lines) turn(key string) chan struct{} {
	turn, _ := l.turns.LoadOrStore(key, make(chan struct{}, 1))
	return turn.(chan struct{}) //nolint:forcetypeassert // Nothing else is stored.
}

// enter joins the end of a line and returns when its turn has come, or with the context's error. The next turn comes
// with leave.
func (l *lines) enter(ctx context.Context, key string) (leave func(), wasFirst bool, err error) {
	turn := l.turn(key)
	leave = func() { <-turn }
	select {
	case turn <- struct{}{}:
		return leave, true, nil
	default:
	}
	select {
	case turn <- struct{}{}:
		return leave, false, nil
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
}

// has reports whether anybody stands in a line.
func (l *lines) has(key string) bool { return len(l.turn(key)) > 0 }
