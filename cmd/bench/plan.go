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

// branchWorldOf makes so many projects with so many branches each. Terraform takes in one of
// each project, and the state gets the rest by hand: Terraform writes all of its state for each
// object that it takes in, and isn't done with 10,000 after 24 minutes.
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
	if world.neon, err = b.branchesIn(ctx, p, made, branches); err != nil {
		return nil, err
	}
	world.empty, err = b.things(ctx, projects, branches)
	return world, err
}

// branchesIn is a workspace that has the branches of some projects, so many of each.
func (b *bench) branchesIn(ctx context.Context, p *platform, made sizedProject, each int) (*workspace, error) {
	config := countVariables(each)
	var imports strings.Builder
	first := map[string]int{}
	for i, projectID := range made.ProjectIDs {
		name := fmt.Sprintf("b%d", i)
		first[name] = i * each
		config += fmt.Sprintf(countedBranches, name, projectID)
		fmt.Fprintf(&imports, "import {\n  to = neon_branch.%s[0]\n  id = \"%s/%s\"\n}\n", name, projectID, made.BranchIDs[first[name]])
	}
	w, err := b.newWorkspace(neon, config, p.variables())
	if err != nil {
		return nil, err
	}
	if err := w.importAll(ctx, imports.String(), onlyFirst); err != nil {
		return nil, err
	}
	err = w.grow(each, func(name string, nth int) []string {
		one, other := first[name], first[name]+nth
		return []string{
			made.BranchIDs[one], made.BranchIDs[other], made.EndpointIDs[one], made.EndpointIDs[other],
			`"branch-1"`, fmt.Sprintf(`"branch-%d"`, nth+1),
		}
	})
	return w, err
}

// things is a workspace that has some resources of the empty provider, so many instances of each.
func (b *bench) things(ctx context.Context, count, each int) (*workspace, error) {
	config := countVariables(each)
	for i := range count {
		config += fmt.Sprintf(countedThings, fmt.Sprintf("t%d", i))
	}
	w, err := b.newWorkspace(empty, config, nil)
	if err != nil {
		return nil, err
	}
	if err := w.run(ctx, "apply", "-auto-approve", onlyFirst); err != nil {
		return nil, err
	}
	err = w.grow(each, func(_ string, nth int) []string {
		return []string{`"thing-1"`, fmt.Sprintf(`"thing-%d"`, nth+1)}
	})
	return w, err
}

const (
	countedBranches = `resource "neon_branch" %[1]q {
  count      = var.each
  project_id = %[2]q
  name       = "branch-${count.index + 1}"
  protected  = count.index < var.protected
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
	return fmt.Sprintf("variable \"each\" {\n  default = %d\n}\n\nvariable \"protected\" {\n  default = 0\n}\n\n", each)
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
