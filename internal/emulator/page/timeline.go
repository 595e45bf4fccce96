package page

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
	// MostOperations is the most rows of a project's timeline.
	MostOperations = 40
	// timelineSpan is how far before its last row a timeline begins.
	timelineSpan = 30 * time.Second
	// timelineWidth is that of the drawing, in its own units.
	timelineWidth = 1000
)

// Work is what a project worked on: its last operations, the newest last, of which there is one at least.
type Work struct {
	ProjectID, Name string
	Operations      []Operation
}

// Operation is one of them.
type Operation struct {
	// Target says what it concerns, and Error why it failed, once it has.
	ID, Action, Target, Status, Error string
	IsScheduled                       bool
	CreatedAt, RunsAt, EndsAt         time.Time
	// WaitsFor are the actions that it has or had to wait for.
	WaitsFor []string
}

// Timeline is what a project worked on, and refused meanwhile.
type Timeline struct {
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
func (row timelineRow) Waited() int { return max(0, row.Runs-row.Waits) }

// Ran is the width of the bar of work, which is always to be seen.
func (row timelineRow) Ran() int { return max(6, row.Ends-row.Runs) }

// Timelines draw what the projects worked on, each the last activity, the newest first.
func (v View) Timelines() []Timeline {
	refused := map[string][]journal.Request{}
	for _, r := range slices.Backward(v.Requests) {
		if r.Status == http.StatusLocked {
			refused[r.ProjectID] = append(refused[r.ProjectID], r)
		}
	}
	var all []Timeline
	for _, work := range v.Work {
		all = append(all, work.timeline(v.Now, refused[work.ProjectID]))
	}
	return all
}

func (work Work) timeline(now time.Time, refused []journal.Request) Timeline {
	var rows []timelineRow
	for _, o := range work.Operations {
		rows = append(rows, o.row(now))
	}
	for _, r := range refused {
		rows = append(rows, refusalRow(r, work.Operations))
	}
	slices.SortStableFunc(rows, func(a, b timelineRow) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.ID, a.ID)) })
	rows = rows[:min(len(rows), MostOperations)]
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
	return Timeline{ProjectID: work.ProjectID, Name: work.Name, Rows: rows, Span: journal.InWords(span)}
}

func (row *timelineRow) place(begin time.Time, span time.Duration) {
	at := func(moment time.Time) int { return int(timelineWidth * moment.Sub(begin) / span) }
	row.Waits, row.Runs, row.Ends = at(row.at), at(row.runs), at(row.ends)
}

func latest(all ...time.Time) time.Time   { return slices.MaxFunc(all, time.Time.Compare) }
func earliest(all ...time.Time) time.Time { return slices.MinFunc(all, time.Time.Compare) }

func (o Operation) row(now time.Time) timelineRow {
	row := timelineRow{
		ID: "op-" + o.ID, What: o.Action + o.Target, Status: o.Status,
		at: o.CreatedAt, runs: earliest(latest(o.RunsAt, o.CreatedAt), now),
	}
	row.ends = latest(row.runs, earliest(o.EndsAt, now))
	row.Detail = "scheduled " + o.CreatedAt.Format("15:04:05.000")
	if waited := o.RunsAt.Sub(o.CreatedAt); waited > time.Millisecond {
		row.Detail += ", waits " + journal.InWords(row.runs.Sub(o.CreatedAt))
		if len(o.WaitsFor) > 0 {
			row.Detail += " for " + strings.Join(o.WaitsFor, " and ")
		}
	}
	if !o.IsScheduled {
		row.Detail += ", takes " + journal.InWords(row.ends.Sub(row.runs))
	}
	if o.Error != "" {
		row.Detail += ": " + o.Error
	}
	return row
}

// refusalRow is a request that other work was in the way of.
func refusalRow(r journal.Request, operations []Operation) timelineRow {
	row := timelineRow{
		ID: fmt.Sprintf("refused-%d", r.ID), What: r.Method + " " + r.Path, Status: r.Outcome(), Refused: true,
		Detail: "refused " + r.At.Format("15:04:05.000"), at: r.At, runs: r.At, ends: r.At,
	}
	var names []string
	for _, o := range operations {
		if !o.CreatedAt.After(r.At) && o.EndsAt.After(r.At) && !slices.Contains(names, o.Action) {
			names = append(names, o.Action)
		}
	}
	if len(names) > 0 {
		row.Detail += ": " + strings.Join(names, " and ") + " in the way"
	}
	return row
}
