package client

import "time"

const (
	firstPoll   = 200 * time.Millisecond
	slowestPoll = 5 * time.Second // what the API document suggests, section 4
	// closestPoll is the shortest pause where the end is expected any moment.
	closestPoll = 25 * time.Millisecond
	// firstGuess is how long an operation is expected to take as long as those before
	// it without asking.
	firstGuess = time.Second
)

// projectAction is what a duration is known of. What an action takes in one project
// says little of another, which may be a thousand times as large.
type projectAction struct{ projectID, action string }

// actionDuration is how long the newest finished operation of an action took.
type actionDuration struct {
	took  time.Duration
	ended time.Time
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

// pollInterval is how long to wait until operations are asked for again: until
// their expected end, closely after it, and slower with the time that they have
// taken beyond what was expected. The last such operation may have been an
// exception, so a long time isn't waited for in one piece.
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
