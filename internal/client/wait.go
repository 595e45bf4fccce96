package client

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

const (
	firstPoll   = 200 * time.Millisecond
	slowestPoll = 5 * time.Second // what the API document suggests, section 4
	// pollPage is how many operations a shared poll asks for at once.
	pollPage = "100"
)

// operationWaits shares the polling between all who wait for operations of the
// same project: one list request serves them all.
type operationWaits struct {
	mu        sync.Mutex
	projects  map[string]*projectWaits
	durations map[string]time.Duration // by action, how long the last ones took
}

// projectWaits is what is known of a project's awaited operations. Whoever is
// due first polls for all; the others are woken by its result.
type projectWaits struct {
	mu      sync.Mutex
	waiting int
	awaited map[string]int // operation id to the number of waits for it
	known   map[string]Operation
	gone    map[string]bool
	polled  time.Time
	polling bool
	// news is closed, and made anew, whenever a poll has ended.
	news chan struct{}
}

// WaitForOperations returns when all operations have had their effect.
// Operations that the platform reports as failed are given a grace period to
// recover. It returns an OperationError for an operation that failed or was
// cancelled or that the platform has forgotten, a WaitError when the context
// ends, and otherwise what a read of the operations returned.
func (c *Client) WaitForOperations(ctx context.Context, projectID string, operations []Operation) error {
	watched := make([]*watchedOperation, 0, len(operations))
	started := time.Now()
	for _, operation := range operations {
		watched = append(watched, &watchedOperation{Operation: operation, changed: started, started: started})
	}
	watched, err := c.settle(ctx, watched)
	if err != nil || len(watched) == 0 {
		return err
	}
	project := c.waits.join(projectID, watched)
	defer c.waits.leave(projectID, watched)
	for {
		news := project.update(watched)
		if watched, err = c.settle(ctx, watched); err != nil || len(watched) == 0 {
			return err
		}
		if err := c.nextNews(ctx, projectID, project, news, watched); err != nil {
			if ctx.Err() != nil {
				return &WaitError{Running: plainOperations(watched), Waited: time.Since(started), Err: ctx.Err()}
			}
			return err
		}
	}
}

// watchedOperation is an operation that somebody waits for.
type watchedOperation struct {
	Operation
	gone    bool
	started time.Time
	// changed is when the platform last told something new of it.
	changed time.Time
	warned  bool
}

