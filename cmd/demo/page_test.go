package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/browser"
)

// rememberSights has the page remember when it first showed what has an id.
const rememberSights = `(() => {
  window.seen = {};
  const look = () => {
    for (const element of document.querySelectorAll("[id]")) {
      const parts = element.cells ?? [element];
      seen[element.id] ??= { at: Date.now(), parts: [...parts].map((part) => part.textContent) };
    }
  };
  look();
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
})()`

// sight is when the page first showed something, and what it said of it: of a row of a table,
// what is in its cells.
type sight struct {
	At    int64
	Parts []string
}

func (s sight) since(at time.Time) time.Duration { return time.UnixMilli(s.At).Sub(at) }

// address is a writer that finds the emulator's in what the demo says.
type address struct {
	mu    sync.Mutex
	said  strings.Builder
	found chan string
}

var announced = regexp.MustCompile(`listens on (http://\S+), where a page`)

func (a *address) Write(text []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := announced.MatchString(a.said.String())
	a.said.Write(text)
	if found := announced.FindStringSubmatch(a.said.String()); found != nil && !before {
		a.found <- found[1]
	}
	return len(text), nil
}

func (a *address) text() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.said.String()
}

// Whoever opens the page beside the demo sees there within a second, and without a reload, what
// terraform does: branches, endpoints, operations and requests.
func TestDemo_isSeenOnThePage(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("this runs terraform; set TF_ACC=1")
	}
	if testing.Short() {
		t.Skip("this takes its time")
	}
	page := browser.Open(t)
	page.Do(chromedp.Navigate("about:blank"))
	t.Chdir("../..")
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	out, ended := &address{found: make(chan string, 1)}, make(chan error, 1)
	go func() { ended <- run(ctx, out, options{}) }()
	var base string
	select {
	case base = <-out.found:
	case err := <-ended:
		t.Fatalf("the demo ended: %v\n%s", err, out.text())
	}
	page.Do(chromedp.Navigate(base + "/"))
	browser.Evaluate[any](page, rememberSights)
	began := time.Now()
	exists := whileItRuns(t, base, ended)
	if exists == nil {
		t.Fatalf("the demo failed:\n%s", out.text())
	}
	// A page that was loaded anew remembers nothing.
	delays := delaysOf(t, browser.Evaluate[map[string]sight](page, "seen"), exists, began)
	for _, kind := range []string{"br", "ep", "op", "request"} {
		all := delays[kind]
		slices.Sort(all)
		if len(all) < 3 {
			t.Errorf("only %d of the kind %s were seen", len(all), kind)
			continue
		}
		t.Logf("%d of the kind %s are seen after %s, the last after %s", len(all), kind, all[len(all)/2], all[len(all)-1])
		if most := all[len(all)*9/10]; most > time.Second {
			t.Errorf("one in ten of the kind %s is seen only after %s", kind, most)
		}
	}
}

// delaysOf says how long it took until things were seen, by the beginning of their ids.
func delaysOf(t *testing.T, seen map[string]sight, exists map[string]life, began time.Time) map[string][]time.Duration {
	t.Helper()
	delays := map[string][]time.Duration{}
	for id, life := range exists {
		kind, _, _ := strings.Cut(id, "-")
		switch s, shown := seen[id]; {
		case life.from.Before(began):
		case shown:
			delays[kind] = append(delays[kind], s.since(life.from))
		case life.until.Sub(life.from) > time.Second:
			t.Errorf("%s was there for %s, and isn't seen", id, life.until.Sub(life.from))
		}
	}
	for id, s := range seen {
		kind, _, _ := strings.Cut(id, "-")
		if at := s.moment(t, kind); at.After(began) {
			delays[kind] = append(delays[kind], s.since(at))
		}
	}
	return delays
}

// life is when something was first and last there.
type life struct{ from, until time.Time }

// whileItRuns looks for branches and endpoints until the demo ends; nil where that fails.
func whileItRuns(t *testing.T, base string, ended chan error) map[string]life {
	t.Helper()
	exists := map[string]life{}
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
				return nil
			}
			return exists
		case <-time.After(20 * time.Millisecond):
		}
		now, world := time.Now(), objectsAt(t.Context(), base)
		for _, o := range slices.Concat(world["branches"], world["endpoints"]) {
			l := exists[o.key()]
			if l.from.IsZero() {
				l.from = now
			}
			exists[o.key()] = life{l.from, now}
		}
	}
}

// objectsAt are those of the emulator, none where it has ended.
func objectsAt(ctx context.Context, base string) objects {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/_emulator/objects", http.NoBody)
	if err != nil {
		return nil
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil
	}
	defer func() { _ = response.Body.Close() }()
	var found objects
	if json.NewDecoder(response.Body).Decode(&found) != nil {
		return nil
	}
	return found
}

var scheduled = regexp.MustCompile(`scheduled ([\d:.]+)`)

// moment is when an operation was scheduled, or a request was answered, by what the page says
// of it; zero for anything else.
func (s sight) moment(t *testing.T, kind string) time.Time {
	t.Helper()
	var clock, took string
	switch kind {
	case "op":
		clock, took = scheduled.FindStringSubmatch(s.Parts[0])[1], "0s"
	case "request":
		clock, took = s.Parts[0], s.Parts[3]
	default:
		return time.Time{}
	}
	day := time.UnixMilli(s.At).UTC().Format(time.DateOnly)
	at, err := time.Parse(time.DateTime+".000", day+" "+clock)
	if err != nil {
		t.Fatal(err)
	}
	duration, err := time.ParseDuration(took)
	if err != nil {
		t.Fatal(err)
	}
	return at.Add(duration)
}
