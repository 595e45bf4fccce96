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
	mu      sync.Mutex
	awaited map[string]*awaitedOperation
	polled  time.Time
	polling bool
	// news is closed and replaced when a poll ends.
	news chan struct{}
}

// awaitedOperation is an operation that is waited for, as last polled.
type awaitedOperation struct {
	Operation
	// gone is true where Neon no longer knows it.
	gone  bool
	waits int
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
	watched := make([]*watchedOperation, len(operations))
	for i, operation := range operations {
		watched[i] = &watchedOperation{Operation: operation, changed: started.Add(-operation.unchanged)}
	}
	expected := c.waits.expected(projectID, operations, 0)
	running, err := c.settle(ctx, projectID, watched, grace)
	if err != nil || len(running) == 0 {
		return err
	}
	project := c.waits.join(projectID, running)
	defer c.waits.leave(projectID, running)
	for {
		news, polled := project.update(running)
		awaited := len(running)
		if running, err = c.settle(ctx, projectID, running, grace); len(running) < awaited {
			c.reads.forgetProject(projectID)
		}
		if err != nil || len(running) == 0 {
			return err
		}
		if expected == 0 {
			expected = c.waits.expected(projectID, operationsOf(running), time.Since(started))
		}
		last := started
		if polled.After(started) {
			last = polled
		}
		due := last.Add(pollInterval(last.Sub(started), expected))
		if err := c.nextNews(ctx, projectID, project, news, due); err != nil {
			if ctx.Err() != nil {
				return &WaitError{Running: operationsOf(running), Waited: time.Since(started), Err: ctx.Err()}
			}
			return err
		}
	}
}

// watchedOperation is an operation as one wait sees it.
type watchedOperation struct {
	Operation
	gone bool
	// changed is when the operation last changed.
	changed time.Time
	warned  bool
}

