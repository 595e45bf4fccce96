package main

import (
	"slices"
	"testing"
)

// One operation that is noticed late fails the row of the worst, though the median
// doesn't change.
func TestNotice_oneSlowStep(t *testing.T) {
	t.Parallel()
	notices := slices.Repeat([]notice{{late: 0.02, requests: 5}}, len(noticedDurations))
	for _, test := range []struct {
		slow   share
		missed string
	}{{0.02, ""}, {0.25, ""}, {0.5, "ratio"}} {
		notices[7].late = test.slow
		results := (&bench{}).resultsOf(notices)
		rows := noticeBenchmark().rows
		if missed := (outcome{rows[0], results[0]}).missed(); missed != "" {
			t.Errorf("the median misses its %s where one step takes %s", missed, test.slow)
		}
		if missed := (outcome{rows[1], results[1]}).missed(); missed != test.missed {
			t.Errorf("the worst misses %q where one step takes %s, want %q", missed, test.slow, test.missed)
		}
	}
}

// One pair that a busy machine slowed down says nothing of the others.
func TestComparePairs(t *testing.T) {
	t.Parallel()
	got := comparePairs([]seconds{12, 24, 90}, []seconds{10, 20, 30}, 1)
	if got.ratio != 1.2 || got.measured != seconds(24) || got.bound != seconds(20) {
		t.Errorf("the ratio is %v of %v and %v, want 1.2 of the middle ones", got.ratio, got.measured, got.bound)
	}
}
