package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"
)

// operationWaits has one list of a project's operations serve all who wait for some of them.
type operationWaits struct {
	mu    sync.Mutex
	polls map[string]*operationPoll // by project
	// took is what the last operations took, which predicts the next. Agree counts, by action, the projects in a row that
	// took about as long.
	took  map[projectAction]time.Duration
	agree map[string]int
	// known are the projects whose earlier operations have been read, or that are new: what they had tells the most.
	known map[string]bool
	// scouts has the project whose waits find out what an action takes that has not been seen yet: the others poll less
	// until that is known.
	scouts map[string]string
	// news is closed when a poll has ended, or there is something new to expect.
	news chan struct{}
}

func newOperationWaits() operationWaits {
	return operationWaits{
		polls: map[string]*operationPoll{}, took: map[projectAction]time.Duration{}, agree: map[string]int{},
		known: map[string]bool{}, scouts: map[string]string{}, news: make(chan struct{}),
	}
}

// operationPoll is the last read of a project's newest operations. The wait that is due first polls for all.
type operationPoll struct {
	isUnderWay bool
	began      time.Time
	newest     []Operation
	err        error
}

// operationWait is a wait for the operations that are still running.
type operationWait struct {
	client    *Client
	projectID string
	started   time.Time
	grace     time.Duration
	running   []*awaitedOperation
	// last is when the last poll began, and polled when its answer was here.
	last, polled time.Time
	// expected is how long all of this takes; see [operationWaits.expected].
	expected expectation
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
// known, and a WaitError when the context ends, or when Neon refuses to say how far they are.
// GET /projects/{project_id}/operations: https://api-docs.neon.tech/reference/listprojectoperations
func (c *Client) WaitForOperations(ctx context.Context, projectID string, operations []Operation) error {
	return c.waitForOperations(ctx, projectID, operations, c.grace)
}

// waitForOperations is WaitForOperations with the caller's grace period.
func (c *Client) waitForOperations(
	ctx context.Context, projectID string, operations []Operation, grace time.Duration,
) error {
	began := time.Now()
	wait := &operationWait{client: c, projectID: projectID, started: began, last: began, polled: began, grace: grace}
	for _, operation := range operations {
		c.waits.learn(projectID, operation)
		wait.running = append(wait.running, &awaitedOperation{})
		wait.record(ctx, wait.running[len(wait.running)-1], operation)
	}
	defer c.waits.leave(projectID)
	waiting := func() WaitError { return WaitError{Running: wait.operations()} }
	return c.poll(ctx, waiting, nil, func() (bool, error) {
		if err := wait.settle(); err != nil || len(wait.running) == 0 {
			return true, err
		}
		newest, err := wait.next(ctx)
		if err != nil {
			return false, err
		}
		return false, wait.update(ctx, newest)
	})
}

// due is when the next poll comes, unless there are news before.
func (w *operationWait) due() time.Time {
	waited := w.polled.Sub(w.started)
	if w.expected.in == 0 {
		w.expected = w.client.waits.expected(w.projectID, w.operations(), waited)
	}
	return w.polled.Add(pollInterval(waited, w.expected))
}

// isOverIn reports whether a poll shows the end of all operations, which is final.
func (w *operationWait) isOverIn(newest []Operation) bool {
	return !slices.ContainsFunc(w.running, func(operation *awaitedOperation) bool {
		return !slices.ContainsFunc(newest, func(heard Operation) bool {
			return heard.ID == operation.ID && heard.Terminal()
		})
	})
}

// update reads the operations from a poll. One that is missing from it is read individually.
func (w *operationWait) update(ctx context.Context, newest []Operation) error {
	for _, operation := range w.running {
		if i := slices.IndexFunc(newest, func(heard Operation) bool { return heard.ID == operation.ID }); i >= 0 {
			w.record(ctx, operation, newest[i])
			continue
		}
		heard, err := w.client.GetOperation(ctx, Ref[Operation]{ProjectID: w.projectID, ID: operation.ID})
		if operation.isGone = IsAbsent(err); operation.isGone {
			continue
		}
		if err != nil {
			return err
		}
		w.record(ctx, operation, *heard)
	}
	return nil
}

// record keeps what was read of an operation.
func (w *operationWait) record(ctx context.Context, operation *awaitedOperation, heard Operation) {
	heard.Error = w.client.apiKey.maskText(heard.Error)
	last, changed := operation.Operation, time.Now().Add(-heard.unchanged)
	operation.Operation = heard
	isNew := heard.Status != last.Status || heard.FailuresCount != last.FailuresCount ||
		!heard.UpdatedAt.Equal(last.UpdatedAt)
	if isNew || changed.Before(operation.changed) {
		operation.changed = changed
	}
	operation.reportProgress(ctx, isNew, time.Since(w.started), w.grace)
	if isNew && last.ID != "" && (heard.Terminal() || heard.failing()) {
		w.client.forget(operationKind.listCall(w.projectID).realm())
	}
	if isNew && heard.failing() && w.grace > 0 {
		w.client.logger.LogAttrs(ctx, slog.LevelWarn, "an operation failed; Neon may retry it, so the wait goes on",
			slog.String("operation_id", heard.ID), slog.String("action", heard.Action),
			slog.Int64("failures_count", heard.FailuresCount), slog.String("error", heard.Error))
	}
}

// settle keeps the operations that are still running. If an operation fails, Neon cancels those that follow, so the
// error about a cancelled operation names the failed one as its cause, or else the cancelled operation for which Neon
// gives a reason.
func (w *operationWait) settle() error {
	var running []*awaitedOperation
	var failed, cancelled *OperationError
	for _, operation := range w.running {
		switch {
		case operation.isGone:
			return &OperationError{operation.Operation, "is no longer known to Neon, so its end can't be learned"}
		case operation.Status == StatusCancelled:
			if cancelled == nil || cancelled.Operation.Error == "" {
				cancelled = &OperationError{operation.Operation, "was cancelled"}
			}
		case operation.failing():
			failed = &OperationError{operation.Operation, fmt.Sprintf("failed (status %s, failures: %d)", operation.Status,
				operation.FailuresCount)}
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
		failed.Reason += fmt.Sprintf(", and operation %s (%s) was cancelled", cancelled.Operation.ID,
			cancelled.Operation.Action)
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

// of returns the last poll of a project.
func (w *operationWaits) of(projectID string) *operationPoll {
	if w.polls[projectID] == nil {
		w.polls[projectID] = &operationPoll{}
	}
	return w.polls[projectID]
}

// next returns the operations of the first poll that began after the one before: another wait's or, once due, this
// one's. An earlier poll is enough if it shows the end of all operations: on a slow machine, a wait may begin after
// others have polled that.
func (w *operationWait) next(ctx context.Context) ([]Operation, error) {
	waits := &w.client.waits
	for {
		news, pause := waits.awaited(), time.Until(w.due())
		waits.mu.Lock()
		last := waits.of(w.projectID)
		if last.began.After(w.last) || w.isOverIn(last.newest) {
			newest, err := last.newest, last.err
			w.last, w.polled = last.began, time.Now()
			waits.mu.Unlock()
			return newest, err
		}
		isMine := !last.isUnderWay && pause <= 0
		last.isUnderWay = last.isUnderWay || isMine
		waits.mu.Unlock()
		var isDue <-chan time.Time // not any more where another wait polls by then
		if pause > 0 {
			isDue = time.After(pause)
		}
		if isMine {
			w.poll(ctx, last)
		}
		select {
		case <-news:
		case <-isDue:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// poll reads for all. What an interruption of this wait came to is no news for the others.
func (w *operationWait) poll(ctx context.Context, last *operationPoll) {
	began := time.Now()
	newest, err := w.client.newestOperations(ctx, w.projectID)
	waits := &w.client.waits
	waits.mu.Lock()
	defer waits.mu.Unlock()
	if ctx.Err() == nil || err == nil {
		last.began, last.newest, last.err = began, newest, err
	}
	last.isUnderWay = false
	waits.tell()
}

// poll looks until what Neon is working on is over, which look reports. It ends early with a WaitError, which waiting
// describes: when the context ends, or when Neon itself refuses to say how far it is. That an object is gone is
// returned as it is. A look that fails in any other way is an outage, and Neon's work goes on meanwhile. Pause is the
// time before the next look; nil for a look that waits by itself.
func (c *Client) poll(
	ctx context.Context, waiting func() WaitError, pause func(waited time.Duration) time.Duration,
	look func() (isOver bool, err error),
) error {
	began := time.Now()
	var outage error
	for {
		isOver, err := look()
		switch {
		case isOver, IsAbsent(err):
			return err
		case err == nil:
			outage = nil
		case ctx.Err() == nil && isOutage(err):
			outage = err
			c.logger.LogAttrs(ctx, slog.LevelWarn, "what is waited for can't be read; the wait goes on",
				slog.String("error", err.Error()))
		default:
			ended := waiting()
			ended.Waited, ended.Outage, ended.Err = time.Since(began), outage, err
			if ctx.Err() != nil {
				ended.Err = ctx.Err()
			} else {
				ended.Outage = err
			}
			return &ended
		}
		if pause != nil {
			_ = sleep(ctx, pause(time.Since(began))) // The next look ends with the context.
		}
	}
}

// isOutage reports whether a read has failed for a reason that may pass: anything but a refusal of Neon's own.
func isOutage(err error) bool {
	if answer, isAnswer := errors.AsType[*Error](err); isAnswer {
		return answer.Foreign || judge(http.MethodGet, err) == again
	}
	return is[*UnansweredError](err) || is[*NotSentError](err) || is[*BadAnswerError](err)
}

// IsUnread reports whether what became of something that Neon goes on with couldn't be read: err is a wait that ended
// so, or a change whose answer was lost.
func IsUnread(err error) bool {
	wait, isWait := errors.AsType[*WaitError](err)
	lost, isLost := errors.AsType[*AmbiguousError](err)
	return isWait && wait.Outage != nil ||
		isLost && lost.Method == http.MethodPatch && isOutage(lost.LookupErr)
}
