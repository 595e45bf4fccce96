package main

import (
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

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
	{name: "the same plan of 1,000 branches, stopped for four fifths of the time", measure: measureSlowPlan,
		mostRequests: 12},
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
