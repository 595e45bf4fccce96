package client

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// operationWaits shares the polling between all who wait for operations of the
// same project: one list request serves them all.
type operationWaits struct {
	mu       sync.Mutex
	projects map[string]*projectWaits
	newest   map[projectAction]Operation
}

// projectWaits has the awaited operations of a project. The wait that is due first
// polls for all; its result wakes the others.
type projectWaits struct {
	id      string
	awaited map[string]*awaitedOperation
	polled  time.Time
	polling bool
	// news is closed and replaced when a poll ends.
	news chan struct{}
}

// awaitedOperation is an operation that is waited for, as last polled.
type awaitedOperation struct {
	Operation
	waits   int
	changed time.Time
	// gone is true where Neon no longer knows it.
	gone bool
	// warned is true once its failure is in the log.
	warned bool
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
	started := time.Now()
	project := c.waits.join(projectID, operations)
	defer c.waits.leave(project, operations)
	for expected := time.Duration(0); ; {
		awaited, news, polled := c.waits.look(project, operations)
		running, err := c.settle(awaited, grace)
		if err != nil || len(running) == 0 {
			return err
		}
		operations = running
		if expected == 0 {
			expected = c.waits.expected(projectID, running, time.Since(started))
		}
		if polled.Before(started) {
			polled = started
		}
		due := polled.Add(pollInterval(polled.Sub(started), expected))
		err = c.nextNews(ctx, project, news, due)
		if ctx.Err() != nil {
			return &WaitError{Running: running, Waited: time.Since(started), Err: ctx.Err()}
		}
		if err != nil {
			return err
		}
	}
}

// settle returns the operations that must still be waited for. Neon cancels what was
// to follow a failing operation, so the error about a cancelled one names the failure of
// another as its cause.
func (c *Client) settle(awaited []awaitedOperation, grace time.Duration) (running []Operation, err error) {
	var failed, cancelled *OperationError
	for _, operation := range awaited {
		operation.Error = c.apiKey.maskText(operation.Error)
		switch {
		case operation.gone:
			return nil, &OperationError{operation.Operation, "is no longer known to Neon, so its end can't be learned"}
		case operation.Status == StatusCancelled:
			cancelled = &OperationError{operation.Operation, "was cancelled"}
			continue
		case operation.Terminal():
			continue
		case operation.failing():
			failed = &OperationError{operation.Operation, fmt.Sprintf("failed (status %s, failures: %d)", operation.Status, operation.FailuresCount)}
			if time.Since(operation.changed) >= grace {
				failed.Reason += fmt.Sprintf(" and did not recover within %s", grace)
				return nil, failed
			}
		}
		running = append(running, operation.Operation)
	}
	switch {
	case cancelled != nil && failed != nil:
		failed.Reason += fmt.Sprintf(", and operation %s (%s) was cancelled", cancelled.Operation.ID, cancelled.Operation.Action)
		return nil, failed
	case cancelled != nil:
		return nil, cancelled
	}
	return running, nil
}

// nextNews returns after the next poll, of another wait or, once due, of our own.
func (c *Client) nextNews(ctx context.Context, project *projectWaits, news <-chan struct{}, due time.Time) error {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-news:
		return nil
	case <-timer.C:
	}
	if !c.waits.begin(project, news) {
		return await(ctx, news)
	}
	defer c.waits.end(project)
	return c.poll(ctx, project)
}

// poll reads all awaited operations of a project: several from the newest page of the
// list, which also teaches how long such operations take, and a single one by its id
// where that is known.
func (c *Client) poll(ctx context.Context, project *projectWaits) error {
	missing := c.waits.unfinished(project)
	if len(missing) > 1 || c.waits.expected(project.id, slices.Collect(maps.Values(missing)), 0) == 0 {
		newest, err := c.newestOperations(ctx, project.id)
		if err != nil {
			return err
		}
		for _, operation := range newest {
			c.hear(ctx, project, operation, false)
			delete(missing, operation.ID)
		}
	}
	for id, last := range missing {
		operation, err := c.Operation(ctx, project.id, id)
		switch {
		case IsAbsent(err):
			c.hear(ctx, project, last, true)
		case err != nil:
			return err
		default:
			c.hear(ctx, project, *operation, false)
		}
	}
	return nil
}

