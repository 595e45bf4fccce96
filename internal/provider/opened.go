package provider

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// openedObjects are what ephemeral resources have open on Neon, each with what closes it.
// Terraform closes them itself, unless the run is interrupted or fails.
type openedObjects struct {
	mu     sync.Mutex
	closes map[string]closeObject
}

// closeObject closes an object, and says what may be left of it.
type closeObject func(ctx context.Context, diags *diag.Diagnostics)

// add notes that an object is open.
func (o *openedObjects) add(id string, closes closeObject) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closes == nil {
		o.closes = map[string]closeObject{}
	}
	o.closes[id] = closes
}

// remove notes that an object is closed.
func (o *openedObjects) remove(id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.closes, id)
}

func (o *openedObjects) take() map[string]closeObject {
	o.mu.Lock()
	defer o.mu.Unlock()
	taken := o.closes
	o.closes = nil
	return taken
}

// closeAll closes what is open, as soon as it can be, and returns what may be left.
func (o *openedObjects) closeAll(ctx context.Context) []string {
	interrupted, cancel := context.WithCancel(ctx)
	cancel()
	taken := o.take()
	failures := make(chan string, len(taken))
	var closing sync.WaitGroup
	for _, closes := range taken {
		closing.Go(func() {
			var diags diag.Diagnostics
			closes(interrupted, &diags)
			for _, problem := range diags {
				failures <- problem.Summary() + ": " + problem.Detail()
			}
		})
	}
	closing.Wait()
	close(failures)
	var texts []string
	for text := range failures {
		texts = append(texts, text)
	}
	return texts
}
