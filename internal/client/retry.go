package client

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

const (
	firstBackoff = 100 * time.Millisecond
	longestWait  = 5 * time.Second
	// longestRequest is how long a request is tried where the caller sets no deadline.
	longestRequest = 5 * time.Minute
	// longestSilence is the longest pause that isn't logged.
	longestSilence = time.Minute
)

// verdict is what judge says about one attempt.
type verdict int

const (
	// final: sending the request again doesn't help.
	final verdict = iota
	// again: the request had no effect, or is a read.
	again
	// ambiguous: a write that may have had its effect.
	ambiguous
)

// judge is the table of what may be sent again. Neon's rule: any method after 503 or
// 423, a read after anything, but not a write whose answer was lost (published
// description, GeneralError). A host that doesn't exist, or that has another's
// certificate, is an error of the address.
func judge(method string, err error) verdict {
	var (
		answer      *Error
		unsent      *NotSentError
		certificate *tls.CertificateVerificationError
		name        *net.DNSError
	)
	lost := ambiguous
	if method == http.MethodGet {
		lost = again
	}
	switch {
	case errors.As(err, &certificate), errors.As(err, &name) && name.IsNotFound:
		return final
	case errors.As(err, &unsent), HasStatus(err, http.StatusLocked), HasStatus(err, http.StatusTooManyRequests),
		HasStatus(err, http.StatusServiceUnavailable):
		return again
	case errors.As(err, &answer) && answer.StatusCode < 500:
		return final
	}
	return lost
}

// attempts is what a request remembers from one attempt to the next.
type attempts struct {
	call
	requestID string
	// left counts the attempts that may still follow.
	left int
	// began is when the first attempt was sent; waiting for our own rate limits before
	// it doesn't count.
	began time.Time
	// sent is true once Neon may have received the present attempt.
	sent atomic.Bool
	// last is what the last attempt that wasn't interrupted came to.
	last error
}

// deadline is when the request is given up: the caller's, or else our own.
func (a *attempts) deadline(ctx context.Context) (deadline time.Time, isCallers bool) {
	if deadline, ok := ctx.Deadline(); ok {
		return deadline, true
	}
	return a.began.Add(longestRequest), false
}

// pause waits before the next attempt. Where none may follow, it returns the error of
// the request.
func (c *Client) pause(ctx context.Context, request *attempts, attempt int, failed error) error {
	var asked time.Duration
	var answer *Error
	if errors.As(failed, &answer) {
		asked = answer.RetryAfter
	}
	if answer != nil || ctx.Err() == nil {
		request.last = cause(failed)
	}
	if ctx.Err() != nil {
		return request.ended(request.last, ctx.Err())
	}
	// A refusal for the rate limit had no effect, and ends with the limit's minute: it
	// is waited out and doesn't count.
	if !HasStatus(failed, http.StatusTooManyRequests) {
		request.left--
	}
	isQueued := request.queues() && HasStatus(failed, http.StatusLocked)
	if isQueued || request.left < 0 || !c.allowsPause(ctx, request, asked) {
		return failed
	}
	if err := sleep(ctx, cmp.Or(asked, backoff(attempt))); err != nil {
		return request.ended(request.last, err)
	}
	return nil
}

// allowsPause reports whether the next attempt comes before the deadline. Of the
// caller's deadline only a pause that Neon asks for may exceed the rest: that it was
// reached says more than an answer from shortly before.
func (c *Client) allowsPause(ctx context.Context, request *attempts, pause time.Duration) bool {
	deadline, isCallers := request.deadline(ctx)
	if !isCallers {
		pause = max(pause, longestWait)
	}
	if time.Until(deadline) < pause {
		return false
	}
	if pause > longestSilence {
		c.logger.LogAttrs(ctx, slog.LevelWarn, "Neon asks to wait before the request is sent again",
			slog.String("method", request.method), slog.String("route", request.route),
			slog.Duration("pause", pause))
	}
	return true
}

// backoff doubles from 0.1 s to 5 s, minus a random part of up to a half, so that
// requests that were refused together don't come back together.
func backoff(attempt int) time.Duration {
	wait := min(firstBackoff<<min(attempt, 30), longestWait)
	return wait - time.Duration(rand.Int64N(int64(wait)/2+1)) // #nosec G404 -- jitter needs no secrecy
}

// retryAfter is the pause that an answer asks for, 0 for none: in seconds, or until a
// time by the server's clock (RFC 9110, section 10.2.3).
func retryAfter(header http.Header) time.Duration {
	asked := header.Get("Retry-After")
	seconds, err := strconv.ParseInt(asked, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(max(seconds, 0), math.MaxInt64/int64(time.Second))) * time.Second
	}
	until, err := http.ParseTime(asked)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(until.Sub(now), 0)
}
