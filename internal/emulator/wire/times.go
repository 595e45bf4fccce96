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

// TimeForm is what a time in a request must look like. The year 1 is refused, as Go's zero time, which is in it, means
// that there is no time.
const TimeForm = "must be a date and time as in RFC 3339, after the year 1"

// ReadTime reads a time of a request, and reports whether it has TimeForm.
func ReadTime(text string) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil && at.Year() > 1
}

// Latest is the last of some times.
func Latest(all ...time.Time) time.Time { return slices.MaxFunc(all, time.Time.Compare) }
