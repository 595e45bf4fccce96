package client

import (
	"context"
	"fmt"
	"time"
)

// progressPause is how often a wait says again that an operation is still running.
const progressPause = 10 * time.Second

type progressKey struct{}

// WithProgress returns a context whose calls report, in a sentence each, what happens until they return: each
// operation that they wait for, with the time that it has taken, other work that is in the way, and what becomes of a
// write whose answer was lost. The function is called by the goroutine of the call; nil reports nothing.
func WithProgress(ctx context.Context, report func(text string)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// Say reports a sentence of the caller's own in the same way.
func Say(ctx context.Context, format string, values ...any) {
	if report, _ := ctx.Value(progressKey{}).(func(string)); report != nil {
		report(fmt.Sprintf(format, values...))
	}
}

// reportProgress says how far an operation is after a time of waiting: when that has changed, and from time to time.
// One that has failed is waited for as long as the grace period.
func (o *awaitedOperation) reportProgress(ctx context.Context, isNew bool, waited, grace time.Duration) {
	if !isNew && time.Since(o.reported) < progressPause {
		return
	}
	o.reported = time.Now()
	taken := waited.Round(100 * time.Millisecond)
	switch {
	case o.failing() && grace > 0:
		reason := ""
		if o.Error != "" {
			reason = ": " + o.Error
		}
		Say(ctx, "%s: %s after %s%s. Neon may repeat it, which this waits for, %s at most.", o.inWords(), o.Status, taken,
			reason, grace)
	case o.Terminal() || o.failing():
		Say(ctx, "%s: %s after %s.", o.inWords(), o.Status, taken)
	case taken == 0:
		Say(ctx, "%s: %s.", o.inWords(), o.Status)
	default:
		Say(ctx, "%s: %s for %s.", o.inWords(), o.Status, taken)
	}
}

// inWords is an operation with what it works on.
func (o Operation) inWords() string {
	switch {
	case o.EndpointID != "":
		return o.Action + " of endpoint " + o.EndpointID
	case o.BranchID != "":
		return o.Action + " of branch " + o.BranchID
	}
	return o.Action + " of project " + o.ProjectID
}
