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

// inMany has many branches in its state, or as many resources of the empty provider. It is created once, by terraform:
// the state has all that a real one has.
func (b *bench) inMany(ctx context.Context, of provider) (*workspace, error) {
	if w := b.many[of]; w != nil {
		return w, nil
	}
	w, err := b.newWorkspace(of, instantly, map[provider]string{neon: branchesConfig, empty: thingsConfig}[of], manyBranches)
	if err != nil {
		return nil, err
	}
	b.many[of] = w
	return w, w.unpaced().apply(ctx, creators)
}

// planMany plans over many objects, where it is slowed on a machine that is five times slower.
func planMany(of provider, isSlowed bool, arguments ...string) measure {
	return func(ctx context.Context, b *bench) (result, error) {
		w, err := b.inMany(ctx, of)
		if err != nil {
			return result{}, err
		}
		now := *w
		now.isSlowed = isSlowed
		r, err := now.measurePlan(ctx, arguments...)
		if isSlowed { // Only the clock sees it.
			r.value = r.seconds
		}
		return r, err
	}
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
	return w.measurePlan(ctx)
}

// measureLargePlan counts the requests of one plan over so many branches. They are created by requests, and the state
// has of them what the provider needs to find them: Terraform would take minutes to create them.
func measureLargePlan(count int) measure {
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
		return w.measurePlan(ctx)
	}
}

// measurePlan has the CPU and the requests of a plan of what has been applied.
func (w *workspace) measurePlan(ctx context.Context, arguments ...string) (result, error) {
	seen, err := w.observePlan(ctx, arguments...)
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
