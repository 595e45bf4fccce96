package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	manyBranches = 1000
	// creators is how many objects are created at a time where that isn't measured.
	creators = 8
)

// instantly is how Neon works where only plans are measured.
var instantly = emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone}

// branchWorld is a project with many branches that are in the state of a workspace, beside a workspace with as many
// resources of the empty provider.
type branchWorld struct {
	platform    *platform
	neon, empty *workspace
}

// manyBranchesWorld creates it once.
func (b *bench) manyBranchesWorld(ctx context.Context) (*branchWorld, error) {
	if b.world != nil {
		return b.world, nil
	}
	p, err := b.startPlatform(instantly)
	if err != nil {
		return nil, err
	}
	world := &branchWorld{platform: p}
	if world.neon, err = b.newWorkspace(neon, p, branchesConfig, manyBranches); err != nil {
		return nil, err
	}
	if err := world.neon.with("NEON_REQUESTS_PER_MINUTE", strconv.Itoa(client.MostRequestsPerMinute)).apply(ctx, creators); err != nil {
		return nil, err
	}
	if world.empty, err = b.newWorkspace(empty, p, thingsConfig, manyBranches); err != nil {
		return nil, err
	}
	b.world = world
	return world, world.empty.apply(ctx, creators)
}

// measurePlan compares plans that read with plans that don't.
func measurePlan(ctx context.Context, b *bench) (result, error) {
	return b.comparePlans(ctx, func(w *branchWorld) *workspace { return w.neon }, "-refresh=false")
}

// measureBesideEmpty compares plans with those of an empty provider.
func measureBesideEmpty(ctx context.Context, b *bench) (result, error) {
	return b.comparePlans(ctx, func(w *branchWorld) *workspace { return w.empty })
}

// comparePlans compares plans of many branches with other plans of the same world.
func (b *bench) comparePlans(ctx context.Context, other func(*branchWorld) *workspace, arguments ...string) (r result, err error) {
	world, err := b.manyBranchesWorld(ctx)
	if err != nil {
		return r, err
	}
	least, err := inTurns(b.runs, world.platform.planning(ctx, world.neon, &r),
		world.platform.planning(ctx, other(world), new(result), arguments...))
	if err == nil {
		r.value, r.boundValue = least[0], least[1]
	}
	return r, err
}

// planning measures the CPU of a plan, and keeps the most requests that one sent.
func (p *platform) planning(ctx context.Context, w *workspace, r *result, arguments ...string) func() (float64, error) {
	return func() (float64, error) {
		seen, err := p.observe(ctx, w, func() error { return w.plan(ctx, arguments...) })
		if seen.Total > r.requests {
			r.requests, r.byRoute = seen.Total, seen.ByRoute
		}
		return seen.cpu, err
	}
}

// measureSlowPlan counts the requests of a plan on a machine that is five times slower.
func measureSlowPlan(ctx context.Context, b *bench) (result, error) {
	world, err := b.manyBranchesWorld(ctx)
	if err != nil {
		return result{}, err
	}
	slow := *world.neon
	slow.isSlowed = true
	seen, err := world.platform.observe(ctx, &slow, func() error { return slow.plan(ctx) })
	return result{value: seen.seconds, requests: seen.Total, byRoute: seen.ByRoute}, err
}

// measureLargePlan counts the requests of one plan.
func measureLargePlan(branches int) func(context.Context, *bench) (result, error) {
	return func(ctx context.Context, b *bench) (r result, err error) {
		p, err := b.startPlatform(instantly)
		if err != nil {
			return r, err
		}
		w, err := b.branchesState(ctx, p, branches)
		if err != nil {
			return r, err
		}
		r.value, err = p.planning(ctx, w, &r)()
		return r, err
	}
}

// branchesState returns a workspace with so many branches in its state. They are created by requests, and the state has of
// them what the provider needs to find them: Terraform would take minutes to create them.
func (b *bench) branchesState(ctx context.Context, p *platform, count int) (*workspace, error) {
	w, err := b.newWorkspace(neon, p, branchesConfig, count)
	if err != nil {
		return nil, err
	}
	instances := make([]any, count)
	var work errgroup.Group
	work.SetLimit(creators)
	for i := range count {
		work.Go(func() (err error) {
			instances[i], err = p.createBranch(ctx, i)
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	state, err := json.Marshal(map[string]any{"version": 4, "serial": 1, "lineage": "bench", "resources": []any{map[string]any{
		"mode": "managed", "type": "neon_branch", "name": "b", "provider": fmt.Sprintf("provider[%q]", "registry.terraform.io/"+neon.source),
		"instances": instances,
	}}})
	if err != nil {
		return nil, err
	}
	return w, os.WriteFile(filepath.Join(w.folder, "terraform.tfstate"), state, 0o600)
}

// createBranch creates a branch of branchesConfig, and returns it as the state has it.
func (p *platform) createBranch(ctx context.Context, index int) (any, error) {
	name := fmt.Sprintf("branch-%d", index+1)
	var created struct {
		Branch    struct{ ID string }   `json:"branch"`
		Endpoints []struct{ ID string } `json:"endpoints"`
	}
	err := p.call(ctx, http.MethodPost, "/api/v2/projects/"+p.world.ProjectID+"/branches", map[string]any{
		"branch": map[string]any{"name": name}, "endpoints": []any{map[string]any{"type": "read_write"}},
	}, &created)
	if err == nil && len(created.Endpoints) != 1 {
		err = fmt.Errorf("%s has %d endpoints", name, len(created.Endpoints))
	}
	if err != nil {
		return nil, err
	}
	return map[string]any{"index_key": index, "schema_version": kit.SchemaVersion(), "attributes": map[string]any{
		"id": created.Branch.ID, "project_id": p.world.ProjectID, "name": name,
		"endpoints": map[string]any{"primary": map[string]any{"id": created.Endpoints[0].ID, "type": "read_write"}},
	}}, nil
}
