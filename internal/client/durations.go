package client

import (
	"maps"
	"time"
)

const (
	firstPoll   = 200 * time.Millisecond
	slowestPoll = 5 * time.Second // what Neon suggests
	// closestPoll is the shortest pause, while the end is due.
	closestPoll = 25 * time.Millisecond
	// firstGuess caps the first pause, however long earlier operations took.
	firstGuess = time.Second
)

// projectAction identifies what durations are learned for. What an action takes in one
// project says little of another, which may be a thousand times as large. It is taken for a guess where the project hasn't
// had such an operation yet, as new ones haven't: without a projectID it is that of any.
type projectAction struct{ projectID, action string }

// learn remembers how long a finished operation took, so that the next wait for such an
// operation polls when it is likely to end.
func (w *operationWaits) learn(projectID string, operation Operation) {
	if operation.Status != StatusFinished || operation.TotalDurationMS <= 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	took := time.Duration(operation.TotalDurationMS) * time.Millisecond
	if w.took[projectAction{"", operation.Action}] == 0 {
		w.revise()
	}
	w.took[projectAction{projectID, operation.Action}], w.took[projectAction{"", operation.Action}] = took, took
}

// expected is how long a wait for the operations takes in all, as they were when waited was over;
// zero where that isn't known. It is a guess where only other projects have had such operations. Where nobody had, isScout says that
// this project is to find it out.
// An operation's duration counts from its request, so it includes the wait for the operations before it, and what it has taken so far.
func (w *operationWaits) expected(projectID string, operations []Operation, waited time.Duration) (in time.Duration, isGuess, isScout bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	left := time.Millisecond
	for _, operation := range operations {
		took := w.took[projectAction{projectID, operation.Action}]
		if took == 0 {
			took, isGuess = w.took[projectAction{"", operation.Action}], true
		}
		if took == 0 {
			if w.scouts[operation.Action] == "" {
				w.scouts[operation.Action] = projectID
			}
			return 0, false, w.scouts[operation.Action] == projectID
		}
		left = max(left, took-time.Duration(operation.TotalDurationMS)*time.Millisecond)
	}
	return waited + left, isGuess, false
}

// news returns what is closed when there is something new to expect.
func (w *operationWaits) news() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.revised
}

// revise has all who wait expect anew.
func (w *operationWaits) revise() {
	close(w.revised)
	w.revised = make(chan struct{})
}

// leave has another project find out what this one hasn't.
func (w *operationWaits) leave(projectID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := len(w.scouts)
	if maps.DeleteFunc(w.scouts, func(_, scout string) bool { return scout == projectID }); len(w.scouts) < before {
		w.revise()
	}
}

// pollInterval is the pause before the next poll: until the expected end, short after
// it, and longer the further beyond. Since the last such operation may have been an
// exception, a long wait has polls in between, and more of them where the end is a guess. Where it isn't known, a guess is that
// another project finds it out.
func pollInterval(elapsed, expected time.Duration, isGuess bool) time.Duration {
	between := 3 * elapsed
	if isGuess {
		between = elapsed
	}
	switch {
	case expected == 0 && isGuess:
		return min(max(elapsed, firstGuess), slowestPoll)
	case expected == 0:
		return min(max(elapsed/5, firstPoll), slowestPoll)
	case elapsed < expected:
		return min(expected-elapsed+closestPoll/5, max(between, firstGuess))
	default:
		return min(max((elapsed-expected)/2, expected/16, closestPoll), slowestPoll)
	}
}
