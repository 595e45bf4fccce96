package client

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// operationWaits shares the polling between all who wait for operations of the same
// project: one list request serves them all.
type operationWaits struct {
	mu       sync.Mutex
	projects map[string]*projectWaits
	// newest are the last finished operations, which predict how long the next ones take.
	newest map[projectAction]Operation
}

// projectWaits counts the waits of a project, and has the poll that comes next.
type projectWaits struct {
	count int
	poll  *operationsPoll
}

// operationsPoll reads a project's newest operations. The wait that is due first polls
// for all.
type operationsPoll struct {
	// turn is full while a wait polls, and after it has succeeded.
	turn chan struct{}
	// done is closed after it has succeeded; then the other fields can be read.
	done   chan struct{}
	began  time.Time
	newest []Operation
	next   *operationsPoll
}

func newOperationsPoll() *operationsPoll {
	return &operationsPoll{turn: make(chan struct{}, 1), done: make(chan struct{})}
}

// operationWait is a wait for the operations that are still running.
type operationWait struct {
	client    *Client
	projectID string
	started   time.Time
	grace     time.Duration
	running   []*awaitedOperation
}

// awaitedOperation is an operation as one wait sees it.
type awaitedOperation struct {
	Operation
	// changed is when the operation last changed, reported when its progress was.
	changed, reported time.Time
	// isGone is true where Neon no longer knows it.
	isGone bool
}

// WaitForOperations returns when all operations have had their effect. Failed
// operations have a grace period to recover, which counts from their last change. It
// returns an OperationError for an operation that failed, was cancelled or is no longer
// known, a WaitError when the context ends, and otherwise the error of a poll.
func (c *Client) WaitForOperations(ctx context.Context, projectID string, operations []Operation) error {
	return c.waitForOperations(ctx, projectID, operations, c.grace)
}

// waitForOperations is WaitForOperations with the caller's grace period.
func (c *Client) waitForOperations(ctx context.Context, projectID string, operations []Operation, grace time.Duration) error {
	wait := &operationWait{client: c, projectID: projectID, started: time.Now(), grace: grace}
	for _, operation := range operations {
		c.waits.learn(projectID, operation)
		wait.running = append(wait.running, &awaitedOperation{})
		wait.record(ctx, wait.running[len(wait.running)-1], operation)
	}
	poll := c.waits.join(projectID)
	defer c.waits.leave(projectID)
	for polled, expected := wait.started, time.Duration(0); ; polled, poll = time.Now(), poll.next {
		if err := wait.settle(); err != nil || len(wait.running) == 0 {
			return err
		}
		if expected == 0 {
			expected = c.waits.expected(projectID, wait.operations(), time.Since(wait.started))
		}
		err := c.awaitPoll(ctx, projectID, poll, polled.Add(pollInterval(polled.Sub(wait.started), expected)))
		if err == nil {
			err = wait.update(ctx, poll)
		}
		if err != nil && ctx.Err() != nil {
			return &WaitError{Running: wait.operations(), Waited: time.Since(wait.started), Err: ctx.Err()}
		}
		if err != nil {
			return err
		}
	}
}

// update reads the operations from a poll. One that is missing from it is read
// individually, unless it may be newer than the poll.
func (w *operationWait) update(ctx context.Context, poll *operationsPoll) error {
	for _, operation := range w.running {
		i := slices.IndexFunc(poll.newest, func(heard Operation) bool { return heard.ID == operation.ID })
		switch {
		case i >= 0:
			w.record(ctx, operation, poll.newest[i])
		case poll.began.After(w.started):
			heard, err := w.client.Operation(ctx, w.projectID, operation.ID)
			if operation.isGone = IsAbsent(err); operation.isGone {
				continue
			}
			if err != nil {
				return err
			}
			w.record(ctx, operation, *heard)
		}
	}
	return nil
}

// record keeps what was read of an operation.
func (w *operationWait) record(ctx context.Context, operation *awaitedOperation, heard Operation) {
	heard.Error = w.client.apiKey.maskText(heard.Error)
	last, changed := operation.Operation, time.Now().Add(-heard.unchanged)
	operation.Operation = heard
	isNew := heard.Status != last.Status || heard.FailuresCount != last.FailuresCount || !heard.UpdatedAt.Equal(last.UpdatedAt)
	if isNew || changed.Before(operation.changed) {
		operation.changed = changed
	}
	operation.reportProgress(ctx, isNew, time.Since(w.started))
	if isNew && last.ID != "" && (heard.Terminal() || heard.failing()) {
		w.client.reads.forgetProject(w.projectID)
	}
	if isNew && heard.failing() && w.grace > 0 {
		w.client.logger.LogAttrs(ctx, slog.LevelWarn, "an operation failed; Neon may retry it, so the wait goes on",
			slog.String("operation_id", heard.ID), slog.String("action", heard.Action),
			slog.Int64("failures_count", heard.FailuresCount), slog.String("error", heard.Error))
	}
}

// settle keeps the operations that must still be waited for. Neon cancels what was to
// follow a failing operation, so the error about a cancelled one names the failure of
// another as its cause.
func (w *operationWait) settle() error {
	var running []*awaitedOperation
	var failed, cancelled *OperationError
	for _, operation := range w.running {
		switch {
		case operation.isGone:
			return &OperationError{operation.Operation, "is no longer known to Neon, so its end can't be learned"}
		case operation.Status == StatusCancelled:
			cancelled = &OperationError{operation.Operation, "was cancelled"}
		case operation.failing():
			failed = &OperationError{operation.Operation, fmt.Sprintf("failed (status %s, failures: %d)", operation.Status, operation.FailuresCount)}
			if time.Since(operation.changed) >= w.grace {
				failed.Reason += fmt.Sprintf(" and did not recover within %s", w.grace)
				return failed
			}
		}
		if !operation.Terminal() {
			running = append(running, operation)
		}
	}
	switch {
	case cancelled != nil && failed != nil:
		failed.Reason += fmt.Sprintf(", and operation %s (%s) was cancelled", cancelled.Operation.ID, cancelled.Operation.Action)
		return failed
	case cancelled != nil:
		return cancelled
	}
	w.running = running
	return nil
}

func (w *operationWait) operations() []Operation {
	operations := make([]Operation, len(w.running))
	for i, operation := range w.running {
		operations[i] = operation.Operation
	}
	return operations
}

// awaitPoll returns after the poll, by another wait or, once due, by this one.
func (c *Client) awaitPoll(ctx context.Context, projectID string, poll *operationsPoll, due time.Time) error {
	bounded, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	if await(bounded, poll.done) == nil {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-poll.done:
		return nil
	case poll.turn <- struct{}{}:
	}
	began := time.Now()
	newest, err := c.newestOperations(ctx, projectID)
	if err != nil {
		<-poll.turn
		return err
	}
	poll.began, poll.newest, poll.next = began, newest, newOperationsPoll()
	c.waits.mu.Lock()
	defer c.waits.mu.Unlock()
	c.waits.projects[projectID].poll = poll.next
	close(poll.done)
	return nil
}

// join returns the poll that comes next.
func (w *operationWaits) join(projectID string) *operationsPoll {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.projects[projectID] == nil {
		w.projects[projectID] = &projectWaits{poll: newOperationsPoll()}
	}
	w.projects[projectID].count++
	return w.projects[projectID].poll
}

func (w *operationWaits) leave(projectID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.projects[projectID].count--; w.projects[projectID].count == 0 {
		delete(w.projects, projectID)
	}
}
