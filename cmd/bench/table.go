package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
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

// rows are those of the table, in its order. CPU is that of terraform and of the provider that it starts: what else the
// machine does adds less to it than to the time on the clock.
var rows = []row{
	{
		name:    "plan of 1,000 branches with an endpoint each",
		measure: compare(3, planMany(thousandBranches), planMany(thousandBranches, "-refresh=false")),
		bound:   "with -refresh=false", most: 1.35, mostRequests: 12, unit: inCPUSeconds,
	}, {
		name: "the same plan of 1,000 branches", measure: compare(3, planMany(thousandBranches), planMany(thousandThings)),
		bound: "1,000 resources of an empty provider", most: 3, unit: inCPUSeconds,
	},
	{name: "the same plan of 1,000 branches, stopped for four fifths of the time", measure: planSlowly(thousandBranches),
		mostRequests: 12},
	{name: "plan of 200 data sources of one project and 200 of one connection URI, stopped for four fifths of the time",
		measure: planSlowly(sameQuestions), mostRequests: 6},
	{name: "plan of 3,000 branches with an endpoint each", measure: measureLargePlan(3000), mostRequests: 34,
		unit: inCPUSeconds},
	{name: "plan of 10,000 branches with an endpoint each", measure: measureLargePlan(10_000), mostRequests: 104,
		unit: inCPUSeconds},
	{name: "plan of 20 projects, each with a branch, a role and a database", measure: planMany(organization),
		mostRequests: 100, unit: inCPUSeconds},
	{
		name:    "peak memory of the provider in the plan of 1,000 branches",
		measure: compare(3, peak(thousandBranches), peak(thousandThings)),
		bound:   "an empty provider", most: 1, unit: inMebibytes,
	},
	{
		name: "provider start, until the schema is answered", measure: compare(10, start(neon), start(empty)),
		bound: "an empty provider", most: 2.5, unit: inCPUSeconds,
	},
	{
		name:  "create 10 branches with an endpoint in operations of a second, the project refuses overlapping work",
		bound: "the sum of their operations",
		most:  1.15, mostRequests: 75, measure: measureCreation(tenBranches, emulator.Config{OperationDuration: time.Second}),
	}, {
		name:  "create 40 branches with an endpoint, the project refuses overlapping work",
		bound: "the sum of their operations", most: 1.15,
		measure: measureCreation(fortyBranches, emulator.Config{OperationDuration: serialOperation}),
	}, {
		name: "create 40 branches with an endpoint, nothing is refused", bound: "the longest chain of operations of one",
		most: 2,
		measure: measureCreation(fortyBranches, emulator.Config{OperationDuration: parallelOperation,
			Conflicts: emulator.ConflictsNone}),
	}, {
		name:  "create 15 roles and a database for each, the project refuses overlapping work",
		bound: "the sum of their operations", most: 1.15,
		measure: measureCreation(rolesAndDatabases, emulator.Config{OperationDuration: serialOperation}),
	}, {
		name:    "create 60 projects with a branch each, 700 requests a minute",
		measure: measureLimits(sixtyProjects, emulator.Config{OperationDuration: parallelOperation}),
		bound:   "the same without limits", most: 1.15, mostRequests: 450,
	}, {
		name:    "create 100 branches with an endpoint, 700 requests a minute",
		measure: measureLimits(hundredBranches, emulator.Config{Conflicts: emulator.ConflictsNone}),
		bound:   "the same without limits", most: 1.3, mostRequests: 180,
	}, {
		name: "create 100 branches with an endpoint, 11 requests a second after 40", measure: measurePace,
		bound: "that pace, and the operations of one", most: 1.1,
	}, {
		name: "the longest of 12 times between an operation's end and our noticing it", measure: measureNoticing,
		bound: "that operation's duration", most: 0.3, mostRequests: 84, unit: asShare,
	},
}

// result is what was measured for a row.
type result struct {
	value, boundValue float64
	observed
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
