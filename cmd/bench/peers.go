package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/asneon"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// peer is a provider for Neon that others use.
var peer = provider{"neon", "kislerdm/neon", "peer/terraform-provider-neon"}

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
func (b *bench) comparePeer(ctx context.Context) error {
	program, err := filepath.Abs(b.peer)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(b.programOf(peer)), 0o750); err != nil {
		return err
	}
	if err := os.Symlink(program, b.programOf(peer)); err != nil {
		return err
	}
	b.print("| work | provider | time | CPU | requests | refused (429) | refused (423) |\n|---|---|---|---|---|---|---|\n")
	for _, work := range peerWorks {
		for i, of := range []provider{neon, peer} {
			w, err := b.newWorkspace(of, work.config, []string{branchesConfig, peerConfig}[i], work.count)
			if err != nil {
				return err
			}
			if of == peer {
				variables, end, err := asneon.Serve(ctx, w.folder, w.platform)
				if err != nil {
					return err
				}
				b.cleanup = append(b.cleanup, end)
				maps.Copy(w.variables, variables)
			}
			seen, err := w.observe(ctx, func() error { return w.apply(ctx, work.parallelism) })
			if work.isPlan && err == nil {
				seen, err = w.observePlan(ctx)
			}
			if err != nil {
				return err
			}
			b.print("| %s | %s | %s | %s | %d | %d | %d |\n", work.name, of.source, inSeconds(seen.seconds), inSeconds(seen.cpu),
				seen.Total, seen.ByStatus["429"], seen.ByStatus["423"])
		}
	}
	return nil
}
