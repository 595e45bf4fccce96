package client

import "time"

const (
	firstPoll   = 200 * time.Millisecond
	slowestPoll = 5 * time.Second // what Neon suggests
	// closestPoll is the shortest pause, while the end is due.
	closestPoll = 25 * time.Millisecond
	// firstGuess caps the first pause, however long earlier operations took.
	firstGuess = time.Second
)

// projectAction identifies what durations are learned for. What an action takes in one
// project says little of another, which may be a thousand times as large.
type projectAction struct{ projectID, action string }

// learn remembers how long a finished operation took, so that the next wait for such an
// operation polls when it is likely to end.
func (w *operationWaits) learn(projectID string, operation Operation) {
	if operation.Status != StatusFinished || operation.TotalDurationMS <= 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.took[projectAction{projectID, operation.Action}] = time.Duration(operation.TotalDurationMS) * time.Millisecond
}

// expected is how long a wait for the operations takes in all, of which waited is over;
// zero where that isn't known. An operation's duration counts from its request, so it
// includes the wait for the operations before it, and what it has taken so far.
func (w *operationWaits) expected(projectID string, operations []Operation, waited time.Duration) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	left := time.Millisecond
	for _, operation := range operations {
		took, ok := w.took[projectAction{projectID, operation.Action}]
		if !ok {
			return 0
		}
		left = max(left, took-time.Duration(operation.TotalDurationMS)*time.Millisecond)
	}
	return waited + left
}

// pollInterval is the pause before the next poll: until the expected end, short after
// it, and longer the further beyond. Since the last such operation may have been an
// exception, a long wait has polls in between.
func pollInterval(elapsed, expected time.Duration) time.Duration {
	switch {
	case expected == 0:
		return min(max(elapsed/5, firstPoll), slowestPoll)
	case elapsed < expected:
		return min(expected-elapsed+closestPoll/5, max(3*elapsed, firstGuess))
	default:
		return min(max((elapsed-expected)/2, expected/16, closestPoll), slowestPoll)
	}
}
