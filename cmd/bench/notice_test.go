package main

import (
	"slices"
	"testing"
)

// One operation that is noticed late fails the row of the worst, though the median
// doesn't change.
func TestNotice_oneSlowStep(t *testing.T) {
	t.Parallel()
	at := slices.IndexFunc(benchmarks, func(each benchmark) bool {
		return each.rows[0].measured == "time between an operation's end and our noticing it"
	})
	notices := slices.Repeat([]notice{{late: 0.02, requests: 5}}, len(noticedDurations))
	for _, test := range []struct {
		slow   float64
		missed string
	}{{0.02, ""}, {0.25, ""}, {0.5, "ratio"}} {
		notices[7].late = test.slow
		rows := slices.Clone(benchmarks[at].rows)
		for i, result := range resultsOf(notices) {
			rows[i].result = result
		}
		if missed := rows[0].missed(); missed != "" {
			t.Errorf("the median misses its %s where one step takes %v", missed, test.slow)
		}
		if missed := rows[1].missed(); missed != test.missed {
			t.Errorf("the worst misses %q where one step takes %v, want %q", missed, test.slow, test.missed)
		}
	}
}

// One pair that a busy machine slowed down says nothing of the others.
func TestComparePairs(t *testing.T) {
	t.Parallel()
	got := comparePairs([]float64{12, 24, 90}, []float64{10, 20, 30}, 1)
	if got.ratio != 1.2 || got.value != 24 || got.boundValue != 20 {
		t.Errorf("the ratio is %v of %v and %v, want 1.2 of the middle ones", got.ratio, got.value, got.boundValue)
	}
}
