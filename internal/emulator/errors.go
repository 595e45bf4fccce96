package emulator

import (
	"fmt"
	"net/http"
)

// apiError is a refusal. The published description gives every refusal the shape
// {"request_id", "code", "message"}; most recorded ones have an empty code.
type apiError struct {
	status  int
	message string
	// code is empty but for the limits of a plan.
	code string
	// reason is why something isn't there, empty for most.
	reason string
	// retryAfter is the header of that name, empty for none.
	retryAfter string
	// hint is told by the claimable database API alone.
	hint string
}

func (e *apiError) Error() string { return e.message }

func refuse(status int, format string, args ...any) error {
	return &apiError{status: status, message: fmt.Sprintf(format, args...)}
}

func badRequest(format string, args ...any) error {
	return refuse(http.StatusBadRequest, format, args...)
}

func notFound(format string, args ...any) error {
	return refuse(http.StatusNotFound, format, args...)
}

func conflict(format string, args ...any) error {
	return refuse(http.StatusConflict, format, args...)
}

func unprocessable(format string, args ...any) error {
	return refuse(http.StatusUnprocessableEntity, format, args...)
}

// errTooMany refuses what is more than the organization's plan has.
func errTooMany(code, message string) error {
	return &apiError{status: http.StatusUnprocessableEntity, code: code, message: message}
}

// errLocked refuses work that would overlap with other work.
func errLocked() error {
	return refuse(http.StatusLocked, "project already has running conflicting operations, scheduling of new ones is prohibited")
}
