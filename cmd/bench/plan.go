package main

import (
	"context"
	"fmt"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const manyBranches = 1000

// branchWorld is projects with many branches that are in the state of a workspace, beside
// a workspace with as many resources of the empty provider.
type branchWorld struct {
	platform    *platform
	neon, empty *workspace
}

// manyBranchesWorld is made once for all benchmarks that plan over it. Terraform takes in one branch,
// and the state gets the rest by hand: Terraform writes all of its state for each object that it takes in.
func (b *bench) manyBranchesWorld(ctx context.Context) (*branchWorld, error) {
	if b.branches != nil {
		return b.branches, nil
	}
	p, err := startPlatform(emulator.Config{})
	if err != nil {
		return nil, err
	}
	b.cleanup = append(b.cleanup, p.close)
	made, err := p.makeProjects(ctx, 1, manyBranches, 1)
	if err != nil {
		return nil, err
	}
	world := &branchWorld{platform: p}
	if world.neon, err = b.branchesIn(ctx, p, made); err != nil {
		return nil, err
	}
	world.empty, err = b.things(ctx)
	b.branches = world
	return world, err
}

// branchesIn is a workspace that has the branches of a project.
func (b *bench) branchesIn(ctx context.Context, p *platform, made sizedProject) (*workspace, error) {
	config := countVariables(manyBranches) + fmt.Sprintf(countedBranches, "b", made.ProjectIDs[0])
	imports := fmt.Sprintf("import {\n  to = neon_branch.b[0]\n  id = \"%s/%s\"\n}\n", made.ProjectIDs[0], made.BranchIDs[0])
	w, err := b.newWorkspace(neon, config, p.variables())
	if err != nil {
		return nil, err
	}
	if err := w.importAll(ctx, imports, onlyFirst); err != nil {
		return nil, err
	}
	err = w.grow(manyBranches, func(_ string, nth int) []string {
		return []string{
			made.BranchIDs[0], made.BranchIDs[nth], made.EndpointIDs[0], made.EndpointIDs[nth],
			`"branch-1"`, fmt.Sprintf(`"branch-%d"`, nth+1),
		}
	})
	return w, err
}

// things is a workspace that has as many instances of a resource of the empty provider.
func (b *bench) things(ctx context.Context) (*workspace, error) {
	w, err := b.newWorkspace(empty, countVariables(manyBranches)+fmt.Sprintf(countedThings, "t"), nil)
	if err != nil {
		return nil, err
	}
	if err := w.run(ctx, "apply", "-auto-approve", onlyFirst); err != nil {
		return nil, err
	}
	err = w.grow(manyBranches, func(_ string, nth int) []string {
		return []string{`"thing-1"`, fmt.Sprintf(`"thing-%d"`, nth+1)}
	})
	return w, err
}

const (
	countedBranches = `resource "neon_branch" %[1]q {
  count      = var.each
  project_id = %[2]q
  name       = "branch-${count.index + 1}"
  endpoints  = { primary = { type = "read_write" } }
}
`
	countedThings = `resource "empty_thing" %[1]q {
  count = var.each
  name  = "thing-${count.index + 1}"
}
`
	// onlyFirst is for the runs before the state is grown.
	onlyFirst = "-var=each=1"
)

// countVariables are those of a configuration with so many instances of each resource, none of
// which differs from what was made.
func countVariables(each int) string {
	return fmt.Sprintf("variable \"each\" {\n  default = %d\n}\n\n", each)
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
			}, nil
		},
	}
}

// plans are how long several plans took, and the most requests that one made.
type plans struct {
	full, withoutRefresh, empty []seconds
	requests                    int
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
	}
	return taken, nil
}
