package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const manyBranches = 1000

// branchWorld is projects with many branches that are in the state of a workspace, beside
// a workspace with as many resources of the empty provider.
type branchWorld struct {
	platform    *platform
	neon, empty *workspace
}

// manyBranchesWorld is made once for all benchmarks that plan over it.
func (b *bench) manyBranchesWorld(ctx context.Context) (*branchWorld, error) {
	if b.branches != nil {
		return b.branches, nil
	}
	world, err := b.branchWorldOf(ctx, 1, manyBranches)
	b.branches = world
	return world, err
}

// branchWorldOf makes so many projects with so many branches each.
func (b *bench) branchWorldOf(ctx context.Context, projects, branches int) (*branchWorld, error) {
	p, err := startPlatform(emulator.Config{})
	if err != nil {
		return nil, err
	}
	b.cleanup = append(b.cleanup, p.close)
	made, err := p.makeProjects(ctx, projects, branches, 1)
	if err != nil {
		return nil, err
	}
	world := &branchWorld{platform: p}
	var config, imports strings.Builder
	for i, projectID := range made.ProjectIDs {
		fmt.Fprintf(&config, "resource \"neon_branch\" \"b%d\" {\n  count      = %d\n  project_id = %q\n"+
			"  name       = \"branch-${count.index + 1}\"\n  endpoints  = { primary = { type = \"read_write\" } }\n}\n", i, branches, projectID)
		for j, id := range made.BranchIDs[i*branches : (i+1)*branches] {
			fmt.Fprintf(&imports, "import {\n  to = neon_branch.b%d[%d]\n  id = \"%s/%s\"\n}\n", i, j, projectID, id)
		}
	}
	if world.neon, err = b.newWorkspace(neon, config.String(), p.variables()); err != nil {
		return nil, err
	}
	if err := world.neon.importAll(ctx, imports.String()); err != nil {
		return nil, err
	}
	things := fmt.Sprintf("resource \"empty_thing\" \"t\" {\n  count = %d\n  name  = \"thing-${count.index + 1}\"\n}\n", projects*branches)
	if world.empty, err = b.newWorkspace(empty, things, nil); err != nil {
		return nil, err
	}
	return world, world.empty.run(ctx, "apply", "-auto-approve")
}

// planBenchmark plans over many branches.
func planBenchmark() benchmark {
	return benchmark{
		rows: []row{
			{
				measured: "plan over 1,000 branches with an endpoint each", bound: "with -refresh=false",
				most: 1.4, mostRequests: 14,
			},
			{
				measured: "the same plan over 1,000 branches", bound: "over 1,000 resources of an empty provider",
				most: 2.6,
			},
			{
				measured: "for comparison: with a provider that has the same schema and does nothing",
				bound:    "over 1,000 resources of an empty provider",
			},
		},
		measure: func(ctx context.Context, b *bench) ([]result, error) {
			world, err := b.manyBranchesWorld(ctx)
			if err != nil {
				return nil, err
			}
			plans, err := b.comparePlans(ctx, world.platform, world.neon, world.empty, b.options.runs)
			if err != nil {
				return nil, err
			}
			return []result{
				compare(fastest(plans.full), fastest(plans.withoutRefresh), plans.requests),
				compare(fastest(plans.full), fastest(plans.empty), 0),
				compare(fastest(plans.idle), fastest(plans.empty), 0),
			}, nil
		},
	}
}

// plans are how long several plans took, and the most requests that one made.
type plans struct {
	full, withoutRefresh, empty, idle []seconds
	requests                          int
}

// comparePlans takes turns, so that what else the machine does meets all alike.
func (b *bench) comparePlans(ctx context.Context, p *platform, full, bound *workspace, runs int) (plans, error) {
	var taken plans
	for range runs {
		requests, err := p.counted(ctx, func() error { return full.planInto(ctx, &taken.full) })
		if err != nil {
			return taken, err
		}
		taken.requests = max(taken.requests, requests)
		if err := full.planInto(ctx, &taken.withoutRefresh, "-refresh=false"); err != nil {
			return taken, err
		}
		if bound == nil {
			continue
		}
		if err := bound.planInto(ctx, &taken.empty); err != nil {
			return taken, err
		}
		if err := full.with("TF_CLI_CONFIG_FILE", b.idleOverride()).planInto(ctx, &taken.idle); err != nil {
			return taken, err
		}
	}
	return taken, nil
}
