package kit

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Opened are what ephemeral resources have open on Neon, each with what closes it.
// Terraform closes them itself, unless the run is interrupted or fails.
type Opened struct {
	mu     sync.Mutex
	closes map[string]closeFunc
	// closing is held while all are being closed, for which whoever ends the program waits.
	closing sync.Mutex
}

// closeFunc closes an object, and says what may be left of it.
type closeFunc func(ctx context.Context, diags *diag.Diagnostics)

// Add notes that an object is open.
func (o *Opened) Add(id string, closes closeFunc) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closes == nil {
		o.closes = map[string]closeFunc{}
	}
	o.closes[id] = closes
}

// Remove notes that an object is closed.
func (o *Opened) Remove(id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.closes, id)
}

// CloseAll closes what is open, as soon as it can be, and returns what may be left.
func (o *Opened) CloseAll(ctx context.Context) []string {
	o.closing.Lock()
	defer o.closing.Unlock()
	interrupted, cancel := context.WithCancel(ctx)
	cancel()
	o.mu.Lock()
	taken := o.closes
	o.closes = nil
	o.mu.Unlock()
	said := make(chan diag.Diagnostics, len(taken))
	var closing sync.WaitGroup
	for _, closes := range taken {
		closing.Go(func() {
			var diags diag.Diagnostics
			closes(interrupted, &diags)
			said <- diags
		})
	}
	closing.Wait()
	close(said)
	var texts []string
	for diags := range said {
		for _, problem := range diags {
			texts = append(texts, problem.Summary()+": "+problem.Detail())
		}
	}
	return texts
}
