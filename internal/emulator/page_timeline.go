package emulator

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/journal"
)

const (
	// timelineLength is the most rows of a project's timeline.
	timelineLength = 40
	// timelineSpan is how far before its last row a timeline begins.
	timelineSpan = 30 * time.Second
	// timelineWidth is that of the drawing, in its own units.
	timelineWidth = 1000
)

// timeline is what a project worked on, and refused meanwhile.
type timeline struct {
	ProjectID, Name string
	Rows            []timelineRow
	// Span is how long the drawing lasts.
	Span string
}

// timelineRow is an operation or a refusal.
type timelineRow struct {
	ID, What, Status, Detail string
	Refused                  bool
	// Waits, Runs and Ends are where the bars begin and end.
	Waits, Runs, Ends int

	at, runs, ends time.Time
}

// Waited is the width of the bar of waiting.
func (r timelineRow) Waited() int { return max(0, r.Runs-r.Waits) }

// Ran is the width of the bar of work, which is always to be seen.
func (r timelineRow) Ran() int { return max(6, r.Ends-r.Runs) }

func (e *Emulator) timelines(now time.Time) []timeline {
	refused := map[string][]journal.Request{}
	for _, r := range e.journal.Since(time.Time{}) {
		if r.Status == http.StatusLocked {
			refused[r.ProjectID] = append(refused[r.ProjectID], r)
		}
	}
	var all []timeline
	for _, p := range sorted(e.world.Projects, func(p *project) (time.Time, string) { return p.CreatedAt, p.ID }) {
		if len(all) < shownProjects && len(p.Operations) > 0 {
			all = append(all, p.timeline(now, refused[p.ID]))
		}
	}
	return all
}

// timeline draws the last activity of a project, the newest first.
func (p *project) timeline(now time.Time, refused []journal.Request) timeline {
	operations := p.retained(now)
	operations = operations[max(0, len(operations)-timelineLength):]
	var rows []timelineRow
	for i, o := range operations {
		rows = append(rows, p.operationRow(o, operations[:i], now))
	}
	for _, r := range refused {
		rows = append(rows, refusalRow(r, operations))
	}
	slices.SortStableFunc(rows, func(a, b timelineRow) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.ID, a.ID)) })
	rows = rows[:min(len(rows), timelineLength)]
	end := rows[0].ends
	for i, row := range rows {
		if row.at.Before(rows[0].at.Add(-timelineSpan)) {
			rows = rows[:i]
			break
		}
		end = latest(end, row.ends)
	}
	begin := rows[len(rows)-1].at
	span := max(end.Sub(begin), time.Second)
	for i := range rows {
		rows[i].place(begin, span)
	}
	return timeline{ProjectID: p.ID, Name: p.Name, Rows: rows, Span: journal.InWords(span)}
}

func (r *timelineRow) place(begin time.Time, span time.Duration) {
	at := func(t time.Time) int { return int(timelineWidth * t.Sub(begin) / span) }
	r.Waits, r.Runs, r.Ends = at(r.at), at(r.runs), at(r.ends)
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// earliest is the first of two times.
func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func (p *project) operationRow(o *operation, before []*operation, now time.Time) timelineRow {
	row := timelineRow{
		ID: "op-" + o.ID, What: o.Action + p.target(o), Status: o.status(now),
		at: o.CreatedAt, runs: earliest(latest(o.RunsAt, o.CreatedAt), now),
	}
	ended, _ := o.settled()
	row.ends = latest(row.runs, earliest(ended, now))
	row.Detail = "scheduled " + o.CreatedAt.Format("15:04:05.000")
	if waited := o.RunsAt.Sub(o.CreatedAt); waited > time.Millisecond {
		row.Detail += fmt.Sprintf(", waits %s%s", journal.InWords(row.runs.Sub(o.CreatedAt)), p.waitedFor(o, before))
	}
	if row.Status != scheduling {
		row.Detail += ", takes " + journal.InWords(row.ends.Sub(row.runs))
	}
	if o.Error != "" && !now.Before(o.EndsAt) {
		row.Detail += ": " + o.Error
	}
	return row
}

// target names what an operation concerns.
func (p *project) target(o *operation) string {
	name := o.BranchID
	if b := p.Branches[o.BranchID]; b != nil {
		name = b.Name
	}
	if name == "" {
		return ""
	}
	if o.EndpointID != "" {
		name += ", " + o.EndpointID
	}
	return " of " + name
}

// waitedFor names the operations that one had to wait for.
func (p *project) waitedFor(o *operation, before []*operation) string {
	var names []string
	for _, earlier := range before {
		if ended, _ := earlier.settled(); o.waitsFor(earlier) && ended.After(o.CreatedAt) && !slices.Contains(names, earlier.Action) {
			names = append(names, earlier.Action)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " for " + strings.Join(names, " and ")
}

// refusalRow is a request that other work was in the way of.
func refusalRow(r journal.Request, operations []*operation) timelineRow {
	row := timelineRow{
		ID: fmt.Sprintf("refused-%d", r.ID), What: r.Method + " " + r.Path, Status: r.Outcome(), Refused: true,
		Detail: "refused " + r.At.Format("15:04:05.000"), at: r.At, runs: r.At, ends: r.At,
	}
	var names []string
	for _, o := range operations {
		if ended, _ := o.settled(); !o.CreatedAt.After(r.At) && ended.After(r.At) && !slices.Contains(names, o.Action) {
			names = append(names, o.Action)
		}
	}
	if len(names) > 0 {
		row.Detail += ": " + strings.Join(names, " and ") + " in the way"
	}
	return row
}
