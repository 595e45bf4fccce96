package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Error is an answer of the platform that isn't a success. The platform's own
// code is almost always empty, so what happened is told by StatusCode.
type Error struct {
	StatusCode int
	Code       string
	Message    string
	// RequestID is what the platform's support asks for; empty if it gave none.
	RequestID string
	// RetryAfter is the pause that the platform asked for; 0 if it asked for none.
	RetryAfter time.Duration
	Method     string
	Path       string
	// Foreign is set where the answer has no message in the shape of Neon's, so that
	// something else may have given it, such as a proxy.
	Foreign bool
}

// Error gives the request, the status and what the platform said.
func (e *Error) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s was answered with %d", e.Method, e.Path, e.StatusCode)
	if name := http.StatusText(e.StatusCode); name != "" {
		text.WriteString(" " + name)
	}
	if e.Message != "" {
		fmt.Fprintf(&text, ": %s", e.Message)
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&text, "; it asks to wait %s before the next attempt", e.RetryAfter.Round(time.Second))
	}
	var details []string
	if e.Code != "" {
		details = append(details, "code "+e.Code)
	}
	if e.RequestID != "" {
		details = append(details, "request id "+e.RequestID)
	}
	if len(details) > 0 {
		fmt.Fprintf(&text, " (%s)", strings.Join(details, ", "))
	}
	return text.String()
}

// HasStatus tells whether err is an answer of the platform with that status.
func HasStatus(err error, status int) bool {
	var answer *Error
	return errors.As(err, &answer) && answer.StatusCode == status
}

// AmbiguousError is a write whose answer was lost: the platform may or may not
// have carried it out, so it was not sent again.
type AmbiguousError struct {
	Method string
	Path   string
	// Repeats is how often it was sent again, each time after a look that found no
	// effect; not after the last answer was lost.
	Repeats int
	// Subject is what may exist or may have been changed, in words.
	Subject string
	// RequestID is what was sent along, for the platform's support.
	RequestID string
	// Err is how the answer was lost.
	Err error
	// Look is why it could not be found out whether the write had its effect;
	// nil where that wasn't tried.
	Look error
}

// Error says what may exist.
func (e *AmbiguousError) Error() string {
	text := fmt.Sprintf("%s %s was sent, but its answer was lost: %v", e.Method, e.Path, e.Err)
	if id := fmt.Sprintf(" (request id %s)", e.RequestID); e.RequestID != "" && !strings.Contains(text, id) {
		text += id
	}
	text += fmt.Sprintf(". %s may have taken effect on the platform; ", capitalize(e.Subject))
	if e.Repeats > 0 {
		text += fmt.Sprintf("it was sent %d times, each time after no effect of the one before was found", e.Repeats+1)
	} else {
		text += "it was not sent again, so that nothing is created twice"
	}
	if e.Look != nil {
		text += fmt.Sprintf(". Whether it did could not be found out: %v", e.Look)
	}
	return text
}

// Unwrap gives how the answer was lost.
func (e *AmbiguousError) Unwrap() error { return e.Err }

// NotSentError is a request that never reached the platform.
type NotSentError struct {
	Method string
	URL    string
	Err    error
}

// Error names the address that could not be reached.
func (e *NotSentError) Error() string {
	return secretText.ReplaceAllString(fmt.Sprintf("%s %s could not be sent: %v", e.Method, e.URL, e.Err), masked)
}

// Unwrap gives why it could not be sent.
func (e *NotSentError) Unwrap() error { return e.Err }

// UnansweredError is a read whose answer was lost on every attempt.
type UnansweredError struct {
	Method string
	Path   string
	Err    error
}

// Error says how the last answer was lost.
func (e *UnansweredError) Error() string {
	return fmt.Sprintf("%s %s: the connection broke before the answer was there: %v", e.Method, e.Path, e.Err)
}

// Unwrap gives how the last answer was lost.
func (e *UnansweredError) Unwrap() error { return e.Err }

// BadAnswerError is a success whose body can't be used: cut off, not JSON, or
// without a field that must be there.
type BadAnswerError struct {
	Method     string
	Path       string
	StatusCode int
	RequestID  string
	Reason     string
}

// Error says what is wrong with the answer.
func (e *BadAnswerError) Error() string {
	text := fmt.Sprintf("%s %s was answered with %d, but the answer can't be used: %s", e.Method, e.Path, e.StatusCode, e.Reason)
	if e.RequestID != "" {
		text += " (request id " + e.RequestID + ")"
	}
	return text
}

// OperationError is an operation that ended, or stays, without its effect.
type OperationError struct {
	Operation Operation
	// Reason says why it is given up.
	Reason string
}

// Error gives the action, the ids and the platform's message.
func (e *OperationError) Error() string {
	o := e.Operation
	text := fmt.Sprintf("operation %s (%s) of project %s", o.ID, o.Action, o.ProjectID)
	if o.BranchID != "" {
		text += ", branch " + o.BranchID
	}
	if o.EndpointID != "" {
		text += ", endpoint " + o.EndpointID
	}
	text += " " + e.Reason
	if o.Error != "" {
		text += ": " + o.Error
	}
	return text
}

// WaitError is a wait for operations that the context ended, by a timeout or
// an interruption. The operations go on without us.
type WaitError struct {
	// Running are the operations that had not finished.
	Running []Operation
	Waited  time.Duration
	Err     error
}

// Error names the operations that are still running.
func (e *WaitError) Error() string {
	names := make([]string, len(e.Running))
	for i, operation := range e.Running {
		names[i] = fmt.Sprintf("%s (%s, %s)", operation.ID, operation.Action, operation.Status)
	}
	cause := "interrupted"
	if errors.Is(e.Err, context.DeadlineExceeded) {
		cause = "timed out"
	}
	return fmt.Sprintf("%s after waiting %s for operations that had not finished: %s",
		cause, e.Waited.Round(100*time.Millisecond), strings.Join(names, ", "))
}

// Unwrap gives the context's error.
func (e *WaitError) Unwrap() error { return e.Err }

// EndedError is a request that a timeout or an interruption ended before the
// platform accepted it.
type EndedError struct {
	Method string
	Path   string
	// Last is what the platform said to the last attempt; nil if there was none.
	Last error
	Err  error
}

// Error says what ended the request and what the platform said last.
func (e *EndedError) Error() string {
	cause := "was interrupted"
	if errors.Is(e.Err, context.DeadlineExceeded) {
		cause = "timed out"
	}
	text := fmt.Sprintf("%s %s %s before the platform accepted it", e.Method, e.Path, cause)
	if e.Last != nil {
		text += fmt.Sprintf("; the last attempt: %v", e.Last)
	}
	return text
}

// Unwrap gives the context's error.
func (e *EndedError) Unwrap() error { return e.Err }

func capitalize(text string) string {
	if text == "" {
		return "The change"
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
