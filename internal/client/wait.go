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
	// closestPoll is the shortest pause where the end is expected any moment.
	closestPoll = 25 * time.Millisecond
	// firstGuess is how long an operation is expected to take as long as those before
	// it without asking.
	firstGuess = time.Second
)

// operationWaits shares the polling between all who wait for operations of the
// same project: one list request serves them all.
type operationWaits struct {
	mu        sync.Mutex
	projects  map[string]*projectWaits
	durations map[projectAction]actionDuration
}

// projectAction is what a duration is known of. What an action takes in one project
// says little of another, which may be a thousand times as large.
type projectAction struct{ projectID, action string }

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
		watched[i] = &watchedOperation{Operation: operation, changed: operation.lastChange()}
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
		if running, err = c.settle(ctx, projectID, running, grace); err != nil || len(running) == 0 {
			return err
		}
		if expected == 0 {
			expected = c.waits.expected(projectID, running, time.Since(started))
		}
		last := latest(polled, started)
		due := last.Add(pollInterval(last.Sub(started), expected))
		if err := c.nextNews(ctx, projectID, project, news, due); err != nil {
			if ctx.Err() != nil {
				return &WaitError{Running: plainOperations(running), Waited: time.Since(started), Err: ctx.Err()}
			}
			return err
		}
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// watchedOperation is an operation that somebody waits for.
type watchedOperation struct {
	Operation
	gone bool
	// changed is when the platform last told something new of it: by the platform's
	// clock where that was before the wait, else by ours.
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
		operation.Error = c.secrets.maskText(operation.Error)
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
			project.learn(operation)
			delete(missing, operation.ID)
		}
	}
	for id := range missing {
		operation, err := c.Operation(ctx, projectID, id)
		switch {
		case IsAbsent(err):
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
			news: make(chan struct{}),
		}
		w.projects[projectID] = project
	}
	project.mu.Lock()
	defer project.mu.Unlock()
	project.waiting++
	for _, operation := range watched {
		project.awaited[operation.ID]++
		if _, ok := project.known[operation.ID]; !ok {
			project.known[operation.ID] = operation.Operation
		}
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

// learn remembers how long an action took, so that the next wait for such an
// operation asks when the answer is likely.
func (w *operationWaits) learn(projectID string, operation Operation) {
	if operation.Status != StatusFinished || operation.TotalDurationMS <= 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	key := projectAction{projectID, operation.Action}
	if known, ok := w.durations[key]; ok && known.ended.After(operation.UpdatedAt) {
		return
	}
	w.durations[key] = actionDuration{
		took: time.Duration(operation.TotalDurationMS) * time.Millisecond, ended: operation.UpdatedAt,
	}
}

func (w *operationWaits) knowsAll(projectID string, operations map[string]Operation) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, operation := range operations {
		if _, ok := w.durations[projectAction{projectID, operation.Action}]; !ok {
			return false
		}
	}
	return true
}

// expected is how long a wait for the operations will take, of which a part is over;
// zero where that isn't known. An operation's duration begins when it is asked for, so
// that of one which follows another of the same request includes the wait for that
// one. What the platform says that it has taken so far needn't be waited for again.
func (w *operationWaits) expected(projectID string, operations []*watchedOperation, waited time.Duration) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	left := time.Millisecond
	for _, operation := range operations {
		known, ok := w.durations[projectAction{projectID, operation.Action}]
		if !ok {
			return 0
		}
		left = max(left, known.took-time.Duration(operation.TotalDurationMS)*time.Millisecond)
	}
	return waited + left
}

// actionDuration is how long the newest finished operation of an action took.
type actionDuration struct {
	took  time.Duration
	ended time.Time
}

// pollInterval is how long to wait until operations are asked for again: until
// their expected end, closely after it, and slower with the time that they have
// taken beyond what was expected. The last such operation may have been an
// exception, so a long time isn't waited for in one piece.
func pollInterval(elapsed, expected time.Duration) time.Duration {
	switch {
	case expected == 0:
		return min(max(elapsed, firstPoll), slowestPoll)
	case elapsed < expected:
		return min(expected-elapsed+closestPoll/5, max(3*elapsed, firstGuess))
	default:
		return min(max((elapsed-expected)/2, expected/16, closestPoll), slowestPoll)
	}
}

// update gives each operation what is known of it. It returns the channel that
// tells of the next news, and when the last came.
func (p *projectWaits) update(watched []*watchedOperation) (news <-chan struct{}, polled time.Time) {
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
			if operation.UpdatedAt.IsZero() {
				operation.changed = known.lastChange()
			}
		}
		operation.Operation = known
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
	for id := range p.awaited {
		if known := p.known[id]; !known.Terminal() && !p.gone[id] {
			operations[id] = known
		}
	}
	return operations
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
