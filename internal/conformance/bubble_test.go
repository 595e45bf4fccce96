package conformance

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"sync"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// wire carries requests to an emulator in the same process, in the time of a
// synctest bubble.
type wire struct {
	handler http.Handler
	mu      sync.Mutex
	random  *rand.Rand
}

func (w *wire) delay() {
	w.mu.Lock()
	pause := time.Duration(w.random.IntN(40)+1) * time.Millisecond
	w.mu.Unlock()
	time.Sleep(pause)
}

func (w *wire) RoundTrip(request *http.Request) (answer *http.Response, err error) {
	if trace := httptrace.ContextClientTrace(request.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	body := []byte{}
	if request.Body != nil {
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	arrived := httptest.NewRequestWithContext(request.Context(), request.Method, request.URL.String(),
		bytes.NewReader(body))
	arrived.Header, arrived.RemoteAddr = request.Header, "127.0.0.1:1"
	defer func() {
		if recover() != nil { // A connection that the emulator breaks.
			answer, err = nil, io.ErrUnexpectedEOF
		}
	}()
	w.delay()
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, arrived)
	w.delay()
	answer = recorder.Result()
	answer.Request = request
	return answer, nil
}

// bubble is an emulator in a synctest bubble, and clients of it.
type bubble struct {
	t       *testing.T
	world   emulator.World
	wire    *wire
	emulate *emulator.Emulator
}

func newBubble(t *testing.T, seed uint64) *bubble {
	t.Helper()
	return bubbleOf(t, seed, emulator.Config{OperationDuration: time.Second, Conflicts: emulator.ConflictsNone})
}

func bubbleOf(t *testing.T, seed uint64, config emulator.Config) *bubble {
	t.Helper()
	emulated, err := emulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	b := &bubble{t, emulated.FirstWorld(), &wire{handler: emulated, random: rand.New(rand.NewPCG(seed, seed))}, emulated}
	return b
}

func (b *bubble) client() *client.Client {
	b.t.Helper()
	api, err := client.New(client.Config{
		BaseURL: "http://127.0.0.1:8473", APIKey: b.world.APIKey, MaxRetries: 20, Transport: b.wire,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return api
}

func (b *bubble) control(method, path string, send, receive any) {
	b.t.Helper()
	body, err := json.Marshal(send)
	if err != nil {
		b.t.Fatal(err)
	}
	request := httptest.NewRequest(method, "http://127.0.0.1:8473/_emulator"+path, bytes.NewReader(body))
	request.RemoteAddr = "127.0.0.1:1"
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	b.wire.handler.ServeHTTP(recorder, request)
	if recorder.Code >= 300 {
		b.t.Fatalf("%s %s: %d %s", method, path, recorder.Code, recorder.Body)
	}
	if receive != nil {
		if err := json.Unmarshal(recorder.Body.Bytes(), receive); err != nil {
			b.t.Fatal(err)
		}
	}
}
