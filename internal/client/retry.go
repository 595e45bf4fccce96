package client

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

const (
	firstBackoff = 100 * time.Millisecond
	longestWait  = 5 * time.Second
)

// verdict is what the table of retries says about one attempt.
type verdict int

const (
	// final: sending the request again can't help.
	final verdict = iota
	// again: the request had no effect, or is a read.
	again
	// ambiguous: a write that may have had its effect.
	ambiguous
)

// judge is the table of what may be sent again. The platform's rule: any method
// after 503 or 423 is safe, a read is safe after anything, and a write whose
// answer was lost is not (published description, GeneralError).
//
// For an answer, err is nil; for none, status is 0.
func judge(method string, status int, err error) verdict {
	lost := ambiguous
	if method == http.MethodGet {
		lost = again
	}
	if err != nil {
		return judgeFailure(err, lost)
	}
	switch {
	case status == http.StatusLocked, status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		return again
	case status >= 500:
		return lost
	default:
		return final
	}
}

func judgeFailure(err error, lost verdict) verdict {
	var failure *exchangeError
	if !errors.As(err, &failure) {
		return final
	}
	if failure.sent {
		return lost
	}
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) || errors.Is(err, errNoToken) {
		return final
	}
	return again
}

// attempts is what one request remembers from one attempt to the next. It
// travels in the context, because the retrying client forgets the method when
// a connection fails.
type attempts struct {
	method string
	// left counts the attempts that may still follow.
	left int
	// queues is true where a refusal with 423 is the business of the project's
	// queue.
	queues bool
	// secrets are kept out of last.
	secrets secrets
	// last is what came of the last attempt that wasn't interrupted.
	last error
}

type attemptsKey struct{}

func withAttempts(ctx context.Context, a *attempts) context.Context {
	return context.WithValue(ctx, attemptsKey{}, a)
}

// checkRetry is the policy for go-retryablehttp.
func checkRetry(ctx context.Context, response *http.Response, err error) (bool, error) {
	state, ok := ctx.Value(attemptsKey{}).(*attempts)
	if !ok {
		return false, err
	}
	status := 0
	if response != nil {
		status = response.StatusCode
	}
	if judge(state.method, status, err) != again {
		return false, nil
	}
	if status == http.StatusLocked && state.queues {
		return false, nil
	}
	if response != nil {
		state.last = answerError(response, bodyOf(response), state.secrets)
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		state.last = err
	}
	// A refusal for the rate limit had no effect and ends by itself when the
	// limit's minute is over: it is waited out rather than counted, until the
	// timeout of what was asked for.
	if status == http.StatusTooManyRequests {
		return true, nil
	}
	state.left--
	return state.left >= 0, nil
}

// backoff honours Retry-After, but never comes back at once; otherwise the wait
// doubles from 0.1 s to 5 s, of which up to a half is taken away at random, so
// that requests that were refused together don't come back together.
func backoff(shortest, longest time.Duration, attempt int, response *http.Response) time.Duration {
	wait := retryablehttp.DefaultBackoff(shortest, longest, attempt, response)
	if response != nil && response.Header.Get("Retry-After") != "" {
		return max(wait, shortest)
	}
	return wait - time.Duration(rand.Int64N(int64(wait)/2+1)) // #nosec G404 -- jitter needs no secrecy
}