// settle gives the operations that must still be waited for.
func (c *Client) settle(ctx context.Context, watched []*watchedOperation) ([]*watchedOperation, error) {
	var running []*watchedOperation
	for _, operation := range watched {
		switch {
		case operation.gone:
			return nil, &OperationError{operation.Operation, "is no longer known to the platform, so its end can't be learned"}
		case operation.Status == StatusFinished, operation.Status == StatusSkipped:
			c.waits.learn(operation)
		case operation.Status == StatusCancelled:
			return nil, &OperationError{operation.Operation, "was cancelled"}
		case operation.Status == StatusFailed, operation.Status == StatusError:
			if time.Since(operation.changed) >= c.grace {
				return nil, &OperationError{operation.Operation, fmt.Sprintf(
					"failed (status %s, failures: %d) and did not recover within %s", operation.Status, operation.FailuresCount, c.grace)}
			}
			c.warnOfFailure(ctx, operation)
			running = append(running, operation)
		default:
			running = append(running, operation)
		}
	}
	return running, nil
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
	ctx context.Context, projectID string, project *projectWaits, news <-chan struct{}, watched []*watchedOperation,
) error {
	timer := time.NewTimer(time.Until(c.waits.due(project, watched)))
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

// poll reads all awaited operations of a project: a single one by its id,
// several from the list, which is newest first.
func (c *Client) poll(ctx context.Context, projectID string, project *projectWaits) error {
	missing := project.ids()
	if len(missing) > 1 {
		for operation, err := range c.operationPages(ctx, projectID, pollPage) {
			if err != nil {
				return err
			}
			project.learn(operation)
			delete(missing, operation.ID)
			if len(missing) == 0 {
				return nil
			}
		}
	}
	for id := range missing {
		operation, err := c.Operation(ctx, projectID, id)
		switch {
		case IsNotFound(err):
			project.forget(id)
		case err != nil:
			return err
		default:
			project.learn(*operation)
		}
	}
	return nil
}

func (w *operationWaits) join(projectID string, watched []*watchedOperation) *projectWaits {
	w.mu.Lock()
	defer w.mu.Unlock()
	project, ok := w.projects[projectID]
	if !ok {
		project = &projectWaits{
			awaited: map[string]int{}, known: map[string]Operation{}, gone: map[string]bool{},
			polled: time.Now(), news: make(chan struct{}),
		}
		w.projects[projectID] = project
	}
	project.mu.Lock()
	defer project.mu.Unlock()
	project.waiting++
	for _, operation := range watched {
		project.awaited[operation.ID]++
	}
	return project
}

func (w *operationWaits) leave(projectID string, watched []*watchedOperation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	project := w.projects[projectID]
	project.mu.Lock()
	defer project.mu.Unlock()
	project.waiting--
	for _, operation := range watched {
		if project.awaited[operation.ID]--; project.awaited[operation.ID] <= 0 {
			delete(project.awaited, operation.ID)
		}
	}
	if project.waiting == 0 {
		delete(w.projects, projectID)
	}
}

// learn remembers how long an action takes, so that the next wait for it asks
// when the answer is likely.
func (w *operationWaits) learn(operation *watchedOperation) {
	took := time.Duration(operation.TotalDurationMS) * time.Millisecond
	if took <= 0 || operation.Status != StatusFinished {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.durations[operation.Action] = took
}

func (w *operationWaits) expected(action string) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.durations[action]
}

// due is when the first of the operations is worth asking for again.
func (w *operationWaits) due(project *projectWaits, watched []*watchedOperation) time.Time {
	project.mu.Lock()
	polled := project.polled
	project.mu.Unlock()
	var first time.Time
	for _, operation := range watched {
		last := polled
		if last.Before(operation.started) {
			last = operation.started
		}
		next := last.Add(pollInterval(last.Sub(operation.started), w.expected(operation.Action)))
		if first.IsZero() || next.Before(first) {
			first = next
		}
	}
	return first
}

// pollInterval is how long to wait until an operation is asked for again:
// early at first, then slower with the time that it has taken already.
func pollInterval(elapsed, expected time.Duration) time.Duration {
	if elapsed < expected {
		return min(max(expected-elapsed, firstPoll/4), slowestPoll)
	}
	return min(max(elapsed/4, firstPoll), slowestPoll)
}

// update gives each operation what is known of it, and the channel that tells
// of the next news.
func (p *projectWaits) update(watched []*watchedOperation) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, operation := range watched {
		if p.gone[operation.ID] {
			operation.gone = true
		}
		known, ok := p.known[operation.ID]
		if !ok {
			continue
		}
		if known.Status != operation.Status || known.FailuresCount != operation.FailuresCount || !known.UpdatedAt.Equal(operation.UpdatedAt) {
			operation.changed, operation.warned = time.Now(), false
		}
		operation.Operation = known
	}
	return p.news
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

func (p *projectWaits) ids() map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	ids := map[string]bool{}
	for id := range p.awaited {
		if !p.known[id].Terminal() && !p.gone[id] {
			ids[id] = true
		}
	}
	return ids
}

func (p *projectWaits) learn(operation Operation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.awaited[operation.ID] > 0 {
		p.known[operation.ID] = operation
	}
}

func (p *projectWaits) forget(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone[id] = true
}

func plainOperations(watched []*watchedOperation) []Operation {
	operations := make([]Operation, len(watched))
	for i, operation := range watched {
		operations[i] = operation.Operation
	}
	return operations
}
