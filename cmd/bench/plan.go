package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const manyBranches = 1000

// branchWorld is a project with many branches that are in the state of a workspace,
// beside a workspace with as many resources of the empty provider.
type branchWorld struct {
	platform    *platform
	neon, empty *workspace
}

// manyBranchesWorld is made once for all benchmarks that plan over it.
func (b *bench) manyBranchesWorld(ctx context.Context) (*branchWorld, error) {
	if b.branches != nil {
		return b.branches, nil
	}
	p, err := startPlatform(emulator.Config{})
	if err != nil {
		return nil, err
	}
	b.cleanup = append(b.cleanup, p.close)
	project, err := p.makeProjects(ctx, 1, manyBranches, 1)
	if err != nil {
		return nil, err
	}
	world := &branchWorld{platform: p}
	config := fmt.Sprintf("resource \"neon_branch\" \"b\" {\n  count      = %d\n  project_id = %q\n"+
		"  name       = \"branch-${count.index + 1}\"\n  endpoints  = { primary = { type = \"read_write\" } }\n}\n",
		manyBranches, project.Project.ID)
	if world.neon, err = b.newWorkspace(neon, config, p.variables()); err != nil {
		return nil, err
	}
	var blocks strings.Builder
	for i, id := range project.BranchIDs {
		fmt.Fprintf(&blocks, "import {\n  to = neon_branch.b[%d]\n  id = \"%s/%s\"\n}\n", i, project.Project.ID, id)
	}
	if err := world.neon.importAll(ctx, blocks.String()); err != nil {
		return nil, err
	}
	config = fmt.Sprintf("resource \"empty_thing\" \"t\" {\n  count = %d\n  name  = \"thing-${count.index + 1}\"\n}\n", manyBranches)
	if world.empty, err = b.newWorkspace(empty, config, nil); err != nil {
		return nil, err
	}
	if err := world.empty.run(ctx, "apply", "-auto-approve"); err != nil {
		return nil, err
	}
	b.branches = world
	return world, nil
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
