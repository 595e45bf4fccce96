package emulator

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// States of an anonymized branch.
const (
	unprepared    = "created"
	initialized   = "initialized"
	anonymizing   = "anonymizing"
	anonymized    = "anonymized"
	maskingFailed = "error"
	notPrepared   = "initialization_error"
)

// runMasking begins an anonymization.
func (e *Emulator) runMasking(c *call, b *branch) {
	run := &maskingRun{BeginsAt: c.now, Takes: e.config.OperationDuration, By: c.key.UserID, Rules: b.Masking.Rules}
	if e.plays(doubts.AnonymizeBegins, "late") {
		run.BeginsAt = c.now.Add(run.Takes)
	}
	if end := e.takeEnding("anonymize"); end != nil && end.Status == failed {
		run.Failure = cmp.Or(end.Error, "anonymization failed")
	}
	m := b.Masking
	m.Run, m.Before, m.UpdatedAt = run, m.Run, c.now
	run.Working = e.databases != nil && run.Failure == ""
	e.resumeMasking(c.project, b)
}

// resumeMasking masks data as the run that isn't over wants it, where there is one.
func (e *Emulator) resumeMasking(p *project, b *branch) {
	if b.Masking == nil || b.Masking.Run == nil || !b.Masking.Run.Working || e.databases == nil {
		return
	}
	run := b.Masking.Run
	e.databases.Go(func(ctx context.Context) {
		err := e.awaitMasking(ctx, p, b, run)
		if err == nil {
			err = e.mask(ctx, p, b, run.Rules)
		}
		if ctx.Err() != nil {
			return // The next run of the emulator goes on.
		}
		e.mu.Lock()
		begins, _ := b.Masking.begins(p, b, run)
		run.Working, run.EndsAt = false, wire.Latest(begins.Add(run.Takes), e.now())
		if err != nil {
			run.Failure = err.Error()
		}
		version := e.changedIn(p, b.ID)
		e.mu.Unlock()
		_ = e.keep(version) // Should it be lost, the next start does it again.
	})
}

// awaitMasking returns once a run can mask data.
func (e *Emulator) awaitMasking(ctx context.Context, p *project, b *branch, run *maskingRun) error {
	for {
		e.mu.Lock()
		now := e.now()
		isGone := p.Branches[b.ID] != b || b.Masking.state(p, b, now) == notPrepared
		begins, _ := b.Masking.begins(p, b, run)
		e.mu.Unlock()
		switch {
		case isGone:
			return data.ErrBranchDeleted
		case !now.Before(begins):
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(readyInterval):
		}
	}
}

// mask masks the branch's data, one database after another.
func (e *Emulator) mask(ctx context.Context, p *project, b *branch, rules []maskingRule) error {
	byDatabase := map[string][]postgres.MaskedColumn{}
	for _, r := range rules {
		byDatabase[r.Database] = append(byDatabase[r.Database],
			postgres.MaskedColumn{Schema: r.Schema, Table: r.Table, Column: r.Column, Expression: cmp.Or(r.Function, r.Value)})
	}
	for name, columns := range byDatabase {
		e.mu.Lock()
		d, wanted := b.database(name), e.wanted(p, b, name)
		e.mu.Unlock()
		if d == nil {
			return fmt.Errorf("masking rule for %s.%s: database %q does not exist", name, columns[0].At(), name)
		}
		place, err := e.databases.Place(ctx, b.ID, wanted)
		if err != nil {
			return err
		}
		err = place.Cluster.Mask(ctx, d.OwnerName, name, columns)
		place.Touched.Store(true)
		place.Release()
		if err != nil {
			return fmt.Errorf("masking rule for %s.%s", name, err.Error())
		}
	}
	return e.databases.Keep()
}

// prepared is when the branch and its compute are there, and whether that has failed: then it is when
// it failed.
func (m *masking) prepared(p *project, b *branch) (at time.Time, failed bool) {
	seen := map[string]bool{}
	for _, o := range p.Operations {
		if o.BranchID != b.ID || o.CreatedAt.Sub(m.CreatedAt) > time.Second || seen[o.Action] ||
			o.Action != "create_branch" && o.Action != startCompute {
			continue
		}
		seen[o.Action] = true
		ends, effect := o.settled()
		if !effect && ends.Before(never) {
			return ends, true
		}
		at = wire.Latest(at, ends)
	}
	return at, false
}

// begins is when a run shows, and ends when it is over.
func (m *masking) begins(p *project, b *branch, run *maskingRun) (begins, ends time.Time) {
	at, failed := m.prepared(p, b)
	if failed {
		return never, never
	}
	begins = wire.Latest(run.BeginsAt, at)
	switch {
	case run.Working:
		return begins, never
	case !run.EndsAt.IsZero():
		return begins, run.EndsAt
	case begins.Before(never):
		return begins, begins.Add(run.Takes)
	}
	return never, never
}

// shown is the run that shows: the last one that has begun.
func (m *masking) shown(p *project, b *branch, now time.Time) *maskingRun {
	return find([]*maskingRun{m.Run, m.Before}, func(run *maskingRun) bool {
		if run == nil {
			return false
		}
		begins, _ := m.begins(p, b, run)
		return !now.Before(begins)
	})
}

// state is that of the branch's anonymization, empty for a branch that isn't an anonymized one.
func (m *masking) state(p *project, b *branch, now time.Time) string {
	if m == nil {
		return ""
	}
	at, failed := m.prepared(p, b)
	run := m.shown(p, b, now)
	switch {
	case now.Before(at):
		return unprepared
	case failed:
		return notPrepared
	case run == nil:
		return initialized
	}
	_, ends := m.begins(p, b, run)
	switch {
	case now.Before(ends):
		return anonymizing
	case run.Failure != "":
		return maskingFailed
	}
	return anonymized
}

// columns is how many the last run masks.
func (m *masking) columns() int {
	if m == nil || m.Run == nil {
		return 0
	}
	return len(m.Run.Rules)
}

func (e *Emulator) maskingView(c *call) object {
	p, b, m := c.project, c.branch, c.branch.Masking
	state := m.state(p, b, c.now)
	view := object{
		"project_id": p.ID, "branch_id": b.ID, "state": state, "created_at": wire.Seconds(m.CreatedAt),
		"updated_at": wire.Seconds(m.UpdatedAt),
	}
	run := m.shown(p, b, c.now)
	if run == nil {
		return view
	}
	begins, ends := m.begins(p, b, run)
	last := object{"started_at": precisely(begins), "triggered_by": run.By, "masked_columns": len(run.Rules)}
	view["last_run"] = last
	if by := e.world.Users[run.By]; by != nil {
		last["triggered_by_username"] = by.Email
	}
	switch state {
	case anonymizing:
		view["status_message"] = "Anonymizing tables"
	case maskingFailed:
		view["status_message"], view["failed_at"] = run.Failure, precisely(ends)
	case anonymized:
		view["status_message"], last["completed_at"] = run.success(), precisely(ends)
	}
	return view
}

// precisely is a time with all its digits, which tells one run from the next.
func precisely(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func (run *maskingRun) success() string {
	var tables []string
	for _, r := range run.Rules {
		tables = append(tables, strings.Join([]string{r.Database, r.Schema, r.Table}, "."))
	}
	slices.Sort(tables)
	return fmt.Sprintf("Anonymization completed successfully (%d tables, %d masking rules applied)",
		len(slices.Compact(tables)), len(run.Rules))
}
