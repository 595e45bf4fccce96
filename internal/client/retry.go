package client

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"
)

const (
	firstBackoff = 100 * time.Millisecond
	longestWait  = 5 * time.Second
	// longestRequest is how long a request is tried where the caller sets no deadline.
	longestRequest = 5 * time.Minute
	// logPausesOver is the longest pause that isn't logged.
	logPausesOver = time.Minute
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

// judge is the table of what may be sent again. Neon's rule: any method after 503 or 423, a read after anything, but
// not a write whose answer was lost (published description, GeneralError). That rule is about Neon's own answers: a
// proxy says the same of a request that it has passed on.
func judge(method string, err error) verdict {
	lost := ambiguous
	if method == http.MethodGet {
		lost = again
	}
	answer, isAnswer := errors.AsType[*Error](err)
	bad, isBad := errors.AsType[*BadAnswerError](err)
	failure, isAttempt := errors.AsType[*attemptError](err)
	name, isName := errors.AsType[*net.DNSError](err)
	switch {
	case isAnswer:
		return answer.verdict(lost)
	case isBad && bad.isTooLarge:
		return final // It won't be smaller.
	case isAttempt && failure.sent:
		return lost
	case is[*tls.CertificateVerificationError](err), is[tls.RecordHeaderError](err), isName && name.IsNotFound,
		nobodyListensHere(err):
		return final
	case isAttempt:
		return again
	}
	return final
}

// nobodyListensHere reports whether this machine refused a connection to itself, which waiting doesn't change.
func nobodyListensHere(err error) bool {
	dial, isDial := errors.AsType[*net.OpError](err)
	if !errors.Is(err, syscall.ECONNREFUSED) || !isDial {
		return false
	}
	address, is := dial.Addr.(*net.TCPAddr)
	return is && address.IP.IsLoopback()
}

// verdict returns what to do about an answer; lost is the verdict for a lost answer.
func (e *Error) verdict(lost verdict) verdict {
	isRefusedForNow := e.StatusCode == http.StatusLocked || e.StatusCode == http.StatusServiceUnavailable
	if e.isOnce {
		isRefusedForNow = false
		if lost == again || e.StatusCode < http.StatusInternalServerError {
			return final
		}
	}
	switch {
	case e.StatusCode == http.StatusTooManyRequests, isRefusedForNow && !e.Foreign:
		return again
	case isRefusedForNow, e.StatusCode == http.StatusConflict && e.Foreign,
		e.StatusCode >= 500, e.StatusCode == http.StatusRequestTimeout:
		return lost
	case e.isElsewhere() && lost == ambiguous: // A read would only be sent on again.
		return lost
	}
	return final
}

// isElsewhere reports whether the answer sends on to another address for this once. A proxy may do so after it has
// passed a write on: nginx answers 302 where error_page replaces a gateway's timeout by an address. An address that has
// changed for good (301, 308) took no write.
func (e *Error) isElsewhere() bool {
	return e.StatusCode == http.StatusFound || e.StatusCode == http.StatusSeeOther ||
		e.StatusCode == http.StatusTemporaryRedirect
}

// attempts is what a request remembers. It travels in the context: go-retryablehttp forgets the method of a failed one.
type attempts struct {
	call
	requestID string
	// left counts the attempts that may still follow.
	left int
	// began is when the first attempt was sent; waiting for our own rate limits before it doesn't count.
	began time.Time
	// last is what the last attempt that wasn't interrupted came to, and answer the last answer that was no success.
	last   error
	answer *Error
	// received is the body of the last attempt's answer.
	received []byte
}

type attemptsKey struct{}

func attemptsOf(ctx context.Context) *attempts {
	state, _ := ctx.Value(attemptsKey{}).(*attempts)
	return state
}

// deadline is when the request is given up: the caller's, or else our own.
func (a *attempts) deadline(ctx context.Context) (deadline time.Time, isCallers bool) {
	if deadline, ok := ctx.Deadline(); ok {
		return deadline, true
	}
	return a.began.Add(longestRequest), false
}

// checkRetry is the policy for go-retryablehttp. What a project refuses with 423 is sent again by sendInLine.
func (c *Client) checkRetry(ctx context.Context, response *http.Response, err error) (bool, error) {
	state := attemptsOf(ctx)
	if response != nil && response.StatusCode >= 300 {
		state.answer = state.answerError(response, state.received, c.apiKey)
		state.last, err = state.answer, state.answer
	}
	if judge(state.method, err) != again || isHeld(err) && state.queues() {
		return false, nil
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if failed, isAttempt := errors.AsType[*attemptError](err); isAttempt {
		state.last = failed.err
	}
	// A refusal for the rate limit ends with the limit's minute: it is waited out and doesn't count.
	if response == nil || response.StatusCode != http.StatusTooManyRequests {
		state.left--
	}
	return state.left >= 0 && c.allowsPause(ctx, state, response), nil
}

// allowsPause reports whether the next attempt comes before the deadline. If the caller set one, the request is given
// up early only when Neon itself asks for a pause beyond it. Otherwise it goes on: "timed out" tells the user more than
// the last 503.
func (c *Client) allowsPause(ctx context.Context, request *attempts, response *http.Response) bool {
	pause := retryAfter(response)
	deadline, isCallers := request.deadline(ctx)
	if !isCallers {
		pause = max(pause, longestWait)
	}
	if time.Until(deadline) < pause {
		return false
	}
	if pause > logPausesOver {
		c.logger.LogAttrs(ctx, slog.LevelWarn, "Neon asks to wait before the request is sent again",
			slog.String("method", request.method), slog.String("route", request.route),
			slog.Duration("pause", pause), slog.Int("status", response.StatusCode))
	}
	return true
}

// backoff is Retry-After where it is above 0. Otherwise it doubles from 0.1 s to 5 s, minus a random part of up to a
// half, so that requests that were refused together don't come back together.
func backoff(shortest, longest time.Duration, attempt int, response *http.Response) time.Duration {
	if asked := retryAfter(response); asked > 0 {
		return asked
	}
	wait := min(shortest<<min(attempt, 30), longest)
	return wait - time.Duration(rand.Int64N(int64(wait)/2+1)) // #nosec G404 -- jitter needs no secrecy
}

// retryAfter is the pause that an answer asks for, in seconds or until a time (RFC 9110, section 10.2.3); 0 for none.
func retryAfter(response *http.Response) time.Duration {
	if response == nil {
		return 0
	}
	header := response.Header.Get("Retry-After")
	seconds, err := strconv.ParseInt(header, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(max(seconds, 0), math.MaxInt64/int64(time.Second))) * time.Second
	}
	until, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(until.Sub(now), 0)
}
