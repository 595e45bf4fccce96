package main

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// met is the verdict on a row within its bounds.
const met = "met"

// measure measures what a row shows.
type measure func(context.Context, *bench) result

// row is a line of the table.
type row struct {
	name    string
	measure measure
	// bound is what it is compared with, and most the largest ratio; empty and 0 where only requests are counted.
	bound string
	most  float64
	// mostRequests is the largest number of requests; 0 where they aren't limited.
	mostRequests int
	// unit writes a value; the default is seconds.
	unit func(float64) string

	result
}

// result is what was measured for a row.
type result struct {
	value, boundValue float64
	observed
}

// measureIn has the row's result from a measuring, or what ended that.
func (r *row) measureIn(ctx context.Context, b *bench) (err error) {
	defer caught(&err)
	r.result = r.measure(ctx, b)
	return nil
}

func (r result) ratio() float64 { return r.value / r.boundValue }

// verdict says what was missed.
func (r row) verdict() string {
	var missed []string
	if r.most > 0 && r.ratio() > r.most {
		missed = append(missed, "ratio")
	}
	if r.mostRequests > 0 && r.Total > r.mostRequests {
		missed = append(missed, "requests")
	}
	if len(missed) == 0 {
		return met
	}
	return "**missed**: " + strings.Join(missed, " and ")
}

// String is the row as a line of Markdown.
func (r row) String() string {
	unit, bound, ratio, requests := r.unit, "", "", ""
	if unit == nil {
		unit = inSeconds
	}
	if r.most > 0 {
		bound, ratio = r.bound+": "+unit(r.boundValue), fmt.Sprintf("%.2f of %.2f", r.ratio(), r.most)
	}
	if r.Total > 0 {
		requests = fmt.Sprint(r.Total)
	}
	if r.mostRequests > 0 {
		requests += fmt.Sprintf(" of %d", r.mostRequests)
	}
	return fmt.Sprintf("| %s: %s | %s | %s | %s | %s |", r.name, unit(r.value), bound, ratio, requests, r.verdict())
}

// compare measures ours and another so many times each, in turns, and has the least of each, since whatever else the
// machine does only adds to them, and the most requests of ours.
func compare(times int, ours, other measure) measure {
	return func(ctx context.Context, b *bench) result {
		r := result{value: math.Inf(1), boundValue: math.Inf(1)}
		for range times {
			own := ours(ctx, b)
			r.value, r.boundValue = min(r.value, own.value), min(r.boundValue, other(ctx, b).value)
			if own.Total > r.Total {
				r.observed = own.observed
			}
		}
		return r
	}
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

func inCPUSeconds(seconds float64) string { return inSeconds(seconds) + " CPU" }
