package emulator

import (
	"testing"
	"time"
)

// Each reading of the account's limit, with a request every ten milliseconds to a route
// of its own, and all over again a minute later.
func TestReadingsOfTheLimit(t *testing.T) {
	for reading, want := range map[string]int{LimitsWindow: 700, LimitsPaced: 40 + 11*10} {
		t.Run(reading, func(t *testing.T) {
			var l limits
			began := time.Unix(0, 0)
			for range 2 {
				admitted := 0
				for i := range 1000 {
					at := began.Add(time.Duration(i) * 10 * time.Millisecond)
					if l.admit(reading, at.String(), at) == nil {
						admitted++
					}
				}
				if admitted < want-1 || admitted > want {
					t.Errorf("%d were let through, want %d", admitted, want)
				}
				began = began.Add(time.Minute + 10*time.Second)
			}
		})
	}
}

// Some routes have limits of their own, over other times than the account's.
func TestLimitsOfRoutes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		route   string
		apart   time.Duration
		want    int
		returns time.Duration
	}{
		{"GET " + projectPath, time.Millisecond, requestsPerSecond, time.Second},
		{orgKeyCreation, time.Millisecond, orgKeyCreationsPerSec, time.Second},
		{"GET " + apiRoot + "/consumption_history/v2/projects", time.Second, consumptionPerMinute, time.Minute},
	} {
		var l limits
		began := time.Unix(0, 0)
		admitted := func(at time.Time) (n int) {
			for i := range 60 {
				if l.admit(LimitsWindow, test.route, at.Add(time.Duration(i)*test.apart)) == nil {
					n++
				}
			}
			return n
		}
		if first, then := admitted(began), admitted(began.Add(2*test.returns)); first != test.want || then != test.want {
			t.Errorf("%s: %d and then %d were let through, want %d", test.route, first, then, test.want)
		}
		if other := "GET " + branchPath; l.admit(LimitsWindow, other, began.Add(2*test.returns)) != nil {
			t.Errorf("%s: it is in the way of %s", test.route, other)
		}
	}
}
