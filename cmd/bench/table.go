package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// row is one line of the table: what is measured, what bounds it from below in the
// same run, and how far from that it may be.
type row struct {
	measured, bound string
	// most is the largest ratio of the two; 0 where any will do.
	most float64
	// mostRequests is the largest number of requests; 0 where any will do.
	mostRequests int
}

// result is what came out for a row.
type result struct {
	measured, bound fmt.Stringer
	ratio           float64
	requests        int
}

// outcome is a row with its result.
type outcome struct {
	row
	result
}

// missed tells in words what was missed, or is empty.
func (o outcome) missed() string {
	var missed []string
	if o.most > 0 && o.ratio > o.most {
		missed = append(missed, "ratio")
	}
	if o.mostRequests > 0 && o.requests > o.mostRequests {
		missed = append(missed, "requests")
	}
	return strings.Join(missed, " and ")
}

func (o outcome) cells() []string {
	requests, most, verdict := "", "", ""
	if o.most > 0 {
		most, verdict = fmt.Sprintf("%.2f", o.most), "met"
	}
	if o.requests > 0 || o.mostRequests > 0 {
		requests = fmt.Sprint(o.requests)
	}
	if o.mostRequests > 0 {
		requests += fmt.Sprintf(" of %d", o.mostRequests)
	}
	if missed := o.missed(); missed != "" {
		verdict = "missed: " + missed
	}
	return []string{
		fmt.Sprintf("%s: %s", o.row.measured, o.result.measured), fmt.Sprintf("%s: %s", o.row.bound, o.result.bound),
		fmt.Sprintf("%.2f", o.ratio), most, requests, verdict,
	}
}

// writeTable writes the outcomes as a table of Markdown that is also one to look at
// on a terminal.
func writeTable(out io.Writer, outcomes []outcome) error {
	lines := [][]string{{"measured", "bound", "ratio", "at most", "requests", "verdict"}}
	for _, o := range outcomes {
		lines = append(lines, o.cells())
	}
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	rule := make([]string, len(widths))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
	}
	for _, line := range slices.Insert(lines, 1, rule) {
		for i, cell := range line {
			line[i] = cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		}
		if _, err := fmt.Fprintf(out, "| %s |\n", strings.Join(line, " | ")); err != nil {
			return err
		}
	}
	return nil
}
