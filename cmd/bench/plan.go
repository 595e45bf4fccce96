package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

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

// manyThings returns a workspace with many branches in its state, and one with as many resources of the empty provider. They are created
// once, by terraform: the state has all that a real one has.
func (b *bench) manyThings(ctx context.Context) (branches, things *workspace, err error) {
	if b.branches != nil {
		return b.branches, b.things, nil
	}
	if branches, err = b.newWorkspace(neon, instantly, branchesConfig, manyBranches); err != nil {
		return nil, nil, err
	}
	if err := branches.unpaced().apply(ctx, creators); err != nil {
		return nil, nil, err
	}
	if things, err = b.newWorkspace(empty, instantly, thingsConfig, manyBranches); err != nil {
		return nil, nil, err
	}
	b.branches, b.things = branches, things
	err = things.apply(ctx, creators)
	return branches, things, err
}

// measurePlan compares plans that read with plans that don't.
func measurePlan(ctx context.Context, b *bench) (result, error) {
	branches, _, err := b.manyThings(ctx)
	if err != nil {
		return result{}, err
	}
	return b.comparePlans(ctx, branches, branches, "-refresh=false")
}

// measureBesideEmpty compares plans with those of an empty provider.
func measureBesideEmpty(ctx context.Context, b *bench) (result, error) {
	branches, things, err := b.manyThings(ctx)
	if err != nil {
		return result{}, err
	}
	return b.comparePlans(ctx, branches, things)
}

// comparePlans compares plans with those of another workspace, and has the most requests that one of ours sent.
func (b *bench) comparePlans(ctx context.Context, ours, other *workspace, arguments ...string) (result, error) {
	var most observed
	planning := func(w *workspace, arguments ...string) func() (float64, error) {
		return func() (float64, error) {
			seen, err := w.observePlan(ctx, arguments...)
			if len(arguments) == 0 && seen.Total > most.Total {
				most = seen
			}
			return seen.cpu, err
		}
	}
	r, err := inTurns(b.runs, planning(ours), planning(other, arguments...))
	r.observed = most
	return r, err
}

// measureSlowPlan counts the requests of a plan on a machine that is five times slower.
func measureSlowPlan(ctx context.Context, b *bench) (result, error) {
	branches, _, err := b.manyThings(ctx)
	if err != nil {
		return result{}, err
	}
	slow := *branches
	slow.isSlowed = true
	seen, err := slow.observePlan(ctx)
	return seen.beside(0), err
}

// measureOrganization counts the requests of a plan over many projects.
func measureOrganization(ctx context.Context, b *bench) (result, error) {
	w, err := b.newWorkspace(neon, instantly, organizationConfig, 20)
	if err != nil {
		return result{}, err
	}
	if err := w.unpaced().apply(ctx, creators); err != nil {
		return result{}, err
	}
	return w.resultOfPlan(ctx)
}

// measureLargePlan counts the requests of one plan over so many branches. They are created by requests, and the state has of them what
// the provider needs to find them: Terraform would take minutes to create them.
func measureLargePlan(count int) func(context.Context, *bench) (result, error) {
	return func(ctx context.Context, b *bench) (result, error) {
		w, err := b.newWorkspace(neon, instantly, branchesConfig, count)
		if err != nil {
			return result{}, err
		}
		instances := make([]string, count)
		var work errgroup.Group
		work.SetLimit(creators)
		for i := range count {
			work.Go(func() (err error) {
				instances[i], err = w.platform.createBranch(ctx, i)
				return err
			})
		}
		if err := work.Wait(); err != nil {
			return result{}, err
		}
		state := fmt.Sprintf(`{"version":4,"serial":1,"lineage":"bench","resources":[{"mode":"managed","type":"neon_branch","name":"b",
			"provider":"provider[\"registry.terraform.io/%s\"]","instances":[%s]}]}`, neon.source, strings.Join(instances, ","))
		if err := os.WriteFile(filepath.Join(w.folder, "terraform.tfstate"), []byte(state), 0o600); err != nil {
			return result{}, err
		}
		return w.resultOfPlan(ctx)
	}
}

func (w *workspace) resultOfPlan(ctx context.Context) (result, error) {
	seen, err := w.observePlan(ctx)
	return result{value: seen.cpu, observed: seen}, err
}

// createBranch creates a branch of branchesConfig, and returns it as the state has it.
func (p *platform) createBranch(ctx context.Context, index int) (string, error) {
	name := fmt.Sprintf("branch-%d", index+1)
	var created struct {
		Branch    struct{ ID string }
		Endpoints [1]struct{ ID string }
	}
	err := p.call(ctx, http.MethodPost, "/api/v2/projects/"+p.world.ProjectID+"/branches", map[string]any{
		"branch": map[string]any{"name": name}, "endpoints": []any{map[string]any{"type": "read_write"}},
	}, &created)
	return fmt.Sprintf(`{"index_key":%d,"schema_version":%d,"attributes":{"id":%q,"project_id":%q,"name":%q,"endpoints":{"primary":{"id":%q,"type":"read_write"}}}}`,
		index, kit.SchemaVersion(), created.Branch.ID, p.world.ProjectID, name, created.Endpoints[0].ID), err
}
