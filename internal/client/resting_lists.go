package client

import (
	"context"
	"time"
)

// pagesPerRead is how many pages each read of a list earns it.
const pagesPerRead = 3

// allowance is how far a list is read: each page costs a request, and reads that come earn it some. A plan over all of
// ten thousand branches then takes hardly more than their hundred pages, and one over five of them a few.
//
//   - A list begins with more reads than are sent individually. Where there was one before, what that took will be
//     taken again: it begins with the reads that earn so many pages.
//   - With what is spent, it rests. The next read wakes it, and earns it as many pages as it has.
//   - Soon after it began to rest, one of those who wait is read individually, which makes place for another read where
//     a plan has more.
//   - When none has come, all are, and it goes on with twice as many reads.
type allowance struct {
	// reads is how many have come, and begins with how many the list begins, or goes on.
	reads, begins int
	// pages is how many were fetched, and earned how many may be.
	pages, earned int
}

func newAllowance(few int, earlier allowance) allowance {
	return allowance{begins: max(few, earlier.pages/pagesPerRead) + 1}
}

// earn counts a read.
func (a *allowance) earn(wakes bool) {
	a.reads++
	a.earned = max(a.earned, pagesPerRead*a.reads)
	if wakes {
		a.earned = max(a.earned, 2*a.pages)
	}
}

// isGathering reports whether a list waits until more reads have come.
func (a *allowance) isGathering() bool { return a.reads < a.begins }

// isSpent reports whether a list is to rest.
func (a *allowance) isSpent() bool { return a.pages >= a.earned }

// rest waits until a list is woken, or given up.
func (r *sharedReads) rest(ctx context.Context, shared *sharedList, woken chan struct{}) {
	for _, pause := range []time.Duration{gatherFor, closeTogether} {
		if awaitInSteps(ctx, pause, woken) == nil || ctx.Err() != nil {
			return
		}
		r.release(shared, pause == closeTogether)
	}
}

// awaitInSteps is await for so long at most. Each step counts as one however long it took: a machine that is busy with
// other work stops those who would come as well.
func awaitInSteps(ctx context.Context, pause time.Duration, done chan struct{}) (err error) {
	const steps = 5
	for range steps {
		step, cancel := context.WithTimeout(ctx, pause/steps)
		err = await(step, done)
		cancel()
		if err == nil || ctx.Err() != nil {
			break
		}
	}
	return err
}

// release has one of those who wait for a list that rests read individually; or all of them, which gives the list up.
func (r *sharedReads) release(shared *sharedList, all bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if shared.woken == nil {
		return
	}
	if all {
		shared.woken, shared.begins, shared.open = nil, 2*shared.reads, time.Now().Add(closeTogether)
	}
	for reader := range shared.waiting {
		close(reader.over)
		delete(shared.waiting, reader)
		if !all {
			return
		}
	}
}
