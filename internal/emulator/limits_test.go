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
