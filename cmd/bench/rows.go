package main

import (
	"context"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// benchmark measures one or more rows.
type benchmark struct {
	measure func(context.Context, *bench) ([]result, error)
	rows    []row
}

// benchmarks are all of them, in the order of the table.
var benchmarks = []benchmark{
	{measurePlans, []row{
		{measured: "plan over 1,000 branches with an endpoint each", bound: "with -refresh=false", most: 1.4, mostRequests: 14},
		{measured: "the same plan over 1,000 branches", bound: "over 1,000 resources of an empty provider", most: 2.6},
	}},
	{measureKeys, []row{
		{measured: "plan over 200 organization keys", bound: "with -refresh=false", most: 1.25, mostRequests: 3},
	}},
	{measureCreation(fortyBranches, emulator.Config{OperationDuration: serialOperation}), []row{{
		measured: "create 40 branches with an endpoint, the project refuses overlapping work",
		bound:    "the sum of their operations", most: 1.15,
	}}},
	{measureCreation(fortyBranches, emulator.Config{OperationDuration: parallelOperation, Conflicts: emulator.ConflictsNone}), []row{{
		measured: "create 40 branches with an endpoint, nothing is refused",
		bound:    "the longest chain of operations of one", most: 2,
	}}},
	{measureBesideOther, []row{{
		measured: "create 40 branches while another client holds the project's lock half of the time",
		bound:    "the sum of both clients' operations", most: 1.25,
	}}},
	{measureCreation(rolesAndDatabases, emulator.Config{OperationDuration: serialOperation}), []row{{
		measured: "create 15 roles and a database for each, the project refuses overlapping work",
		bound:    "the sum of their operations", most: 1.15,
	}}},
	{measureLimits, []row{{
		measured: "create 100 branches with an endpoint, 700 requests a minute",
		bound:    "the same without limits", most: 1.3, mostRequests: 180,
	}, {
		measured: "create 100 branches with an endpoint, 11 requests a second after 40",
		bound:    "that pace, and the operations of one", most: 1.1,
	}}},
	{measureNoticing, []row{{
		measured: "time between an operation's end and our noticing it",
		bound:    "the operation's duration", most: 0.15, mostRequests: 8, unit: asShare,
	}, {
		// A median says nothing of one slow step among many.
		measured: "the longest time between an operation's end and our noticing it",
		bound:    "that operation's duration", most: 0.3, unit: asShare,
	}}},
	{measureStart, []row{
		{measured: "provider start, until the schema is answered", bound: "an empty provider", most: 1.3},
	}},
	{measureMemory, []row{{
		measured: "peak memory of the provider in the 1,000-branch plan",
		bound:    "of an empty provider", most: 1, unit: inMebibytes,
	}}},
	{measureSQL, []row{
		{measured: "1,000 queries over HTTP to the emulator", bound: "by pgx", most: 6},
		{measured: "1,000 queries over one WebSocket", bound: "by pgx", most: 6},
		{measured: "memory in use after 10,000 queries over HTTP", bound: "after 1,000", most: 1.25, unit: inMebibytes},
	}},
}
