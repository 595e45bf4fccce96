// Package wire is how the two APIs write things: what bodies may have, refusals, ids, times,
// and answers. It knows nothing of what there is.
package wire

import (
	"fmt"
	"net/http"
)

// Error is a refusal. The published description gives every refusal the shape
// {"request_id", "code", "message"}; most recorded ones have an empty code.
type Error struct {
	Status  int
	Message string
	// Code is empty but for the limits of a plan.
	Code string
	// Reason is why something isn't there, empty for most.
	Reason string
	// RetryAfter is the header of that name, empty for none.
	RetryAfter string
	// Hint is told by the claimable database API alone.
	Hint string
}

func (e *Error) Error() string { return e.Message }

// Refuse is a refusal with a status.
func Refuse(status int, format string, args ...any) error {
	return &Error{Status: status, Message: fmt.Sprintf(format, args...)}
}

// BadRequest refuses what nobody can ask for.
func BadRequest(format string, args ...any) error {
	return Refuse(http.StatusBadRequest, format, args...)
}

// NotFound refuses what concerns something that isn't there, or that the key may not see.
func NotFound(format string, args ...any) error {
	return Refuse(http.StatusNotFound, format, args...)
}

// Conflict refuses what is there already.
func Conflict(format string, args ...any) error {
	return Refuse(http.StatusConflict, format, args...)
}

// Unprocessable refuses what can't be done as things are.
func Unprocessable(format string, args ...any) error {
	return Refuse(http.StatusUnprocessableEntity, format, args...)
}

// TooMany refuses what is more than the organization's plan has.
func TooMany(code, message string) error {
	return &Error{Status: http.StatusUnprocessableEntity, Code: code, Message: message}
}

// Locked refuses work that would overlap with other work.
func Locked() error {
	return Refuse(http.StatusLocked, "project already has running conflicting operations, scheduling of new ones is "+
		"prohibited")
}
