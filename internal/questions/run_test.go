package questions_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/questions"
)

func only(keys ...string) []questions.Question {
	return slices.DeleteFunc(questions.All(), func(q questions.Question) bool {
		return !slices.Contains(keys, q.Doubt.Key)
	})
}

// hook lets a test look at a request before it is sent.
type hook struct {
	http.RoundTripper

	before func(*http.Request) error
}

func (h hook) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := h.before(r); err != nil {
		return nil, err
	}
	return h.RoundTripper.RoundTrip(r)
}

// Nothing is asked on a paid plan that costs, unless it is allowed.
func TestRun_paid(t *testing.T) {
	t.Parallel()
	neon, _ := start(t, emulator.Config{Plan: emulator.PlanLaunch})
	neon.Paid = false
	neon.HTTP = &http.Client{Transport: hook{neon.HTTP.Transport, func(r *http.Request) error {
		if r.Method != http.MethodGet && strings.Contains(r.URL.Path, "/projects/") {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		return nil
	}}}
	outcome, err := questions.Run(t.Context(), neon, questions.All(), func(r questions.Result) {
		if r.Verdict != questions.NotHere && !r.NoProject {
			t.Error(r.Line())
		}
	})
	if err != nil || len(outcome.Left) > 0 {
		t.Errorf("%v, left %v", err, outcome.Left)
	}
}

// A run that is interrupted deletes what it made, and touches nothing else.
func TestRun_interrupted(t *testing.T) {
	t.Parallel()
	neon, e := start(t, emulator.Config{Plan: emulator.PlanScale})
	ctx, interrupt := context.WithCancel(t.Context())
	lock, err := questions.TakeLock(filepath.Join(t.TempDir(), "lock"))
	if err != nil {
		t.Fatal(err)
	}
	neon.Kept = lock.Keep
	deleted, theirs := 0, e.FirstWorld().ProjectID
	neon.HTTP = &http.Client{Transport: hook{neon.HTTP.Transport, func(r *http.Request) error {
		switch {
		case strings.Contains(r.URL.Path, theirs):
			t.Errorf("%s %s", r.Method, r.URL)
		case strings.HasSuffix(r.URL.Path, "/restore"):
			interrupt()
		case r.Method == http.MethodDelete:
			deleted++
		}
		return r.Context().Err()
	}}}
	outcome, err := questions.Run(ctx, neon, only("restored-parent", "snapshot-range"), func(questions.Result) {})
	if !errors.Is(err, context.Canceled) || len(outcome.Results) != 1 || outcome.Results[0].Verdict != questions.NotHere {
		t.Errorf("%v, %+v", err, outcome)
	}
	if deleted == 0 || len(outcome.Left) > 0 {
		t.Errorf("%d deletions, left %v", deleted, outcome.Left)
	}
	if err := lock.Release(outcome.Left); err != nil {
		t.Error(err)
	}
}

// What can't be deleted is told, and kept for a later run that deletes it; another can't begin
// before.
func TestRun_leaves(t *testing.T) {
	t.Parallel()
	neon, _ := start(t, emulator.Config{Plan: emulator.PlanScale})
	path := filepath.Join(t.TempDir(), "folder", "lock")
	lock, err := questions.TakeLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := questions.TakeLock(path); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("a second run began: %v", err)
	}
	neon.Kept = lock.Keep
	direct := neon.HTTP
	neon.HTTP = &http.Client{Transport: hook{direct.Transport, func(r *http.Request) error {
		if r.Method == http.MethodDelete {
			return errors.New("no connection")
		}
		return nil
	}}}
	outcome, err := questions.Run(t.Context(), neon, only("delete-protected-project", "member-pages"),
		func(questions.Result) {})
	if err != nil || len(outcome.Left) != 2 || !strings.HasPrefix(outcome.Left[0], "/api/v2/projects/") {
		t.Fatalf("%v, left %v", err, outcome.Left)
	}
	if err := lock.Release(outcome.Left); err != nil {
		t.Fatal(err)
	}
	kept, err := questions.ReadLock(path)
	if err != nil || !slices.Equal(kept, outcome.Left) {
		t.Errorf("%v, kept %v", err, kept)
	}
	neon.HTTP = direct
	if left, err := questions.Remove(t.Context(), neon, kept); err != nil || len(left) > 0 {
		t.Errorf("%v, left %v", err, left)
	}
}

// No key, password or address is told.
func TestRun_masks(t *testing.T) {
	t.Parallel()
	neon, e := start(t, emulator.Config{})
	key := e.FirstWorld().APIKey
	secrets := []string{key, "napi_0123abc", "npg_secret", "postgresql://me:word@host/db", "me@example.org",
		e.FirstWorld().OrgID}
	neon.HTTP = &http.Client{Transport: answering{neon.HTTP.Transport,
		`{"message":"` + strings.Join(secrets, " and ") + `"}`}}
	outcome, err := questions.Run(t.Context(), neon, only("regions-of-others"), func(questions.Result) {})
	if err != nil {
		t.Fatal(err)
	}
	var summary strings.Builder
	outcome.WriteSummary(&summary, "2026-03-01")
	text := outcome.Results[0].Line() + summary.String() + outcome.Answers("2026-03-01")["regions-of-others"]
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("%s is in %s", secret, text)
		}
	}
	if !strings.Contains(text, "<NEON_API_KEY> and <masked> and <masked> and") {
		t.Errorf("nothing is masked in %s", text)
	}
}

// answering refuses to list regions.
type answering struct {
	http.RoundTripper

	body string
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := a.RoundTripper.RoundTrip(r)
	if err == nil && strings.HasSuffix(r.URL.Path, "/regions") {
		response.StatusCode, response.Body = http.StatusConflict, io.NopCloser(strings.NewReader(a.body))
	}
	return response, err
}

// The answers are told for DOUBTS.md, and in a summary.
func TestAnswers(t *testing.T) {
	t.Parallel()
	result := func(d *doubts.Doubt, verdict questions.Verdict, answer string) questions.Result {
		return questions.Result{Question: questions.Question{Doubt: d, Decided: "422"}, Verdict: verdict, Answer: answer}
	}
	outcome := questions.Outcome{Plan: "free", Results: []questions.Result{
		result(doubts.TakenRole, questions.AsDecided, "409"), result(doubts.Regions, questions.Differs, "409 | and more"),
		result(doubts.KeyNames, questions.NotHere, "no"),
	}}
	want := map[string]string{"taken-role": "2026-03-01 (free): as decided",
		"regions": "2026-03-01 (free): **differs**: 409 / and more"}
	if got := outcome.Answers("2026-03-01"); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	var summary strings.Builder
	outcome.WriteSummary(&summary, "2026-03-01")
	if want := "Neon was asked on 2026-03-01, on the plan free: 1 rows as decided, 1 differ, 1 can't be asked there.\n"; !strings.HasPrefix(summary.String(), want) ||
		!strings.Contains(summary.String(), "| `regions` | 422 | 409 / and more |") {
		t.Errorf("summary\n%s", &summary)
	}
}

func TestWriteList(t *testing.T) {
	t.Parallel()
	var list strings.Builder
	questions.WriteList(&list, only("compute-sizes-by-default", "key-names"))
	for _, want := range []string{"compute units of a new project's compute",
		"1 more computes of 0.25 CU for 5 seconds; only on launch or scale", "costs nothing", "2 questions"} {
		if !strings.Contains(list.String(), want) {
			t.Errorf("no %q in\n%s", want, &list)
		}
	}
}
