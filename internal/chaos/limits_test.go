package chaos

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

// While requests wait, the limits ask for the pace of what passes, and for the rest of a minute
// that is full.
func TestAsked(t *testing.T) {
	t.Parallel()
	began := time.Unix(0, 0)
	at := func(seconds float64) time.Time { return began.Add(time.Duration(seconds * float64(time.Second))) }
	var paced, full account
	for i := range 110 {
		paced.note(at(float64(i)/11), false)
		paced.note(at(float64(i)/11), true)
	}
	for range requestsPerMinute {
		full.note(at(0), false)
	}
	for name, test := range map[string]struct {
		account *account
		spans   []span
		want    time.Duration
	}{
		"nothing waits":      {&paced, nil, 0},
		"at the pace":        {&paced, []span{{at(1.5), at(2.5)}, {at(4.5), at(6.5)}}, 3 * time.Second},
		"nothing passes":     {&paced, []span{{at(20), at(30)}}, 0},
		"the minute is full": {&full, []span{{at(50), at(70)}}, 10 * time.Second},
	} {
		if got := test.account.asked(test.spans).Round(10 * time.Millisecond); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
	if paced.refused != 110 {
		t.Errorf("%d were refused", paced.refused)
	}
}

// A request waits before it is sent, and from a refusal until it is sent again. Requests that
// wait at the same time count once.
func TestWaits(t *testing.T) {
	t.Parallel()
	w := &waits{account: &account{}, refused: map[string]time.Time{}}
	log := func(id string, status int, waited int) {
		_, _ = fmt.Fprintf(w, `{"@message":"request to the platform","request_id":%q,"status":%d,"waited_ms":%d,"duration_ms":0}`+"\n", id, status, waited)
	}
	log("a", 200, 3000)
	log("b", 429, 2000)
	_, _ = fmt.Fprintln(w, `{"@message":"something else","waited_ms":90000}`)
	w.refused["b"] = w.refused["b"].Add(-4 * time.Second)
	log("b", 200, 100)
	if sum := w.sum(); sum.took.Round(100*time.Millisecond) != 4*time.Second {
		t.Errorf("it %s", sum)
	}
	w.account.notePause("c", 5)
	log("c", 429, 0)
	w.refused["c"] = w.refused["c"].Add(-5100 * time.Millisecond)
	log("c", 200, 0)
	if sum := w.sum(); sum.asked < 5*time.Second || sum.took < sum.asked {
		t.Errorf("with a pause that Retry-After asks for, it %s", sum)
	}
	for took, want := range map[time.Duration]bool{16 * time.Second: false, 18 * time.Second: true} {
		if (waited{took, 10 * time.Second}).isTooLong() != want {
			t.Errorf("%s is too long: %t", took, !want)
		}
	}
}

// What Retry-After asks for isn't counted at the pace, too.
func TestOutside(t *testing.T) {
	t.Parallel()
	at := func(second int) time.Time { return time.Unix(int64(second), 0) }
	spans := []span{{at(0), at(10)}, {at(20), at(30)}, {at(40), at(50)}}
	got := outside(spans, []span{{at(2), at(3)}, {at(5), at(12)}, {at(20), at(30)}})
	if want := []span{{at(0), at(2)}, {at(3), at(5)}, {at(40), at(50)}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What the platform lets through is counted where it arrives, with what is lost.
func TestWatch(t *testing.T) {
	t.Parallel()
	var a account
	answers := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/v2/refused":
			w.Header().Set("Retry-After", "5")
			w.WriteHeader(http.StatusTooManyRequests)
		case "/api/v2/lost":
			panic(http.ErrAbortHandler)
		}
	})
	for _, path := range []string{"/api/v2/passes", "/api/v2/refused", "/api/v2/lost", "/_emulator/objects"} {
		func() {
			defer func() { _ = recover() }()
			request := httptest.NewRequest(http.MethodGet, path, http.NoBody)
			request.Header.Set("X-Request-Id", path)
			a.watch(answers, httptest.NewRecorder(), request)
		}()
	}
	if len(a.allowed) != 2 || a.refused != 1 || a.pause("/api/v2/refused") != 5*time.Second {
		t.Errorf("%d passed, %d were refused, after %v", len(a.allowed), a.refused, a.pauses)
	}
}
