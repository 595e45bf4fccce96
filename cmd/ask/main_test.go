package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/questions"
)

// start is what is asked of an emulated Neon, in a folder with older answers.
func start(t *testing.T, readings map[string]string) (*asking, *strings.Builder) {
	t.Helper()
	e, err := emulator.New(emulator.Config{OperationDuration: time.Millisecond, Readings: readings})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	t.Cleanup(func() {
		server.Close()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(filepath.Dir(answers), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(answers,
		[]byte(`{"regions": "2026-01-01 (free): as decided", "schema-only-init-source": "2026-01-01 (free): older"}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("NEON_BASE_URL", server.URL+"/api/v2/")
	var said strings.Builder
	return &asking{
		out: &said, lock: "lock", only: regexp.MustCompile("^schema-only-init-source$"),
		config: questions.Config{BaseURL: baseURL(), APIKey: e.FirstWorld().APIKey, Paid: true},
	}, &said
}

func TestRun_writes(t *testing.T) {
	a, said := start(t, nil)
	a.write = true
	if differ, err := a.run(t.Context()); differ || err != nil {
		t.Fatalf("%t, %v", differ, err)
	}
	text, err := os.ReadFile(answers)
	if err != nil || !strings.Contains(string(text), "(scale): as decided") ||
		strings.Contains(string(text), "older") || !strings.Contains(string(text), "2026-01-01 (free)") {
		t.Errorf("%v, %s", err, text)
	}
	if !strings.Contains(said.String(), "1 rows as decided, 0 differ") {
		t.Errorf("it said %s", said)
	}
	if _, err := os.Stat("lock"); err == nil {
		t.Error("the lock is still there")
	}
}

func TestRun_differs(t *testing.T) {
	a, said := start(t, map[string]string{"schema-only-init-source": "schema-only"})
	if differ, err := a.run(t.Context()); !differ || err != nil ||
		!strings.Contains(said.String(), "| `schema-only-init-source` |") {
		t.Errorf("%t, %v, %s", differ, err, said)
	}
}

func TestRun_says(t *testing.T) {
	a, said := start(t, nil)
	a.list = true
	if _, err := a.run(t.Context()); err != nil || !strings.Contains(said.String(), "1 questions") {
		t.Errorf("%v, %s", err, said)
	}
	a.list = false
	for _, step := range []struct {
		change func()
		says   string
	}{
		{func() { _ = os.WriteFile("lock", nil, 0o600) }, "another run goes on"},
		{func() { _ = os.Remove("lock"); a.config.APIKey = "napi_wrong" }, "do not pass authentication"},
		{func() { a.remove = true }, "no run has left anything"},
		{func() { a.config.APIKey = "" }, "NEON_API_KEY is empty"},
	} {
		step.change()
		if _, err := a.run(t.Context()); err == nil || !strings.Contains(err.Error(), step.says) ||
			strings.Contains(err.Error(), "napi_wrong") {
			t.Errorf("got %v, want %q", err, step.says)
		}
	}
}
