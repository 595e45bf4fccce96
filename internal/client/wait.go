package client

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// operationWaits shares the polling between all who wait for operations of the
// same project: one list request serves them all.
type operationWaits struct {
	mu        sync.Mutex
	projects  map[string]*projectWaits
	durations map[projectAction]actionDuration
}

// projectWaits is what is known of a project's awaited operations. Whoever is
// due first polls for all; the others are woken by its result.
type projectWaits struct {
	mu      sync.Mutex
	awaited map[string]*awaitedOperation
	polled  time.Time
	polling bool
	// news is closed, and made anew, whenever a poll has ended.
	news chan struct{}
}

// awaitedOperation is what was last heard of an operation that somebody waits for.
type awaitedOperation struct {
	Operation
	// gone is true where the platform doesn't know it any more.
	gone  bool
	waits int
}

// WaitForOperations returns when all operations have had their effect.
// Operations that the platform reports as failed are given a grace period to
// recover, which counts from their last change. It returns an OperationError for
// an operation that failed or was cancelled or that the platform has forgotten, a
// WaitError when the context ends, and otherwise what a read of the operations
// returned.
func (c *Client) WaitForOperations(ctx context.Context, projectID string, operations []Operation) error {
	return c.waitForOperations(ctx, projectID, operations, c.grace)
}

// waitForOperations does so with a grace period of the caller's.
func (c *Client) waitForOperations(ctx context.Context, projectID string, operations []Operation, grace time.Duration) error {
	started := time.Now()
	watched := make([]*watchedOperation, len(operations))
	for i, operation := range operations {
		watched[i] = &watchedOperation{Operation: operation, changed: started.Add(-operation.unchanged)}
	}
	expected := c.waits.expected(projectID, watched, 0)
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
			expected = c.waits.expected(projectID, running, time.Since(started))
		}
		last := started
		if polled.After(started) {
			last = polled
		}
		due := last.Add(pollInterval(last.Sub(started), expected))
		if err := c.nextNews(ctx, projectID, project, news, due); err != nil {
			if ctx.Err() != nil {
				return &WaitError{Running: plainOperations(running), Waited: time.Since(started), Err: ctx.Err()}
			}
			return err
		}
	}
}

// watchedOperation is an operation as one of those who wait for it sees it.
type watchedOperation struct {
	Operation
	gone bool
	// changed is when the platform last told something new of it.
	changed time.Time
	warned  bool
}

// settle gives the operations that must still be waited for. The platform
// cancels what was to follow an operation that fails, so where one was
// cancelled the failure of another is what a person must hear of.
func (c *Client) settle(
	ctx context.Context, projectID string, watched []*watchedOperation, grace time.Duration,
) ([]*watchedOperation, error) {
	var running []*watchedOperation
	var failed, ended *OperationError
	for _, operation := range watched {
		operation.Error = c.apiKey.maskText(operation.Error)
		switch {
		case operation.gone:
			return nil, &OperationError{operation.Operation, "is no longer known to the platform, so its end can't be learned"}
		case operation.Status == StatusFinished, operation.Status == StatusSkipped:
			c.waits.learn(projectID, operation.Operation)
		case operation.Status == StatusCancelled:
			ended = &OperationError{operation.Operation, "was cancelled"}
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
	case ended != nil && failed != nil:
		failed.Reason += fmt.Sprintf(", and operation %s (%s) was cancelled", ended.Operation.ID, ended.Operation.Action)
		return nil, failed
	case ended != nil:
		return nil, ended
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
	c.logger.LogAttrs(ctx, slog.LevelWarn, "an operation failed; the platform may retry it, so the wait goes on",
		slog.String("operation_id", operation.ID), slog.String("action", operation.Action),
		slog.Int64("failures_count", operation.FailuresCount), slog.String("error", operation.Error))
}

// nextNews returns when a poll has ended, be it another wait's or our own.
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
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-news:
			return nil
		}
	}
	defer project.end()
	return c.poll(ctx, projectID, project)
}

// poll reads all awaited operations of a project. The newest page of the list
// serves several at once, and tells how long such operations took before; a
// single one whose action is known is read by its id.
func (c *Client) poll(ctx context.Context, projectID string, project *projectWaits) error {
	missing := project.unfinished()
	if len(missing) > 1 || !c.waits.knowsAll(projectID, missing) {
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

// update gives each operation what was heard of it. It returns the channel that
// tells of the next news, and when the last came.
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

// begin makes the caller the one who polls, unless somebody else does or has
// just done so since the caller last looked.
func (p *projectWaits) begin(news <-chan struct{}) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.polling || p.news != news {
		return false
	}
	p.polling = true
	return true
}

// end wakes all who wait.
func (p *projectWaits) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.polling, p.polled = false, time.Now()
	close(p.news)
	p.news = make(chan struct{})
}

// unfinished gives the awaited operations that may still bring news, by id.
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

// hear notes what the platform says of an operation, if somebody waits for it.
func (p *projectWaits) hear(operation Operation, gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if heard := p.awaited[operation.ID]; heard != nil {
		heard.Operation, heard.gone = operation, gone
	}
}

func plainOperations(watched []*watchedOperation) []Operation {
	operations := make([]Operation, len(watched))
	for i, operation := range watched {
		operations[i] = operation.Operation
	}
	return operations
}
