package data

import (
	"errors"
	"fmt"
	"time"
)

// Copy is what gives a branch or a snapshot the data of another as of now, in place of
// what it has.
type Copy struct {
	From, To string
	// Resets says that the branch had other data before, at a time.
	Resets time.Time `json:",omitzero"`
	// SchemaOnly leaves out the rows.
	SchemaOnly bool `json:",omitempty"`
}

// Copy begins copies for an operation, and returns what makes them one after the other; nil
// where there is nothing to copy and nothing that goes.
func (d *Databases) Copy(operationID string, copies []Copy) func() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	sources := make([]*store, len(copies))
	for i, c := range copies {
		sources[i] = d.usable(c.From) // Another of the copies may replace it.
	}
	var fills []func() error
	replaced := map[string]*store{}
	for i, c := range copies {
		if old := d.usable(c.To); old != nil {
			replaced[c.To] = old
		}
		delete(d.stores, c.To)
		if sources[i] == nil {
			continue
		}
		s := newStore(d.ctx, &d.tasks)
		s.filledBy, s.changed, d.stores[c.To] = operationID, c.Resets, s
		sources[i].copies.Add(1)
		fills = append(fills, func() error {
			defer sources[i].copies.Done()
			return s.fill(sources[i], c)
		})
	}
	if len(fills) == 0 && len(replaced) == 0 {
		return nil
	}
	return func() error {
		var err error
		for _, fill := range fills {
			err = errors.Join(err, fill())
		}
		if err != nil {
			err = fmt.Errorf("unable to copy the data of a branch: %w", err)
		}
		return d.replace(replaced, err)
	}
}

// replace removes what copies have replaced. Where these have failed, it is as it was.
func (d *Databases) replace(replaced map[string]*store, failure error) error {
	if failure == nil {
		failure = d.Keep()
	}
	for id, old := range replaced {
		switch {
		case d.ctx.Err() != nil:
			failure = errors.Join(failure, d.end(old))
		case failure == nil:
			failure = old.close()
		default:
			d.mu.Lock()
			d.stores[id] = old
			d.mu.Unlock()
		}
	}
	return failure
}

// usable is the store of a branch, nil where it has no data. The caller holds the lock.
func (d *Databases) usable(branchID string) *store {
	if s := d.stores[branchID]; s != nil && !s.cluster.failed() {
		return s
	}
	return nil
}

// FilledBy reports whether a branch or a snapshot has the data that an operation copied.
func (d *Databases) FilledBy(id, operationID string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.stores[id]
	return s != nil && s.filledBy == operationID
}
