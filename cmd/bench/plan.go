package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// instantly is how Neon works where only plans are measured.
var instantly = emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone,
	Limits: emulator.LimitsOff}

// applied has many objects in its state. It is created once, by terraform: the state has all that a real one has.
func (b *bench) applied(ctx context.Context, what work) *workspace {
	if b.many[what] == nil {
		w := b.newWorkspace(what, b.startPlatform(instantly))
		w.apply(ctx)
		b.many[what] = w
	}
	return b.many[what]
}

// planMany has the CPU and the requests of a plan over many objects.
func planMany(what work, arguments ...string) measure {
	return func(ctx context.Context, b *bench) result {
		return b.applied(ctx, what).measurePlan(ctx, arguments...)
	}
}

// planSlowly plans as on a machine that is five times slower. Only the clock sees it.
func planSlowly(what work) measure {
	return func(ctx context.Context, b *bench) result {
		slowed := *b.applied(ctx, what)
		slowed.isSlowed = true
		r := slowed.measurePlan(ctx)
		r.value = r.seconds
		return r
	}
}

// measureLargePlan has the CPU and the requests of one plan over so many branches. The emulator creates them at once,
// and the state has of them what the provider needs to find them: Terraform would take minutes to create them.
func measureLargePlan(count int) measure {
	return func(ctx context.Context, b *bench) result {
		p := b.startPlatform(instantly)
		var made struct {
			Project     struct{ ID string }
			BranchIDs   []string `json:"branch_ids"`
			EndpointIDs []string `json:"endpoint_ids"`
		}
		p.call(ctx, http.MethodPost, "/_emulator/projects", map[string]int{"branches": count, "endpoints_per_branch": 1},
			&made)
		p.world.ProjectID = made.Project.ID
		w := b.newWorkspace(work{of: neon, config: branchesConfig, count: count}, p)
		instances := make([]string, count)
		for i := range instances {
			instances[i] = fmt.Sprintf(`{"index_key":%d,"schema_version":%d,"attributes":{
				"id":%q,"project_id":%q,"name":"branch-%d",
				"endpoints":{"primary":{"id":%q,"type":"read_write"}}}}`,
				i, kit.SchemaVersion(), made.BranchIDs[i], made.Project.ID, i+1, made.EndpointIDs[i])
		}
		w.write("terraform.tfstate", fmt.Sprintf(`{"version":4,"serial":1,"lineage":"bench","resources":[{"mode":"managed",
			"type":"neon_branch","name":"b","provider":"provider[\"registry.terraform.io/%s\"]","instances":[%s]}]}`,
			neon.source, strings.Join(instances, ",")))
		return w.measurePlan(ctx)
	}
}

// measurePlan has the CPU and the requests of a plan of what has been applied.
func (w *workspace) measurePlan(ctx context.Context, arguments ...string) result {
	seen := w.observe(ctx, func() { w.plan(ctx, arguments...) })
	return result{value: seen.cpu, observed: seen}
}
