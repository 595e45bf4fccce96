package emulator

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// What is done where a call asks for data of the past (Config.Past).
const (
	// PastRefused refuses a moment since which the data has changed.
	PastRefused = "refuse"
	// PastPresent takes the present data for that of any moment.
	PastPresent = "present"
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
	changed := e.databases.changedAt(b.ID)
	if b.LastResetAt.After(changed) { // What it was restored from may have no data to remember that by.
		changed = b.LastResetAt
	}
	if changed.After(moment) {
		return wire.Unprocessable("the emulator keeps no history, and the data of branch %q has changed since then, the last time at %s;"+
			" start it with -past present to get the present data for any moment", b.Name, changed.Format(time.RFC3339))
	}
	return nil
}

// momentOf is when a position in a log was the present one, if it is one that answers have had.
func momentOf(lsn string) time.Time {
	var high, low uint64
	if n, err := fmt.Sscanf(lsn, "%X/%X", &high, &low); n != 2 || err != nil {
		return time.Time{}
	}
	return time.UnixMilli(int64((high<<32 + low) >> 3))
}

// changedAt is when a branch's data was first seen as it is; zero for data that has never changed.
func (d *databases) changedAt(branchID string) time.Time {
	if s := d.current(branchID); s != nil {
		return s.changedAt()
	}
	return time.Time{}
}

// current is the store of a branch, nil for none.
func (d *databases) current(branchID string) *store {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stores[branchID]
}

func (s *store) changedAt() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// note notes what the data is at a time.
func (s *store) note(snapshot string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.snapshot != "" && s.snapshot != snapshot {
		s.changed = now
	}
	s.snapshot = snapshot
}

// look looks whether data has changed that statements have touched since the last time.
func (e *Emulator) look(ctx context.Context) {
	d := e.databases
	d.looking.Lock()
	defer d.looking.Unlock()
	d.mu.Lock()
	stores := slices.Collect(maps.Values(d.stores))
	d.mu.Unlock()
	var looking sync.WaitGroup
	for _, s := range stores {
		if s.cluster.ready() && s.touched.Swap(false) {
			looking.Go(func() {
				snapshot, err := s.cluster.value.Snapshot(ctx)
				if err != nil {
					snapshot = "unknown" // It counts as changed.
				}
				s.note(snapshot, e.worldTime())
			})
		}
	}
	looking.Wait()
}

// lookFirst looks before a request that may be about the past.
func (e *Emulator) lookFirst(r *http.Request, body []byte) {
	if e.databases == nil || e.config.Past == PastPresent {
		return
	}
	for _, text := range []string{r.URL.RawQuery, string(body)} {
		if strings.Contains(text, "timestamp") || strings.Contains(text, "lsn") {
			e.look(r.Context())
			return
		}
	}
}
