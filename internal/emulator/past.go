package emulator

import (
	"net/http"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// checkPast refuses a moment in a branch's history since which its data has changed: no history is
// kept. Without a moment, and without real databases, there is nothing to refuse.
func (e *Emulator) checkPast(b *branch, lsn string, at *time.Time) error {
	if e.databases == nil || e.config.Past == PastPresent || lsn == "" && (at == nil || at.IsZero()) {
		return nil
	}
	moment := momentOf(lsn)
	if lsn == "" {
		moment = *at
	}
	// What it was restored from may have no data to remember its changes by.
	changed := wire.Latest(e.databases.ChangedAt(b.ID), b.LastResetAt)
	if changed.After(moment) {
		return wire.Unprocessable("the emulator keeps no history, and the data of branch %q has changed since then, the "+
			"last time at %s; start it with -past present to get the present data for any moment", b.Name,
			changed.Format(time.RFC3339))
	}
	return nil
}

// momentOf is when a position in a log was the present one, if it is one that answers have had.
func momentOf(lsn string) time.Time {
	return time.UnixMilli(int64(positionOf(lsn) >> 3))
}

// lookFirst looks before a request that may be about the past.
func (e *Emulator) lookFirst(r *http.Request, body []byte) {
	if e.databases == nil || e.config.Past == PastPresent {
		return
	}
	for _, text := range []string{r.URL.RawQuery, string(body)} {
		if strings.Contains(text, "timestamp") || strings.Contains(text, "lsn") {
			e.databases.Look(r.Context())
			return
		}
	}
}
