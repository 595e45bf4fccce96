package wire

import (
	"slices"
	"time"
)

// Seconds is a time as the control API writes it.
func Seconds(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// OptionalSeconds is the same for a field that is left out when it has no value.
func OptionalSeconds(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return Seconds(t)
}

// Milliseconds is a time as the claimable database API writes it.
func Milliseconds(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Latest is the last of some times.
func Latest(all ...time.Time) time.Time { return slices.MaxFunc(all, time.Time.Compare) }
