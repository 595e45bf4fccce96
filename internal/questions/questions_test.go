package questions_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/questions"
)

// clock moves only while somebody sleeps.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, by time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
	return context.Cause(ctx)
}

// handled answers requests by a handler, without a connection.
type handled struct{ handler http.Handler }

func (h handled) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	sent := r.Clone(r.Context())
	sent.RemoteAddr, sent.RequestURI = "127.0.0.1:1", r.URL.RequestURI()
	h.handler.ServeHTTP(recorder, sent)
	return recorder.Result(), nil
}

// start begins an emulated Neon, and says how to ask it.
func start(t *testing.T, config emulator.Config) (questions.Config, *emulator.Emulator) {
	t.Helper()
	still := &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	config.OperationDuration, config.Now = time.Second, still.Now
	e, err := emulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return questions.Config{
		BaseURL: "http://localhost", APIKey: e.FirstWorld().APIKey, Paid: true,
		HTTP: &http.Client{Transport: handled{e}}, Now: still.Now, Sleep: still.Sleep,
	}, e
}

// surroundings are those in which some questions can be asked that can't in others.
var surroundings = []emulator.Config{
	{Plan: emulator.PlanScale}, {Plan: emulator.PlanFree}, {Plan: emulator.PlanLaunch}, {Plan: emulator.PlanFree, Conflicts: emulator.ConflictsNone},
}

// ask asks all questions in all surroundings, and returns what differs and what was asked.
func ask(
	t *testing.T, readings map[string]string, all []questions.Question,
) (differ, asked map[string]questions.Result) {
	t.Helper()
	differ, asked = map[string]questions.Result{}, map[string]questions.Result{}
	for _, config := range surroundings {
		config.Readings = readings
		neon, _ := start(t, config)
		left := slices.DeleteFunc(slices.Clone(all), func(q questions.Question) bool {
			return asked[q.Doubt.Key].Doubt != nil && differ[q.Doubt.Key].Doubt == nil
		})
		outcome, err := questions.Run(t.Context(), neon, left, func(questions.Result) {})
		if err != nil {
			t.Fatal(err)
		}
		if len(outcome.Left) > 0 {
			t.Errorf("it left %v", outcome.Left)
		}
		for _, r := range outcome.Results {
			if r.Verdict != questions.NotHere {
				asked[r.Doubt.Key] = r
			}
			if r.Verdict == questions.Differs {
				differ[r.Doubt.Key] = r
			}
			if os.Getenv("SHOW") != "" {
				t.Log(outcome.Plan, r.Line())
			}
		}
	}
	return differ, asked
}

// The emulator answers as it decided, and each question can be asked somewhere.
func TestQuestions_asDecided(t *testing.T) {
	t.Parallel()
	differ, asked := ask(t, nil, questions.All())
	for _, r := range differ {
		t.Error(r.Line())
	}
	for _, q := range questions.All() {
		if asked[q.Doubt.Key].Doubt == nil {
			t.Errorf("%s can be asked nowhere", q.Doubt.Key)
		}
	}
}
