package client

import (
	"context"
)

// ReadOnlyError is a request that a client which only reads has refused to send, since it would change something.
type ReadOnlyError struct {
	Method string
	Path   string
	// Subject is what it would have created or changed, in words.
	Subject string
	// By is who asked for a client that only reads (see Config.ReadOnly).
	By string
}

func (e *ReadOnlyError) Error() string {
	what := e.Method + " " + e.Path
	if e.Subject != "" {
		what += ", which is about " + e.Subject + ","
	}
	return what + " would change something, and was not sent: " + e.By + " allows only what reads"
}

// onlyReads is the stage in which a client that only reads refuses all that isn't known to change nothing. An upload
// ends here too: the address that it needs is a write's.
func (c *Client) onlyReads(_ context.Context, request call, next func() error) error {
	if c.readOnly != "" && !request.by.onlyReads {
		return &ReadOnlyError{Method: request.method, Path: request.shownPath(), Subject: request.subject, By: c.readOnly}
	}
	return next()
}
