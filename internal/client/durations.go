package client

import (
	"cmp"
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
	// After manyProjects in a row took about as long for an action, a wait for it needn't poll for longestTrust.
	manyProjects = 3
	longestTrust = 10 * time.Second
)

// expectation is how long a wait takes in all: zero where that isn't known, or is only to be found out.
type expectation struct {
	in time.Duration
	by source
}

// source is where an expectation comes from.
type source int

const (
	fromNothing source = iota // This project finds it out, or its earlier operations haven't been read.
	fromScout                 // Another project finds it out.
	fromGuess                 // Other projects have had such operations.
	fromProject               // The project itself has.
	fromMany                  // Many projects have, and they took the same.
)

// projectAction is the key of learned durations. An action may take a thousand times as long in another project. A
// project without such operations, as a new one, uses the durations learned from any project, under an empty projectID,
// as a guess.
type projectAction struct{ projectID, action string }

// learn remembers how long an operation took, so that the next wait for the same action polls near its end.
func (w *operationWaits) learn(projectID string, operation Operation) {
	if operation.Status != StatusFinished || operation.TotalDurationMS <= 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	took := time.Duration(operation.TotalDurationMS) * time.Millisecond
	own, anyones := projectAction{projectID, operation.Action}, projectAction{"", operation.Action}
	if w.took[anyones] == 0 {
		w.tell()
	}
	switch before := w.took[anyones]; {
	case max(took, before)-min(took, before) > took/4:
		w.agree[operation.Action] = 1
	case w.took[own] == 0:
		w.agree[operation.Action]++
	}
	w.took[own], w.took[anyones] = took, took
}

// expected returns how long a wait takes in all for operations that are still running after waited. Of several
// operations, the one that is known least says how well all of them are. An operation's duration counts from its
// request, so it includes the wait for the operations before it, and what it has taken so far.
func (w *operationWaits) expected(projectID string, operations []Operation, waited time.Duration) expectation {
	w.mu.Lock()
	defer w.mu.Unlock()
	left, by := time.Millisecond, fromMany
	for _, operation := range operations {
		took := w.took[projectAction{projectID, operation.Action}]
		switch isOwn := took > 0; {
		case isOwn:
			by = min(by, fromProject)
		case w.agree[operation.Action] < manyProjects:
			by = min(by, fromGuess)
		}
		took = cmp.Or(took, w.took[projectAction{"", operation.Action}])
		if by < fromProject && !w.known[projectID] { // A look says what the project itself had.
			return expectation{}
		}
		if took == 0 {
			if w.scouts[operation.Action] == "" {
				w.scouts[operation.Action] = projectID
			}
			if w.scouts[operation.Action] == projectID {
				return expectation{}
			}
			return expectation{by: fromScout}
		}
		left = max(left, took-time.Duration(operation.TotalDurationMS)*time.Millisecond)
	}
	return expectation{waited + left, by}
}

// know notes that a project's earlier operations are known.
func (w *operationWaits) know(projectID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[projectID] = true
}

// awaited returns what is closed when there are news.
func (w *operationWaits) awaited() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.news
}

// tell has all waits look at what is new: at the last poll, and when they are due.
func (w *operationWaits) tell() {
	close(w.news)
	w.news = make(chan struct{})
}

// leave lets another project measure the duration that this project no longer will.
func (w *operationWaits) leave(projectID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := len(w.scouts)
	if maps.DeleteFunc(w.scouts, func(_, scout string) bool { return scout == projectID }); len(w.scouts) < before {
		w.tell()
	}
}

// pollInterval is the pause before the next poll: until the expected end, then shortly after it, then longer and
// longer. Since the last operation may have been an exception, a long wait also polls in between: more often if the end
// is a guess, less often if many projects agree on it.
func pollInterval(elapsed time.Duration, expected expectation) time.Duration {
	between := map[source]time.Duration{fromGuess: elapsed, fromProject: 3 * elapsed,
		fromMany: max(3*elapsed, longestTrust)}[expected.by]
	switch {
	case expected.by == fromScout:
		return min(max(elapsed, firstGuess), slowestPoll)
	case expected.by == fromNothing:
		return min(max(elapsed/5, firstPoll), slowestPoll)
	case elapsed < expected.in:
		return min(expected.in-elapsed+closestPoll/5, max(between, firstGuess))
	default:
		return min(max((elapsed-expected.in)/2, expected.in/16, closestPoll), slowestPoll)
	}
}
