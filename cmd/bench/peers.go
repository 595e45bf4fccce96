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

const peerConfig = `resource "neon_branch" "b" {
  count      = %[1]d
  project_id = %[2]q
  name       = "branch-${count.index + 1}"
}

resource "neon_endpoint" "e" {
  count      = %[1]d
  project_id = %[2]q
  branch_id  = neon_branch.b[count.index].id
  type       = "read_write"
}
`

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
		for _, of := range []provider{neon, peer} {
			p, err := b.startPlatform(work.config)
			if err != nil {
				return err
			}
			w, err := b.peerWorkspace(ctx, of, p, work.count)
			if err != nil {
				return err
			}
			do := func() error { return w.apply(ctx, work.parallelism) }
			if work.isPlan {
				err = do()
				do = func() error { return w.plan(ctx) }
			}
			if err != nil {
				return err
			}
			seen, err := p.observe(ctx, w, do)
			if err != nil {
				return err
			}
			b.print("| %s | %s | %s | %s | %d | %d | %d |\n", work.name, of.source, inSeconds(seen.seconds), inSeconds(seen.cpu),
				seen.Total, seen.ByStatus["429"], seen.ByStatus["423"])
		}
	}
	return nil
}

// peerWorkspace returns a workspace for so many branches with an endpoint.
func (b *bench) peerWorkspace(ctx context.Context, of provider, p *platform, count int) (*workspace, error) {
	if of != peer {
		return b.newWorkspace(of, p, branchesConfig, count)
	}
	folder, err := os.MkdirTemp(b.folder, "certificate-")
	if err != nil {
		return nil, err
	}
	variables, end, err := asneon.Serve(ctx, folder, p.emulator)
	if err != nil {
		return nil, err
	}
	b.cleanup = append(b.cleanup, end)
	w, err := b.newWorkspace(of, p, peerConfig, count)
	if err == nil {
		maps.Copy(w.variables, variables)
	}
	return w, err
}
