package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// row is one line of the table: what is measured, what bounds it from below in the
// same run, and how far from that it may be.
type row struct {
	measured, bound string
	// most is the largest ratio of the two.
	most float64
	// mostRequests is the largest number of requests; 0 where any will do.
	mostRequests int
	// unit writes a value; as seconds where it is nil.
	unit func(float64) string

	result
}

// result is what came out for a row.
type result struct {
	value, boundValue, ratio float64
	requests                 int
}

// compare makes a result of what was measured and of its bound.
func compare(value, bound float64, requests int) result {
	return result{value: value, boundValue: bound, ratio: value / bound, requests: requests}
}

// comparePairs compares short measurements that were taken in turns. What slows the machine down
// for some seconds meets both of a pair, so that the median of their ratios is steadier than the
// ratio of the fastest.
func comparePairs(values, bounds []float64, requests int) result {
	ratios := make([]float64, len(values))
	for i := range values {
		ratios[i] = values[i] / bounds[i]
	}
	return result{value: median(values), boundValue: median(bounds), ratio: median(ratios), requests: requests}
}

// median is the middle one, or the mean of the two in the middle.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// takeTurns measures several things so many times each, in turns: what else the machine
// does meets all of them alike.
func takeTurns(times int, measures ...func() (float64, error)) ([][]float64, error) {
	values := make([][]float64, len(measures))
	for range times {
		for i, measure := range measures {
			value, err := measure()
			if err != nil {
				return nil, err
			}
			values[i] = append(values[i], value)
		}
	}
	return values, nil
}

// inSeconds writes short durations in milliseconds.
func inSeconds(seconds float64) string {
	if seconds < 1 {
		return fmt.Sprintf("%.0f ms", 1000*seconds)
	}
	return fmt.Sprintf("%.1f s", seconds)
}

func inMebibytes(bytes float64) string { return fmt.Sprintf("%.0f MiB", bytes/(1<<20)) }

func asShare(share float64) string { return fmt.Sprintf("%.2f", share) }

// missed tells in words what was missed, or is empty.
func (r row) missed() string {
	var missed []string
	if r.ratio > r.most {
		missed = append(missed, "ratio")
	}
	if r.mostRequests > 0 && r.requests > r.mostRequests {
		missed = append(missed, "requests")
	}
	return strings.Join(missed, " and ")
}

// cells are those of the row, each with its end.
func (r row) cells() string {
	unit, requests, verdict := r.unit, "", "met"
	if unit == nil {
		unit = inSeconds
	}
	if r.requests > 0 {
		requests = fmt.Sprint(r.requests)
	}
	if r.mostRequests > 0 {
		requests = fmt.Sprintf("%d of %d", r.requests, r.mostRequests)
	}
	if missed := r.missed(); missed != "" {
		verdict = "missed: " + missed
	}
	return fmt.Sprintf("| %s: %s\t %s: %s\t %.2f\t %.2f\t %s\t %s\t\n",
		r.measured, unit(r.value), r.bound, unit(r.boundValue), r.ratio, r.most, requests, verdict)
}

// writeTable writes the rows as a table of Markdown that is also one to look at on a
// terminal.
func writeTable(out io.Writer, rows []row) error {
	// With this flag the writer draws the bars between the cells.
	table := tabwriter.NewWriter(out, 0, 0, 1, ' ', tabwriter.Debug)
	text := "| measured\t bound\t ratio\t at most\t requests\t verdict\t\n" + "|---" + strings.Repeat("\t---", 5) + "\t\n"
	for _, r := range rows {
		text += r.cells()
	}
	if _, err := io.WriteString(table, text); err != nil {
		return err
	}
	return table.Flush()
}
