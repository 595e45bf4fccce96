package client

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"
)

const (
	// attemptTimeout is longer than the timeout of any proxy on the way.
	attemptTimeout = 2 * time.Minute
	// answerGrace is how long a write under way may still get its answer after an
	// interruption: long enough to learn what was created, short enough for the person
	// who pressed Ctrl-C.
	answerGrace = 800 * time.Millisecond
	// largestBody bounds what is read of an answer, far above a full page of operations.
	largestBody = 64 << 20
)

// pings detect dead HTTP/2 connections: the machine slept, or a NAT on the way forgot
// them. Both durations together are how long such a connection is used.
type pings struct {
	after  time.Duration // of silence of the other side
	answer time.Duration // until the ping must be answered
}

var defaultPings = pings{after: 15 * time.Second, answer: 10 * time.Second}

// newTransport returns net/http's, with TLS 1.2 at least, and loopback for names below
// .localhost.
func newTransport(pings pings) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy: proxyOf,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if host, port, err := net.SplitHostPort(address); err == nil && isLocalhost(host) {
				address = net.JoinHostPort("127.0.0.1", port)
			}
			return dialer.DialContext(ctx, network, address)
		},
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		HTTP2:               &http.HTTP2Config{SendPingTimeout: pings.after, PingTimeout: pings.answer},
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,
	}
}

// proxyOf returns no proxy for loopback: net/http would send requests to names below
// .localhost through one, with the key in clear text.
func proxyOf(request *http.Request) (*url.URL, error) {
	if isLoopback(request.URL.Hostname()) {
		return nil, nil
	}
	return http.ProxyFromEnvironment(request)
}

// answer is an answer that has arrived whole.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// attempt sends a request once: it waits for the rate limits, sends, reads the whole
// answer and writes the log.
func (c *Client) attempt(ctx context.Context, request *attempts, built *http.Request) (*answer, error) {
	request.sent.Store(false)
	if err := c.limits.wait(ctx, request.call); err != nil {
		return nil, c.failure(request, err)
	}
	started := time.Now()
	if request.began.IsZero() {
		request.began = started
	}
	answer, err := c.exchange(ctx, request, built)
	request.timing.note(started, answer)
	c.log(ctx, request, built, answer, err, time.Since(started))
	switch {
	case err != nil:
		return nil, c.failure(request, err)
	case answer.status >= 300:
		return nil, request.answerError(answer, c.apiKey)
	}
	return answer, nil
}

// failure is the error for an attempt without a usable answer.
func (c *Client) failure(request *attempts, err error) error {
	var bad *BadAnswerError
	switch {
	case errors.As(err, &bad):
		return bad
	case request.sent.Load():
		return &UnansweredError{Method: request.method, Path: request.shownPath(), Err: err}
	}
	host := strings.TrimSuffix(c.base(request.api).String(), request.api.prefix())
	return &NotSentError{Method: request.method, URL: host + request.shownPath(), Err: err}
}

// timing has the times of an attempt: by our clock and, as date, by that of the server,
// zero where its answer has none.
type timing struct {
	sent, ended, date time.Time
}

func (t *timing) note(sent time.Time, answer *answer) {
	if t == nil {
		return
	}
	*t = timing{sent: sent, ended: time.Now()}
	if answer != nil {
		t.date, _ = http.ParseTime(answer.header.Get("Date"))
	}
}

// since is the time from a change to the answer, by the server's clock; 0 where that
// isn't known.
func (t *timing) since(change time.Time) time.Duration {
	if t.date.IsZero() || change.IsZero() {
		return 0
	}
	return max(t.date.Sub(change), 0)
}

func (c *Client) exchange(ctx context.Context, request *attempts, built *http.Request) (*answer, error) {
	ctx, cancel := attemptContext(ctx, request)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { request.sent.Store(true) },
	})
	built = built.WithContext(ctx)
	if built.GetBody != nil {
		built.Body, _ = built.GetBody() // a copy in memory, which can't fail
	}
	response, err := c.transport.RoundTrip(built)
	if err != nil {
		return nil, timeoutInWords(err)
	}
	request.sent.Store(true)
	body, err := io.ReadAll(io.LimitReader(response.Body, largestBody+1))
	_ = response.Body.Close()
	answer := &answer{response.StatusCode, response.Header, body}
	if reason := answer.unusable(request.method, err); reason != "" {
		return answer, request.badAnswer(answer.status, request.requestID, reason)
	}
	return answer, nil
}

// attemptContext bounds one attempt in time. An interruption ends reads, and writes not
// yet sent, at once; a write under way has answerGrace to get its answer.
func attemptContext(ctx context.Context, request *attempts) (context.Context, context.CancelFunc) {
	if request.method == http.MethodGet {
		timeout := attemptTimeout
		if deadline, isCallers := request.deadline(ctx); !isCallers {
			timeout = min(timeout, time.Until(deadline))
		}
		return context.WithTimeout(ctx, timeout)
	}
	attempt, cancel := context.WithTimeout(context.WithoutCancel(ctx), attemptTimeout)
	stop := context.AfterFunc(ctx, func() {
		if request.sent.Load() {
			_ = sleep(attempt, answerGrace)
		}
		cancel()
	})
	return attempt, func() {
		stop()
		cancel()
	}
}

// unusable says what is wrong with a success, or nothing. Only a deletion may have an
// empty answer (published description). Of other answers the status says enough.
func (a *answer) unusable(method string, err error) string {
	switch {
	case a.status >= 300:
		return ""
	case err != nil:
		return "it was cut off"
	case len(a.body) > largestBody:
		return fmt.Sprintf("it is larger than %d bytes", largestBody)
	case a.status == http.StatusNoContent && method == http.MethodDelete:
		return ""
	case !json.Valid(a.body):
		return "it isn't JSON"
	}
	return ""
}

func timeoutInWords(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer came in time")
	}
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted before the answer was there")
	}
	return err
}
