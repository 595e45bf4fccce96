package client

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// relay carries connections to an address. Those that it has when it goes silent stay
// open and carry nothing any more, as after a sleep; later ones work.
type relay struct {
	net.Listener
	to string

	mu      sync.Mutex
	current *atomic.Bool // whether the present connections are silent
	opened  atomic.Int32
}

func startRelay(t *testing.T, to string) *relay {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{Listener: listener, to: to, current: new(atomic.Bool)}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			r.opened.Add(1)
			go r.carry(t, from)
		}
	}()
	return r
}

func (r *relay) carry(t *testing.T, from net.Conn) {
	r.mu.Lock()
	silent := r.current
	r.mu.Unlock()
	to, err := net.Dial("tcp", r.to)
	if err != nil {
		_ = from.Close()
		return
	}
	t.Cleanup(func() { _, _ = from.Close(), to.Close() })
	for _, way := range []struct{ from, to net.Conn }{{from, to}, {to, from}} {
		go func() {
			_, _ = io.Copy(deaf{way.to, silent}, way.from)
			if !silent.Load() {
				_ = way.to.Close()
			}
		}()
	}
}

// silence takes the word from all connections there are.
func (r *relay) silence() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.current.Store(true)
	r.current = new(atomic.Bool)
}

type deaf struct {
	io.Writer
	silent *atomic.Bool
}

func (d deaf) Write(data []byte) (int, error) {
	if d.silent.Load() {
		return len(data), nil
	}
	return d.Writer.Write(data)
}

// A connection that died without a word is found by a ping, and the request goes over a
// new one.
func TestADeadConnectionIsLeft(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		equal(t, "protocol", r.Proto, "HTTP/2.0")
		_, _ = w.Write([]byte(`{"id":"d"}`))
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	relay := startRelay(t, server.Listener.Addr().String())
	trusted := server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	transport := newTransport(&http.HTTP2Config{SendPingTimeout: 100 * time.Millisecond,
		PingTimeout: 100 * time.Millisecond})
	transport.TLSClientConfig.RootCAs = trusted
	defer transport.CloseIdleConnections()
	address := url.URL{Scheme: "https", Host: relay.Addr().String()}
	api := newClient(t, transport, func(c *Config) { c.ClaimBaseURL = address.String() })
	read := func() {
		if _, err := api.GetClaimableDatabase(t.Context(), "d"); err != nil {
			t.Fatal(err)
		}
	}
	read()
	read()
	equal(t, "connections", relay.opened.Load(), 1)
	relay.silence()
	began := time.Now()
	read()
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
	equal(t, "connections", relay.opened.Load(), 2)
}

func TestADeadConnectionIsFoundWithin30Seconds(t *testing.T) {
	config := newTransport(defaultPings).HTTP2
	if config == nil || config.SendPingTimeout <= 0 || config.PingTimeout <= 0 {
		t.Fatalf("no pings: %+v", config)
	}
	if longest := config.SendPingTimeout + config.PingTimeout; longest > 30*time.Second {
		t.Errorf("%s", longest)
	}
}

// A proxy that goes over to another protocol unasked never ends its answer.
func TestAnAnswerThatSwitchesProtocols(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() { _ = connection.Close() })
		_, _ = io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
	}))
	defer server.Close()
	api := newClient(t, nil, func(c *Config) { c.BaseURL, c.MaxRetries = server.URL, 1 })
	for what, send := range map[string]func(context.Context) error{
		"a read":  func(ctx context.Context) error { _, err := api.GetProject(ctx, "p"); return err },
		"a write": func(ctx context.Context) error { return api.RevokeAPIKey(ctx, APIKeyScope{}, 1) },
	} {
		ended := make(chan error, 1)
		go func() { ended <- send(t.Context()) }()
		select {
		case err := <-ended:
			if !isBadAnswer("another protocol")(err) {
				t.Errorf("%s: got %v", what, err)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s hasn't ended", what)
		}
	}
}
