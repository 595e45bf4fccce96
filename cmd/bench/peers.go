package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/asneon"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// peer is a provider for Neon that others use.
var peer = provider{"neon", "kislerdm/neon", "peer/terraform-provider-neon", peerConfig}

// peerWorks is what both do, each on an emulator of its own.
var peerWorks = []struct {
	name               string
	count, parallelism int
	config             emulator.Config
	// isPlan is true where the plan is measured, once all has been created.
	isPlan bool
}{
	{"plan of 300 branches with an endpoint", 300, 20, instantly, true},
	{
		"create 100 branches with an endpoint, limits on", 100, 20,
		emulator.Config{Limits: emulator.LimitsWindow, Conflicts: emulator.ConflictsNone}, false,
	},
	{
		"create 10 branches with an endpoint, the project refuses overlapping work", 10, 10,
		emulator.Config{OperationDuration: time.Second, Limits: emulator.LimitsWindow}, false,
	},
}

// comparePeer prints what both providers need for the same work.
func (b *bench) comparePeer(ctx context.Context) {
	check(os.MkdirAll(filepath.Dir(b.programOf(peer)), 0o750))
	check(os.Symlink(must(filepath.Abs(b.peer)), b.programOf(peer)))
	fmt.Print("| work | provider | time | CPU | requests | refused (429) | refused (423) " +
		"|\n|---|---|---|---|---|---|---|\n")
	for _, both := range peerWorks {
		if !b.only.MatchString(both.name) {
			continue
		}
		for _, of := range []provider{neon, peer} {
			what := work{of, of.branches, both.count, 0, both.parallelism}
			w := b.newWorkspace(what, b.startPlatform(both.config))
			if of == peer {
				variables, end, err := asneon.Serve(ctx, w.folder, w.platform)
				check(err)
				b.cleanup = append(b.cleanup, end)
				maps.Copy(w.variables, variables)
			}
			seen := w.observe(ctx, func() { w.apply(ctx) })
			if both.isPlan {
				seen = w.measurePlan(ctx).observed
			}
			fmt.Printf("| %s | %s | %s | %s | %d | %d | %d |\n", both.name, of.source, inSeconds(seen.seconds),
				inSeconds(seen.cpu),
				seen.Total, seen.ByStatus["429"], seen.ByStatus["423"])
		}
	}
}
