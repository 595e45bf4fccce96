package client

import (
	"context"
	"net/http"
	"slices"
	"sync"
)

// probeEvery is how many writes of a queue wait for the one before until one of
// them tries whether that is still needed.
const probeEvery = 8

// projectWrites has a queue of writes for each project. Writes are sent
// optimistically; they queue only while the platform refuses overlapping work
// on their project with 423 (API document, sections 7 and 8).
type projectWrites struct {
	mu     sync.Mutex
	queues map[string]*writeQueue
}

// writeQueue is the line of writes to one project, first come, first served.
type writeQueue struct {
	mu   sync.Mutex
	line []*queuedWrite
	// open is true while writes needn't queue.
	open bool
	// exclusive is learned: the platform refuses a write while the operations
	// of the write before it are running.
	exclusive bool
	// accepted counts the writes since the last probe.
	accepted int
	// scheduled are the operations that the last accepted write started, ended
	// is true once they were waited for.
	scheduled []Operation
	ended     bool
}

type queuedWrite struct {
	// turn is closed when the write may be sent.
	turn chan struct{}
}

func (w *projectWrites) queue(projectID string) *writeQueue {
	w.mu.Lock()
	defer w.mu.Unlock()
	queue := w.queues[projectID]
	if queue == nil {
		queue = &writeQueue{open: true}
		w.queues[projectID] = queue
	}
	return queue
}

// write sends a write to a project. It returns what send returned, but never a
// refusal with 423: a write that is refused so waits in the project's queue
// until the operations in its way have ended, or the context has.
func (c *Client) write(ctx context.Context, request call, send func() ([]Operation, error)) error {
	projectID := request.params[0]
	queue := c.writes.queue(projectID)
	var refusal error
	if queue.isOpen() {
		if _, refusal = send(); !HasStatus(refusal, http.StatusLocked) {
			return refusal
		}
	}
	place := queue.enter()
	defer queue.leave(place)
	for refused := 0; ; refused++ {
		probing, err := c.awaitTurn(ctx, projectID, queue, place)
		if err == nil {
			var operations []Operation
			operations, err = send()
			if !HasStatus(err, http.StatusLocked) {
				queue.accept(operations, probing)
				return err
			}
			refusal = err
			if queue.refuse(place, probing) {
				err = c.awaitRunning(ctx, projectID, refused)
			} else {
				err = nil
			}
		}
		if err != nil {
			return &EndedError{Method: request.method, Path: request.api.prefix() + request.path(), Last: refusal, Err: ctx.Err()}
		}
	}
}

// awaitTurn returns when the write may be sent. Probing is true where the
// operations of the write before may still be running.
func (c *Client) awaitTurn(ctx context.Context, projectID string, queue *writeQueue, place *queuedWrite) (probing bool, err error) {
	select {
	case <-queue.turnOf(place):
	case <-ctx.Done():
		return false, ctx.Err()
	}
	inTheWay, ended := queue.inTheWay()
	switch {
	case ended:
		return false, ctx.Err()
	case len(inTheWay) == 0:
		return true, ctx.Err()
	}
	// How they end is the business of whoever started them, and one that failed
	// is in nobody's way.
	_ = c.waitForOperations(ctx, projectID, inTheWay, 0)
	if ctx.Err() == nil {
		queue.note(inTheWay)
	}
	return false, ctx.Err()
}

// awaitRunning waits until one of the project's running operations has ended:
// it may be the one in the way. Where none is to be seen, only time can tell.
func (c *Client) awaitRunning(ctx context.Context, projectID string, refused int) error {
	running, err := c.runningOperations(ctx, projectID)
	if err != nil || len(running) == 0 {
		return sleep(ctx, backoff(firstBackoff, longestWait, refused, nil))
	}
	return c.waitForAnyOperation(ctx, projectID, running)
}

func (c *Client) runningOperations(ctx context.Context, projectID string) ([]Operation, error) {
	newest, err := c.newestOperations(ctx, projectID)
	if err != nil {
		return nil, err
	}
	var running []Operation
	for _, operation := range newest {
		switch operation.Status {
		case StatusScheduling, StatusRunning, StatusCancelling:
			running = append(running, operation)
		}
	}
	return running, nil
}

// waitForAnyOperation returns when one of the operations has ended, well or
// not, or the context has.
func (c *Client) waitForAnyOperation(ctx context.Context, projectID string, running []Operation) error {
	waiting, cancel := context.WithCancel(ctx)
	var waits sync.WaitGroup
	ended := make(chan struct{}, len(running))
	for _, operation := range running {
		waits.Go(func() {
			_ = c.waitForOperations(waiting, projectID, []Operation{operation}, 0)
			ended <- struct{}{}
		})
	}
	<-ended
	cancel()
	waits.Wait()
	return ctx.Err()
}

func (q *writeQueue) isOpen() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.open
}

func (q *writeQueue) enter() *queuedWrite {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open = false
	place := &queuedWrite{turn: make(chan struct{})}
	q.line = append(q.line, place)
	if len(q.line) == 1 {
		close(place.turn)
	}
	return place
}

// leave gives the turn to the next in line; behind the last one the queue
// opens.
func (q *writeQueue) leave(place *queuedWrite) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.line = slices.DeleteFunc(q.line, func(waiting *queuedWrite) bool { return waiting == place })
	if len(q.line) == 0 {
		q.open, q.exclusive, q.accepted, q.scheduled, q.ended = true, false, 0, nil, false
		return
	}
	q.line[0].call()
}

func (q *writeQueue) turnOf(place *queuedWrite) <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	return place.turn
}

// inTheWay gives the operations of the write before, where the platform was
// seen to refuse a write because of such, and now and then none, to see
// whether it still does. Ended is true where they are known to be over.
func (q *writeQueue) inTheWay() (operations []Operation, ended bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended || !q.exclusive || q.accepted >= probeEvery {
		return nil, q.ended
	}
	return q.scheduled, false
}

// note keeps in mind that the operations of the write before are over.
func (q *writeQueue) note(operations []Operation) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = slices.EqualFunc(q.scheduled, operations, func(a, b Operation) bool { return a.ID == b.ID })
}

// accept notes a write that the platform took. Taken while the operations of
// the write before were running, it shows that nothing is in the way of the
// others either.
func (q *writeQueue) accept(operations []Operation, probing bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if probing && len(q.scheduled) > 0 {
		q.open = true
		for _, waiting := range q.line {
			waiting.call()
		}
	}
	q.accepted++
	if len(operations) > 0 {
		q.scheduled, q.ended = operations, false
	}
}

// refuse notes a refusal, and tells whether the write is at the head of the
// line. One further behind, sent because the queue had opened, goes back to its
// place.
func (q *writeQueue) refuse(place *queuedWrite, probing bool) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open = false
	if probing && len(q.scheduled) > 0 {
		q.exclusive, q.accepted = true, 0
	}
	if q.line[0] == place {
		return true
	}
	place.turn = make(chan struct{})
	return false
}

// call gives the write its turn, if it doesn't have it.
func (w *queuedWrite) call() {
	select {
	case <-w.turn:
	default:
		close(w.turn)
	}
}