// hear records what a poll says of an operation, if it is waited for.
func (c *Client) hear(ctx context.Context, project *projectWaits, operation Operation, gone bool) {
	c.waits.mu.Lock()
	defer c.waits.mu.Unlock()
	heard := project.awaited[operation.ID]
	if heard == nil {
		return
	}
	isNew := heard.Status != operation.Status || heard.FailuresCount != operation.FailuresCount || !heard.UpdatedAt.Equal(operation.UpdatedAt)
	if changed := time.Now().Add(-operation.unchanged); isNew || changed.Before(heard.changed) {
		heard.changed, heard.warned = changed, heard.warned && !isNew
	}
	if gone || isNew && (operation.Terminal() || operation.failing()) {
		c.reads.forgetProject(project.id)
	}
	heard.Operation, heard.gone = operation, gone
	if operation.failing() && !heard.warned {
		heard.warned = true
		c.logger.LogAttrs(ctx, slog.LevelWarn, "an operation failed; Neon may retry it, so the wait goes on",
			slog.String("operation_id", operation.ID), slog.String("action", operation.Action),
			slog.Int64("failures_count", operation.FailuresCount), slog.String("error", c.apiKey.maskText(operation.Error)))
	}
}

func (w *operationWaits) join(projectID string, operations []Operation) *projectWaits {
	for _, operation := range operations {
		w.learn(projectID, operation)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	project := w.projects[projectID]
	if project == nil {
		project = &projectWaits{id: projectID, awaited: map[string]*awaitedOperation{}, news: make(chan struct{})}
		w.projects[projectID] = project
	}
	for _, operation := range operations {
		if project.awaited[operation.ID] == nil {
			project.awaited[operation.ID] = &awaitedOperation{Operation: operation, changed: time.Now().Add(-operation.unchanged)}
		}
		project.awaited[operation.ID].waits++
	}
	return project
}

func (w *operationWaits) leave(project *projectWaits, operations []Operation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, operation := range operations {
		if project.awaited[operation.ID].waits--; project.awaited[operation.ID].waits == 0 {
			delete(project.awaited, operation.ID)
		}
	}
	if len(project.awaited) == 0 {
		delete(w.projects, project.id)
	}
}

// look returns the operations as last polled, the channel that the next poll closes, and
// when the last poll ended.
func (w *operationWaits) look(project *projectWaits, operations []Operation) ([]awaitedOperation, <-chan struct{}, time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	awaited := make([]awaitedOperation, len(operations))
	for i, operation := range operations {
		awaited[i] = *project.awaited[operation.ID]
	}
	return awaited, project.news, project.polled
}

// begin reports whether the caller is to poll: nobody else does, or has done so since
// the caller last looked.
func (w *operationWaits) begin(project *projectWaits, news <-chan struct{}) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if project.polling || project.news != news {
		return false
	}
	project.polling = true
	return true
}

// end wakes all waits.
func (w *operationWaits) end(project *projectWaits) {
	w.mu.Lock()
	defer w.mu.Unlock()
	project.polling, project.polled = false, time.Now()
	close(project.news)
	project.news = make(chan struct{})
}

// unfinished returns the awaited operations that may still change, by id.
func (w *operationWaits) unfinished(project *projectWaits) map[string]Operation {
	w.mu.Lock()
	defer w.mu.Unlock()
	operations := map[string]Operation{}
	for id, heard := range project.awaited {
		if !heard.Terminal() && !heard.gone {
			operations[id] = heard.Operation
		}
	}
	return operations
}
