// Package snapshot is a snapshot: a copy of a root branch's data at a moment, from which
// Neon can restore a branch.
package snapshot

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/rootbranch"
)

var noun = kit.Introduce(kit.Noun{
	Called: "snapshot", ListedBy: "snapshots",
	IDs: kit.IDs{
		Prefix: "snap-", Example: "snap-wispy-meadow-a1b2c3d4", In: []string{"snapshot_id"},
		LookUp: kit.LookUpInProject("snapshot"),
	},
})

var key = kit.Key{
	Rule: "A snapshot is imported by project_id/snapshot_id, such as wispy-meadow-12345678/snap-wispy-meadow-a1b2c3d4",
	Parts: []kit.KeyPart{
		{Name: "project_id", Description: kit.ProjectText, Valid: kit.IsID("project_id")},
		{Name: "id", Description: idText, Valid: kit.IsID("id"), MovedFrom: "snapshot_id"},
	},
}

// NewResource returns the managed resource neon_snapshot.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name:      "snapshot",
		First:     "branch_id created_at expires_at id lsn manual name project_id timeouts timestamp",
		ListedBy:  noun.ListedBy,
		Key:       key,
		Schema:    resourceSchema(),
		MovedFrom: kit.MovedAs("neon_snapshot", "neondatabase/neon", "kenchan0130/neon"),
		Holds:     "the snapshot",
		Replaced:  "another is taken of the data that there is then",
		Plan:      checkPlan,
		Create:    create,
		Read:      read,
		Update:    update,
		Delete:    remove,
	})
}

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	if err := run.Expired(ctx, plan.ExpiresAt); err != nil {
		return err
	}
	branch := plan.Branch()
	created, err := run.API.CreateSnapshot(ctx, branch, client.SnapshotCreate{
		Name: plan.Name.ValueString(), Slug: plan.Slug.ValueString(), LSN: plan.LSN.ValueString(),
		Timestamp: kit.Instant(plan.Timestamp), ExpiresAt: kit.Instant(plan.ExpiresAt),
	})
	if client.HasStatus(err, http.StatusConflict) && kit.IsSet(plan.Slug) {
		return plan.adviseTaken(plan.withSlug(ctx, run.API), err)
	}
	if err != nil {
		return adviseRefused(ctx, run.API, branch, err)
	}
	save(plan.created(ctx, &created.Object))
	if kit.IsSet(plan.Name) && len(created.Namesakes) > 0 { // One without a name has none.
		run.Warn("Other snapshots of the same name as "+created.Object.ID, fmt.Sprintf("Snapshot %s was taken. These "+
			"snapshots of the branch are named %s too, and were there before. A run that was killed may have left them, but "+
			"they may also be somebody's backups: look at them in the web console before you delete any there: %s.",
			created.Object.ID, kit.Quoted(created.Object.Name), described(created.Namesakes)))
	}
	return run.API.WaitForOperations(ctx, branch.ProjectID, created.Operations)
}

// withSlug is the snapshot of the project that has the planned slug already; nil for none.
func (m model) withSlug(ctx context.Context, api *client.Client) *client.Snapshot {
	if !kit.IsSet(m.Slug) {
		return nil
	}
	present, _ := client.All(api.ListSnapshots(ctx, m.ProjectID.ValueString()))
	for i := range present {
		if present[i].Slug == m.Slug.ValueString() {
			return &present[i]
		}
	}
	return nil
}

// adviseTaken advises what to do if another snapshot has the planned slug; a nil one adds nothing.
func (m model) adviseTaken(other *client.Snapshot, refusal error) error {
	if other == nil {
		return refusal
	}
	return kit.Blame(kit.Advise(refusal, fmt.Sprintf("Snapshot %s has slug %s. If another resource of this configuration "+
		"manages it, choose another slug. Otherwise %s", other.ID, kit.Quoted(other.Slug),
		kit.ImportIt("neon_snapshot", m.ProjectID.ValueString(), other.ID))), path.Root("slug"))
}

// adviseRefused says why Neon may have refused to take a snapshot.
func adviseRefused(ctx context.Context, api *client.Client, branch client.BranchRef, err error) error {
	return rootbranch.Advise(ctx, api, branch, err, "The account's plan limits how many snapshots a project has at a "+
		"time: delete one that nobody needs. The data source neon_snapshots lists them.")
}

func described(snapshots []client.Snapshot) string {
	return strings.Join(kit.TextsOf(snapshots, func(snapshot client.Snapshot) string {
		return fmt.Sprintf("snapshot %s, taken at %s", snapshot.ID, snapshot.CreatedAt.UTC().Format(time.RFC3339))
	}), ", ")
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	ref := kit.RefOf[client.Snapshot](state.ProjectID, state.ID)
	return kit.ReadInto(state.refreshed)(run.API.GetSharedSnapshot(ctx, ref))
}

func update(ctx context.Context, run kit.Run, state, plan model, save func(model)) error {
	plan = kit.Resolved(ctx, plan, state)
	var change client.SnapshotUpdate
	if !plan.Name.Equal(state.Name) {
		change.Name = plan.Name.ValueStringPointer()
	}
	switch {
	case plan.ExpiresAt.IsNull():
		change.RemoveExpiry = !state.ExpiresAt.IsNull()
	case !kit.AtSameInstant(plan.ExpiresAt, state.ExpiresAt):
		change.ExpiresAt = kit.Instant(plan.ExpiresAt)
	}
	if change != (client.SnapshotUpdate{}) {
		if _, err := run.API.UpdateSnapshot(ctx, kit.RefOf[client.Snapshot](plan.ProjectID, plan.ID), change); err != nil {
			return err
		}
	}
	save(plan)
	return nil
}

func remove(ctx context.Context, run kit.Run, state model) error {
	projectID := state.ProjectID.ValueString()
	operations, err := run.API.DeleteSnapshot(ctx, client.SnapshotRef{ProjectID: projectID, ID: state.ID.ValueString()})
	return kit.Finish(ctx, run.API, projectID, operations, err)
}

// NewListResource returns the list resource neon_snapshot: the snapshots of a project.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfProject, "snapshot", key,
		"Lists the snapshots of a project, also those that a backup schedule took, in Neon's order.",
		(*client.Client).ListSnapshots, model.refreshed,
		func(snapshot client.Snapshot) (id, name string) { return snapshot.ID, snapshot.Name })
}
