package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Error is an answer of Neon's that isn't a success. Its code is almost always empty: StatusCode says what happened.
type Error struct {
	StatusCode int
	Code       string
	Message    string
	// Reason is why Neon doesn't have what was asked for, in its spelling; empty for most.
	Reason string
	// RequestID identifies the request to Neon's support.
	RequestID string
	// RetryAfter is the pause that Neon asks for; 0 where it asks for none.
	RetryAfter time.Duration
	Method     string
	Path       string
	// Foreign is set where the answer has no message in Neon's shape, so that a proxy may have sent it.
	Foreign bool
	// isOnce is set where Claimable Neon says that the call may not be sent again.
	isOnce bool
	// KeySource says where the client's key was configured, such as "of the environment variable NEON_API_KEY"; empty
	// if that is unknown or another key was used.
	KeySource string
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s %s was answered with %d", e.Method, e.Path, e.StatusCode)
	if name := http.StatusText(e.StatusCode); name != "" {
		text += " " + name
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.RetryAfter > 0 {
		text += fmt.Sprintf("; it asks to wait %s before the next attempt", e.RetryAfter.Round(time.Second))
	}
	if e.Reason != "" {
		text += " (reason " + e.Reason + ")"
	}
	if e.Code != "" {
		text += " (code " + e.Code + ")"
	}
	return withRequestID(text, e.RequestID)
}

// answerError reads the body of an error, of which each API has a shape of its own.
// It repeats no other body, such as a proxy's page, and no secret.
func (r call) answerError(response *http.Response, body []byte, apiKey ownKey) *Error {
	answer := &Error{
		StatusCode: response.StatusCode, Method: r.method, Path: r.shownPath(), RetryAfter: retryAfter(response),
	}
	var said struct {
		errorWords

		Error  json.RawMessage `json:"error"`
		Hint   string          `json:"hint"`
		Reason string          `json:"reason"`
	}
	if json.Unmarshal(body, &said) == nil {
		if said.Message == "" && json.Unmarshal(said.Error, &said.Message) != nil {
			_ = json.Unmarshal(said.Error, &said.errorWords) // As Claimable Neon writes it; what isn't so has no message.
		}
		answer.Code, answer.Message, answer.RequestID = codeText(said.Code), said.Message, said.RequestID
		answer.Reason = apiKey.maskText(said.Reason)
		answer.isOnce = said.Retryable != nil && !*said.Retryable
		if answer.Message == "" {
			answer.Message = refusedTransfer(body)
		}
		answer.Foreign = answer.Message == ""
		if said.Hint != "" {
			answer.Message += " (" + said.Hint + ")"
		}
	} else if answer.Foreign = true; len(body) > 0 {
		answer.Message = "the answer isn't Neon's; a proxy on the way may have sent it"
	}
	answer.RequestID = cmp.Or(answer.RequestID, response.Header.Get("X-Neon-Ret-Request-Id"))
	if response.StatusCode < 400 {
		answer.Foreign = true // Neon's own API redirects nobody.
		answer.Message = "a redirect, which is not followed so that the API key stays with the configured host; check the " +
			"base URL"
	}
	answer.Code, answer.Message = apiKey.maskText(answer.Code), r.hideID(apiKey.maskText(answer.Message))
	return answer
}

// errorWords are those of an error, at the top of the answer or one level below.
type errorWords struct {
	Code      json.RawMessage `json:"code"`
	Message   string          `json:"message"`
	RequestID string          `json:"request_id"`
	// Retryable is nil where an API doesn't say it.
	Retryable *bool `json:"retryable"`
}

// refusedTransfer is why an organization can't have projects, which Neon lists in place of a message.
func refusedTransfer(body []byte) string {
	var said struct {
		Limits   []struct{ Name, Expected, Actual string }
		Projects []struct{ ID, Integration string }
		Reasons  []struct{ Code, Message string }
	}
	_ = json.Unmarshal(body, &said) // What can't be decoded isn't such a list.
	var reasons []string
	for _, limit := range said.Limits {
		reasons = append(reasons, fmt.Sprintf("%s: expected %s, got %s", limit.Name, limit.Expected, limit.Actual))
	}
	for _, project := range said.Projects {
		reasons = append(reasons, fmt.Sprintf("project %s has the integration %s", project.ID, project.Integration))
	}
	for _, reason := range said.Reasons {
		reasons = append(reasons, cmp.Or(reason.Message, reason.Code))
	}
	return strings.Join(reasons, "; ")
}

// codeText is Neon's code, which is text or a number.
func codeText(code json.RawMessage) string {
	var text string
	if json.Unmarshal(code, &text) == nil {
		return text
	}
	return string(code)
}

// HasStatus reports whether err is an answer of Neon's with that status.
func HasStatus(err error, status int) bool {
	answer, isAnswer := errors.AsType[*Error](err)
	return isAnswer && answer.StatusCode == status && !isProxysRefusal(err)
}

// isProxysRefusal reports whether err is a refusal (4xx) that isn't Neon's. It says nothing of what was asked for: a
// proxy may refuse to pass the answer on.
func isProxysRefusal(err error) bool {
	answer, isAnswer := errors.AsType[*Error](err)
	return isAnswer && answer.Foreign && answer.StatusCode/100 == 4
}

// IsMissing reports whether Neon itself says that it doesn't find something that a request needs.
// What it refuses to the kind of key, also with 404, isn't missing.
func IsMissing(err error) bool {
	answer := neons(err)
	return answer != nil && answer.StatusCode == http.StatusNotFound && !answer.IsOutsideKey() &&
		!answer.IsForPersonalKey()
}

// IsOutsideKey reports whether Neon refused, with 404, what isn't in the project that the key is scoped to.
func (e *Error) IsOutsideKey() bool {
	return strings.Contains(e.Message, "outside the project this key")
}

// IsForPersonalKey reports whether Neon refused to an organization's key, with 404, what only a person's may do.
func (e *Error) IsForPersonalKey() bool {
	return strings.Contains(e.Message, "for organization API keys")
}

// IsRefused reports whether Neon refused what was asked for, by any of the statuses that it may do so with.
func IsRefused(err error) bool {
	answer := neons(err)
	return answer != nil && slices.Contains([]int{
		http.StatusBadRequest, http.StatusNotAcceptable, http.StatusConflict, http.StatusPreconditionFailed,
		http.StatusUnprocessableEntity,
	}, answer.StatusCode)
}

// AmbiguousError is a write whose answer was lost: Neon may or may not have carried it out. It isn't sent again, unless
// a second one does no harm, or nothing shows an effect of the one before.
type AmbiguousError struct {
	Method string
	Path   string
	// Repeats counts how often the write was sent again, as nothing showed an effect of the attempt before.
	Repeats int
	// Subject is what may exist or may have changed, in words.
	Subject string
	// RequestID identifies the request to Neon's support.
	RequestID string
	// Err is how the answer was lost.
	Err error
	// LookupErr is why it isn't known whether the write took effect; nil where that wasn't looked for.
	LookupErr error
	// Known are the ids of objects like the one that the write may have created, which aren't it.
	Known []string
}

func (e *AmbiguousError) Error() string {
	cause := e.Err.Error()
	if rest, isOfThis := strings.CutPrefix(cause, e.Method+" "+e.Path); isOfThis {
		cause = "it" + rest
	}
	text := fmt.Sprintf("%s %s was sent, but its answer was lost: %s", e.Method, e.Path, cause)
	if id := withRequestID("", e.RequestID); !strings.Contains(text, id) {
		text += id
	}
	subject := cmp.Or(e.Subject, "the change")
	text += fmt.Sprintf(". %s may have taken effect; ", strings.ToUpper(subject[:1])+subject[1:])
	if e.Repeats > 0 {
		text += fmt.Sprintf("it was sent %d times, as nothing showed an effect of the one before", e.Repeats+1)
	} else {
		text += "it was not sent again"
		if e.Method == http.MethodPost {
			text += ", so that nothing is done twice"
		}
	}
	if e.LookupErr != nil {
		text += fmt.Sprintf(". Whether it did isn't known: %v", e.LookupErr)
	}
	return text
}

func (e *AmbiguousError) Unwrap() error { return e.Err }

// NotSentError is a request that never reached Neon.
type NotSentError struct {
	Method string
	URL    string
	Err    error
}

func (e *NotSentError) Error() string {
	return SecretText.ReplaceAllString(fmt.Sprintf("%s %s could not be sent: %v", e.Method, e.URL, e.Err), masked)
}

func (e *NotSentError) Unwrap() error { return e.Err }

// UnansweredError is a read whose answer was lost on every attempt.
type UnansweredError struct {
	Method string
	Path   string
	Err    error
}

func (e *UnansweredError) Error() string {
	return fmt.Sprintf("%s %s: the connection broke before the answer was there: %v", e.Method, e.Path, e.Err)
}

func (e *UnansweredError) Unwrap() error { return e.Err }

// BadAnswerError is an answer that can't be used: cut off, or a success that isn't JSON or lacks a required field.
type BadAnswerError struct {
	Method     string
	Path       string
	StatusCode int
	RequestID  string
	Reason     string
	// CutOff is set where the connection ended in the middle of the answer.
	CutOff     bool
	isTooLarge bool
}

func (e *BadAnswerError) Error() string {
	text := fmt.Sprintf("%s %s was answered with %d, but the answer can't be used: %s", e.Method, e.Path, e.StatusCode,
		e.Reason)
	return withRequestID(text, e.RequestID)
}

// OperationError is an operation that ended, or stays, without its effect.
type OperationError struct {
	Operation Operation
	// Reason says why it is given up.
	Reason string
}

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

// WaitError is a wait that ended before what it waited for: by a timeout, an interruption, or Neon's refusal to say how
// far that is. What Neon is working on goes on.
type WaitError struct {
	// Running are the operations that had not finished.
	Running []Operation
	// For describes what was awaited if it has no operations, such as "branch br-1 to be anonymized".
	For    string
	Waited time.Duration
	// Outage is the error of the last poll; nil if that succeeded.
	Outage error
	Err    error
}

func (e *WaitError) Error() string {
	names := make([]string, len(e.Running))
	for i, operation := range e.Running {
		names[i] = fmt.Sprintf("%s (%s, %s)", operation.ID, operation.Action, operation.Status)
	}
	cause := "gave up"
	switch {
	case errors.Is(e.Err, context.DeadlineExceeded):
		cause = "timed out"
	case errors.Is(e.Err, context.Canceled):
		cause = "interrupted"
	}
	waited := "less than 0.1s"
	if rounded := e.Waited.Round(100 * time.Millisecond); rounded > 0 {
		waited = rounded.String()
	}
	what := cmp.Or(e.For, "operations that had not finished: "+strings.Join(names, ", "))
	text := fmt.Sprintf("%s after waiting %s for %s", cause, waited, what)
	if e.Outage != nil {
		text += fmt.Sprintf("; %s can't be read: %v", map[bool]string{true: "they", false: "that"}[e.For == ""], e.Outage)
	}
	return text
}

func (e *WaitError) Unwrap() error { return e.Err }

// AnonymizationError is an anonymization that failed: the branch has data that isn't masked.
type AnonymizationError struct {
	BranchID, State string
	// Message is what Neon said, which names the rule that failed.
	Message string
}

func (e *AnonymizationError) Error() string {
	return fmt.Sprintf("the anonymization of branch %s failed (state %s): %s", e.BranchID, e.State,
		cmp.Or(e.Message, "Neon doesn't say why"))
}

// EndedError is a request that a timeout or an interruption ended before Neon accepted it.
type EndedError struct {
	Method string
	Path   string
	// Last is what the last attempt came to; nil if there was none.
	Last error
	Err  error
}

func (e *EndedError) Error() string {
	cause := "was interrupted"
	if errors.Is(e.Err, context.DeadlineExceeded) {
		cause = "timed out"
	}
	done := "accepted"
	if e.Method == http.MethodGet {
		done = "answered"
	}
	text := fmt.Sprintf("%s %s %s before Neon %s it", e.Method, e.Path, cause, done)
	if e.Last != nil {
		text += fmt.Sprintf("; the last attempt: %v", e.Last)
	}
	return text
}

func (e *EndedError) Unwrap() error { return e.Err }

func withRequestID(text, id string) string {
	if id == "" {
		return text
	}
	return text + " (request id " + id + ")"
}

// IsLost reports whether err is a write whose answer was lost.
func IsLost(err error) bool {
	return is[*AmbiguousError](err)
}

// HasCode reports whether err is an answer of Neon's with that code.
func HasCode(err error, code string) bool {
	answer := neons(err)
	return answer != nil && answer.Code == code
}

// neons is the answer of Neon's own that an error is about; nil for none.
func neons(err error) *Error {
	answer, isAnswer := errors.AsType[*Error](err)
	if !isAnswer || answer.Foreign {
		return nil
	}
	return answer
}

// is reports whether err is, or wraps, an error of that type.
func is[T error](err error) bool {
	_, is := errors.AsType[T](err)
	return is
}