// settle returns the operations that must still be waited for. Neon cancels what was
// to follow a failing operation, so the error about a cancelled one names the failure of
// another as its cause.
func (c *Client) settle(
	ctx context.Context, projectID string, watched []*watchedOperation, grace time.Duration,
) ([]*watchedOperation, error) {
	var running []*watchedOperation
	var failed, cancelled *OperationError
	for _, operation := range watched {
		operation.Error = c.apiKey.maskText(operation.Error)
		switch {
		case operation.gone:
			return nil, &OperationError{operation.Operation, "is no longer known to Neon, so its end can't be learned"}
		case operation.Status == StatusFinished, operation.Status == StatusSkipped:
			c.waits.learn(projectID, operation.Operation)
		case operation.Status == StatusCancelled:
			cancelled = &OperationError{operation.Operation, "was cancelled"}
		case operation.failing():
			failed = &OperationError{operation.Operation, operation.failure()}
			if time.Since(operation.changed) >= grace {
				failed.Reason += fmt.Sprintf(" and did not recover within %s", grace)
				return nil, failed
			}
			c.warnOfFailure(ctx, operation)
			running = append(running, operation)
		default:
			running = append(running, operation)
		}
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

func (o *watchedOperation) failure() string {
	return fmt.Sprintf("failed (status %s, failures: %d)", o.Status, o.FailuresCount)
}

func (c *Client) warnOfFailure(ctx context.Context, operation *watchedOperation) {
	if operation.warned {
		return
	}
	operation.warned = true
	c.logger.LogAttrs(ctx, slog.LevelWarn, "an operation failed; Neon may retry it, so the wait goes on",
		slog.String("operation_id", operation.ID), slog.String("action", operation.Action),
		slog.Int64("failures_count", operation.FailuresCount), slog.String("error", operation.Error))
}

// nextNews returns after the next poll, of another wait or, once due, of our own.
func (c *Client) nextNews(
	ctx context.Context, projectID string, project *projectWaits, news <-chan struct{}, due time.Time,
) error {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-news:
		return nil
	case <-timer.C:
	}
	if !project.begin(news) {
		return await(ctx, news)
	}
	defer project.end()
	return c.poll(ctx, projectID, project)
}

// poll reads all awaited operations of a project: several from the newest page of the
// list, which also teaches how long such operations take, and a single one by its id
// where that is known.
func (c *Client) poll(ctx context.Context, projectID string, project *projectWaits) error {
	missing := project.unfinished()
	if len(missing) > 1 || c.waits.expected(projectID, slices.Collect(maps.Values(missing)), 0) == 0 {
		newest, err := c.newestOperations(ctx, projectID)
		if err != nil {
			return err
		}
		for _, operation := range newest {
			project.hear(operation, false)
			delete(missing, operation.ID)
		}
	}
	for id, last := range missing {
		operation, err := c.Operation(ctx, projectID, id)
		switch {
		case IsAbsent(err):
			project.hear(last, true)
		case err != nil:
			return err
		default:
			project.hear(*operation, false)
		}
	}
	return nil
}

func (w *operationWaits) join(projectID string, watched []*watchedOperation) *projectWaits {
	w.mu.Lock()
	defer w.mu.Unlock()
	project, ok := w.projects[projectID]
	if !ok {
		project = &projectWaits{awaited: map[string]*awaitedOperation{}, news: make(chan struct{})}
		w.projects[projectID] = project
	}
	project.mu.Lock()
	defer project.mu.Unlock()
	for _, operation := range watched {
		if project.awaited[operation.ID] == nil {
			project.awaited[operation.ID] = &awaitedOperation{Operation: operation.Operation}
		}
		project.awaited[operation.ID].waits++
	}
	return project
}

func (w *operationWaits) leave(projectID string, watched []*watchedOperation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	project := w.projects[projectID]
	project.mu.Lock()
	defer project.mu.Unlock()
	for _, operation := range watched {
		if project.awaited[operation.ID].waits--; project.awaited[operation.ID].waits == 0 {
			delete(project.awaited, operation.ID)
		}
	}
	if len(project.awaited) == 0 {
		delete(w.projects, projectID)
	}
}

// update copies the last poll into each operation. It returns the channel that the next
// poll closes, and when the last poll ended.
func (p *projectWaits) update(watched []*watchedOperation) (news <-chan struct{}, polled time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, operation := range watched {
		heard := p.awaited[operation.ID]
		changed := time.Now().Add(-heard.unchanged)
		isNew := heard.Status != operation.Status || heard.FailuresCount != operation.FailuresCount || !heard.UpdatedAt.Equal(operation.UpdatedAt)
		if isNew || changed.Before(operation.changed) {
			operation.changed, operation.warned = changed, operation.warned && !isNew
		}
		operation.Operation, operation.gone = heard.Operation, heard.gone
	}
	return p.news, p.polled
}

// begin reports whether the caller is to poll: nobody else does, or has done so since
// the caller last looked.
func (p *projectWaits) begin(news <-chan struct{}) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.polling || p.news != news {
		return false
	}
	p.polling = true
	return true
}

// end wakes all waits.
func (p *projectWaits) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.polling, p.polled = false, time.Now()
	close(p.news)
	p.news = make(chan struct{})
}

// unfinished returns the awaited operations that may still change, by id.
func (p *projectWaits) unfinished() map[string]Operation {
	p.mu.Lock()
	defer p.mu.Unlock()
	operations := map[string]Operation{}
	for id, heard := range p.awaited {
		if !heard.Terminal() && !heard.gone {
			operations[id] = heard.Operation
		}
	}
	return operations
}

// hear records what a poll says of an operation, if it is waited for.
func (p *projectWaits) hear(operation Operation, gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if heard := p.awaited[operation.ID]; heard != nil {
		heard.Operation, heard.gone = operation, gone
	}
}

func operationsOf(watched []*watchedOperation) []Operation {
	operations := make([]Operation, len(watched))
	for i, operation := range watched {
		operations[i] = operation.Operation
	}
	return operations
}
