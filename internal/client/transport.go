package client

import (
	"bytes"
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
	"regexp"
	"sync/atomic"
	"time"
)

const (
	// attemptTimeout is longer than the timeout of any proxy on the way.
	attemptTimeout = 2 * time.Minute
	// answerGrace is how long a write under way may still get its answer after an interruption, and creationGrace how
	// long a creation may, which leaves more behind. Terraform waits until the person presses Ctrl-C again.
	answerGrace   = 800 * time.Millisecond
	creationGrace = 10 * time.Second
	// largestBody bounds what is read of an answer, far above a full page of operations.
	largestBody = 64 << 20
)

// defaultPings detect dead HTTP/2 connections: the machine slept, or a NAT on the way forgot them. Both durations
// together are how long such a connection is used.
var defaultPings = &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second}

// newTransport returns net/http's, with TLS 1.2 at least, and loopback for names below .localhost.
func newTransport(pings *http.HTTP2Config) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy: proxyOf,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			host, port, err := net.SplitHostPort(address)
			if err != nil || !isLocalhost(host) {
				return dialer.DialContext(ctx, network, address)
			}
			connection, err := dialer.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
			if err != nil { // What Node.js serves at localhost may be at the other address alone.
				if other, err := dialer.DialContext(ctx, network, net.JoinHostPort("::1", port)); err == nil {
					return other, nil
				}
			}
			return connection, err
		},
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		HTTP2:               pings,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,
	}
}

// proxyOf returns none for loopback: net/http would send requests below .localhost through one, key in clear text.
func proxyOf(request *http.Request) (*url.URL, error) {
	if isLoopback(request.URL.Hostname()) {
		return nil, nil
	}
	return http.ProxyFromEnvironment(request)
}

// staying has no redirect followed, since the API key goes to the configured host only: it takes the address out of
// the answer. One that can't be parsed would be an error of net/http's, which repeats it.
type staying struct{ http.RoundTripper }

func (s staying) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := s.RoundTripper.RoundTrip(request)
	if err == nil {
		response.Header.Del("Location")
	}
	return response, err
}

// attemptError is an attempt without a usable answer.
type attemptError struct {
	// sent is true where Neon may have received the request.
	sent bool
	err  error
}

func (e *attemptError) Error() string { return e.err.Error() }
func (e *attemptError) Unwrap() error { return e.err }

// attemptTransport carries out one attempt. It stands inside the retries, so that every attempt is limited and logged.
type attemptTransport struct {
	next   http.RoundTripper
	client *Client
	limits *limits
}

// RoundTrip returns an answer whose body has arrived whole (see attempts.received), or an attemptError.
func (t *attemptTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx := request.Context()
	state := attemptsOf(ctx)
	arrived := time.Now()
	answered, err := t.limits.wait(ctx, state.call)
	if err != nil {
		return nil, &attemptError{err: err}
	}
	defer answered()
	if err := t.client.awaitLateWrites(ctx, state.call); err != nil {
		return nil, &attemptError{err: err}
	}
	started := time.Now()
	if state.began.IsZero() {
		state.began = started
	}
	response, err := t.send(ctx, request)
	if state.times != nil {
		*state.times = times{sent: started, answered: time.Now()}
	}
	if response != nil && response.StatusCode == http.StatusTooManyRequests && state.api == controlAPI {
		t.limits.refused()
	}
	t.log(ctx, request, response, err, started.Sub(arrived), time.Since(started))
	if err != nil {
		return nil, err
	}
	return response, nil
}

// times are those of an attempt, by our clock.
type times struct{ sent, answered time.Time }

func (t *attemptTransport) send(ctx context.Context, request *http.Request) (*http.Response, error) {
	var sent atomic.Bool
	ctx, cancel := attemptContext(ctx, request.Method, &sent)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
	})
	state, began := attemptsOf(ctx), time.Now()
	state.received = nil
	response, err := t.next.RoundTrip(request.WithContext(ctx))
	if err != nil {
		return nil, &attemptError{sent: sent.Load(), err: timeoutInWords(err)}
	}
	t.client.clock.note(began, response)
	if response.StatusCode == http.StatusSwitchingProtocols { // Its body may never end, not even with the context.
		_ = response.Body.Close()
		response.Body = http.NoBody
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, largestBody+1))
	_ = response.Body.Close()
	response.Body = http.NoBody
	state.received = wholeNumbers(body)
	if reason := state.unusable(response, state.received, err); reason != "" {
		bad := state.badAnswer(response.StatusCode, state.requestID, reason)
		bad.CutOff, bad.isTooLarge = err != nil, len(body) > largestBody
		return response, &attemptError{sent: true, err: bad}
	}
	return response, nil
}

// attemptContext bounds an attempt in time. An interruption leaves only a write under way some time for its answer.
func attemptContext(ctx context.Context, method string, sent *atomic.Bool) (context.Context, context.CancelFunc) {
	if method == http.MethodGet {
		timeout := attemptTimeout
		if deadline, isCallers := attemptsOf(ctx).deadline(ctx); !isCallers {
			timeout = min(timeout, time.Until(deadline))
		}
		return context.WithTimeout(ctx, timeout)
	}
	grace := answerGrace
	if method == http.MethodPost {
		grace = creationGrace
	}
	attempt, cancel := context.WithTimeout(context.WithoutCancel(ctx), attemptTimeout)
	stop := context.AfterFunc(ctx, func() {
		if sent.Load() {
			_ = sleep(attempt, grace)
		}
		cancel()
	})
	return attempt, func() {
		stop()
		cancel()
	}
}

// unusable returns why an answer can't be used, or "". A refusal is judged by its body; of an answer that is neither
// success nor refusal, the status says enough.
func (r call) unusable(response *http.Response, body []byte, err error) string {
	isRefusal := response.StatusCode/100 == 4 && response.StatusCode != http.StatusTooManyRequests
	switch {
	case response.StatusCode == http.StatusSwitchingProtocols:
		return "it goes over to another protocol"
	case err != nil && (isRefusal || response.StatusCode < 300):
		return "it was cut off"
	case response.StatusCode >= 300:
		return ""
	case len(body) > largestBody:
		return fmt.Sprintf("it is larger than %d bytes", largestBody)
	case len(body) == 0 && (r.answersNothing || response.StatusCode == http.StatusNoContent &&
		r.method == http.MethodDelete):
		return ""
	case !json.Valid(body):
		return "it isn't JSON"
	}
	return ""
}

// wholeNumber matches a text, which stays, or a whole number with a fraction of zeros, such as 17.0.
var wholeNumber = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|(-?\d+)\.0+([,\]}\s]|$)`)

// wholeNumbers removes fractions of zeros, since encoding/json decodes no number with a fraction into an integer.
func wholeNumbers(body []byte) []byte {
	if !bytes.Contains(body, []byte(".0")) {
		return body
	}
	return wholeNumber.ReplaceAllFunc(body, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		whole, _, _ := bytes.Cut(found, []byte("."))
		return append(whole[:len(whole):len(whole)], bytes.TrimLeft(found[len(whole)+1:], "0")...)
	})
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
