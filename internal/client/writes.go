package client

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A refused write is sent again no sooner than shortestPause after its refusal
// and no later than longestPause: an operation that runs for an hour may not be
// the one in the way.
const (
	shortestPause = 100 * time.Millisecond
	longestPause  = 15 * time.Second
)

// projectWrites has a line of waiting writes for each project, first come, first served.
// Writes are sent at once until Neon refuses one with 423 because of other work on the
// project (API document, sections 7 and 8).
type projectWrites struct {
	mu sync.Mutex
	// lines hold a channel for each write, closed when its turn has come. A project
	// without waiting writes has no line.
	lines map[string][]chan struct{}
}

// write sends a write to a project and returns what send returned, but never a refusal
// with 423: such a write waits in the project's line until Neon accepts it or the
// context ends.
func (c *Client) write(ctx context.Context, request call, send func() error) error {
	projectID := request.params[0]
	var refusal error
	if !c.writes.hasLine(projectID) {
		if refusal = send(); !HasStatus(refusal, http.StatusLocked) {
			return refusal
		}
	}
	progress(ctx, "Other work on project %s is in the way. This waits for it to end.", projectID)
	turn, isFirst := c.writes.enter(projectID)
	defer c.writes.leave(projectID, turn)
	err := await(ctx, turn)
	if err == nil && isFirst && refusal != nil {
		err = c.awaitNews(ctx, projectID, 0)
	}
	for refused := 1; err == nil; refused++ {
		if refusal = send(); !HasStatus(refusal, http.StatusLocked) {
			return refusal
		}
		err = c.awaitNews(ctx, projectID, refused)
	}
	return request.endedError(refusal, err)
}

// awaitNews waits for one of the project's running operations to end. Where none can be
// waited for, it pauses, longer with each refusal.
func (c *Client) awaitNews(ctx context.Context, projectID string, refused int) error {
	bounded, cancel := context.WithTimeout(ctx, longestPause)
	defer cancel()
	soonest := time.Now().Add(shortestPause)
	if !c.oneEnds(bounded, projectID) {
		_ = sleep(bounded, backoff(firstBackoff, longestWait, refused, nil))
	}
	_ = sleep(bounded, time.Until(soonest))
	return ctx.Err()
}

// oneEnds waits until one of the project's running operations has ended, successfully or
// not, and reports whether one has.
func (c *Client) oneEnds(ctx context.Context, projectID string) bool {
	ctx, cancel := context.WithCancel(WithProgress(ctx, nil))
	defer cancel()
	newest, err := c.newestOperations(ctx, projectID)
	running := slices.DeleteFunc(newest, func(operation Operation) bool {
		return !slices.Contains([]string{StatusScheduling, StatusRunning, StatusCancelling}, operation.Status)
	})
	if err != nil || len(running) == 0 {
		return false
	}
	results := make(chan error, len(running))
	for _, operation := range running {
		go func() { results <- c.waitForOperations(ctx, projectID, []Operation{operation}, 0) }()
	}
	err = <-results
	var failed *OperationError
	return err == nil || errors.As(err, &failed) && (failed.Operation.Terminal() || failed.Operation.failing())
}

func (w *projectWrites) hasLine(projectID string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lines[projectID] != nil
}

// enter takes the last place in line, and reports whether that is also the first.
func (w *projectWrites) enter(projectID string) (turn chan struct{}, isFirst bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	turn = make(chan struct{})
	w.lines[projectID] = append(w.lines[projectID], turn)
	if isFirst = len(w.lines[projectID]) == 1; isFirst {
		close(turn)
	}
	return turn, isFirst
}

// leave passes the turn on, if the write had it.
func (w *projectWrites) leave(projectID string, turn chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	place := slices.Index(w.lines[projectID], turn)
	line := slices.Delete(w.lines[projectID], place, place+1)
	if len(line) == 0 {
		delete(w.lines, projectID)
		return
	}
	w.lines[projectID] = line
	if place == 0 {
		close(line[0])
	}
}
